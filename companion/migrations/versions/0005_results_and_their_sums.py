"""What each round was for each player, and sums of it by player, game and month; made from the rounds there are.

Revision ID: 0005
Follows: 0004
"""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from companion.store.replay import Unsettled, settled
from companion.store.tallies import Played, Sums, parts_of

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_LINE = sa.table("line", sa.column("id"), sa.column("session_id"), sa.column("number"), sa.column("current_id"))
_REVISION = sa.table("revision", sa.column("id"), sa.column("document", sa.JSON), sa.column("voided"))
_SESSION = sa.table(
    "play_session",
    sa.column("id"),
    sa.column("group_id"),
    sa.column("currency"),
    sa.column("opened_at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    result, tally, duel = _results(), _tallies(), _duels()
    op.create_index(
        "ix_result_in_order",
        "result",
        ["group_id", "month", "currency", "session_id", "number"],
    )
    sums = Sums()
    rows: list[dict[str, object]] = []
    for played in _rounds():
        rows += played.rows()
        sums.add(played)
    _fill(result, rows)
    _fill(tally, sums.tally_rows())
    _fill(duel, sums.duel_rows())


def _results() -> sa.Table:
    return op.create_table(
        "result",
        sa.Column("line_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("month", sa.String(length=7), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("knocked", sa.Boolean(), nullable=False),
        sa.Column("has_left", sa.Boolean(), nullable=False),
        sa.Column("hand_at_least", sa.BigInteger(), nullable=True),
        sa.Column("hand_of", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=op.f("fk_result_group_id")),
        sa.ForeignKeyConstraint(["line_id"], ["line.id"], name=op.f("fk_result_line_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_result_player_id")),
        sa.ForeignKeyConstraint(["session_id"], ["play_session.id"], name=op.f("fk_result_session_id")),
        sa.PrimaryKeyConstraint("line_id", "player_id", name=op.f("pk_result")),
    )


def _tallies() -> sa.Table:
    return op.create_table(
        "tally",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("month", sa.String(length=7), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("knocks", sa.Integer(), nullable=False),
        sa.Column("good_knocks", sa.Integer(), nullable=False),
        sa.Column("folds", sa.Integer(), nullable=False),
        sa.Column("biggest_win", sa.BigInteger(), nullable=False),
        sa.Column("biggest_loss", sa.BigInteger(), nullable=False),
        sa.Column("streak_first", sa.Integer(), nullable=False),
        sa.Column("streak_last", sa.Integer(), nullable=False),
        sa.Column("streak_best", sa.Integer(), nullable=False),
        sa.Column("best_at_least", sa.BigInteger(), nullable=True),
        sa.Column("best_of", sa.BigInteger(), nullable=True),
        sa.Column("best_line_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["best_line_id"], ["line.id"], name=op.f("fk_tally_best_line_id")),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=op.f("fk_tally_group_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_tally_player_id")),
        sa.PrimaryKeyConstraint("group_id", "player_id", "game", "month", "currency", name=op.f("pk_tally")),
    )


def _duels() -> sa.Table:
    return op.create_table(
        "duel",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.Column("second_id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("month", sa.String(length=7), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("better", sa.Integer(), nullable=False),
        sa.Column("worse", sa.Integer(), nullable=False),
        sa.Column("difference", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["first_id"], ["player.id"], name=op.f("fk_duel_first_id")),
        sa.ForeignKeyConstraint(["group_id"], ["player_group.id"], name=op.f("fk_duel_group_id")),
        sa.ForeignKeyConstraint(["second_id"], ["player.id"], name=op.f("fk_duel_second_id")),
        sa.PrimaryKeyConstraint("group_id", "first_id", "second_id", "game", "month", "currency", name=op.f("pk_duel")),
    )


def _rounds() -> Iterator[Played]:
    """Work out the rounds that count, in the order of play; what can be settled no more is for the audit to say."""
    query = (
        sa.select(
            _LINE.c.id,
            _SESSION.c.group_id,
            _LINE.c.session_id,
            _LINE.c.number,
            _SESSION.c.currency,
            _SESSION.c.opened_at,
            _REVISION.c.document,
        )
        .join(_REVISION, _REVISION.c.id == _LINE.c.current_id)
        .join(_SESSION, _SESSION.c.id == _LINE.c.session_id)
        .where(_REVISION.c.voided.is_(sa.false()))
        .order_by(_LINE.c.session_id, _LINE.c.number)
    )
    for line, group, session, number, currency, opened_at, document in op.get_bind().execute(query).all():
        if "game" not in document:
            continue
        try:
            parts = parts_of(settled(document))
        except Unsettled:
            continue
        yield Played(line, group, session, number, document["game"], f"{opened_at:%Y-%m}", currency or "", parts)


def _fill(table: sa.Table, rows: list[dict[str, object]]) -> None:
    """Insert rows; what a later version says besides has no column yet."""
    columns = [column.name for column in table.columns]
    op.bulk_insert(table, [{name: row[name] for name in columns} for row in rows])


def downgrade() -> None:
    for table in ("duel", "tally", "result"):
        op.drop_table(table)
