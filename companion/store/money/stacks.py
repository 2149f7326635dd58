"""Stacks: how many chips each player of a night has, and whether that covers what they put into a round.

A stack is computed, never stored: the buy-in, plus rebuys, plus what rounds, pot splits and chip counts have moved.
Buying chips is neither a gain nor a loss, so it changes no balance. Loans and side bets are paid in money at the end of
the night and move no chips. Therefore the players' stacks and the pot always add up to the chips that were bought.
On the table lie as many, but not always where the stacks say: somebody may have been too short to hand over theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from companion.engine.messages import Message, Units
from companion.engine.money.settlement import POT, Settlement
from companion.engine.problems import Problem
from companion.games import game_of
from companion.table.bets import without_chips

from ..log import ledger
from ..log.replay import BANK, REBUY, Document, LineEntry, Move, Settled, Unsettled, debts_of, moves_chips, nets, replay
from ..models import Line, Night, Revision, db
from ..night_key import of_night
from ..refusals import Refused
from .short import Missed, missed_in

MAX_BUY_IN = 10**9
_ALL_IN = "all_in"  # the option of the games with bets (RULES DP-7, DR-7)


@dataclass(frozen=True, slots=True)
class Stacks:
    """The chips each player holds and has bought, in units by account key in seat order, and the chips in the pot.

    A stack is negative if a player lost more in a round than they had. `missed` are the chips that therefore never
    changed hands, and `left` the players who have left the table.
    """

    held: dict[str, int]
    bought: dict[str, int]
    pot: int
    missed: tuple[Missed, ...] = ()
    left: Collection[str] = ()

    @property
    def out(self) -> list[str]:
        """The players at the table without chips, by account key in seat order."""
        return [player for player, units in self.held.items() if units <= 0 and player not in self.left]

    def rebuy(self, player: str, buy_in: int) -> int:
        """Return the fewest whole buy-ins, in units, after which a player has chips again; at least one."""
        return min(buy_in * (max(-self.held[player], 0) // buy_in + 1), MAX_BUY_IN)

    @property
    def on_table(self) -> dict[str, int]:
        """The chips to be counted, in units by account key: every stack, and the pot unless it is empty.

        These are the chips that exist: nobody has fewer than none, and who was owed chips by somebody short has fewer
        than the rounds say.
        """
        return self._without(self.missed, {**self.held, **({POT: self.pot} if self.pot else {})})

    @property
    def in_front(self) -> dict[str, int]:
        """The players' stacks, in units by account key, without what those who left will never hand over."""
        there = self._without((one for one in self.missed if one.giver in self.left), {**self.held, POT: self.pot})
        return {player: there[player] for player in self.held}

    @staticmethod
    def _without(missed: Iterable[Missed], stacks: dict[str, int]) -> dict[str, int]:
        for giver, taker, units in missed:
            stacks[giver] = stacks.get(giver, 0) + units
            stacks[taker] = stacks.get(taker, 0) - units
        return stacks


def stacks_of(night: Night, balances: Mapping[str, int] | None = None) -> Stacks | None:
    """Compute a night's current stacks; None if it is played without stacks."""
    if night.buy_in_units is None:
        return None
    known = ledger.balances(night) if balances is None else balances
    found = stacks(night.player_keys(), night.buy_in_units, known, _movements(night))
    missed = missed_in(night, {**found.held, POT: found.pot})
    return replace(found, missed=missed, left=night.player_keys("left"))


def stacks(players: Sequence[str], buy_in: int, balances: Mapping[str, int], movements: Iterable[Document]) -> Stacks:
    """Compute the stacks of players, in units, from their balances and the movements that count."""
    held, bought = Counter(balances), Counter(dict.fromkeys(players, buy_in))
    for document in movements:
        if document["movement"] == REBUY:
            bought[document["to"]] += document["amount"]
        elif not moves_chips(document):  # balances include debts, so take them out again
            held.subtract(nets(move[:3] for move in debts_of(document)))
    chips: dict[str, int] = {player: held[player] + bought[player] for player in players}
    return Stacks(chips, {player: bought[player] for player in players}, held[POT])


def _movements(night: Night) -> Iterator[Document]:
    """Yield the documents of a night's movements, without voided ones."""
    query = select(Revision.document).select_from(Line).join(Line.current)
    query = query.where(*of_night(Line, night), Line.game.is_(None), Revision.voided.is_(False))
    yield from db.session.scalars(query)


def put_in(settlement: Settlement) -> dict[str, int]:
    """Return how many units each player puts in during a round: antes, fees and bets. Rule: C-12."""
    units = Counter(dict.fromkeys(settlement.players, 0))
    for transfer in settlement.transfers:
        if transfer.reason.when == "while-playing":
            units[transfer.giver] += transfer.amount
    return dict(units)


