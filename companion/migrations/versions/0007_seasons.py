"""Seasons that groups closed.

Revision ID: 0007
Follows: 0006
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "season",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("ranked_by", sa.String(4), nullable=False),
        sa.Column("until", sa.String(7), nullable=False),
        sa.PrimaryKeyConstraint("group_id", "number", name="pk_season"),
        sa.CheckConstraint("ranked_by IN ('net', 'wins')", name=op.f("ck_season_ranked_by")),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name="fk_season_group_id"),
    )


def downgrade() -> None:
    op.drop_table("season")
