"""What an exported group is made of: its tables, which lie in each other as they do in the file.

A further table is one more `Table` here, below the one that it belongs to: its fields say how it is written, read with
distrust and put back. What is worked out from the rest, what is only for tonight (drafts, join codes, which phone has
which seat) and what opens a group (links) is not exported: a file can be forged, and a hash in it would be a way in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.contract.names import folded
from companion.contract.reading import MOST_STAKE_UNITS
from companion.engine.pots import MOST_UNITS

from ..models import (
    Account,
    Change,
    Group,
    Line,
    Paid,
    PlannedPayment,
    Player,
    PlaySession,
    Revision,
    RuleSet,
    Seat,
    SettleUp,
    Transfer,
    new_join_code,
)
from ..stacks import MOST_BUY_IN
from .checks import check_change, check_plan, check_rule_sets, check_session
from .fields import (
    AccountKey,
    Field,
    Flag,
    IdMaps,
    Moment,
    Name,
    Numbered,
    Object,
    OneOf,
    Ref,
    Text,
    Whole,
)
from .game_fields import ChipCounts, Entry, HouseRules, Options, RulesName, SeatList

_MOST = 10**9
_PUBLIC_ID = r"[A-Za-z0-9_-]+"
_CURRENCY = "[A-Z]{3}"


def _nothing(_row: dict[str, Any], _at: int) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of a model, under `key` of the row that owns them; there the relationship has the same name.

    `noun`: what a row is called in sentences. `owner`: the column with the owner's id. `order`: the one that an owner's
    rows are in the order of. `more`: further columns, from the file's row and its place from 0. `is_optional`: left out
    of the file where there are no rows, as in files of before there was such a table. `check` raises Unfit for what the
    fields cannot tell, given the row of the file, its place in words and the ids.
    """

    key: str
    noun: str
    model: Any
    owner: str
    order: str = "id"
    fields: tuple[Field, ...]
    tables: tuple[Table, ...] = ()
    more: Callable[[dict[str, Any], int], dict[str, Any]] = _nothing
    is_optional: bool = False
    check: Callable[[dict[str, Any], str, IdMaps], None] = lambda _row, _place, _ids: None

    @property
    def identity(self) -> Field | None:
        """The field that says what a row is called, where others speak of it."""
        return next((field for field in self.fields if field.kind), None)


def _key(most: int = 64, column: str = "submission_key") -> Text:
    return Text(key="key", column=column, most=most, is_unique=True)


def _text(key: str, most: int) -> Text:
    return Text(key=key, column=key, most=most)


_DEVICE, _AT = _text("device", 100), Moment(key="at", column="at")
_CURRENCY_CODE = Text(key="currency", column="currency", most=3, pattern=_CURRENCY, is_null=True)
_ID = Text(key="id", column="public_id", least=1, most=16, pattern=_PUBLIC_ID, is_unique=True, kind="session")
_AMOUNT = Whole(key="amount", column="amount", least=1, most=MOST_UNITS)

PLAYERS = Table(
    key="players",
    noun="player",
    model=Player,
    owner="group_id",
    fields=(
        Numbered(key="player", prefix="p", kind="player"),
        Name(key="name", column="name", is_unique=True),
        Flag(key="retired", column="retired"),
    ),
    more=lambda row, _at: {"folded": folded(row["name"])},
)

SEATS = Table(
    key="seats",
    noun="seat",
    model=Seat,
    owner="session_id",
    order="position",
    fields=(
        Ref(key="player", column="player_id", of="player", kind="seat"),
        OneOf(key="state", column="state", words=("in", "out", "left")),
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
    SeatList(key="seats"),
    OneOf(key="game"),
    Options(key="rules"),
    Text(key="place", most=100),
    Text(key="note", most=2_000),
    Text(key="remark", most=200),
    Ref(key="player", of="player"),
    Ref(key="instead_of", of="player"),
    Whole(key="buy_in", least=1, most=MOST_BUY_IN, is_null=True),
    ChipCounts(key="counted"),
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
        _key(),
        OneOf(key="kind", column="kind", words=_KINDS),
        Object(key="content", column="content", parts=_CONTENT),
        _DEVICE,
        _AT,
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
        _AMOUNT,
        _text("reason", 20),
        _text("rule", 10),
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
        _text("remark", 200),
    ),
    tables=(REVISIONS,),
)

SESSIONS = Table(
    key="sessions",
    noun="session",
    model=PlaySession,
    owner="group_id",
    fields=(
        _ID,
        _key(),
        OneOf(key="game", column="game"),
        HouseRules(key="rules", column="rules"),
        Whole(key="stake", column="stake_units", least=1, most=MOST_STAKE_UNITS),
        _CURRENCY_CODE,
        Whole(key="buy_in", column="buy_in_units", least=1, most=MOST_BUY_IN, is_optional=True),
        _text("place", 100),
        _text("note", 2_000),
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

PAID = Table(
    key="paid",
    noun="tick",
    model=Paid,
    owner="payment_id",
    fields=(
        Whole(key="amount", column="amount", least=-MOST_UNITS, most=MOST_UNITS),
        _key(),
        _DEVICE,
        _AT,
    ),
)

PAYMENTS = Table(
    key="payments",
    noun="payment",
    model=PlannedPayment,
    owner="settle_up_id",
    order="position",
    fields=(
        AccountKey(key="from", column="payer", of="player"),
        AccountKey(key="to", column="payee", of="player"),
        Whole(key="amount", column="amount", least=1, most=10**18),
    ),
    tables=(PAID,),
    more=lambda _row, at: {"position": at},
)

PLANS = Table(
    key="plans",
    noun="plan",
    model=SettleUp,
    owner="group_id",
    fields=(
        Text(key="id", column="public_id", least=1, most=16, pattern=_PUBLIC_ID, is_unique=True, kind="plan"),
        _key(),
        Ref(key="session", column="session_id", of="session", is_null=True),
        _CURRENCY_CODE,
        Ref(key="replaced_by", column="replaced_by_id", of="plan", is_null=True, is_self_reference=True),
        _DEVICE,
        _AT,
    ),
    tables=(PAYMENTS,),
    check=check_plan,
)

RULE_SETS = Table(
    key="rule_sets",
    noun="house rules",
    model=RuleSet,
    owner="group_id",
    fields=(
        OneOf(key="game", column="game"),
        RulesName(key="name", column="name"),
        Options(key="rules", column="rules"),
    ),
    is_optional=True,
    more=lambda row, _at: {"folded": folded(row["name"])},
)

GROUP = Table(
    key="group",
    noun="group",
    model=Group,
    owner="",
    fields=(
        Text(key="id", column="public_id", least=1, most=16, pattern=_PUBLIC_ID),
        Name(key="name", column="name", is_player=False),
        Moment(key="made_at", column="made_at"),
    ),
    tables=(PLAYERS, SESSIONS, PLANS, RULE_SETS),
    more=lambda _row, _at: {"is_complete": False},
    check=check_rule_sets,
)
