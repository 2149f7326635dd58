"""The clock of each night: how many seconds the computer on which it was opened was ahead of UTC.

Older nights have the clock of the computer that migrates them, unless that would show another month than the one in
which they were summed up; then they have the nearest clock that shows this month.

Revision ID: 0015
Follows: 0014
"""

from datetime import UTC, datetime, timedelta, timezone

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_HOUR = 60 * 60
_CLOCKS = range(-12 * _HOUR, 15 * _HOUR, _HOUR)  # those in use
_NIGHTS = sa.table(
    "play_session",
    sa.column("id", sa.Integer),
    sa.column("group_id", sa.Integer),
    sa.column("opened_at", sa.DateTime(timezone=True)),
    sa.column("month", sa.String),
    sa.column("utc_offset", sa.Integer),
)


def upgrade() -> None:
    op.add_column("play_session", sa.Column("utc_offset", sa.Integer(), nullable=True))
    connection = op.get_bind()
    of_night = (_NIGHTS.c.group_id == sa.bindparam("group")) & (_NIGHTS.c.id == sa.bindparam("night"))
    rows = [
        {"group": group, "night": night, "offset": _offset(_in_utc(opened_at), month)}
        for group, night, opened_at, month in connection.execute(
            sa.select(_NIGHTS.c.group_id, _NIGHTS.c.id, _NIGHTS.c.opened_at, _NIGHTS.c.month)
        )
    ]
    if rows:
        connection.execute(sa.update(_NIGHTS).where(of_night).values(utc_offset=sa.bindparam("offset")), rows)
    with op.batch_alter_table("play_session") as table:
        table.alter_column("utc_offset", existing_type=sa.Integer(), nullable=False)


def downgrade() -> None:
    op.drop_column("play_session", "utc_offset")


def _in_utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)  # SQLite drops the zone


def _offset(opened_at: datetime, month: str) -> int:
    here = int((opened_at.astimezone().utcoffset() or timedelta()).total_seconds())
    nearest = sorted(_CLOCKS, key=lambda offset: abs(offset - here))
    return next((offset for offset in (here, *nearest) if _month(opened_at, offset) == month), here)


def _month(opened_at: datetime, offset: int) -> str:
    return f"{opened_at.astimezone(timezone(timedelta(seconds=offset))):%Y-%m}"
