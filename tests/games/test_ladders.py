"""The ladder of hands of every game, under its usual house rules and under each other choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from games.rounds import values
from tables import table

from companion.engine.game import AnyGame, seated
from companion.engine.hands.strength import Strength
from companion.engine.pieces.sets import Piece
from companion.engine.variants import variants
from companion.games import all_games

GAMES = {key: game for key, game in all_games().items() if game.has_hands}


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


@pytest.mark.parametrize(("game", "options"), list(tables()))
def test_any_other_kickers_make_the_same_hand_or_a_better_one(game: AnyGame, options: Any) -> None:
    """The cards before the kickers make the hand: with another card for the last of them it may be worse."""
    random = Random(1)
    for rung in (rung for rung in game.ladder(options).rungs if len(rung.example) < 6):
        made = len(rung.example) - rung.kickers
        others = [piece for piece in game.pieces(options).pieces if piece not in rung.example]
        fillings = [random.sample(others, rung.kickers) for _ in range(30)]
        level = strength_of(game, options, rung.example).level
        assert min(strength_of(game, options, (*rung.example[:made], *more)).level for more in fillings) == level
        changed = [(*rung.example[: made - 1], other, *rung.example[made:]) for other in others]
        is_worse = min(strength_of(game, options, hand).level for hand in changed) < level
        assert is_worse or rung.name == game.ladder(options).rungs[-1].name


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_default_rules_have_no_notes(game: AnyGame) -> None:
    words = {option.label for option in game.house_rules}
    notes = [str(note) for rung in game.ladder(game.options()).rungs for note in rung.notes]
    assert [note for note in notes if note in words or "bonus" in note or "may knock" in note] == []


# game | rules | whether five of a kind is a kind of hand there
FIVES = """
dompe | | yes
dompe | deck=plain | no
dompe | deck=spanish-40 | no
dompe | deck=spanish-48 yuca=true | yes
draw-poker | | no
draw-poker | wild=jokers | yes
draw-poker | wild="9" | yes
draw-poker | wild="9" five_of_a_kind=off | no
draw-poker | five_of_a_kind=off | no
"""


@pytest.mark.parametrize("row", table(FIVES), ids=" ".join)
def test_five_of_a_kind_is_ranked_only_if_possible_and_allowed(row: tuple[str, ...]) -> None:
    game, rules, is_there = row
    found = GAMES[game]
    names = [str(rung.name) for rung in found.ladder(found.options(**values(rules))).rungs]
    assert ("five of a kind" in names) == (is_there == "yes")


@pytest.mark.parametrize("rank", list("A23456789TJQK"))
def test_examples_use_a_wild_rank_only_if_needed(rank: str) -> None:
    found = GAMES["draw-poker"]
    ladder = found.ladder(found.options(wild=rank))
    holding = [str(rung.name) for rung in ladder.rungs if any(tile.text[0] == rank for tile in rung.example)]
    assert holding == ["five of a kind", *["royal flush"] * (rank in "AKQJT")]


# game | house rules | what decides between equal hands, with the cards that show it; next
WILD, SUITS = "the hand with the wild card wins", "the suit of the highest card decides, from high to low"
SHARE, FEWEST_WILD = "equal hands share the pot:", "the hand with the fewest wild tiles wins:"
TIES = f"""
dompe | | {WILD}: Jk; {SUITS}: Ad Ah As Ac
dompe | deck=plain suits=spades-first | {SUITS}: As Ah Ad Ac
dompe | deck=spanish-40 | {SUITS}: 1o 1c 1e 1b
dompe | deck=spanish-40 yuca=true suits=spades-first | {WILD}: 2o; {SUITS}: 1e 1c 1o 1b
dompe | equal_hands=first-to-show | the first to show wins: the caller, then on anticlockwise:
draw-poker | wild="2" | {SHARE}
draw-poker | wild="2" equal_hands=natural-first | {FEWEST_WILD}; {SHARE}
draw-poker | wild=none equal_hands=natural-first | {SHARE}
five-card-draw | wild="2" equal_hands=natural-first | the hand with the fewest wild cards wins:; {SHARE}
"""


@pytest.mark.parametrize("row", table(TIES), ids=lambda row: " ".join(row[:2]))
def test_do_8_dr_9_tie_breakers_show_the_deck_s_cards(row: tuple[str, ...]) -> None:
    game, rules, expected = row
    rungs = GAMES[game].ladder(GAMES[game].options(**values(rules))).tie_breakers
    told = [f"{rung.name}: {' '.join(card.text for card in rung.example)}".strip() for rung in rungs]
    assert "; ".join(told) == expected


@pytest.mark.parametrize(("least", "example"), [("pair-of-kings", "Kh Kc 9s 7d 4h"), ("pair", "8h 8c Js 7d 4h")])
def test_kp_13_the_minimum_knock_is_marked_and_the_example(least: str, example: str) -> None:
    found = GAMES["knock-poker"]
    marked = [rung for rung in found.ladder(found.options(minimum_knock=least)).rungs if rung.notes]
    assert [" ".join(card.text for card in rung.example) for rung in marked] == [example]
