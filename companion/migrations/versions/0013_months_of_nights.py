"""The month of each night, by which its rounds are summed up.

Until now it was the month in UTC, which in America is already the next one on the evening of a month's last day. Nights
that were summed up so keep theirs; new ones have the month that pages show.

Revision ID: 0013
Follows: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("play_session", sa.Column("month", sa.String(length=7), nullable=True))
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    opened = "substr(opened_at, 1, 7)" if is_sqlite else "to_char(opened_at AT TIME ZONE 'UTC', 'YYYY-MM')"
    summed_up = (
        "SELECT min(result.month) FROM result "
        "WHERE result.group_id = play_session.group_id AND result.session_id = play_session.id"
    )
    op.execute(f"UPDATE play_session SET month = coalesce(({summed_up}), {opened})")
    with op.batch_alter_table("play_session") as table:
        table.alter_column("month", existing_type=sa.String(length=7), nullable=False)


def downgrade() -> None:
    op.drop_column("play_session", "month")
