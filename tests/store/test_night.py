"""A night of 60 rounds of all games, with everything that can happen in a night; checked after every step."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from nights import Plain, PlayedNight, summed_transfers
from sample_rounds import ROUNDS, changed

from companion.contract import settle
from companion.contract.naming import renamed
from companion.contract.random_rounds import random_round, rules
from companion.games import AnyGame, all_games
from companion.store.audit import audit
from companion.store.log import ledger
from companion.store.night import revising

Document = dict[str, Any]
NAMES = ["Ana", "Beto", "Caro", "Dani", "Eva", "Fabi", "Gus", "Hugo", "Ines", "Juan"]
MIN_PRESENT = 6
CARRIES = 20  # the round that leaves a pot, and is corrected later


def random_rounds(game: AnyGame, number: int) -> list[Document]:
    """Draw valid rounds of a game, for the night's stake and for players who are always present."""
    found: list[Document] = []
    random = Random(3)
    while len(found) < number:
        chosen = rules(lambda _: random, game, {option.key for option in game.house_rules})
        document = random_round(lambda _: random, game, chosen, MIN_PRESENT, 1)
        if settle(document)[0] == 200:
            found.append(document)
    return found


def _at_once(document: Document) -> Document:
    """Return a round that pays at once: what a night keeps of points is in `test_kept_points.py`."""
    rules = {key: value for key, value in document["rules"].items() if key != "total"}
    round = {key: value for key, value in document["round"].items() if key != "kept"}
    return {**document, "rules": rules, "round": round}


@cache
def sixty_rounds() -> list[Document]:
    """Mix rounds of all games; three are lost knocks, which leave a pot (KN-3)."""
    drawn = [_at_once(document) for game in all_games().values() for document in random_rounds(game, 10)]
    Random(5).shuffle(drawn)
    found = drawn[:57]
    for place in (CARRIES, CARRIES + 1, 59):
        found.insert(place, ROUNDS["knock"])
    assert len(found) == 60
    assert {document["game"] for document in found} == set(all_games())
    return found


class Played:
    """A night next to its list model; every step is checked."""

    def __init__(self, is_checked: bool) -> None:
        self.night = PlayedNight(*NAMES[:6], away=NAMES[6:])
        self.is_checked = is_checked
        self.plain = Plain()
        self.id = self.night.public_id
        self.steps = 0

    def check(self) -> None:
        self.steps += 1
        if not self.is_checked:
            return
        balances = ledger.balances(self.night.night)
        held = {key: balance for key, balance in balances.items() if balance}
        assert held == summed_transfers(self.id) == self.plain.balances()
        assert sum(held.values()) == 0
        if self.steps % 5 == 1:
            assert list(audit()) == []

    def play(self, document: Document) -> None:
        present = [self.night.ids[name] for name in self.night.present()]
        assert len(present) >= MIN_PRESENT
        mine = renamed(document, dict(zip(document["players"], present, strict=False)))
        self.night.save(mine)
        self.plain.lines.append((mine, False))
        self.check()

    def sit(self, *seats: str) -> None:
        before = ledger.balances(self.night.night)
        self.night.do(f"seats {' '.join(seats)}")
        after = ledger.balances(self.night.night)
        assert {key: after.get(key) for key in before} == before
        assert not any(after[key] for key in after if key not in before)
        self.check()

    def void(self, number: int) -> None:
        self.night.do(f"void {number}")
        self.plain.lines[number - 1] = (self.plain.lines[number - 1][0], True)
        self.check()

    def correct(self, number: int, document: Document) -> None:
        revising.correct(self.id, number, document, self.night.seen(number), self.night.sent())
        self.plain.lines[number - 1] = (document, False)
        self.check()

    def move(self, kind: str, giver: str, taker: str, amount: int) -> None:
        movement = self.night.movement(kind, giver, taker, amount)
        self.night.save(movement)
        self.plain.lines.append((movement, False))
        self.check()

    def close(self) -> None:
        last = next(document for document, _ in reversed(self.plain.lines) if "movement" not in document)
        anticlockwise = all_games()[last["game"]].direction == "anticlockwise"
        table = last["players"][::-1] if anticlockwise else last["players"]
        first = table.index(last["dealer"]) + 1
        self.night.do("close split")
        self.plain.lines.append(({"movement": "split", "players": table[first:] + table[:first]}, False))
        self.check()


def play_the_night(*, is_checked: bool = False) -> Played:
    """Play and close the whole night, with an optional check after every step."""
    drawn = sixty_rounds()  # which takes longer than a database lets a transaction wait on a busy computer
    it = Played(is_checked)
    lines: list[int] = []  # of each round, as movements have lines too

    def correct_the_carried_pot() -> None:
        before = it.night.revisions()
        pot = it.plain.balances(it.plain.lines[: lines[CARRIES]]).get("pot", 0)
        won = it.night.named(changed("knock", {"round.knocker": "Caro"}))
        assert pot >= 3
        it.correct(lines[CARRIES], won)
        assert it.plain.balances(it.plain.lines[: lines[CARRIES]]).get("pot", 0) == 0
        grown = [now - then for now, then in zip(it.night.revisions(), before, strict=True)]
        assert grown[: lines[CARRIES] - 1] == [0] * (lines[CARRIES] - 1)
        assert grown[lines[CARRIES] - 1 : lines[CARRIES] + 1] == [1, 1]

    happenings: dict[int, Callable[[], None]] = {
        5: lambda: it.sit(*NAMES[:7]),
        8: lambda: it.move("buy-in", "bank", "Ana", 200),
        12: lambda: it.sit("Beto", "Ana", "Caro=out", *NAMES[3:8]),
        15: lambda: it.sit(*NAMES[:9]),
        25: lambda: it.sit(*NAMES[2:9]),
        28: lambda: it.move("side-bet", "Caro", "Dani", 7),
        30: lambda: it.void(lines[3]),
        33: lambda: it.sit(*NAMES),
        40: correct_the_carried_pot,
        45: lambda: it.void(lines[CARRIES + 1]),
        50: lambda: it.sit(*NAMES[4:], *NAMES[:3]),
        55: lambda: it.move("loan", "Eva", "Ana", 30),
    }
    for number, document in enumerate(drawn):
        happenings.get(number, lambda: None)()
        lines.append(len(it.plain.lines) + 1)
        it.play(document)
    assert ledger.balances(it.night.night)["pot"] >= 3
    it.close()
    assert ledger.balances(it.night.night)["pot"] == 0
    assert it.steps == 60 + len(happenings) + 1
    return it


@pytest.mark.thorough
def test_a_night_of_sixty_rounds(app: object) -> None:
    play_the_night(is_checked=True)
    assert list(audit()) == []
