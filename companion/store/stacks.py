"""The chips in front of each player of a night, and what a round may put in of them.

A stack is worked out, never stored: the buy-in that everybody starts with, the rebuys, and what rounds, a split of the
pot and chip counts have moved since. Buying chips is neither gain nor loss, so it moves no balance. What players owe
each other beside the game (loans, side bets) is settled with money at the end and moves no chip. So the chips in front
of the players and in the pot are always those that were bought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from companion.engine.messages import Message
from companion.engine.options import options_of
from companion.engine.problems import Problem
from companion.engine.settlement import POT, Settlement
from companion.games import all_games

from . import ledger
from .identities import keys_of, names_of
from .models import Line, PlaySession, Revision, db
from .refusals import Refused
from .replay import BANK, REBUY, Document, Entry, Move, Settled, Unsettled, is_round, moves_chips, replay

MOST_BUY_IN = 10**9
_ALL_IN = "all_in"  # the option of the games with bets (RULES DP-7, DR-7)


@dataclass(frozen=True, slots=True)
class Stacks:
    """What is in front of each player and what each has bought, by their account key in seat order, and the pot.

    A stack is below zero where a player owes more after a round than was in front of them.
    """

    held: dict[str, int]
    bought: dict[str, int]
    pot: int

    @property
    def out(self) -> list[str]:
        """Those who have no chip left."""
        return [player for player, units in self.held.items() if units <= 0]


def stacks_of(session: PlaySession, balances: Mapping[str, int] | None = None) -> Stacks | None:
    """Work out the stacks of a night as they are now; None in a night that is played without."""
    if session.buy_in_units is None:
        return None
    held = Counter(ledger.balances(session) if balances is None else balances)
    bought = Counter(dict.fromkeys(keys_of(session), session.buy_in_units))
    for document in _movements(session):
        if document["movement"] == REBUY:
            bought[document["to"]] += document["amount"]
        elif not moves_chips(document):  # it is in the balances
            held[document["from"]] += document["amount"]
            held[document["to"]] -= document["amount"]
    players = keys_of(session)
    stacks = {player: held[player] + bought[player] for player in players}
    return Stacks(stacks, {player: bought[player] for player in players}, held[POT])


def _movements(session: PlaySession) -> Iterator[Document]:
    """Yield the movements of a night that count."""
    query = select(Revision.document).join(Line, Line.current_id == Revision.id)
    query = query.where(Line.session_id == session.id, Line.game.is_(None), Revision.voided.is_(False))
    yield from db.session.scalars(query)


def put_in(settlement: Settlement) -> dict[str, int]:
    """Tell how many units each player puts in while a round is played: antes, fees and bets."""
    units = Counter(dict.fromkeys(settlement.players, 0))
    for transfer in settlement.transfers:
        if transfer.reason.when == "while-playing":
            units[transfer.giver] += transfer.amount
    return dict(units)


def shortfalls(settlement: Settlement, held: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Name who puts in more than is in front of them: the units put in, and the stack before the round."""
    return {
        player: (units, held[player])
        for player, units in put_in(settlement).items()
        if player in held and units > max(held[player], 0)
    }


def shortfall_message(player: str, units: object, stack: int, written: object) -> Message:
    """Say that a player puts in more than there is, and the way out; amounts as they are to be read."""
    if stack <= 0:
        return Message("{player} has no chips left: record a rebuy first, or let {player} sit out", player=player)
    text = "{player} puts in {units} with {stack} in front: correct the amount, or record a rebuy first"
    return Message(text, player=player, units=units, stack=written)


def must_cover(session: PlaySession, settled: Settled, balances: Mapping[str, int]) -> None:
    """Raise Refused where somebody puts more into a new round than is in front of them; all are told at once."""
    stacks = stacks_of(session, balances)
    if stacks is None:
        return
    names = names_of(session)
    problems = [
        Problem(f"round.hands.{player}", "bad-value", shortfall_message(names[player], units, stack, stack))
        for player, (units, stack) in shortfalls(settled.settlement, stacks.held).items()
    ]
    if problems:
        raise Refused(problems[0].message, problems=problems)


def with_all_in(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Turn all-in on in the house rules of every game with bets: nobody bets more than there is in front of them."""
    found = dict(rules)
    for game in all_games().values():
        if any(option.key == _ALL_IN for option in options_of(game.options)):
            found[game.key] = {**rules.get(game.key, {}), _ALL_IN: True}
    return found


@dataclass(frozen=True, slots=True)
class Short:
    """A player, by account key, who put more into a stored round than there was in front of them."""

    number: int
    player: str
    units: int
    stack: int


def overdrawn(session: PlaySession, changed: Entry | None = None) -> list[Short]:
    """List who put in more than their stack, round after round, with one line as it is to be.

    A correction is never refused for it: what happened at the table happened, and a rebuy may not have been booked.
    """
    if session.buy_in_units is None:
        return []
    query = select(Line).where(Line.session_id == session.id).order_by(Line.number).options(joinedload(Line.current))
    entries = [
        Entry(line.number, line.current.document, line.current.voided)
        for line in db.session.scalars(query)
        if line.current
    ]
    if changed is not None:
        entries[changed.number - 1] = changed
    held = Counter(dict.fromkeys(keys_of(session), session.buy_in_units))
    found = []
    try:
        for outcome in replay(entries, 0):
            entry = outcome.entry
            if outcome.settled is not None:
                short = shortfalls(outcome.settled.settlement, held).items()
                found += [Short(entry.number, player, units, stack) for player, (units, stack) in short]
            held.update(_chips(entry, outcome.moves))
    except Unsettled:  # a later round that does not fit the new pot is told as such
        pass
    return found


def _chips(entry: Entry, moves: tuple[Move, ...]) -> Counter[str]:
    """Tell how many chips a line brought to each account, or took."""
    chips: Counter[str] = Counter()
    if entry.voided:
        return chips
    if not is_round(entry.document) and entry.document["movement"] == REBUY:
        chips[entry.document["to"]] += entry.document["amount"]
    elif moves_chips(entry.document):
        for move in moves:
            chips[move.giver] -= move.amount
            chips[move.taker] += move.amount
    return chips


def rebuy_document(player: str, units: int) -> Document:
    """Write a rebuy: chips from the bank."""
    return {"movement": REBUY, "from": BANK, "to": player, "amount": units, "note": ""}
