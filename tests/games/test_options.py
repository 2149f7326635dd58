"""Every option of every game has an effect, and every rule of a game has a row in its table of rounds."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from rounds import Case, document, values
from tables import table

from companion.contract import settle
from companion.engine.options import Option
from companion.games import AnyGame, all_games, common_text

# a game without a test file of its own has no table of rounds
GAMES = [game for game in all_games().values() if find_spec(f"test_{game.key.replace('-', '_')}")]


def rounds_of(game: AnyGame) -> list[Case]:
    return table(import_module(f"test_{game.key.replace('-', '_')}").ROUNDS, Case)


def other_values(option: Option) -> list[Any]:
    if option.kind == "choice":
        return [value for value in option.choices if value != option.default]
    if option.kind == "toggle":
        return [not option.default]
    return [int(option.default) + 1]


CHANGES = [
    pytest.param(game, option.key, value, id=f"{game.key}-{option.key}-{value}")
    for game in GAMES
    for option in game.house_rules
    for value in other_values(option)
]


def outcome(game: AnyGame, case: Case, rules: dict[str, Any]) -> tuple[int, Any]:
    written = document(game.key, case.seats, case.rules)
    written["rules"] |= rules
    status, answer = settle(written)
    refused_as_a_rule = status == 422 and any(e["field"].startswith("rules.") for e in answer["errors"])  # type: ignore[attr-defined]
    return (0, None) if refused_as_a_rule else (status, answer)


@pytest.mark.parametrize(("game", "key", "value"), CHANGES)
def test_every_value_of_an_option_changes_a_round(game: AnyGame, key: str, value: object) -> None:
    default = next(option.default for option in game.house_rules if option.key == key)
    pairs = ((outcome(game, case, {key: default}), outcome(game, case, {key: value})) for case in rounds_of(game))
    assert any(before != after and before[0] and after[0] for before, after in pairs)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_rule_of_the_help_has_a_round(game: AnyGame) -> None:
    rules = set(re.findall(r"^([A-Z]{2}-\d+) ", game.text, re.MULTILINE))
    shown = {"-".join(case.id.upper().split("_")[:2]) for case in rounds_of(game)}
    assert rules
    assert rules <= shown


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_rows_name_only_existing_options(game: AnyGame) -> None:
    keys = {option.key for option in game.house_rules} | {"pot", "stake"}
    assert {key for case in rounds_of(game) for key in values(case.rules)} <= keys


def test_the_rules_of_all_games_have_their_ids() -> None:
    assert "C-1" in common_text()


POINTS = [("knock", "10 0 ½"), ("knock-rummy", "10 10 7"), ("thirty-one", "10 10 7"), ("gin-rummy", "10 10 7")]


@pytest.mark.parametrize(("key", "points"), POINTS)
def test_a_card_s_points_are_on_its_key(key: str, points: str) -> None:
    game = all_games()[key]
    cards = game.pieces(game.options()).hand("Kh Qh 7d")
    assert [game.points(card) for card in cards] == points.split()
