"""Changes to a night's chips: setting the buy-in, rebuys, and correcting the log after a chip count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.engine.messages import Message
from companion.engine.money.payments import fewest_payments
from companion.engine.money.settlement import POT

from ..log import ledger
from ..log.ledger import Accounts, Written
from ..log.replay import CHIP_COUNT, LineEntry, work_out
from ..models import Night
from ..money.stacks import MAX_BUY_IN, Stacks, rebuy_document, stacks_of
from ..refusals import Conflict, Refused, Sent
from . import play
from .change import apply
from .reading import NightLine, sums_of

_MAX_SUSPECTS = 5


def set_buy_in(public_id: str, units: int | None, sent: Sent) -> int:
    """Set a night's buy-in in units, also for the rounds already played; None means to play without stacks.

    Raises Refused if somebody has already lost more than the buy-in. Returns the change's id.
    """

    def work(night: Night, change: int) -> None:
        night.buy_in_units = units
        if units is not None:
            _must_last(night, units)

    return apply(public_id, sent, "buy-in", {"buy_in": units}, work)


def _must_last(night: Night, units: int) -> None:
    if not 1 <= units <= MAX_BUY_IN:
        raise Refused(Message("A buy-in is 1 to {most}", most=f"{MAX_BUY_IN:,}"))
    stacks = stacks_of(night)
    assert stacks is not None
    poorest = min(stacks.held, key=lambda player: stacks.held[player])
    lost = units - stacks.held[poorest]
    if stacks.held[poorest] < 0:
        text = "{player} has lost more than that already; choose {least} or more"
        raise Refused(Message(text, player=poorest, least=lost))


def rebuy(public_id: str, player: str, units: int, sent: Sent) -> int:
    """Book that a player (account key) bought more chips, as a line that changes no balance; returns the change's id.

    Raises Refused if the night is played without stacks, or if the player has no seat.
    """

    def work(night: Night, change: int) -> Iterator[Written]:
        if night.buy_in_units is None:
            raise Refused(Message("This night is played without stacks; choose a buy-in first"))
        if player not in night.player_keys():
            raise Refused(Message("Only players of this night can buy chips"))
        entry, accounts = LineEntry(play.next_number(night), rebuy_document(player, units)), Accounts.of(night)
        yield ledger.add_line(accounts, work_out(entry, accounts.pot), change)

    return apply(public_id, sent, "rebuy", {"document": rebuy_document(player, units)}, work)


@dataclass(frozen=True, slots=True)
class Counted:
    """An account's chips, in units, by the log and as counted. `suspects` are lines that may explain a difference."""

    account: str
    expected: int
    counted: int
    suspects: tuple[int, ...]

    @property
    def difference(self) -> int:
        """How many units more were counted than expected; negative if some are missing."""
        return self.counted - self.expected


def compare(night: Night, counted: Mapping[str, int]) -> list[Counted]:
    """Compare the counted chips with the log, for each player in seat order, then the pot if it isn't empty.

    Saves nothing.
    """
    stacks = stacks_of(night)
    assert stacks is not None
    expected = _expected(stacks, counted)
    differences = {key: counted[key] - units for key, units in expected.items() if counted[key] != units}
    lines = sums_of(night).lines if differences else ()
    return [
        Counted(key, units, counted[key], _suspects(lines, key, differences.get(key, 0), differences))
        for key, units in expected.items()
    ]


def _expected(stacks: Stacks, counted: Mapping[str, int]) -> dict[str, int]:
    """Return the chips each account should have, in units, where a count can't be wrong for chips that don't exist.

    Who lost more than they had has none. As many chips are missing elsewhere, and who lacks them the table knows better
    than the log, which only guesses: a count in which nobody has too many is right. A player who has chips although the
    log says less than none is compared with the log.
    """
    by_log = {**stacks.held, **({POT: stacks.pot} if POT in stacks.on_table else {})}
    none_left = [key for key, units in by_log.items() if units < 0 and not counted[key]]
    missing = -sum(by_log[key] for key in none_left)
    expected = {**by_log, **dict.fromkeys(none_left, 0)}
    guessed = {key: by_log[key] - units for key, units in stacks.on_table.items()}
    lacking = {key: units - counted[key] for key, units in expected.items() if units > counted[key]}
    for limits in (guessed, lacking):
        for key in sorted(lacking, key=lambda key: -lacking[key]):
            fewer = max(0, min(missing, limits.get(key, 0), expected[key] - counted[key]))
            expected[key] -= fewer
            missing -= fewer
    for key, units in guessed.items():  # more chips were counted than there are
        fewer = max(0, min(missing, units, expected[key]))
        expected[key] -= fewer
        missing -= fewer
    return expected


def _suspects(
    lines: tuple[NightLine, ...], account: str, difference: int, differences: Mapping[str, int]
) -> tuple[int, ...]:
    """Guess the lines that may have caused a difference, the most likely first.

    A line is suspected if it moved exactly this amount to or from the account (it may not have been handed over), or
    half of it (it may have gone the wrong way), or if it is the account's net. Lines that also explain another
    account's difference come first, then the newest.
    """
    if not difference:
        return ()
    matching = [line for line in lines if _explains(line, account, difference)]
    others = {line.number: sum(_explains(line, *other) for other in differences.items()) for line in matching}
    matching.sort(key=lambda line: (-others[line.number], -line.number))
    return tuple(line.number for line in matching[:_MAX_SUSPECTS])


def _explains(line: NightLine, account: str, difference: int) -> bool:
    size = abs(difference)
    amounts = {move.amount for move in line.moves if account in (move.giver, move.taker)}
    return size in amounts or abs(line.nets[account]) == size or any(2 * amount == size for amount in amounts)


def book_count(public_id: str, number: int, counted: Mapping[str, int], sent: Sent) -> int:
    """Book movements that make the log agree with the count: players with too few chips pay those with too many.

    `number` is the number of the next line when the chips were counted. Raises Conflict if a line has been added since
    then, and Refused if the counted chips don't add up to those that were bought. Returns the change's id.
    """

    def work(night: Night, change: int) -> Iterator[Written]:
        if number != play.next_number(night):
            raise Conflict(Message("Something was recorded after you counted; check it, then count again"))
        rows = compare(night, counted)
        missing = -sum(row.difference for row in rows)
        if missing:
            raise Refused(missing_message(missing, abs(missing)))
        accounts = Accounts.of(night)
        pot = accounts.pot
        payments = fewest_payments({row.account: row.difference for row in rows if row.difference})
        for at, payment in enumerate(payments):
            ends = {"from": payment.payer, "to": payment.payee}
            document = {"movement": CHIP_COUNT, **ends, "amount": payment.amount, "note": ""}
            outcome = work_out(LineEntry(number + at, document), pot)
            pot = outcome.pot_after
            yield ledger.add_line(accounts, outcome, change)

    content = {"number": number, "counted": [list(pair) for pair in counted.items()]}
    return apply(public_id, sent, "count", content, work)


def missing_message(missing: int, written: object) -> Message:
    """Say that the table has too few chips (`missing` above 0) or too many; `written` is the number to show."""
    if missing > 0:
        return Message("{units} missing on the table. Count again, or settle up by the recorded rounds", units=written)
    return Message("{units} too many on the table. Count again, or settle up by the recorded rounds", units=written)
