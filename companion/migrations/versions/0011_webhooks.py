"""Webhooks, and the queue of what isn't sent to them yet.

Revision ID: 0011
Follows: 0010
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # on SQLite only the id, or it wouldn't generate it; a delivery refers to both
    key = ["id", "group_id"] if op.get_bind().dialect.name == "postgresql" else ["id"]
    both = [] if len(key) > 1 else [sa.UniqueConstraint("id", "group_id", name="uq_webhook_id_group_id")]
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("url", sa.String(500), nullable=False),
        sa.Column("events", sa.String(200), nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure", sa.String(20), nullable=True),
        sa.Column("dropped", sa.Integer(), nullable=False),
        sa.Column("dropped_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(*key, name="pk_webhook"),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name="fk_webhook_group_id"),
        *both,
    )
    op.create_index("ix_webhook_of_group", "webhook", ["group_id"])
    op.create_table(
        "delivery",
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(40), nullable=False),
        sa.Column("event", sa.String(20), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=True),
        sa.Column("subject_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("webhook_id", "key", "group_id", name="pk_delivery"),
        sa.ForeignKeyConstraint(
            ["webhook_id", "group_id"], ["webhook.id", "webhook.group_id"], name="fk_delivery_webhook_id_group_id"
        ),
    )


def downgrade() -> None:
    op.drop_table("delivery")
    op.drop_table("webhook")
