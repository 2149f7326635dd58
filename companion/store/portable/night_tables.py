"""The exported tables of a night: its seats, accounts and changes, and its lines with their revisions."""

from __future__ import annotations

from companion.contract.reading import MOST_STAKE_UNITS
from companion.engine.pots import MOST_UNITS

from ..models import Account, Change, Line, PlaySession, Revision, Seat, Transfer, new_join_code
from ..stacks import MOST_BUY_IN
from .checks import check_change, check_session
from .fields import AccountKey, Flag, Moment, Numbered, Object, OneOf, Ref, Text, Whole
from .game_fields import Entry, HouseRules, Options, Pairs
from .table import AT, CURRENCY, DEVICE, PUBLIC_ID, Table, submission_key, text

_MOST = 10**9
_STATES = ("in", "out", "left")

SEATS = Table(
    key="seats",
    noun="seat",
    model=Seat,
    owner="session_id",
    order="position",
    fields=(
        Ref(key="player", column="player_id", of="player", kind="seat"),
        OneOf(key="state", column="state", words=_STATES),
    ),
    more=lambda _row, at: {"position": at},
)

ACCOUNTS = Table(
    key="accounts",
    noun="account",
    model=Account,
    owner="session_id",
    fields=(
        AccountKey(key="account", column="key", of="seat", kind="account"),
        Whole(key="balance", column="balance", least=-(10**18), most=10**18),
    ),
)

# what a change may have sent, whatever its kind
_CONTENT = (
    Whole(key="number", least=1, most=_MOST),
    Entry(key="document"),
    Whole(key="seen", least=1, most=_MOST),
    Flag(key="voided"),
    Flag(key="split"),
    Flag(key="by_lot"),
    Pairs(key="seats", fields=(Ref(key="player", of="player"), OneOf(key="state", words=_STATES))),
    OneOf(key="game"),
    Options(key="rules"),
    Text(key="place", most=100),
    Text(key="note", most=2_000),
    Text(key="remark", most=200),
    Ref(key="player", of="player"),
    Ref(key="instead_of", of="player"),
    Whole(key="buy_in", least=1, most=MOST_BUY_IN, is_null=True),
    Pairs(key="counted", fields=(AccountKey(key="account", of="player"), Whole(key="units", least=0, most=MOST_UNITS))),
)
_KINDS = (
    *("round", "movement", "correction", "void", "undo", "seats", "rules", "note", "remark", "close", "reopen"),
    *("seat-taken", "seat-given-up", "code", "buy-in", "rebuy", "count", "dealer"),
)

CHANGES = Table(
    key="changes",
    noun="change",
    model=Change,
    owner="session_id",
    fields=(
        Numbered(key="change", kind="change"),
        submission_key(),
        OneOf(key="kind", column="kind", words=_KINDS),
        Object(key="content", column="content", parts=_CONTENT),
        DEVICE,
        AT,
    ),
    check=check_change,
)

TRANSFERS = Table(
    key="transfers",
    noun="transfer",
    model=Transfer,
    owner="revision_id",
    order="position",
    fields=(
        Ref(key="from", column="giver_id", of="account"),
        Ref(key="to", column="taker_id", of="account"),
        Whole(key="amount", column="amount", least=1, most=MOST_UNITS),
        text("reason", 20),
        text("rule", 10),
    ),
    more=lambda _row, at: {"position": at},
)

REVISIONS = Table(
    key="revisions",
    noun="revision",
    model=Revision,
    owner="line_id",
    order="number",
    fields=(
        Numbered(key="number", column="number"),
        Ref(key="change", column="change_id", of="change"),
        Entry(key="document", column="document", of="seat", is_whole=True),
        Flag(key="voided", column="voided"),
        Flag(key="follows", column="follows"),
    ),
    tables=(TRANSFERS,),
)

LINES = Table(
    key="lines",
    noun="line",
    model=Line,
    owner="session_id",
    order="number",
    fields=(
        Numbered(key="number", column="number"),
        OneOf(key="game", column="game", is_null=True),
        text("remark", 200),
    ),
    tables=(REVISIONS,),
)

SESSIONS = Table(
    key="sessions",
    noun="session",
    model=PlaySession,
    owner="group_id",
    fields=(
        Text(key="id", column="public_id", least=1, most=16, pattern=PUBLIC_ID, is_unique=True, kind="session"),
        submission_key(),
        OneOf(key="game", column="game"),
        HouseRules(key="rules", column="rules"),
        Whole(key="stake", column="stake_units", least=1, most=MOST_STAKE_UNITS),
        CURRENCY,
        Whole(key="buy_in", column="buy_in_units", least=1, most=MOST_BUY_IN, is_optional=True),
        text("place", 100),
        text("note", 2_000),
        Moment(key="opened_at", column="opened_at"),
        Moment(key="closed_at", column="closed_at", is_null=True),
    ),
    tables=(SEATS, ACCOUNTS, CHANGES, LINES),
    more=lambda row, _at: {
        "version": len(row["changes"]),
        "join_code": None if row["closed_at"] else new_join_code(),
    },
    check=check_session,
)
