"""The stakes that a night sets after it began.

Revision ID: 0002
Follows: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("night", sa.Column("stakes", sa.JSON(), server_default="{}", nullable=False))


def downgrade() -> None:
    op.drop_column("night", "stakes")
