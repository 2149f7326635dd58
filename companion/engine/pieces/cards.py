"""Cards and decks: 52 with or without jokers, Spanish 40 and 48, and how cards are written. No game's rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

from ..messages import Message
from .sets import Piece, PieceSet, spelling_table


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Card(Piece):
    """A French or Spanish card. `rank` is the printed number: 1 to 13 (Spanish 1 to 12), or 0 for the joker.

    `height` is where the rank stands in its deck's order: 0 for the 2, the highest for the ace, -1 for the joker.
    `suit` is the letter used in the notation, empty for the joker. `index` is the card's position in the deck: suit by
    suit, each from the ace up, the joker last.
    """

    family: Literal["french", "spanish"]
    rank: int
    suit: str
    height: int
    index: int

    @property
    def is_joker(self) -> bool:
        return self.rank == 0

    @property
    def symbol(self) -> str:
        """The card with its suit's symbol: "Q♥", "10♠"; a joker or Spanish card, which has none, as it is typed."""
        if self.family != "french" or self.is_joker:
            return self.text
        rank = "10" if self.rank == 10 else self.text[0]
        return rank + _SUIT_SYMBOLS[self.suit][0]


@dataclass(frozen=True, eq=False)
class CardSet(PieceSet[Card]):
    """A deck. `rank_names` and `rank_plurals` are indexed by height; `suits` are the letters used in the notation."""

    suits: str = ""
    rank_names: tuple[Message, ...] = ()
    rank_plurals: tuple[Message, ...] = ()

    @property
    def heights(self) -> int:
        """The number of ranks."""
        return len(self.rank_names)


_FRENCH_SUITS = "shdc"
_FRENCH_SUIT_NAMES = {
    "c": Message("clubs"),
    "d": Message("diamonds"),
    "h": Message("hearts"),
    "s": Message("spades"),
}
_SUIT_SYMBOLS = {"c": "♣♧", "d": "♦♢", "h": "♥♡", "s": "♠♤"}
FRENCH_RANKS = "A23456789TJQK"
_SPANISH_SUITS = "oceb"
_SPANISH_SUIT_NAMES = {
    "o": Message("coins"),
    "c": Message("cups"),
    "e": Message("swords"),
    "b": Message("clubs (bastos)"),
}
SUIT_NAMES: Mapping[str, Mapping[str, Message]] = {
    _FRENCH_SUITS: _FRENCH_SUIT_NAMES,
    _SPANISH_SUITS: _SPANISH_SUIT_NAMES,
}  # by CardSet.suits, then by letter
_SPANISH_LETTERS = {1: "a", 10: "s", 11: "c", 12: "r"}

_NAMES = tuple(
    map(
        Message,
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"],
    )
)
_PLURALS = tuple(Message(f"{name}{'es' if name == 'six' else 's'}") for name in map(str, _NAMES))
_SPANISH_NAMES = (*_NAMES[:9], Message("Sota"), Message("Caballo"), Message("Rey"))
_SPANISH_PLURALS = (*_PLURALS[:9], Message("Sotas"), Message("Caballos"), Message("Reyes"))


def _named(rank: Message, suit: Message) -> Message:
    return Message("{rank} of {suit}", rank=rank, suit=suit)


def _ace_last(ranks: Sequence[int]) -> dict[int, int]:
    """Map each rank to its height; `ranks` start with the ace, which becomes the highest."""
    return {rank: height for height, rank in enumerate((*ranks[1:], ranks[0]))}


_FRENCH_HEIGHTS = _ace_last(range(1, 14))
_FRENCH_CARDS = tuple(
    tuple(
        Card(
            letter + suit,
            _named(_NAMES[rank - 1], _FRENCH_SUIT_NAMES[suit]),
            "french",
            rank,
            suit,
            _FRENCH_HEIGHTS[rank],
            first + rank - 1,
        )
        for rank, letter in enumerate(FRENCH_RANKS, 1)
    )
    for first, suit in zip(range(0, 52, 13), _FRENCH_SUITS, strict=True)
)
JOKER = Card("Jk", Message("joker"), "french", 0, "", -1, 52)
_FRENCH_NOTATION = rf"joker|jk|\*|(?:10|[{FRENCH_RANKS}])[{_FRENCH_SUITS}{''.join(_SUIT_SYMBOLS.values())}]"
_SPANISH_NOTATION = rf"(?:1[0-2]|[1-9ASCR])[{_SPANISH_SUITS}]"


def _french_spellings(card: Card) -> list[str]:
    ranks = [card.text[0], "10"] if card.rank == 10 else [card.text[0]]
    return [rank + suit for rank in ranks for suit in card.suit + _SUIT_SYMBOLS[card.suit]]


def french(jokers: int = 0, noun: tuple[str, str] = ("card", "cards")) -> CardSet:
    """Make the 52-card deck, with this many jokers. All such decks share the same Card objects."""
    cards = [(card, _french_spellings(card)) for suit in _FRENCH_CARDS for card in suit]
    heights = sorted(_FRENCH_HEIGHTS, key=_FRENCH_HEIGHTS.__getitem__)
    return CardSet(
        groups=(*_FRENCH_CARDS, (JOKER,)) if jokers else _FRENCH_CARDS,
        spellings=spelling_table([*cards, (JOKER, ["joker", "*"])] if jokers else cards),
        noun=noun,
        columns=7,
        copies={JOKER: jokers} if jokers else {},
        notation=_FRENCH_NOTATION,
        suits=_FRENCH_SUITS,
        rank_names=tuple(_NAMES[rank - 1] for rank in heights),
        rank_plurals=tuple(_PLURALS[rank - 1] for rank in heights),
    )


def spanish(ranks: Sequence[int]) -> CardSet:
    """Make a Spanish deck of these printed numbers, from the ace (1) up; neighbours in the list are consecutive."""
    heights = _ace_last(ranks)
    groups = tuple(
        tuple(
            Card(
                f"{rank}{suit}",
                _named(_SPANISH_NAMES[rank - 1], _SPANISH_SUIT_NAMES[suit]),
                "spanish",
                rank,
                suit,
                heights[rank],
                index,
            )
            for index, rank in enumerate(ranks, first)
        )
        for first, suit in zip(count(0, len(ranks)), _SPANISH_SUITS, strict=False)
    )
    spellings = [
        (card, [_SPANISH_LETTERS[card.rank] + card.suit] if card.rank in _SPANISH_LETTERS else [])
        for group in groups
        for card in group
    ]
    upward = sorted(ranks, key=heights.__getitem__)
    return CardSet(
        groups=groups,
        spellings=spelling_table(spellings),
        noun=("card", "cards"),
        columns=7 if len(ranks) > 10 else 5,
        copies={},
        notation=_SPANISH_NOTATION,
        suits=_SPANISH_SUITS,
        rank_names=tuple(_SPANISH_NAMES[rank - 1] for rank in upward),
        rank_plurals=tuple(_SPANISH_PLURALS[rank - 1] for rank in upward),
    )


FRENCH = french()
FRENCH_WITH_JOKER = french(jokers=1)
SPANISH_40 = spanish((*range(1, 8), 10, 11, 12))
SPANISH_48 = spanish(range(1, 13))
