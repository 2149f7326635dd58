"""Where a group is written: how often that changed, and since when it is elsewhere.

Revision ID: 0013
Follows: 0012
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player_group", sa.Column("turn", sa.Integer(), server_default="0", nullable=False))
    op.add_column("player_group", sa.Column("handed_over_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("player_group", "handed_over_at")
    op.drop_column("player_group", "turn")
