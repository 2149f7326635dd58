"""What forms said, as digests by their keys, to compare if one is sent again.

Revision ID: 0014
Follows: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sent_form",
        sa.Column("group_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=op.f("fk_sent_form_group_id")),
        sa.PrimaryKeyConstraint("group_id", "key", name=op.f("pk_sent_form")),
    )


def downgrade() -> None:
    op.drop_table("sent_form")
