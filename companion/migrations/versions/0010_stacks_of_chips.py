"""The chips that everybody buys at the start of a night, where the table plays with stacks.

Revision ID: 0010
Follows: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("play_session") as table:
        table.add_column(sa.Column("buy_in_units", sa.BigInteger(), nullable=True))
        table.create_check_constraint(op.f("ck_play_session_buy_in"), "buy_in_units > 0")


def downgrade() -> None:
    with op.batch_alter_table("play_session") as table:
        table.drop_constraint(op.f("ck_play_session_buy_in"), type_="check")
        table.drop_column("buy_in_units")