def shortfalls(settlement: Settlement, held: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return the players who put in more than their stack, each with (units put in, stack before the round)."""
    return {
        player: (units, held[player])
        for player, units in put_in(settlement).items()
        if player in held and units > max(held[player], 0)
    }


def shortfall_message(player: str, units: object, stack: int, written: object) -> Message:
    """Explain that a player puts in more than their stack, and what to do.

    `units` and `written` (the stack) are shown as they are given, so pass text where amounts have a currency.
    """
    if stack <= 0:
        return without_chips(player)
    text = "{player} puts in {units} but has only {stack}: fix the amount, or record a rebuy first"
    return Message(text, player=player, units=units, stack=written)


def must_cover(night: Night, settled: Settled, balances: Mapping[str, int]) -> None:
    """Raise Refused, with a problem for each of them, if players put more into a new round than their stack."""
    stacks = stacks_of(night, balances)
    if stacks is None:
        return
    problems = [
        Problem(f"round.hands.{player}", "bad-value", shortfall_message(player, units, stack, stack))
        for player, (units, stack) in shortfalls(settled.settlement, stacks.held).items()
    ]
    if problems:
        raise Refused(problems[0].message, problems=problems)


def must_hold(night: Night, giver: str, units: int) -> None:
    """Raise Refused if a player puts more into the pot than their stack; a night without stacks has no limit."""
    stacks = stacks_of(night)
    held = stacks.held.get(giver, units) if stacks else units
    if units > held:
        raise Refused(shortfall_message(giver, Units(units), held, Units(max(held, 0))))


def rules_in_force(night: Night, game: str) -> dict[str, Any]:
    """Return a game's house rules tonight. With stacks all-in is always on, because a stack limits what can be bet."""
    rules = dict(night.rules.get(game, {}))
    return {**rules, _ALL_IN: True} if _is_all_in_forced(night, game) else rules


def without_forced_all_in(night: Night, game: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return a round's or form's house rules for storing with the night, without the all-in that only stacks force.

    `rules_in_force` adds it whenever a game is played with stacks. If it were stored, a later night that starts with
    these rules but without stacks would have it too.
    """
    if not _is_all_in_forced(night, game):
        return dict(rules)
    before = {key: value for key, value in night.rules.get(game, {}).items() if key == _ALL_IN}
    return {key: value for key, value in rules.items() if key != _ALL_IN} | before


def _is_all_in_forced(night: Night, game: str) -> bool:
    options = game_of(game).house_rules
    return night.buy_in_units is not None and any(option.key == _ALL_IN for option in options)


@dataclass(frozen=True, slots=True)
class Short:
    """A player (account key) who put `units` into round `number`, more than their `stack` before it."""

    number: int
    player: str
    units: int
    stack: int


def overdrawn(night: Night, changed: LineEntry | None = None) -> list[Short]:
    """List who put in more than their stack, round by round; `changed` replaces one line's entry.

    This is only a warning. A correction isn't refused, because the round was really played and a rebuy may be missing.
    """
    if night.buy_in_units is None:
        return []
    query = select(Line).where(*of_night(Line, night)).order_by(Line.number).options(joinedload(Line.current))
    entries = [ledger.entry_of(line.number, line.current) for line in db.session.scalars(query)]
    if changed is not None:
        entries[changed.number - 1] = changed
    held: Counter[str] = Counter(dict.fromkeys(night.player_keys(), night.buy_in_units))
    shortages = []
    try:
        for outcome in replay(entries, 0, {}):
            entry = outcome.entry
            if outcome.settled is not None:
                short = shortfalls(outcome.settled.settlement, held).items()
                shortages += [Short(entry.number, player, units, stack) for player, (units, stack) in short]
            held.update(_chips(entry, outcome.moves))
    except Unsettled:  # the caller reports a later round that doesn't settle with the new pot
        pass
    return shortages


def _chips(entry: LineEntry, moves: tuple[Move, ...]) -> Counter[str]:
    """Return how many chips each account gained or lost by a line."""
    if entry.voided or not moves_chips(entry.document):
        return Counter()
    if entry.document.get("movement") == REBUY:
        return Counter({entry.document["to"]: entry.document["amount"]})
    return nets(move[:3] for move in moves)


def rebuy_document(player: str, units: int) -> Document:
    """Return the document of a rebuy: a movement of chips from the bank to a player."""
    return {"movement": REBUY, "from": BANK, "to": player, "amount": units, "note": ""}
