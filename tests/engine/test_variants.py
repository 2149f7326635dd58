"""A game's variants: each differs in one choice or toggle, and some change the deck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.engine.game import Game
from companion.engine.messages import Message
from companion.engine.options import ante, choice, toggle
from companion.engine.pieces.cards import FRENCH, FRENCH_WITH_JOKER, SPANISH_40
from companion.engine.problems import Problem
from companion.engine.variants import options_that_change_the_set, variants

SETS = {"plain": FRENCH, "joker": FRENCH_WITH_JOKER, "spanish": SPANISH_40}


@dataclass(frozen=True)
class Options:
    """One option of each kind; `yuca` alone is invalid, because it needs its deck."""

    ante: int = ante("XX-1")
    deck: str = choice("plain", "Deck", choices=dict.fromkeys(SETS, ""), help="", rule="XX-2")
    yuca: bool = toggle(False, "Yuca", help="", rule="XX-3")
    match: bool = toggle(True, "Match", help="", rule="XX-4")
    late: str = choice("no", "Late", choices={"no": "", "yes": ""}, help="", rule="XX-5")


class Decks(Game[Any, Any, Any]):
    """A game with several decks."""

    key, name, summary = "decks", "Decks", "Several sets."
    seats = (2, 3)
    options = entry = Options
    categories = ()

    def pieces(self, options: Options) -> Any:
        return SETS[options.deck]

    def check_options(self, options: Options) -> Iterator[Problem]:
        if options.yuca and options.deck != "spanish":
            yield Problem("rules.yuca", "bad-rule-value", Message("no"))

    def who_must_show(self, round: Any) -> tuple[str, ...]:
        return ()

    def place(self, round: Any) -> Any:
        raise NotImplementedError

    def settle(self, round: Any) -> Any:
        raise NotImplementedError


GAME = Decks()


def test_variants_are_the_default_and_every_valid_single_change() -> None:
    found = [(option and option.key, changed) for option, changed in variants(GAME)]
    assert found == [
        (None, Options()),
        ("deck", Options(deck="joker")),
        ("deck", Options(deck="spanish")),
        ("match", Options(match=False)),
        ("late", Options(late="yes")),
    ]


def test_only_the_deck_changes_the_set() -> None:
    assert options_that_change_the_set(GAME) == {"deck"}
