"""Indexes: a session's newest change is found without sorting all of them, and what has expired without looking at all.

Revision ID: 0007
Follows: 0006
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_change_in_order", "change", ["session_id", "id"])
    op.create_index(op.f("ix_attempt_expires_at"), "attempt", ["expires_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_attempt_expires_at"), "attempt")
    op.drop_index("ix_change_in_order", "change")
