"""Ranks five-card poker hands of any deck, including wild cards.

Each card has an integer code, and a hand is the sum of its codes: three bits per rank count the cards of that rank,
three more count the wild cards, then three bits per suit. The suit bits select one of two tables, for hands whose
natural cards share a suit and for all others; the rank bits are looked up in that table. Tables are filled on demand:
`_strongest` finds the best category for a pattern of ranks from the top down, without trying out cards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

from ..game import Category
from ..messages import Message
from ..pieces.cards import FRENCH, FRENCH_WITH_JOKER, Card, CardSet
from .ladder import Rung
from .straights import filled, straight_top
from .strength import Reading, Strength

NAMES: Mapping[str, Message] = {
    "five-of-a-kind": Message("five of a kind"),
    "royal-flush": Message("royal flush"),
    "straight-flush": Message("straight flush"),
    "four-of-a-kind": Message("four of a kind"),
    "full-house": Message("full house"),
    "flush": Message("flush"),
    "straight": Message("straight"),
    "three-of-a-kind": Message("three of a kind"),
    "two-pairs": Message("two pair"),
    "pair": Message("pair"),
    "high-card": Message("high card"),
}
HIGH_TO_LOW = tuple(NAMES)
LEVELS: Mapping[str, int] = {category: level for level, category in enumerate(reversed(HIGH_TO_LOW))}

# How many cards each of a strength's ranks has; one each in the categories that aren't listed.
_TIMES: Mapping[str, tuple[int, ...]] = {
    "five-of-a-kind": (5,),
    "four-of-a-kind": (4, 1),
    "full-house": (3, 2),
    "three-of-a-kind": (3, 1, 1),
    "two-pairs": (2, 2, 1),
    "pair": (2, 1, 1, 1),
}
STRAIGHTS = ("straight", "straight-flush", "royal-flush")
SUITED = ("flush", "straight-flush", "royal-flush")

WildUse = Literal["any", "not-held", "bug"]

_BITS = 3
_WILD_AT = 13 * _BITS
_SUITS_AT = _WILD_AT + _BITS
_WILD = 1 << _WILD_AT
_RANKS = (1 << _SUITS_AT) - 1
_COUNT = (1 << _BITS) - 1
_SIZE = 5
# the suit bits of a sum when all natural cards share a suit
_ONE_SUIT = frozenset(number << _BITS * suit for number in range(1, _SIZE + 1) for suit in range(4))


class PokerOrder:
    """The ranking of five-card hands of one deck.

    `wild` cards stand for any card, even one already in the hand; jokers are always wild. If `five_of_a_kind` is off,
    that category doesn't exist, and the wild cards make the best other hand. `use` may say that a wild card never
    stands for a card already in the hand, or is a bug: an ace, or what a straight or a flush lacks. Rule: DO-3, DR-4,
    DR-11.
    """

    def __init__(
        self, cards: CardSet, wild: Collection[Card] = (), *, five_of_a_kind: bool = True, use: WildUse = "any"
    ) -> None:
        self.cards = cards
        self.wild = frozenset(card for card in cards.pieces if card in wild or card.is_joker)
        self._codes = [_WILD if card in self.wild else _code(card, cards) for card in cards.pieces]  # by card.index
        self._tables = [_Table(cards.heights, is_suited, five_of_a_kind, use) for is_suited in (False, True)]
        self._by_suits = [self._tables[suits in _ONE_SUIT] for suits in range(1 << 4 * _BITS)]

    def strength(self, hand: Sequence[Card]) -> Strength:
        """Evaluate five different cards of the deck, in any order."""
        codes = self._codes
        a, b, c, d, e = hand
        total = codes[a.index] + codes[b.index] + codes[c.index] + codes[d.index] + codes[e.index]
        return self._by_suits[total >> _SUITS_AT][total & _RANKS]

    def empty_tables(self) -> None:
        """Free the memory of all hands of the deck once they are counted; those that are shown fill little of it."""
        for table in self._tables:
            table.clear()

    def read(self, hand: Sequence[Card]) -> Reading:
        """Evaluate five cards and describe the hand, including which card each wild card stands for."""
        strength = self.strength(hand)
        ranks = details(strength, self.cards)
        words = _DESCRIPTIONS[strength.category](*ranks)
        wild_as = self._wild_as(hand, strength) if self.wild else None
        return Reading(strength, NAMES[strength.category], words, ranks, wild_as=wild_as)

    def _wild_as(self, hand: Sequence[Card], strength: Strength) -> tuple[Card, ...] | None:
        """Choose the card each wild card stands for, highest first, preferring cards not in the hand."""
        natural = [card for card in hand if card not in self.wild]
        if len(natural) == len(hand):
            return None
        missing = heights(strength, self.cards.heights)
        for card in natural:
            missing.remove(card.height)
        suits = (natural or self.cards.pieces)[0].suit if strength.category in SUITED else self.cards.suits
        used = set(natural)
        chosen = []
        for height in sorted(missing, reverse=True):
            candidates = [c for c in self.cards.pieces if c.height == height and c.suit in suits]
            card = next((c for c in candidates if c not in used), candidates[0])
            used.add(card)
            chosen.append(card)
        return tuple(chosen)


def _code(card: Card, cards: CardSet) -> int:
    return 1 << _BITS * card.height | 1 << _SUITS_AT + _BITS * cards.suits.index(card.suit)


class _Table(dict[int, Strength]):
    """Strengths by the rank bits of a hand's sum, filled on demand."""

    def __init__(self, number_of_heights: int, suited: bool, five_of_a_kind: bool, use: WildUse) -> None:
        super().__init__()
        self._about = number_of_heights, suited, five_of_a_kind and use != "not-held"
        self._use = use

    def __missing__(self, ranks: int) -> Strength:
        number_of_heights, suited, five_of_a_kind = self._about
        counts = {h: n for h in reversed(range(number_of_heights)) if (n := ranks >> _BITS * h & _COUNT)}
        wild = ranks >> _WILD_AT
        if self._use == "bug" and wild:
            category, order = _with_bugs(counts, wild, number_of_heights, suited, five_of_a_kind)
        else:
            category, order = _strongest(counts, wild, number_of_heights, suited, five_of_a_kind)
        if self._use != "any" and wild and category == "flush":
            order = filled(tuple(counts), wild, number_of_heights)
        self[ranks] = strength = Strength(LEVELS[category], category, order)
        return strength


