"""The chips that a group has, by colour.

Revision ID: 0010
Follows: 0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player_group", sa.Column("chips", sa.JSON(), server_default="[]", nullable=False))


def downgrade() -> None:
    op.drop_column("player_group", "chips")
