"""Groups that are made up to look around in, and groups that are deleted.

Revision ID: 0006
Follows: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player_group", sa.Column("is_demo", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("player_group", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("player_group", sa.Column("deletion_key", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_player_group_deletion_key"), "player_group", ["deletion_key"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f("ix_player_group_deletion_key"), "player_group")
    for column in ("deletion_key", "deleted_at", "is_demo"):
        op.drop_column("player_group", column)
