"""Two players, ten cards: melds of sets and runs, a knock with ten or less, gin, undercuts, and cards laid off.

Play: deal ten cards each and turn the next one up; the player who didn't deal may take it, then the dealer may; then
the player who didn't deal draws. A turn: draw or take the top discard, then discard (not the card just taken); or
knock, discarding face down. The knocker lays out melds and deadwood. Without gin, the other lays off cards on the
knocker's melds.

GI-1  Hands are ten cards; what counts is the hand after the last discard. Ace 1, 2 to 10 their number, jack, queen and
      king 10.
GI-2  Sets: three or four of one rank. Runs: three or more of one suit in sequence, the ace low only. A card can be in
      only one of them. Deadwood is the value of the rest.
GI-3  A knocker has 10 deadwood or less (the table may agree on a lower number). If a knocker's hand has more, it is
      refused; change the entry or void the round.
GI-4  Unless the knocker has gin, the other player lays off on the knocker's melds: a fourth card to a set, cards to
      either end of a run. Only the rest counts. The app lays out each hand as is best for its player: the knocker's
      first, whatever the other can then do.
GI-5  The knocker has less: the other pays the difference, in stakes.
GI-6  Undercut: the other has as little or less. The knocker pays the difference and 10 stakes more.
GI-7  Gin: the knocker has no deadwood. Nothing is laid off; the other pays the deadwood and 20 stakes more.
GI-8  If two cards are left in the stock and nobody has knocked, there is nothing to enter: the same player deals again.
GI-9  If you enter what the hands count instead of the cards, enter both: the knocker's deadwood, and the other's after
      laying off.
GI-10 House rule, played to a total, such as 100: nobody pays after a hand. What it is worth is kept as points, one for
      each stake. Whoever has the total first gets the difference between the points, in stakes, and both begin again
      with none. The points stay when another game is played in between; what isn't played to its end in a night isn't
      paid.

A turn

draw | Draw | from the stock or the discards
discard | Discard | another card
knock | Or knock | with {knock_limit} or less

Who pays whom

The knocker has less | the difference → knocker
Undercut | the difference and {undercut_bonus} → the other
Gin | the deadwood and {gin_bonus} → knocker

Sources

GI-1 | “Gin Rummy”, pagat.com | as in the source
GI-2 | “Gin Rummy”, pagat.com | as in the source
GI-3 | “Gin Rummy”, pagat.com: ten or less | as in the source; no card sets the limit unless the table says so
GI-4 | “Gin Rummy”, pagat.com: lay off unless gin | as in the source; it leaves the layout to the players, here the best
GI-5 | “Gin Rummy”, pagat.com: scores the difference | as in the source; each hand is paid, unless the
     table keeps points (GI-10)
GI-6 | “Gin Rummy”, pagat.com: equal or less, and 10 more | as in the source unless you choose otherwise
GI-7 | “Gin Rummy”, pagat.com: 20 more | as in the source unless you choose otherwise; Bicycle Cards has 25
GI-8 | “Gin Rummy”, pagat.com: two cards left cancel the hand | as in the source
GI-9 | no source | a rule of ours
GI-10 | “Gin Rummy”, pagat.com: a game to 100 | a house rule; the bonuses for the game and for each hand won aren't kept
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from companion.engine.deal import Deal, LastTurns
from companion.engine.game import Category, Family, Game, Round
from companion.engine.hands.deadwood import deadwood_counts
from companion.engine.hands.ladder import Ladder
from companion.engine.hands.melds import Arrangement, least_deadwood, value
from companion.engine.hands.rarity import HandCounts, Rarity
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places, describe_decision
from companion.engine.messages import Message
from companion.engine.money.settlement import Book, Reason, Settlement
from companion.engine.options import choice, integer
from companion.engine.pieces.cards import FRENCH, Card, CardSet
from companion.engine.problems import Problem
from companion.engine.questions.entry import kept, one_player, points
from companion.engine.questions.kept import POINTS, Payments, settle_kept, total

DEADWOOD = Reason("deadwood")
UNDERCUT, GIN = Reason("undercut"), Reason("gin")
_CARDS, _MOST = 10, 10  # Rule: GI-1, GI-3
_SHORTEST = 3  # of a meld

Meld = tuple[Card, ...]


@dataclass(frozen=True)
class Options:
    """The house rules."""

    knock_limit: str = choice(
        "10",
        "Most deadwood to knock",
        choices={str(most): str(most) for most in range(_MOST, -1, -1)},
        help="A knocker with more deadwood than this is refused.",
        rule="GI-3",
    )
    undercut_bonus: int = integer(
        10, "Bonus for an undercut", help="Stakes that an undercut knocker pays on top.", rule="GI-6"
    )
    gin_bonus: int = integer(20, "Bonus for gin", help="Stakes on top for a knocker without deadwood.", rule="GI-7")
    total: int = total("GI-10")


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    knocker: str | None = one_player(
        "knocked",
        help="Who knocked?",
        rule="GI-5",
        nobody="Nobody knocked",
        meaning="knocked",
    )
    points: Mapping[str, int] = points(maximum=_CARDS * _MOST)
    kept: Mapping[str, int] = kept("GI-10")


GinRound = Round[Options, Entry, Card]


class GinRummy(Game[Options, Entry, Card]):
    """Gin Rummy."""

    key = "gin-rummy"
    name = "Gin Rummy"
    summary = "For two: knock, gin, undercut, lay off."
    family = Family.RUMMY
    seats = (2, 2)
    options = Options
    entry = Entry
    categories = (Category("deadwood", Message("deadwood"), "4s 4h 4d 6c 7c 8c Js Jh Jd 9d"),)
    reasons = (DEADWOOD, UNDERCUT, GIN, POINTS)
    examples = (
        {"knocker": "Ana", "hands": {"Ana": "4s 4h 4d 6c 7c 8c Js Jh Jd 9d", "Beto": "9c Tc Kh Ks Kd 2s 3s Ah 7h 5d"}},
        {"knocker": "Beto", "hands": {"Ana": "As 2s 3s 9h 9d 9c 2h 3d 5c 6h", "Beto": "Kh Kd Ks 5h 5s 5d Ts Js Qs 8d"}},
        {"knocker": "Beto", "hands": {}, "points": {"Ana": 23, "Beto": 4}},
    )

    def pieces(self, options: Options) -> CardSet:
        return FRENCH

    def deal(self, round: GinRound) -> Deal:
        return replace(super().deal(round), one_at_a_time=True, is_turned_up=True)

    def last_turns(self, round: GinRound) -> LastTurns | None:
        knocker = round.entry.knocker
        return None if knocker is None else LastTurns(knocker, "knocked")

    def who_must_show(self, round: GinRound) -> tuple[str, ...]:
        return round.turn_order

    def hand_sizes(self, round: GinRound) -> Collection[int]:
        return (_CARDS,)

    def check_entry(self, round: GinRound) -> Iterator[Problem]:
        knocker = round.entry.knocker
        if knocker is None:
            text = "Say who knocked; if nobody did, there is nothing to enter: deal again"
            yield Problem("round.knocker", "missing-field", Message(text))
        if knocker is not None and knocker in round.points:
            yield from _check_knock(round, round.points[knocker], f"round.points.{knocker}")

    def check_hands(self, round: GinRound) -> Iterator[Problem]:
        knocker = round.entry.knocker
        for player in (player for player in round.hands if round.points and player not in round.points):
            text = "The cards of one hand and the points of the other don't go together; enter both the same way"
            yield Problem(f"round.hands.{player}", "bad-value", Message(text))
        if knocker is not None and knocker in round.hands and knocker not in round.points:
            deadwood = least_deadwood(round.hands[knocker]).deadwood
            yield from _check_knock(round, deadwood, f"round.hands.{knocker}")

    def place(self, round: GinRound) -> tuple[ShownHand, ...]:
        counted = {player: _reading(deadwood) for player, deadwood in round.points.items()}
        return assign_places(round.turn_order, round.hands, counted | _laid_out(round))

    def describe_cards(self, hand: Sequence[Card], round: GinRound) -> Message | None:
        return _counted(least_deadwood(hand).deadwood)

    def points(self, piece: Card) -> str:
        return str(value(piece))

    def ladder(self, options: Options) -> Ladder:
        """Give a hand to count, and say who may knock. Rule: GI-3."""
        note = Message("Knock with {n} deadwood or less", n=options.knock_limit)
        return replace(super().ladder(options), notes=(note,))

    def settle(self, round: GinRound) -> Settlement:
        """Settle between the two, or keep points; a carried pot stays as it is. Rule: C-6, GI-10."""
        if not round.options.total:
            return self._settle(round)
        return settle_kept(round, self._settle(replace(round, stake_units=1)), _pay_the_difference)

    def _settle(self, round: GinRound) -> Settlement:
        """Settle what a hand alone comes to."""
        knocker, book = round.entry.knocker, Book(round.pot_units)
        assert knocker is not None
        hands = self.place(round)
        deadwood = {hand.player: -hand.reading.strength.ranks[0] for hand in hands}
        (other,) = round.others(knocker)
        more = deadwood[other] - deadwood[knocker]
        is_gin, is_undercut = deadwood[knocker] == 0, deadwood[knocker] > 0 >= more
        winner, loser = (other, knocker) if is_undercut else (knocker, other)
        rule = "GI-7" if is_gin else "GI-6" if is_undercut else "GI-5"
        why = Message("{player} has {n} more deadwood", player=loser, n=abs(more))
        book.move(loser, winner, round.units(abs(more)), DEADWOOD, rule, why)
        decided = describe_decision(hands)
        if is_gin:
            why = decided = Message("{player} has gin", player=knocker)
            book.move(loser, winner, round.units(round.options.gin_bonus), GIN, rule, why)
        elif is_undercut:
            text = "{player} undercuts {knocker}: {less} against {more}"
            less, most = _counted(deadwood[other]), _counted(deadwood[knocker])
            decided = Message(text, player=other, knocker=knocker, less=less, more=most)
            why = Message("{player} undercuts {knocker}", player=other, knocker=knocker)
            book.move(loser, winner, round.units(round.options.undercut_bonus), UNDERCUT, rule, why)
        return book.settlement(round, (winner,), hands, decided)

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        """Return how rare it is that a hand counts so little without cards laid off."""
        return _tally().rarity(reading)


def _pay_the_difference(first: Sequence[str], payments: Payments, book: Book) -> None:
    """Book what the other pays; if both have as many points, nobody does. Rule: GI-10."""
    for player, units, reason, why in payments:
        book.move(player, first[0], units, reason, "GI-10", why)


def _check_knock(round: GinRound, deadwood: int, field: str) -> Iterator[Problem]:
    """Refuse a knock with too much deadwood. Rule: GI-3."""
    if deadwood > int(round.options.knock_limit):
        text = "{player} knocked with {hand}, more than the {limit} allowed; change the entry or void the round"
        values = {"player": round.entry.knocker, "hand": _counted(deadwood), "limit": round.options.knock_limit}
        yield Problem(field, "invalid-knock", Message(text, **values))


def _laid_out(round: GinRound) -> dict[str, Reading]:
    """Lay out the hands, each as is best for its player; without the knocker's, nothing is laid off. Rule: GI-4."""
    alone = {player: _as_reading(least_deadwood(hand)) for player, hand in round.hands.items()}
    knocker = round.entry.knocker
    if knocker not in alone or len(alone) < 2 or least_deadwood(round.hands[knocker]).deadwood == 0:
        return alone
    (other,) = (player for player in alone if player != knocker)
    melds, rest, laid_off = _best_layout(round.hands[knocker], round.hands[other], int(round.options.knock_limit))
    kept = tuple(card for card in round.hands[other] if card not in laid_off)
    return {
        knocker: _as_reading(Arrangement(sum(map(value, rest)), melds, rest)),
        other: _as_reading(least_deadwood(kept), laid_off),
    }


