"""Poker with dominoes: five tiles each from a set of twenty, one round of betting.

The set is a double six without the blanks and without [1-1]. A tile belongs to the suit of each of its two numbers.

Play: the player to the dealer's left begins. One round of betting: check (while nobody has bet), bet, call, raise,
fold; it ends when everyone who hasn't folded has put in the same amount. Agree on a minimum and a maximum for bets and
raises beforehand.

DP-1  Each player antes 1 stake and bets; say what each paid in total (ante included) and who folded. Those who didn't
      fold have all paid the same. Nobody who folded paid more than they did, and nobody paid less than the ante. The
      last player not to fold takes the pot without showing.
DP-2  Hands are five tiles. From high to low: royal (all five doubles); straight sixes; four of a kind (any four
      doubles); straight fives; full house (three doubles, and the two other tiles share a number); straight fours;
      three of a kind (three doubles, the two others share no number); flush (five tiles of one suit); one pair (two
      doubles); high card.
DP-3  A straight is five tiles of one suit whose other ends run 1-2-3-4-5 or 2-3-4-5-6 (the double counts as its own
      number), in the suit of six, five or four only.
DP-4  Five such tiles in the suit of three, two or one are a flush; by a house rule they count only by their doubles.
DP-5  Within a category: of straights the one whose run ends higher; of hands made of doubles the highest double; of
      flushes the higher suit. High card: the highest double; a hand with a double beats a hand with none; with none,
      the tile with the highest number, then the highest other end. No two hands of one deal are ever equal.
DP-6  [1-1] isn't in the set; entering it is an error.
DP-7  House rule, all-in: players who didn't fold may have paid different amounts, even less than the ante or nothing;
      they still play for a pot carried over. Side pots are cut at the amounts of those who didn't fold, and a pot
      carried over belongs to the lowest: each goes to the best hand among those who didn't fold and paid into it in
      full, together with what folded players put into it. A part that only one player paid into goes back to that
      player. Nobody who folded paid more than the highest of those who stayed in.
DP-8  Instead of the totals you can enter the betting itself, action by action: check, bet, call, raise, fold or, where
      that is played, all-in. Turns go round from the dealer's left, past those who folded or are all-in, until everyone
      left has put in the same amount or is all-in, or only one player is left. Check and bet only while nobody has bet;
      a call puts in exactly what is missing, a raise more. House rules set a minimum and a maximum for a bet, and for
      the part of a raise above the call. An all-in may be less than a call; one that is more counts as a bet or a
      raise, even below the minimum, but not above the maximum. A player whose last chip went into the ante is all-in
      with it, and stays in without a turn. Once only one player could still bet, the betting is over.
DP-9  House rules: a raise may have a minimum and a maximum of its own, and a round of betting a limit on the number of
      raises. An all-in that raises counts as a raise; the first bet doesn't. When no raise is left, nobody is offered
      one, and an all-in is a call at most.
DP-10 House rules: a raise is at least as much above the call as the last bet or raise, if the largest raise allows it;
      an all-in may be less. And a short all-in, one that is less than a full raise, doesn't open the betting again:
      who has acted in that round may then call or fold, and raises only when facing a full raise in all. A full raise
      is as much as the last bet or raise, and as the smallest one set.

A turn

bet | Bet or check | from the dealer's left
answer | Call, raise or fold | until all have put in the same
show | Show | who didn't fold

Who pays whom

Before the deal | each {ante} → pot
Your bets | you → pot
The best hand | takes the pot
Everyone else folds | you take the pot

Sources

DP-1 | Domino Poker, “Players” | as in the source
DP-1 | “The Deal” and “The Play” | as in the source
DP-2 | “Scoring” | as in the source
DP-3 | “Scoring”, 8, 6 and 4 | as in the source
DP-4 | “Scoring”, 2: “not in consecutive order” | read as a flush, since no straight below fours is named; the other
     reading is a house rule
DP-5 | “Scoring” | as in the source; the order of flushes is ours, the higher suit
DP-6 | “Scoring”, 5: the example holds [1-1] | not followed: the tile was taken out of the set; “Scoring”, 3 says that
     the double six was taken out too, which is a slip: without it there are only four doubles
DP-7 | silent | as in other poker games, a house rule
DP-8 | “The Play”, 1 to 5 | as in the source; there is one round of betting, so its “first round” is the only one;
     all-in is a house rule
DP-9 | “The Play”, 3 and 5: limits of a bet, and limits of a raise | as in the source; a limit on the number of raises
     is ours
DP-10 | “No-limit and pot-limit”, Robert's Rules of Poker; “Re-opening the bet”, Poker Tournament Directors Association
     | house rules
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from companion.engine.allowed import Action
from companion.engine.betting.betting_game import BettingGame
from companion.engine.betting.settling import BetRules
from companion.engine.game import Category, Family, Round
from companion.engine.hands.ladder import Ladder
from companion.engine.hands.rarity import HandCounts, Rarity
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places
from companion.engine.messages import Message
from companion.engine.options import (
    all_in,
    ante,
    choice,
    maximum_bet,
    maximum_raise,
    minimum_bet,
    minimum_raise,
    most_raises,
    raise_as_last,
    short_all_in_reopens,
)
from companion.engine.pieces.dominoes import DOMINOES, TILES, Tile
from companion.engine.pieces.sets import PieceSet
from companion.engine.questions.entry import bets, folded, foul, mucked, paid, won_by

CATEGORIES = (
    Category("royal", Message("royal"), "2-2 3-3 4-4 5-5 6-6"),
    Category("straight-sixes", Message("straight sixes"), "2-6 3-6 4-6 5-6 6-6"),
    Category("four-of-a-kind", Message("four of a kind"), "2-2 3-3 4-4 6-6 1-5"),
    Category("straight-fives", Message("straight fives"), "2-5 3-5 4-5 5-5 5-6"),
    Category("full-house", Message("full house"), "2-2 4-4 5-5 3-6 1-3"),
    Category("straight-fours", Message("straight fours"), "2-4 3-4 4-4 4-5 4-6"),
    Category("three-of-a-kind", Message("three of a kind"), "3-3 4-4 6-6 1-2 4-5"),
    Category("flush", Message("flush"), "1-6 2-6 3-6 4-6 6-6"),
    Category("pair", Message("pair"), "2-2 6-6 1-3 2-5 3-4"),
    Category("high-card", Message("high card"), "5-5 4-6 3-4 2-5 1-3"),
)
_LEVELS = {category.key: level for level, category in enumerate(reversed(CATEGORIES))}
_NAMES = {category.key: category.name for category in CATEGORIES}
_STRAIGHTS = {6: "straight-sixes", 5: "straight-fives", 4: "straight-fours"}
_RUNS = ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("DP-1")
    low_straights: str = choice(
        "flush",
        "A run in threes, twos or ones",
        choices={"flush": "is a flush", "high-card": "counts only by its doubles"},
        help="What five tiles in a row count as, in a suit below the fours.",
        rule="DP-4",
    )
    all_in: bool = all_in("DP-7")
    minimum_bet: int = minimum_bet("DP-8")
    maximum_bet: int = maximum_bet("DP-8")
    minimum_raise: int = minimum_raise("DP-9")
    maximum_raise: int = maximum_raise("DP-9")
    most_raises: int = most_raises("DP-9")
    raise_as_last: bool = raise_as_last("DP-10")
    short_all_in_reopens: bool = short_all_in_reopens("DP-10")


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    paid: Mapping[str, int] = paid("DP-1")
    folded: tuple[str, ...] = folded("DP-1")
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    bets: tuple[Action, ...] = bets("DP-8")
    won_by: tuple[str, ...] = won_by(ties=False)


DominoRound = Round[Options, Entry, Tile]


class DominoPoker(BettingGame[Options, Entry, Tile]):
    """Domino Poker."""

    key = "domino-poker"
    name = "Domino Poker"
    summary = "Five tiles, bets; doubles and runs win."
    family = Family.DOMINOES
    seats = (2, 4)
    options = Options
    entry = Entry
    categories = CATEGORIES
    bet_rules = BetRules(bets="DP-1", pot="DP-1", tied_pot="DP-1", side_pot="DP-7")
    examples = (
        {
            "paid": {"Ana": 5, "Beto": 5, "Caro": 2, "Dani": 5},
            "folded": ["Caro"],
            "hands": {"Ana": "2-2 3-3 4-4 1-2 3-5", "Beto": "1-6 2-6 3-6 4-6 5-6", "Dani": "6-6 5-5 1-4 2-4 3-4"},
        },
        {
            "paid": {"Ana": 3, "Beto": 3, "Caro": 3, "Dani": 3},
            "folded": [],
            "hands": {
                "Ana": "6-6 4-6 1-3 2-5 1-2",
                "Beto": "1-5 2-6 3-4 3-6 1-6",
                "Caro": "5-5 4-4 3-3 2-4 1-4",
                "Dani": "2-2 3-5 4-5 5-6 2-3",
            },
        },
        {"paid": {"Ana": 2, "Beto": 6, "Caro": 1, "Dani": 2}, "folded": ["Ana", "Caro", "Dani"], "hands": {}},
    )

    def pieces(self, options: Options) -> PieceSet[Tile]:
        return DOMINOES

    def place(self, round: DominoRound) -> tuple[ShownHand, ...]:
        low_straights = round.options.low_straights
        readings = {player: read(hand, low_straights) for player, hand in round.hands.items()}
        return assign_places(round.turn_order, round.hands, readings)

    def ladder(self, options: Options) -> Ladder:
        """Note at the flush whether a low run counts as one. Rule: DP-4."""
        ladder = super().ladder(options)
        low = Message("a run in threes, twos or ones counts too")
        if options.low_straights == "high-card":
            low = Message("a run in threes, twos or ones isn't one; it counts by its doubles")
        rungs = (replace(rung, notes=(low,)) if rung.name == _NAMES["flush"] else rung for rung in ladder.rungs)
        return replace(ladder, rungs=tuple(rungs))

    def rarity(self, options: Options, hand: tuple[Tile, ...], reading: Reading) -> Rarity:
        return _tally(options.low_straights).rarity(reading)


def read(hand: Sequence[Tile], low_straights: str = "flush") -> Reading:
    """Evaluate five tiles; hands of the same deal never tie. Rule: DP-2 to DP-5."""
    doubles = sorted((tile.low for tile in hand if tile.is_double), reverse=True)
    suit = next((n for n in range(6, 0, -1) if all(tile.has(n) for tile in hand)), None)
    ends = sorted(tile.other(suit) for tile in hand) if suit else []
    others = [tile for tile in hand if not tile.is_double]

    if len(doubles) == 5:
        return _reading("royal", (doubles[0],), _double(doubles[0]))
    if suit in _STRAIGHTS and ends in _RUNS:
        return _reading(_STRAIGHTS[suit], (ends[-1],), Message("up to the {n}", n=ends[-1]))
    if len(doubles) == 4:
        return _reading("four-of-a-kind", (doubles[0],), _double(doubles[0]))
    if len(doubles) == 3:
        first, second = others
        full = first.has(second.low) or first.has(second.high)
        return _reading("full-house" if full else "three-of-a-kind", (doubles[0],), _double(doubles[0]))
    if suit and not (ends in _RUNS and low_straights == "high-card"):
        return _reading("flush", (suit,), Message("in {n}s", n=suit))
    if doubles:
        return _reading("pair" if len(doubles) == 2 else "high-card", (doubles[0],), _double(doubles[0]))
    # DP-5: without a double the tile with the highest number, then the highest other end; below every double
    top = max(hand, key=lambda tile: (tile.high, tile.low))
    tile = Message("{low}-{high}, no double", low=top.low, high=top.high)
    return _reading("high-card", (0, top.high, top.low), tile)


def _double(number: int) -> Message:
    return Message("double {n}", n=number)


def _reading(category: str, ranks: tuple[int, ...], detail: Message) -> Reading:
    description = Message("{name}, {detail}", name=_NAMES[category], detail=detail)
    if category == "royal":
        description = _NAMES[category]
    return Reading(Strength(_LEVELS[category], category, ranks), _NAMES[category], description, (detail,) * len(ranks))


@cache
def _tally(low_straights: str) -> HandCounts:
    return HandCounts(Counter(read(hand, low_straights).strength for hand in combinations(TILES, 5)))


GAME = DominoPoker()
