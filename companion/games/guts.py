"""Three cards, in or out: the best hand takes the pot, and whoever was in and lost matches it.

Play: everyone looks at their three cards and decides whether to be in or out. All say so at once: hold a closed fist
over the table, with a chip in it to be in, and open it together; or tap it on your own phones, which tell nobody before
all have. Those who are in show; those who are out lose nothing but their ante.

GU-1  When the pot is empty, everyone antes 1 stake. House rule: before every deal.
GU-2  Hands are three cards, from high to low: three of a kind, pair, high card. The ace is high. Equal hands tie. House
      rule, straights and flushes count too: straight flush, three of a kind, straight, flush, pair, high card; the ace
      is then also low in 3-2-A.
GU-3  Of those who are in, the best hand takes the pot; players who tie for best split it. Everybody else who is in
      matches the pot: pays as much into the next pot as this one held, including what was carried over.
GU-4  If only one player is in, that player takes the pot without showing.
GU-5  If everyone is out, nobody wins and the pot stays.
GU-6  House rule: a loser matches the pot up to a limit.

A turn

draw | Look | at your three cards
knock | In or out | all say so at once
show | Show | if you are in

Who pays whom

The pot is empty | each {ante} → pot | ante_when=empty
Before the deal | each {ante} → pot | ante_when=every
The best hand | takes the pot
In, and lost | as much as the pot → next pot

Sources

GU-1 | “Guts”, pagat.com: all ante if the pot is empty | as in the source; “Guts”, burnpoker.com: everyone antes again,
     but those who match the pot, which is not followed
GU-2 | “Guts”, oinc.net/poker: three cards, three of a kind is highest | as in the source
GU-2 | “Guts Poker”, burnpoker.com: three-card straights and flushes | as in the source, as a house rule
GU-3 | “Guts”, pagat.com and oinc.net/poker | as in the sources; silent on ties: they split, and don't match
GU-4 | “Guts”, oinc.net/poker | as in the source
GU-5 | “Guts”, oinc.net/poker: the next hand is dealt | as in the source; its “wimp rule” for that case is not followed
GU-6 | “Guts”, pagat.com: agree on a maximum | as in the source
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from companion.engine.deal import Deal
from companion.engine.game import Category, Family, Game, Round
from companion.engine.hands.counting import deal_tally
from companion.engine.hands.ladder import Ladder, Rung
from companion.engine.hands.poker import NAMES, describe, details
from companion.engine.hands.rarity import HandCounts, Rarity
from companion.engine.hands.straights import straight_top
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places, best, describe_decision
from companion.engine.messages import Message
from companion.engine.money.odd_chips import odd_units
from companion.engine.money.settlement import ANTE, MATCH_POT, POT, POT_SHARE, Book, Settlement
from companion.engine.options import ante, choice, integer, odd_chips, toggle
from companion.engine.pieces.cards import FRENCH, Card, CardSet
from companion.engine.problems import Problem
from companion.engine.questions.entry import foul, mucked, some_players, won_by
from companion.engine.questions.unshown import ALONE, check_somebody_wins, nobody_else_shows, without_lost

_SIZE = 3
_EXAMPLES = {
    "straight-flush": "7c 6c 5c",
    "three-of-a-kind": "9s 9h 9d",
    "straight": "Jh Ts 9d",
    "flush": "Ad Qd 8d",
    "pair": "8h 8c Js",
    "high-card": "Kd Qs 9h",
}
_LEVELS = {category: level for level, category in enumerate(reversed(_EXAMPLES))}
_WITH_STRAIGHTS = ("straight-flush", "straight", "flush")  # Rule: GU-2


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("GU-1")
    ante_when: str = choice(
        "empty",
        "Everyone antes",
        choices={"empty": "when the pot is empty", "every": "before every deal"},
        help="Whether there are antes while a pot is carried over.",
        rule="GU-1",
    )
    straights: bool = toggle(
        False, "Straights and flushes count", help="A straight flush is then the best hand.", rule="GU-2"
    )
    match_limit: int = integer(
        0,
        "Most a loser matches",
        help="Whoever is in and loses pays at most this many stakes; 0: no limit.",
        rule="GU-6",
    )
    odd_chips: str = odd_chips(by_cards=True)


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    out: tuple[str, ...] = some_players("out", help="Who is out?", rule="GU-3", meaning="left")
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    won_by: tuple[str, ...] = won_by()


GutsRound = Round[Options, Entry, Card]


class Guts(Game[Options, Entry, Card]):
    """Guts."""

    key = "guts"
    name = "Guts"
    summary = "Three cards: in or out?"
    family = Family.POKER
    beginning = "all-at-once"
    seats = (2, 10)
    options = Options
    entry = Entry
    categories = tuple(Category(key, NAMES[key], example) for key, example in _EXAMPLES.items())
    reasons = (ANTE, POT_SHARE, MATCH_POT)
    examples = (
        {"out": ["Caro"], "hands": {"Ana": "9s 9h 4d", "Beto": "Kd Qs 9c", "Dani": "Ah 7c 2s"}},
        {"out": ["Ana", "Beto", "Dani"], "hands": {}},
        {"out": [], "hands": {"Ana": "8s 8d 8c", "Beto": "Ac Ad 3h", "Caro": "Js Th 6d", "Dani": "Kh 5c 4s"}},
    )

    def pieces(self, options: Options) -> CardSet:
        return FRENCH

    def deal(self, round: GutsRound) -> Deal:
        return replace(super().deal(round), ante=_ante(round), is_cut=True, one_at_a_time=True)

    def who_must_show(self, round: GutsRound) -> tuple[str, ...]:
        players = _who_may_win(round)
        return players if len(players) > 1 else ()

    def who_may_show(self, round: GutsRound) -> tuple[str, ...]:
        return _who_may_win(round)

    def check_entry(self, round: GutsRound) -> Iterator[Problem]:
        return check_somebody_wins(round, _who_is_in(round))

    def hand_sizes(self, round: GutsRound) -> Collection[int]:
        return (_SIZE,)

    def place(self, round: GutsRound) -> tuple[ShownHand, ...]:
        readings = {player: read(hand, round.options.straights) for player, hand in round.hands.items()}
        return assign_places(round.turn_order, round.hands, readings)

    def ladder(self, options: Options) -> Ladder:
        """Leave out straights and flushes unless they count. Rule: GU-2."""
        ladder = super().ladder(options)
        left_out = () if options.straights else [NAMES[category] for category in _WITH_STRAIGHTS]
        rungs = tuple(rung for rung in ladder.rungs if rung.name not in left_out)
        return replace(ladder, rungs=rungs, tie_breakers=(Rung(Message("equal hands share the pot")),))

    def settle(self, round: GutsRound) -> Settlement:
        """Settle the pot, and what the losers put into the next one. Odd units: C-3."""
        players, hands = _who_is_in(round), self.standing(round)
        book = Book(round.pot_units)
        book.antes(round.turn_order, round.units(_ante(round)), "GU-1")
        held = book.pot

        # GU-5: everyone is out
        if not players:
            return book.settlement(round, (), (), Message("Everyone is out, so the pot stays"))

        # GU-4: only one player is in
        if len(players) == 1:
            book.pay_out(held, players, "GU-4", Message("everyone else is out"))
            decided = Message("Everyone else is out, so {player} takes the pot", player=players[0])
            return book.settlement(round, players, hands, decided)

        # GU-3: the best hand takes the pot, and the others who are in match it
        left = _who_may_win(round)
        winners = left if len(left) == 1 else round.won_by or best(hands)
        why = Message("best hand") if len(left) > 1 else ALONE
        book.pay_out(held, winners, "GU-3", why, odd=odd_units(round, winners))
        most = round.units(round.options.match_limit)
        text = "{player} was in and lost, so matches the pot"
        if 0 < most < held:
            text = "{player} was in and lost, so matches the pot, up to the limit"
        for player in (player for player in players if player not in winners):
            book.move(player, POT, min(held, most or held), MATCH_POT, "GU-3", Message(text, player=player))
        decided = describe_decision(hands, round.won_by) if len(left) > 1 else nobody_else_shows(left)
        return book.settlement(round, winners, hands, decided)

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        return _tally(options.straights).rarity(reading)


def _ante(round: GutsRound) -> int:
    """Return the stakes that everyone antes. Rule: GU-1."""
    return 0 if round.options.ante_when == "empty" and round.pot_units else round.options.ante


def _who_is_in(round: GutsRound) -> tuple[str, ...]:
    return round.others(*round.entry.out)


def _who_may_win(round: GutsRound) -> tuple[str, ...]:
    """Return who is in without a foul hand or a muck, in turn order. Rule: C-15."""
    return without_lost(round, _who_is_in(round))


def read(hand: Sequence[Card], straights: bool) -> Reading:
    """Evaluate three cards. Rule: GU-2."""
    strength = _strength(hand, straights)
    category = strength.category
    return Reading(strength, NAMES[category], describe(strength, FRENCH), details(strength, FRENCH))


def _strength(hand: Sequence[Card], straights: bool) -> Strength:
    counts = Counter(card.height for card in hand)
    heights = tuple(sorted(counts, key=lambda height: (counts[height], height), reverse=True))
    category = {1: "three-of-a-kind", 2: "pair", 3: "high-card"}[len(heights)]
    if straights and category == "high-card":
        top, is_flush = straight_top(heights, FRENCH.heights, _SIZE), len({card.suit for card in hand}) == 1
        if top is not None:
            category, heights = "straight-flush" if is_flush else "straight", (top,)
        elif is_flush:
            category = "flush"
    return Strength(_LEVELS[category], category, heights)


@cache
def _tally(straights: bool) -> HandCounts:
    return deal_tally(FRENCH, _SIZE, lambda hand: _strength(hand, straights))


GAME = Guts()
