"""What an exported group is made of: its tables, nested as they are in the file.

To export one more table, add a `Table` here and name it in its owner; one more column is one more of its `fields`. Not
exported are: what is computed from the rest; what is only for tonight (drafts, join codes, which phone has which seat
or keeps score); and what opens a group (links), because a file can be forged and a hash in it would be a way in.
"""

from __future__ import annotations

from datetime import datetime

from companion.contract.reading.names import folded
from companion.contract.reading.round_document import MAX_STAKE_UNITS
from companion.engine.money.pots import MAX_UNITS

from ... import models
from ...groups import handles, next_night, seasons
from ...groups.turns import MAX_TURN
from ...money.stacks import MAX_BUY_IN
from . import entries, kinds
from .checks import MUST_CONTAIN, check_change, check_group, check_handle, check_night, check_plan, check_rule_set
from .kinds import FLAG, KEY, MOMENT, PUBLIC_ID, Row, account, numbered, ref, text, typed, whole, word
from .table import Table

# where the group is written; a file without them is that of a group never handed over
TURN_KEYS = ("turn", "handed_over_at")
HANDLES_KEY = "paid_by"  # a list that is only exported if the scorekeeper wants that
_MAX_NUMBER, _MAX_BALANCE = 10**9, 10**18
STATES = word("in", "out", "left")


def _folded(row: Row) -> Row:
    return {"folded": folded(row["name"])}


def clock_of_night(row: Row) -> tuple[int, str]:
    """Return the offset and the month of a night's row; in a file without the offset, it is that of this computer."""
    opened_at: datetime = row["opened_at"]
    offset = models.offset_here(opened_at) if row["utc_offset"] is None else row["utc_offset"]
    return offset, models.month_of(opened_at, offset)


def _of_night(row: Row) -> Row:
    offset, month = clock_of_night(row)
    return {"version": len(row["changes"]), "utc_offset": offset, "month": month}