def _as_reading(arrangement: Arrangement, laid_off: Meld = ()) -> Reading:
    reading = _reading(arrangement.deadwood)
    words = reading.description
    if laid_off:
        words = Message("{deadwood} after laying off {cards}", deadwood=words, cards=laid_off)
    return replace(reading, description=words, melds=arrangement.melds, unmatched=(*arrangement.unmatched, *laid_off))


def _best_layout(hand: Sequence[Card], other: Sequence[Card], limit: int) -> tuple[tuple[Meld, ...], Meld, Meld]:
    """Return the knocker's melds and deadwood, and what the other lays off, if each does what is best. Rule: GI-4."""
    layouts = []
    for melds in layouts_of(tuple(hand)):
        melded = {card for meld in melds for card in meld}
        rest = tuple(card for card in hand if card not in melded)
        deadwood = sum(map(value, rest))
        if deadwood <= max(limit, least_deadwood(hand).deadwood):
            left, laid_off = _best_reply(melds, tuple(other))
            layouts.append((left - deadwood, -deadwood, melds, rest, laid_off))
    _, _, melds, rest, laid_off = max(layouts, key=lambda layout: layout[:2])
    return melds, rest, laid_off


def _best_reply(melds: tuple[Meld, ...], other: Meld) -> tuple[int, Meld]:
    """Return the least deadwood that the other can have, and the fewest cards to lay off for it."""
    ways: set[Meld] = {()}
    for meld in melds:
        ways |= {(*way, *more) for way in ways for more in _lay_offs(meld, other) if not {*way} & {*more}}
    left = {way: least_deadwood([card for card in other if card not in way]).deadwood for way in ways}
    best = min(ways, key=lambda way: (left[way], len(way), [card.index for card in way]))
    return left[best], best