def _with_bugs(
    counts: Mapping[int, int], bugs: int, number_of_heights: int, suited: bool, five_of_a_kind: bool
) -> tuple[str, tuple[int, ...]]:
    """Find the best category with cards that are aces, or what a straight or a flush lacks. Rule: DR-11."""
    ace = number_of_heights - 1
    with_aces = {ace: counts.get(ace, 0) + bugs} | {h: n for h, n in counts.items() if h != ace}
    as_aces = _strongest(with_aces, 0, number_of_heights, False, five_of_a_kind)
    as_any = _strongest(counts, bugs, number_of_heights, suited, False)
    held = tuple(counts)
    if as_any[0] not in (*STRAIGHTS, *SUITED) and max(counts.values()) == 1:
        # with two bugs, three of a kind would do instead of the straight
        top = straight_top(held, number_of_heights)
        as_any = ("straight", (top,)) if top is not None else as_any
    if suited and as_any[0] not in (*STRAIGHTS, *SUITED):
        as_any = "flush", filled(held, bugs, number_of_heights)
    if as_any[0] not in (*STRAIGHTS, *SUITED):
        return as_aces
    return max(as_aces, as_any, key=lambda way: (LEVELS[way[0]], way[1]))


# shared by the games with this ranking, so that its hands are evaluated and counted once
FRENCH_ORDER = PokerOrder(FRENCH)


def _strongest(
    counts: Mapping[int, int], wild: int, number_of_heights: int, suited: bool, five_of_a_kind: bool
) -> tuple[str, tuple[int, ...]]:
    """Find the best category for natural cards, given as {height: count} from high to low, plus some wild cards.

    Returns the category and the heights that rank hands within it, most significant first.
    """
    highest = number_of_heights - 1
    held = tuple(counts)

    def highest_with(times: int) -> int | None:
        """Return the highest rank of which wild cards can make this many."""
        fits = (h for h in range(highest, -1, -1) if counts.get(h, 0) + wild >= times)
        return next(fits, None)

    def rest(*taken: int) -> tuple[int, ...]:
        return tuple(h for h in held if h not in taken for _ in range(counts[h]))

    if not held:  # only wild cards
        return ("five-of-a-kind" if five_of_a_kind else "royal-flush"), (highest,)
    if five_of_a_kind and len(held) == 1:
        return "five-of-a-kind", held
    top = straight_top(held, number_of_heights) if max(counts.values()) == 1 else None
    if suited and top is not None:
        return ("royal-flush" if top == highest else "straight-flush"), (top,)
    if (four := highest_with(4)) is not None:
        # a wild card is left over only if five of a kind is off; it becomes the highest other rank
        kicker = rest(four) or (highest if four != highest else highest - 1,)
        return "four-of-a-kind", (four, *kicker)
    three = highest_with(3)
    if three is not None and len(held) == 2:
        return "full-house", (three, *(h for h in held if h != three))
    if suited:
        return "flush", (*(highest,) * wild, *held)
    if top is not None:
        return "straight", (top,)
    if three is not None:
        return "three-of-a-kind", (three, *rest(three))
    pairs = tuple(h for h in held if counts[h] == 2)
    if len(pairs) == 2:
        return "two-pairs", (*pairs, *rest(*pairs))
    if (two := highest_with(2)) is not None:
        return "pair", (two, *rest(two))
    return "high-card", held


