"""Phones that want to be reminded by push messages.

Revision ID: 0012
Follows: 0011
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "subscription",
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("phone", sa.String(40), nullable=False),
        sa.Column("endpoint", sa.String(1000), nullable=False),
        sa.Column("public_key", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("origin", sa.String(200), nullable=False),
        sa.Column("language", sa.String(10), nullable=False),
        sa.Column("event", sa.String(10), nullable=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("is_told", sa.Boolean(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("night_id", "phone", "group_id", name="pk_subscription"),
        sa.ForeignKeyConstraint(
            ["night_id", "group_id"], ["night.id", "night.group_id"], name="fk_subscription_night_id_group_id"
        ),
    )


def downgrade() -> None:
    op.drop_table("subscription")
