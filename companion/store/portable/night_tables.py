"""The exported tables of a night: its seats, accounts and changes, and its lines with their revisions."""

from __future__ import annotations

from dataclasses import replace

from companion.contract.reading import MOST_STAKE_UNITS
from companion.engine.pots import MOST_UNITS

from ..models import Account, BookedTransfer, Change, Line, PlaySession, Revision, Seat, new_join_code
from ..stacks import MOST_BUY_IN
from .checks import check_change, check_session
from .exported_table import AT, CURRENCY, DEVICE, PUBLIC_ID, SUBMISSION_KEY, ExportedTable
from .fields import AccountKey, Flag, Numbered, Object, OneOf, Ref, Text, Timestamp, Whole
from .game_fields import EntryField, HouseRules, OptionsField, Pairs

_MOST = 10**9
_STATES = ("in", "out", "left")

SEATS = ExportedTable(
    key="seats",
    noun="seat",
    model=Seat,
    owner="session_id",
    order="position",
    fields=(Ref("player", column="player_id", of="player", kind="seat"), OneOf("state", words=_STATES)),
    more=lambda _row, at: {"position": at},
)

ACCOUNTS = ExportedTable(
    key="accounts",
    noun="account",
    model=Account,
    owner="session_id",
    fields=(
        AccountKey("account", column="key", of="seat", kind="account"),
        Whole("balance", least=-(10**18), most=10**18),
    ),
)

# what a change may have sent, whatever its kind
_CONTENT = (
    Whole("number", least=1, most=_MOST),
    EntryField("document"),
    Whole("seen", least=1, most=_MOST),
    Flag("voided"),
    Flag("split"),
    Flag("by_lot"),
    Pairs("seats", fields=(Ref("player", of="player"), OneOf("state", words=_STATES))),
    OneOf("game"),
    OptionsField("rules"),
    Text("place", most=100),
    Text("note", most=2_000),
    Text("remark", most=200),
    Ref("player", of="player"),
    Ref("instead_of", of="player"),
    Whole("buy_in", least=1, most=MOST_BUY_IN, is_null=True),
    Pairs("counted", fields=(AccountKey("account", of="player"), Whole("units", least=0, most=MOST_UNITS))),
)
_KINDS = (
    *("round", "movement", "correction", "void", "undo", "seats", "rules", "note", "remark", "close", "reopen"),
    *("seat-taken", "seat-given-up", "code", "buy-in", "rebuy", "count", "dealer"),
)

CHANGES = ExportedTable(
    key="changes",
    noun="change",
    model=Change,
    owner="session_id",
    fields=(
        Numbered("change", kind="change", is_stored=False),
        SUBMISSION_KEY,
        OneOf("kind", words=_KINDS),
        Object("content", parts=_CONTENT),
        DEVICE,
        AT,
    ),
    check=check_change,
)

TRANSFERS = ExportedTable(
    key="transfers",
    noun="transfer",
    model=BookedTransfer,
    owner="revision_id",
    order="position",
    fields=(
        Ref("from", column="giver_id", of="account"),
        Ref("to", column="taker_id", of="account"),
        Whole("amount", least=1, most=MOST_UNITS),
        Text("reason", most=20),
        Text("rule", most=10),
    ),
    more=lambda _row, at: {"position": at},
)

REVISIONS = ExportedTable(
    key="revisions",
    noun="revision",
    model=Revision,
    owner="line_id",
    order="number",
    fields=(
        Numbered("number"),
        Ref("change", column="change_id", of="change"),
        EntryField("document", of="seat", is_whole=True),
        Flag("voided"),
        Flag("follows"),
    ),
    tables=(TRANSFERS,),
)

LINES = ExportedTable(
    key="lines",
    noun="line",
    model=Line,
    owner="session_id",
    order="number",
    fields=(Numbered("number"), OneOf("game", is_null=True), Text("remark", most=200)),
    tables=(REVISIONS,),
)

SESSIONS = ExportedTable(
    key="sessions",
    noun="session",
    model=PlaySession,
    owner="group_id",
    fields=(
        replace(PUBLIC_ID, is_unique=True, kind="session"),
        SUBMISSION_KEY,
        OneOf("game"),
        HouseRules("rules"),
        Whole("stake", column="stake_units", least=1, most=MOST_STAKE_UNITS),
        CURRENCY,
        Whole("buy_in", column="buy_in_units", least=1, most=MOST_BUY_IN, is_optional=True),
        Text("place", most=100),
        Text("note", most=2_000),
        Timestamp("opened_at"),
        Timestamp("closed_at", is_null=True),
    ),
    tables=(SEATS, ACCOUNTS, CHANGES, LINES),
    more=lambda row, _at: {
        "version": len(row["changes"]),
        "join_code": None if row["closed_at"] else new_join_code(),
    },
    check=check_session,
)
