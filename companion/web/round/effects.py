"""The effects of a correction: balances before and after, and the later rounds that are recalculated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.messages import Message
from companion.engine.money.settlement import POT
from companion.store.log import ledger
from companion.store.log.replay import LineEntry, is_of_games, is_round, nets
from companion.store.models import Night
from companion.store.money.stacks import Short, overdrawn
from companion.store.night import revising
from companion.store.night.reading import round_numbers
from companion.store.night.won import won_so_far

from ..access.lookup import account_names
from ..text.money import units


@dataclass(frozen=True)
class Effects:
    """The effects of a correction: each account's name with its balance before and after.

    `later` says which later rounds change, None if none does. `short` are sentences about rounds in which somebody
    would have put in more than their stack.
    """

    balances: Sequence[tuple[str, int, int]]
    later: Message | None
    short: Sequence[Message]

    @property
    def changes_nothing(self) -> bool:
        """Whether every balance stays as it is."""
        return all(before == after for _, before, after in self.balances)


def effects_of(night: Night, changed: LineEntry) -> Effects:
    """Work out what a correction changes, without saving it; raises Refused if the pot would become negative.

    Of a round that is what everybody has won, as it is shown elsewhere; of anything else, what they owe or are owed.
    """
    before = ledger.balances(night)
    if is_round(changed.document):
        before = won_so_far(night, before)
    after = Counter(before)
    settled_again = revising.recalculated(night, changed)
    for line, outcome in settled_again:
        after.subtract(nets((t.giver.key, t.taker.key, t.amount) for t in line.current.transfers))
        after.update(nets(move[:3] for move in outcome.moves))
    names, rounds = account_names(night.group), round_numbers(night)
    changes = [(key, before.get(key, 0), value) for key, value in after.items() if is_of_games(key)]
    return Effects(
        # a pot that holds nothing either way says nothing: most games have none
        balances=[(names[key], was, now) for key, was, now in changes if key != POT or was or now],
        later=_later_sentence([rounds[line.number] for line, _ in settled_again[1:] if line.number in rounds]),
        short=[_shortfall_sentence(short, names, rounds) for short in _newly_short(night, changed)],
    )


def _later_sentence(numbers: Sequence[int]) -> Message | None:
    if not numbers:
        return None
    first, last = numbers[0], numbers[-1]
    if first == last:
        return Message("Round {number} changes too", number=first)
    if last - first == len(numbers) - 1 > 1:
        return Message("Rounds {first} to {last} change too", first=first, last=last)
    return Message("Rounds {numbers} change too", numbers=tuple(map(str, numbers)))


def _newly_short(night: Night, changed: LineEntry) -> list[Short]:
    """List who would have put in more than their stack only because of the correction."""
    before = {(short.number, short.player) for short in overdrawn(night)}
    return [short for short in overdrawn(night, changed) if (short.number, short.player) not in before]


def _shortfall_sentence(short: Short, names: Mapping[str, str], rounds: Mapping[int, int]) -> Message:
    text = "In round {number}, {player} put in {units} but had only {stack}; record the difference as a rebuy"
    values = {"player": names[short.player], "units": units(short.units), "stack": units(max(short.stack, 0))}
    return Message(text, number=rounds.get(short.number, len(rounds) + 1), **values)