# fmt: off
SEATS = Table(models.Seat, "night_id", {
    "player": ref("players").of("player_id"), "state": STATES,
}, order="position", names=("player",))
ACCOUNTS = Table(models.Account, "night_id", {
    "account": kinds.account_or_apart("seats").of("key"), "balance": whole(-_MAX_BALANCE, _MAX_BALANCE),
}, names=("account",))
# what a change may have sent, whatever its kind
CONTENT = entries.some_of(
    number=whole(1, _MAX_NUMBER), document=entries.entry(), seen=whole(1, _MAX_NUMBER),
    voided=FLAG, split=FLAG, by_lot=FLAG, dealer_chooses=FLAG, keeps_score=FLAG,
    seats=entries.pairs(player=ref("players"), state=STATES),
    game=entries.GAME, rules=entries.OPTIONS, stakes=entries.STAKES, was=entries.STAKES,
    place=typed(100), note=typed(2_000), last_round=kinds.CLOCK_TIME, payments_by=kinds.PAYMENTS_BY,
    remark=typed(200), player=ref("players"), instead_of=ref("players"),
    buy_in=whole(1, MAX_BUY_IN).or_null(), counted=entries.pairs(account=account("players"), units=whole(0, MAX_UNITS)),
)
CHANGES = Table(models.Change, "night_id", {
    "change": numbered(), "key": KEY, "kind": word(*MUST_CONTAIN), "content": CONTENT,
    "device": typed(100, empty=None).of("device_id"), "at": MOMENT,
}, names=("change", "key"), check=check_change)
TRANSFERS = Table(models.BookedTransfer, "revision_id", {
    "from": ref("accounts").of("giver_id"), "to": ref("accounts").of("taker_id"), "amount": whole(1, MAX_UNITS),
    "reason": text(20), "rule": text(10),
}, order="position")
REVISIONS = Table(models.Revision, "line_id", {
    "number": numbered(), "change": ref("changes").of("change_id"), "document": entries.entry("seats", is_whole=True),
    "voided": FLAG, "follows": FLAG,
}, {"transfers": TRANSFERS}, order="number")
LINES = Table(models.Line, "night_id", {
    "number": numbered(), "game": entries.GAME.or_null(), "remark": text(200),
}, {"revisions": REVISIONS}, order="number")
NIGHTS = Table(models.Night, "group_id", {
    "id": PUBLIC_ID, "key": KEY, "game": entries.GAME, "rules": entries.HOUSE_RULES,
    "stake": whole(1, MAX_STAKE_UNITS).of("stake_units"), "stakes": entries.STAKES_SET, "currency": kinds.CURRENCY,
    "buy_in": whole(1, MAX_BUY_IN).of("buy_in_units").optional(), "place": text(100), "note": text(2_000),
    "dealer_chooses": kinds.FLAG_OR_NOT,
    "last_round": kinds.CLOCK_TIME.optional(), "payments_by": kinds.PAYMENTS_BY.optional(),
    "opened_at": MOMENT, "utc_offset": kinds.OFFSET, "closed_at": MOMENT.or_null(),
}, {
    "seats": SEATS, "accounts": ACCOUNTS, "changes": CHANGES, "lines": LINES,
}, names=("id", "key"), check=check_night, more=_of_night)
TICKS = Table(models.Paid, "payment_id", {
    "key": KEY, "amount": whole(-MAX_UNITS, MAX_UNITS), "how": word(*handles.KINDS).optional(),
    "device": kinds.DEVICE, "at": MOMENT,
})
PAYMENTS = Table(models.PlannedPayment, "settle_up_id", {
    "from": account("players").of("payer"), "to": account("players").of("payee"), "amount": whole(1, _MAX_BALANCE),
}, {"paid": TICKS}, order="position")
PLANS = Table(models.SettleUp, "group_id", {
    "id": PUBLIC_ID, "key": KEY, "night": ref("nights").of("night_id").or_null(), "currency": kinds.CURRENCY,
    "apart": kinds.FLAG_OR_NOT.of("is_apart"), "replaced_by": kinds.LATER_PLAN, "device": kinds.DEVICE, "at": MOMENT,
}, {"payments": PAYMENTS}, names=("id", "key"), check=check_plan)
HANDLES = Table(models.PayHandle, "player_id", {
    "kind": word(*handles.KINDS), "text": text(handles.MAX_LENGTH, least=1),
}, order="kind", names=("kind",), check=check_handle, is_optional=True)
COMING = Table(models.Coming, "player_id", {"comes": FLAG}, order="player_id", is_optional=True)
PLAYERS = Table(models.Player, "group_id", {
    "player": numbered("p"), "name": kinds.PLAYERS_NAME, "retired": FLAG,
}, {HANDLES_KEY: HANDLES, "coming": COMING}, names=("player", "name"), more=_folded)
RULE_SETS = Table(models.RuleSet, "group_id", {
    "game": entries.GAME, "name": kinds.RULES_NAME, "rules": entries.OPTIONS,
}, check=check_rule_set, more=_folded, is_optional=True)
SEASONS = Table(models.Season, "group_id", {
    "number": numbered(), "name": kinds.SEASONS_NAME, "by": word(*seasons.RANKED_BY).of("ranked_by"),
    "until": kinds.MONTH,
}, order="number", names=("name",), is_optional=True)
NEXT_NIGHT = Table(models.NextNight, "group_id", {
    "id": PUBLIC_ID, "at": MOMENT, "utc_offset": kinds.OFFSET_OF_CLOCK, "place": text(next_night.MAX_PLACE_LENGTH),
    "last_round": kinds.CLOCK_TIME.optional(), "revision": whole(0, _MAX_NUMBER),
}, order="group_id", is_optional=True)
GROUP = Table(models.Group, "", {
    "id": PUBLIC_ID, "name": kinds.GROUPS_NAME, "made_at": MOMENT, "chips": entries.CHIPS,
    "turn": kinds.number_or_0(MAX_TURN), "handed_over_at": kinds.LEFT_BEHIND,
}, {
    "players": PLAYERS, "nights": NIGHTS, "plans": PLANS, "rule_sets": RULE_SETS, "seasons": SEASONS,
    "next_night": NEXT_NIGHT,
}, check=check_group, more=lambda row: {"is_complete": False})
# fmt: on
