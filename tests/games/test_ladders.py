"""The ladder of hands of every game, under its usual house rules and under each other choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from companion.engine.game import AnyGame, seated
from companion.engine.pieces import Piece
from companion.engine.strength import Strength
from companion.engine.variants import variants
from companion.games import all_games

GAMES = all_games()


def tables() -> Iterator[Any]:
    """Every game under every variant of its house rules, and Dompe with both Spanish decks and yuca."""
    for key, game in GAMES.items():
        for option, options in variants(game):
            value = getattr(options, option.key) if option else "usual"
            yield pytest.param(game, options, id=f"{key}-{option.key if option else ''}-{value}")
    for deck in ("spanish-40", "spanish-48"):
        dompe = GAMES["dompe"]
        yield pytest.param(dompe, dompe.options(deck=deck, yuca=True), id=f"dompe-{deck}-yuca")


def strength_of(game: AnyGame, options: Any, hand: tuple[Piece, ...]) -> Strength:
    """Value an example as if it was shown, as an outright win if it has six cards."""
    answers = {"shown_by": "Ana"} if len(hand) == 6 else {}
    round = seated(game, options, ("Ana", "Beto"), "Beto", **answers)
    (shown,) = game.place(replace(round, hands={"Ana": hand}))
    return shown.reading.strength


@pytest.mark.parametrize(("game", "options"), list(tables()))
def test_examples_go_from_high_to_low_in_the_table_s_own_cards(game: AnyGame, options: Any) -> None:
    ladder = game.ladder(options)
    pieces = set(game.pieces(options).pieces)
    hands = [*(rung.example for rung in ladder.rungs), *([ladder.points_example] if ladder.points_example else [])]
    assert hands
    assert all(len(set(hand)) == len(hand) and set(hand) <= pieces for hand in hands)
    assert all(set(rung.example) <= pieces for rung in ladder.tie_breakers)
    strengths = [strength_of(game, options, rung.example) for rung in ladder.rungs]
    fives = [found for found, rung in zip(strengths, ladder.rungs, strict=True) if len(rung.example) != 6]
    assert all(above.level > below.level for above, below in pairwise(fives))
    assert len({rung.name for rung in ladder.rungs}) == len(ladder.rungs)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_default_rules_have_no_notes(game: AnyGame) -> None:
    words = {option.label for option in game.house_rules}
    notes = [str(note) for rung in game.ladder(game.options()).rungs for note in rung.notes]
    assert [note for note in notes if note in words or "bonus" in note or "may knock" in note] == []


def names(game: str, **rules: object) -> list[str]:
    found = GAMES[game]
    return [str(rung.name) for rung in found.ladder(found.options(**rules)).rungs]


# game, rules | whether five of a kind is a kind of hand there
FIVES = [
    ("dompe", {}, True),
    ("dompe", {"deck": "plain"}, False),
    ("dompe", {"deck": "spanish-40"}, False),
    ("dompe", {"deck": "spanish-48", "yuca": True}, True),
    ("draw-poker", {}, False),
    ("draw-poker", {"wild": "jokers"}, True),
    ("draw-poker", {"wild": "9"}, True),
    ("draw-poker", {"wild": "9", "five_of_a_kind": "off"}, False),
    ("draw-poker", {"five_of_a_kind": "off"}, False),
]


@pytest.mark.parametrize(("game", "rules", "is_there"), FIVES)
def test_five_of_a_kind_is_ranked_only_if_possible_and_allowed(game: str, rules: Any, is_there: bool) -> None:
    assert ("five of a kind" in names(game, **rules)) == is_there


@pytest.mark.parametrize("rank", list("A23456789TJQK"))
def test_examples_use_a_wild_rank_only_if_needed(rank: str) -> None:
    found = GAMES["draw-poker"]
    ladder = found.ladder(found.options(wild=rank))
    holding = [str(rung.name) for rung in ladder.rungs if any(tile.text[0] == rank for tile in rung.example)]
    assert holding == ["five of a kind", *["royal flush"] * (rank in "AKQJT")]


# house rules of Dompe | what decides between equal hands, with the cards that show it
EQUAL = [
    (
        {},
        ["the hand with the wild card wins: Jk", "the suit of the highest card decides, from high to low: Ad Ah As Ac"],
    ),
    (
        {"deck": "plain", "suits": "spades-first"},
        ["the suit of the highest card decides, from high to low: As Ah Ad Ac"],
    ),
    ({"deck": "spanish-40"}, ["the suit of the highest card decides, from high to low: 1o 1c 1e 1b"]),
    (
        {"deck": "spanish-40", "yuca": True, "suits": "spades-first"},
        ["the hand with the wild card wins: 2o", "the suit of the highest card decides, from high to low: 1e 1c 1o 1b"],
    ),
    ({"equal_hands": "first-to-show"}, ["the first to show wins: the caller, then on anticlockwise: "]),
]


@pytest.mark.parametrize(("rules", "expected"), EQUAL)
def test_do_8_tie_breakers_show_the_deck_s_cards(rules: Any, expected: list[str]) -> None:
    found = GAMES["dompe"]
    rungs = found.ladder(found.options(**rules)).tie_breakers
    assert [f"{rung.name}: {' '.join(card.text for card in rung.example)}" for rung in rungs] == expected


SHARE, FEWEST_WILD = "equal hands share the pot", "the hand with the fewest wild tiles wins"


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"wild": "2"}, [SHARE]),
        ({"wild": "2", "equal_hands": "natural-first"}, [FEWEST_WILD, SHARE]),
        ({"wild": "none", "equal_hands": "natural-first"}, [SHARE]),
    ],
)
def test_dr_9_the_fewest_wild_tiles_win_only_where_tiles_are_wild(rules: Any, expected: list[str]) -> None:
    found = GAMES["draw-poker"]
    assert [str(rung.name) for rung in found.ladder(found.options(**rules)).tie_breakers] == expected


@pytest.mark.parametrize(("least", "example"), [("pair-of-kings", "Kh Kc 9s 7d 4h"), ("pair", "8h 8c Js 7d 4h")])
def test_kp_13_the_minimum_knock_is_marked_and_the_example(least: str, example: str) -> None:
    found = GAMES["knock-poker"]
    marked = [rung for rung in found.ladder(found.options(minimum_knock=least)).rungs if rung.notes]
    assert [" ".join(card.text for card in rung.example) for rung in marked] == [example]
