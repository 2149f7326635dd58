"""The exported tables of a night: its seats, accounts and changes, and its lines with their revisions."""

from __future__ import annotations

from datetime import datetime

from companion.contract.round_document import MAX_STAKE_UNITS
from companion.engine.pots import MAX_UNITS

from ..models import (
    Account,
    BookedTransfer,
    Change,
    Line,
    Night,
    Revision,
    Seat,
    month_of,
    offset_here,
)
from ..money.stacks import MAX_BUY_IN
from .checks import check_change, check_night
from .exported_table import CURRENCY, DEVICE_ID, PUBLIC_ID, SUBMISSION_KEY, ExportedTable, RowList, checked
from .fields import AccountKey, Flag, Numbered, Offset, Parts, Ref, Row, Text, Timestamp, TypedField, Whole, Word
from .game_fields import Content, EntryField, HouseRules, OptionValues, Pairs, Stakes

_MAX_NUMBER = 10**9
_STATES = ("in", "out", "left")
_KINDS = (
    *("round", "movement", "correction", "void", "undo", "seats", "rules", "note", "remark", "close", "reopen"),
    *("seat-taken", "seat-given-up", "code", "buy-in", "rebuy", "count", "dealer", "stakes"),
)


class SeatTable(ExportedTable):
    """Who sits where."""

    model, owner, order, names = Seat, "night_id", "position", ("player",)
    player_id = Ref("players", data_key="player")
    state = Word(_STATES)


class AccountTable(ExportedTable):
    """The balances of the players, the pot and the bank."""

    model, owner, names = Account, "night_id", ("account",)
    key = AccountKey("seats", data_key="account")
    balance = Whole(-(10**18), 10**18)


class ChangeContent(Parts):
    """What a change may have sent, whatever its kind."""

    number = Whole(1, _MAX_NUMBER)
    document = EntryField()
    seen = Whole(1, _MAX_NUMBER)
    voided = Flag()
    split = Flag()
    by_lot = Flag()
    seats = Pairs(player=Ref("players"), state=Word(_STATES))
    game = Word()
    rules = OptionValues()
    stakes = Stakes()
    was = Stakes()
    place = TypedField(100)
    note = TypedField(2_000)
    remark = TypedField(200)
    player = Ref("players")
    instead_of = Ref("players")
    buy_in = Whole(1, MAX_BUY_IN, allow_none=True)
    counted = Pairs(account=AccountKey("players"), units=Whole(0, MAX_UNITS))


class ChangeTable(ExportedTable):
    """What was sent."""

    model, owner, names = Change, "night_id", ("change", "key")
    change = Numbered()
    submission_key = SUBMISSION_KEY
    kind = Word(_KINDS)
    content = Content(nested=ChangeContent(partial=True))
    device_id = DEVICE_ID
    at = Timestamp()
    check = checked(check_change)


class TransferTable(ExportedTable):
    """What a revision moves."""

    model, owner, order = BookedTransfer, "revision_id", "position"
    giver_id = Ref("accounts", data_key="from")
    taker_id = Ref("accounts", data_key="to")
    amount = Whole(1, MAX_UNITS)
    reason = Text(20)
    rule = Text(10)


class RevisionTable(ExportedTable):
    """What a line said at first, and after each correction."""

    model, owner, order = Revision, "line_id", "number"
    number = Numbered()
    change_id = Ref("changes", data_key="change")
    document = EntryField("seats", is_whole=True)
    voided = Flag()
    follows = Flag()
    transfers = RowList(TransferTable)


class LineTable(ExportedTable):
    """The log."""

    model, owner, order = Line, "night_id", "number"
    number = Numbered()
    game = Word(allow_none=True)
    remark = Text(200)
    revisions = RowList(RevisionTable)


def clock_of_night(row: Row) -> tuple[int, str]:
    """Return the offset and the month of a night's row; in a file without the offset, it is that of this computer."""
    opened_at = datetime.fromisoformat(row["opened_at"])
    offset = row.get("utc_offset")
    offset = offset_here(opened_at) if offset is None else offset
    return offset, month_of(opened_at, offset)


class NightTable(ExportedTable):
    """The nights."""

    model, owner, names = Night, "group_id", ("id", "key")
    public_id = PUBLIC_ID
    submission_key = SUBMISSION_KEY
    game = Word()
    rules = HouseRules()
    stake_units = Whole(1, MAX_STAKE_UNITS, data_key="stake")
    stakes = Stakes(load_default=None)
    currency = CURRENCY
    buy_in_units = Whole(1, MAX_BUY_IN, data_key="buy_in", load_default=None)
    place = Text(100)
    note = Text(2_000)
    opened_at = Timestamp()
    utc_offset = Offset()
    closed_at = Timestamp(allow_none=True)
    seats = RowList(SeatTable)
    accounts = RowList(AccountTable)
    changes = RowList(ChangeTable)
    lines = RowList(LineTable)
    check = checked(check_night)

    def more(self, row: Row) -> Row:
        offset, month = clock_of_night(row)
        return {"version": len(row["changes"]), "utc_offset": offset, "month": month}
