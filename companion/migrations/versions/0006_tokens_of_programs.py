"""Tokens that let programs into a group.

Revision ID: 0006
Follows: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # on SQLite only the id, or it wouldn't generate it
    key = ["id", "group_id"] if op.get_bind().dialect.name == "postgresql" else ["id"]
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("access", sa.String(4), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(*key, name="pk_api_token"),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name="fk_api_token_group_id"),
        sa.UniqueConstraint("secret_hash", name="uq_api_token_secret_hash"),
        sa.CheckConstraint("access IN ('keep', 'play', 'look')", name=op.f("ck_api_token_access")),
    )
    op.create_index("ix_api_token_of_group", "api_token", ["group_id"])


def downgrade() -> None:
    op.drop_table("api_token")
