"""What random rounds find in a game: each fault that a table's own game may have is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

import pytest
from reds import Reds, RedsRound

from companion.contract import progress, settle
from companion.contract.conformance import faults
from companion.engine.guard import GameFailed
from companion.engine.hands.strength import ShownHand
from companion.engine.messages import Message
from companion.engine.money.settlement import Reason, Settlement
from companion.engine.problems import Problem
from companion.games import use_own
from companion.store.log.replay import settled

TIMES = count(1)


def moved(found: Settlement, **changes: object) -> Settlement:
    return replace(found, transfers=tuple(replace(one, **changes) for one in found.transfers))  # type: ignore[arg-type]


def placed(found: Settlement, change: Callable[[tuple[ShownHand, ...]], tuple[ShownHand, ...]]) -> Settlement:
    return replace(found, hands=change(found.hands))


def failed(found: Settlement) -> Settlement:
    raise GameFailed("reds.py", 7, "no such card")


# a fault | what is done to each settlement
FAULTS: dict[str, Callable[[Settlement], Settlement]] = {
    "settling the same round again comes to something else": lambda found: moved(found, amount=next(TIMES)),
    "other names come to something else": lambda found: replace(found, winners=(min(found.players),)),
    "This table's own game failed: reds.py, line 7: no such card": failed,
    "This table's own game failed: reds.py: KeyError: 'bank'": lambda found: moved(found, taker="bank"),
    "a transfer follows rule RE-9, which the docstring doesn't have": lambda found: moved(found, rule="RE-9"),
    "a transfer has the reason luck, which isn't one of the game's": lambda found: moved(found, reason=Reason("luck")),
    "the gains and losses and the pot don't sum to zero": lambda found: replace(found, pot_opening=1000),
    "the hands aren't sorted, best first": lambda found: placed(found, lambda hands: hands[::-1]),
    "equal hands don't share a place, or others do": lambda found: placed(
        found, lambda hands: tuple(replace(hand, place=1) for hand in hands)
    ),
}


class OwnReds(Reds):
    """Reds, where the settlement is changed or no round is taken."""

    __module__ = Reds.__module__  # whose docstring has the rules
    is_own = True

    def __init__(self, change: Callable[[Settlement], Settlement] | None) -> None:
        self.change = change

    def check_entry(self, round: RedsRound) -> Iterator[Problem]:
        if self.change is None:
            yield Problem("round", "contradiction", Message("Not today"))

    def settle(self, round: RedsRound) -> Settlement:
        assert self.change is not None
        return self.change(super().settle(round))


def told(change: Callable[[Settlement], Settlement] | None) -> list[str]:
    game = OwnReds(change)
    use_own([game])
    try:
        return list(faults(game, 12))
    finally:
        use_own(())


@pytest.mark.parametrize("fault", [*FAULTS])
def test_a_fault_is_told_once_with_its_round(fault: str) -> None:
    mine = [one for one in told(FAULTS[fault]) if one.startswith(fault)]
    assert len(mine) == 1
    assert '"game": "reds"' in mine[0]


def test_a_game_without_fault_or_without_valid_rounds() -> None:
    assert told(lambda found: found) == []
    assert told(None) == ["of 12 random rounds only 0 are valid"]


def test_a_round_of_an_own_game_is_settled_once_by_whoever_reads_it() -> None:
    found: list[Settlement] = []

    def kept(settlement: Settlement) -> Settlement:
        found.append(settlement)
        return settlement

    hands = {"Ana": "As Ks 7d", "Beto": "2h 3h 4c"}
    document = {"game": "reds", "players": list(hands), "round": {"knocker": "Ana", "hands": hands}}
    use_own([OwnReds(kept)])
    try:
        for ask in (settle, progress, settled):
            found.clear()
            ask(document)
            assert len(found) == 1, ask
    finally:
        use_own(())
