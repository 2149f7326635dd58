"""The table's word combined with answers that only some games ask for. Rule: C-13."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from companion.engine.game import Round
from companion.engine.questions.entry import one_player, points, questions_of, won_by
from companion.games import all_games


@dataclass(frozen=True)
class Entry:
    """The answers of a made-up game with all such questions."""

    knocker: str | None = one_player("knocked", help="", rule="", nobody="")
    won_by: tuple[str, ...] = won_by()
    points: Mapping[str, int] = points(maximum=10)


def round_of(entry: Entry) -> Round[object, Entry, object]:
    return Round(("Ana", "Beto"), "Beto", ("Ana", "Beto"), 1, 0, None, entry, {})  # type: ignore[type-var]


def test_c_13_the_winners_are_named_in_turn_order() -> None:
    assert round_of(Entry(won_by=("Beto", "Ana"))).won_by == ("Ana", "Beto")


def test_c_13_questions_that_replace_hands_are_known() -> None:
    assert [question.key for question in questions_of(Entry) if question.replaces_hands] == ["won_by", "points"]


@pytest.mark.parametrize(("halves", "written"), [(0, "0"), (1, "0.5"), (15, "7.5"), (20, "10")])
def test_c_13_numbers_are_formatted_as_in_a_document(halves: int, written: str) -> None:
    by_key = {(q.key, q.kind): q for game in all_games().values() for q in game.questions}
    assert by_key["points", "halves"].number_of({"Ana": halves}, "Ana") == written
    assert by_key["points", "points"].number_of({"Ana": halves}, "Ana") == str(halves)
    assert by_key["points", "halves"].number_of({}, "Ana") is None
