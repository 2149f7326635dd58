"""Whether a night's results show what is handed over, or who pays whom.

Revision ID: 0014
Follows: 0013
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("night", sa.Column("payments_by", sa.String(5), nullable=True))


def downgrade() -> None:
    op.drop_column("night", "payments_by")
