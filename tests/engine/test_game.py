"""Turn order in both directions, and a game's default behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from companion.engine.game import Category, Game, Round, order_from, turn_order
from companion.engine.hands.strength import Reading, Strength
from companion.engine.messages import Message
from companion.engine.pieces.dominoes import DOMINOES

TURNS = [
    # seats clockwise, dealer, clockwise from dealer's left, anticlockwise from dealer's right
    ("ABCD", "D", "ABCD", "CBAD"),
    ("ABCD", "A", "BCDA", "DCBA"),
    ("ABCD", "B", "CDAB", "ADCB"),
    ("ABCD", "C", "DABC", "BADC"),
    ("AB", "A", "BA", "BA"),
    ("AB", "B", "AB", "AB"),
]


@pytest.mark.parametrize(("seats", "dealer", "clockwise", "anticlockwise"), TURNS)
def test_turn_order_starts_next_after_the_dealer_and_ends_with_the_dealer(
    seats: str, dealer: str, clockwise: str, anticlockwise: str
) -> None:
    assert "".join(turn_order(seats, dealer, "clockwise")) == clockwise
    assert "".join(turn_order(seats, dealer, "anticlockwise")) == anticlockwise


@pytest.mark.parametrize(
    ("first", "clockwise", "anticlockwise"), [("A", "ABCD", "ADCB"), ("C", "CDAB", "CBAD"), ("D", "DABC", "DCBA")]
)
def test_order_from_one_player_on(first: str, clockwise: str, anticlockwise: str) -> None:
    assert "".join(order_from("ABCD", first, "clockwise")) == clockwise
    assert "".join(order_from("ABCD", first, "anticlockwise")) == anticlockwise


@dataclass(frozen=True)
class Nothing:
    """No options and no questions."""


class Plain(Game[Any, Any, Any]):
    """A game that defines only what it must."""

    key, name, summary = "plain", "Plain", "Nothing happens."
    seats = (2, 3)
    options = entry = Nothing
    categories = ()

    def pieces(self, options: Any) -> Any:
        return DOMINOES

    def who_must_show(self, round: Any) -> tuple[str, ...]:
        return tuple(round.players)

    def place(self, round: Any) -> Any:
        raise NotImplementedError

    def settle(self, round: Any) -> Any:
        raise NotImplementedError


ROUND: Round[Any, Any, Any] = Round(tuple("ABCD"), "D", tuple("ABCD"), 25, 0, Nothing(), Nothing(), {})


def test_a_plain_game_is_clockwise_of_five_cards_and_finds_nothing_wrong() -> None:
    game = Plain()
    assert game.direction == "clockwise"
    assert game.who_may_show(ROUND) == ()
    assert list(game.hand_sizes(ROUND)) == [5]
    assert game.describe_cards((), ROUND) is None
    assert game.betting(ROUND) is None
    assert [*game.check_options(Nothing()), *game.check_entry(ROUND), *game.check_hands(ROUND)] == []


def test_a_plain_game_counts_no_hands() -> None:
    assert Plain().rarity(Nothing(), (), Reading(Strength(0, "any", ()), Message("any"), Message("any"))) is None


class Counted(Plain):
    """A game in which tiles have points."""

    categories = (Category("counted", Message("hand"), "66 55"),)

    def points(self, piece: Any) -> str:
        return "1"


def test_a_game_that_counts_points_has_an_example_and_no_ranking() -> None:
    found = Counted().ladder(Nothing())
    assert (found.rungs, [str(piece) for piece in found.points_example]) == ((), ["6-6", "5-5"])


def test_the_text_of_a_game_is_the_head_of_its_module() -> None:
    assert Plain().text == __doc__


def test_a_game_must_implement_the_abstract_methods() -> None:
    assert Game.__abstractmethods__ == {"pieces", "who_must_show", "place", "settle"}


@pytest.mark.parametrize(("stakes", "units"), [(0, 0), (1, 25), (4, 100)])
def test_c_1_stakes_in_units(stakes: int, units: int) -> None:
    assert ROUND.units(stakes) == units


@pytest.mark.parametrize(("left_out", "others"), [("", "ABCD"), ("B", "ACD"), ("AD", "BC"), ("ABCD", "")])
def test_others_in_turn_order(left_out: str, others: str) -> None:
    assert "".join(ROUND.others(*left_out)) == others


def test_text_without_a_docstring_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.__doc__", None)
    assert Plain().text == ""