def _lay_offs(meld: Meld, other: Meld) -> list[Meld]:
    """List what can be laid off on one meld: the fourth of a set, or cards at the ends of a run."""
    if meld[0].rank == meld[1].rank:
        return [(card,) for card in other if card.rank == meld[0].rank]
    held = {card.rank: card for card in other if card.suit == meld[0].suit}
    low, high = min(card.rank for card in meld), max(card.rank for card in meld)
    below: list[Meld] = [()]
    while (rank := low - len(below)) in held:
        below.append((*below[-1], held[rank]))
    above: list[Meld] = [()]
    while (rank := high + len(above)) in held:
        above.append((*above[-1], held[rank]))
    return [(*down, *up) for down in below for up in above if down or up]


def layouts_of(hand: Meld) -> list[tuple[Meld, ...]]:
    """List every way to lay out melds from a hand, none of them too. Rule: GI-2."""
    layouts: list[tuple[Meld, ...]] = [()]
    for meld in _melds_of(hand):
        layouts += [(*melds, meld) for melds in layouts if all({*meld}.isdisjoint(other) for other in melds)]
    return layouts


def _melds_of(hand: Meld) -> Iterator[Meld]:
    for rank in {card.rank for card in hand}:
        alike = [card for card in hand if card.rank == rank]
        yield from combinations(alike, _SHORTEST)
        yield from combinations(alike, _SHORTEST + 1)
    held = {(card.suit, card.rank): card for card in hand}
    for suit, first in held:
        run = [held[suit, first]]
        while (suit, first + len(run)) in held:
            run.append(held[suit, first + len(run)])
            if len(run) >= _SHORTEST:
                yield tuple(run)


def _reading(deadwood: int) -> Reading:
    words = _counted(deadwood)
    return Reading(_strength(deadwood), Message("hand"), words, (words,), points=deadwood)


def _counted(points: int) -> Message:
    return Message("{points} deadwood", points=points) if points else Message("no deadwood")


def _strength(deadwood: int) -> Strength:
    return Strength(0, "deadwood", (-deadwood,))


@cache
def _tally() -> HandCounts:
    return HandCounts({_strength(deadwood): hands for deadwood, hands in deadwood_counts(_CARDS).items()})


GAME = GinRummy()
