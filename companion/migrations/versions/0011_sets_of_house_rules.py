"""House rules that a group keeps under a name, by game.

Revision ID: 0011
Follows: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rule_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=op.f("fk_rule_set_group_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rule_set")),
        sa.UniqueConstraint("group_id", "game", "folded", name=op.f("uq_rule_set_group_id_game_folded")),
    )


def downgrade() -> None:
    op.drop_table("rule_set")