def heights(strength: Strength, number_of_heights: int) -> list[int]:
    """List the heights of a strength's five cards."""
    category, ranks = strength.category, strength.ranks
    if category in STRAIGHTS:
        # the ace, the highest height, comes below the 2
        return [(ranks[0] - step) % number_of_heights for step in range(5)]
    return [h for h, times in zip(ranks, _TIMES.get(category, (1,) * 5), strict=True) for _ in range(times)]


def details(strength: Strength, cards: CardSet) -> tuple[Message, ...]:
    """Name each of a strength's ranks, of five cards or three: "nines" if there are several of it, "nine" if one."""
    times = _TIMES.get(strength.category, (1,) * len(strength.ranks))[: len(strength.ranks)]
    return tuple(
        (cards.rank_plurals if n > 1 else cards.rank_names)[h] for h, n in zip(strength.ranks, times, strict=True)
    )


def describe(strength: Strength, cards: CardSet) -> Message:
    """Describe a hand in words: "full house, nines over fours"."""
    ranks = details(strength, cards)
    return _DESCRIPTIONS[strength.category](*ranks)


_DESCRIPTIONS: Mapping[str, Callable[..., Message]] = {
    "five-of-a-kind": lambda rank: Message("five of a kind, {rank}", rank=rank),
    "royal-flush": lambda _: Message("royal flush"),
    "straight-flush": lambda top: Message("straight flush, {top} high", top=top),
    "four-of-a-kind": lambda rank, _: Message("four of a kind, {rank}", rank=rank),
    "full-house": lambda three, two: Message("full house, {three} over {two}", three=three, two=two),
    "flush": lambda top, *_: Message("flush, {top} high", top=top),
    "straight": lambda top: Message("straight, {top} high", top=top),
    "three-of-a-kind": lambda rank, *_: Message("three of a kind, {rank}", rank=rank),
    "two-pairs": lambda high, low, _: Message("two pair, {high} and {low}", high=high, low=low),
    "pair": lambda rank, *_: Message("pair of {rank}", rank=rank),
    "high-card": lambda top, *_: Message("high card, {top}", top=top),
}

_EXAMPLES: Mapping[str, str] = {
    "five-of-a-kind": "9s 9h 9d 9c Jk",
    "royal-flush": "Ah Kh Qh Jh Th",
    "straight-flush": "7c 6c 5c 4c 3c",
    "four-of-a-kind": "9s 9h 9d 9c Qd",
    "full-house": "Ts Th Tc Kd Kc",
    "flush": "Ad Qd 8d 5d 3d",
    "straight": "Jh Ts 9d 8d 7c",
    "three-of-a-kind": "5s 5h 5d Ac 8h",
    "two-pairs": "Js Jd 6h 6c 2s",
    "pair": "8h 8c Js 7d 4h",
    "high-card": "Kd Qs Jh Tc 8h",
}


def categories(*left_out: str) -> tuple[Category, ...]:
    """List the categories for a help page, from high to low, except those left out."""
    return tuple(Category(key, NAMES[key], _EXAMPLES[key]) for key in HIGH_TO_LOW if key not in left_out)


def ladder(order: PokerOrder, notes: Mapping[str, Sequence[Message]] | None = None) -> tuple[Rung, ...]:
    """List the categories that these cards can make, high to low, with examples; `notes` are by category."""
    examples = ((category, example(order, category)) for category in HIGH_TO_LOW)
    by_category = notes or {}
    return tuple(Rung.of(c, NAMES[c], cards, tuple(by_category.get(c, ()))) for c, cards in examples if cards)


def example(order: PokerOrder, category: str) -> tuple[Card, ...]:
    """Find a hand of a category, without unneeded wild cards if possible; empty if these cards can't make one.

    Tries the usual example, then shifts its ranks up or down until the deck has all the cards.
    """
    usual = [FRENCH_WITH_JOKER.find(token) for token in _EXAMPLES[category].split()]
    shown = [card for card in usual if card is not None]
    steps = sorted(range(-order.cards.heights, order.cards.heights), key=abs)
    hands = [hand for hand in (_shifted(order, shown, step) for step in steps) if hand]
    fits = [hand for hand in hands if order.strength(hand).category == category]
    jokers = sum(card.is_joker for card in shown)
    return min(fits, key=lambda hand: sum(card in order.wild for card in hand) > jokers, default=())


def _shifted(order: PokerOrder, shown: Sequence[Card], step: int) -> tuple[Card, ...]:
    """Shift the ranks of an example by `step`, with a wild card for its joker; empty if the deck lacks a card."""
    cards = order.cards.pieces
    by_place = {(card.height, card.suit): card for card in cards}
    wild = next((card for card in cards if card in order.wild), None)
    moved = [wild if card.is_joker else by_place.get((card.height + step, card.suit)) for card in shown]
    hand = tuple(dict.fromkeys(card for card in moved if card))
    return hand if len(hand) == len(shown) else ()
