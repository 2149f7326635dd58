"""Random rounds settle as they did, word for word: tests/digest.py says which don't, and how to accept that."""

from __future__ import annotations

from dataclasses import make_dataclass

import digest
import pytest

from companion.engine.options import toggle
from companion.games import AnyGame, all_games

LINES = digest.read()


def test_every_rule_has_its_rounds() -> None:
    assert digest.with_new(LINES) == LINES
    numbers = {line.game: sum(one.rounds for one in LINES if one.game == line.game) for line in LINES}
    assert min(numbers.values()) >= digest.OF_A_GAME


def test_the_first_random_rounds_settle_as_before() -> None:
    assert [line[:2] for line in LINES if digest.first(LINES, line) != line.first] == []


@pytest.mark.thorough
@pytest.mark.parametrize("game", sorted({line.game for line in LINES}))
def test_all_random_rounds_settle_as_before(game: str) -> None:
    mine = [line for line in LINES if line.game == game]
    assert [line.rule for line in mine if digest.digest(digest.answers(LINES, line)) != line.all] == []


@pytest.mark.thorough
@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.key)
def test_a_new_rule_changes_no_older_digest(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    new = ("a_new_rule", bool, toggle(False, "New", help="New.", rule="C-1"))
    monkeypatch.setattr(type(game), "options", make_dataclass("Options", [new], bases=(game.options,), frozen=True))
    added = [line for line in digest.with_new(LINES) if line not in LINES]
    assert [line[:2] for line in added] == [(game.key, "a_new_rule")]
    mine = [line for line in LINES if line.game == game.key]
    assert [line.rule for line in mine if digest.first(LINES, line) != line.first] == []
