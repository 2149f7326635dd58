"""The next night that a group plans, and when a night plays its last round.

Revision ID: 0009
Follows: 0008
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("night", sa.Column("last_round", sa.String(5), nullable=True))
    op.create_table(
        "next_night",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("utc_offset", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(100), nullable=False),
        sa.Column("last_round", sa.String(5), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("group_id", name="pk_next_night"),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name="fk_next_night_group_id"),
    )
    op.create_table(
        "coming",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("comes", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("group_id", "player_id", name="pk_coming"),
        sa.ForeignKeyConstraint(
            ["player_id", "group_id"], ["player.id", "player.group_id"], name="fk_coming_player_id_group_id"
        ),
    )


def downgrade() -> None:
    op.drop_table("coming")
    op.drop_table("next_night")
    op.drop_column("night", "last_round")
