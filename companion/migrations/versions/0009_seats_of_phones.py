"""Which phone has which seat, and what was changed in a round after its hands were turned up.

Revision ID: 0009
Follows: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seat", sa.Column("phone", sa.String(length=16), nullable=True))
    op.add_column("seat", sa.Column("phone_name", sa.String(length=100), nullable=True))
    op.add_column("draft", sa.Column("late", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("draft", "late")
    op.drop_column("seat", "phone_name")
    op.drop_column("seat", "phone")
