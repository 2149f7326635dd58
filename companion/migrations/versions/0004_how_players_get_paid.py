"""How players get paid, and how a payment was made.

Revision ID: 0004
Follows: 0003
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("paid", sa.Column("how", sa.String(10), nullable=True))
    op.create_table(
        "pay_handle",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("text", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("group_id", "player_id", "kind", name="pk_pay_handle"),
        sa.ForeignKeyConstraint(
            ["player_id", "group_id"], ["player.id", "player.group_id"], name="fk_pay_handle_player_id_group_id"
        ),
    )


def downgrade() -> None:
    op.drop_table("pay_handle")
    op.drop_column("paid", "how")
