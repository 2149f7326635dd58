"""A made-up game: of three cards only the red ones count; the lowest total pays the highest, a knocker double.

Play: dealer's left begins. A turn: draw, or take the top discard, and discard; or knock, without drawing. After a
knock each other player draws one more card. The round also ends when the stock is empty.

RE-1  Hands are three cards.
RE-2  Ace 1; king, queen, jack and 10 count 10; every other card its number. Black cards count nothing. Equal totals
      tie.
RE-3  Whoever has the lowest total pays 1 stake to the highest; if several tie for lowest, each of them pays. Those who
      tie for highest share. If all hands are equal nobody pays.
RE-4  A knocker who is lowest, tied or not, pays 2 stakes instead.

Sources

RE-1 | made up | ours
RE-2 | made up | ours
RE-3 | made up | ours
RE-4 | made up | ours
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from companion.engine.deal import LastTurns
from companion.engine.game import Category, Game, Round, order_from
from companion.engine.hands.counting import deal_tally
from companion.engine.hands.rarity import HandCounts, Rarity
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places, best, describe_decision
from companion.engine.messages import Message
from companion.engine.money.pots import share
from companion.engine.money.settlement import Book, Reason, Settlement
from companion.engine.options import integer
from companion.engine.pieces.cards import FRENCH, Card, CardSet
from companion.engine.questions.entry import one_player, points

LOWEST = Reason("lowest")
LOWEST_KNOCKER = Reason("lowest-knocker")
_SIZE, _COURT = 3, 10


@dataclass(frozen=True)
class Options:
    """The house rules."""

    loss: int = integer(1, "The lowest pays", help="Stakes that the lowest hand pays.", rule="RE-3")
    knocker_loss: int = integer(
        2, "The lowest knocker pays", help="Stakes that a knocker pays whose hand is lowest.", rule="RE-4"
    )


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    knocker: str | None = one_player(
        "knocked",
        help="Who knocked?",
        rule="RE-4",
        nobody="Nobody (stock ran out)",
        explicit=True,
        meaning="knocked",
    )
    points: Mapping[str, int] = points(maximum=_SIZE * _COURT)


RedsRound = Round[Options, Entry, Card]


class Reds(Game[Options, Entry, Card]):
    """Reds."""

    key = "reds"
    name = "Reds"
    summary = "The highest total of red cards is paid by the lowest."
    seats = (2, 9)
    options = Options
    entry = Entry
    categories = (Category("total", Message("total of red cards"), "Ah Kd 7s"),)
    reasons = (LOWEST, LOWEST_KNOCKER)
    examples = (
        {"knocker": "Ana", "hands": {"Ana": "As Ks 7d", "Beto": "2h 3h 4c", "Caro": "9d 8d 2c", "Dani": "Qc Jc Th"}},
        {"knocker": "Beto", "hands": {"Ana": "5s 6s 7s", "Beto": "2h 3d 4c", "Caro": "Ad Kd Qd", "Dani": "9c 8c 2d"}},
        {"knocker": None, "hands": {"Ana": "Th Jh 2s", "Beto": "Ts Js 2h", "Caro": "9d 8d 3c", "Dani": "7c 6c 4d"}},
    )

    def pieces(self, options: Options) -> CardSet:
        return FRENCH

    def last_turns(self, round: RedsRound) -> LastTurns | None:
        knocker = round.entry.knocker
        if knocker is None:
            return None
        return LastTurns(knocker, "knocked", order_from(round.players, knocker, self.direction)[1:], "draw")

    def who_must_show(self, round: RedsRound) -> tuple[str, ...]:
        return round.turn_order

    def hand_sizes(self, round: RedsRound) -> Collection[int]:
        return (_SIZE,)

    def place(self, round: RedsRound) -> tuple[ShownHand, ...]:
        told = {player: _worth(total) for player, total in round.points.items()}
        return assign_places(round.turn_order, round.hands, told | {p: count(hand) for p, hand in round.hands.items()})

    def describe_cards(self, hand: Sequence[Card], round: RedsRound) -> Message | None:
        return count(hand).description

    def points(self, piece: Card) -> str:
        return str(value(piece))

    def settle(self, round: RedsRound) -> Settlement:
        """Let the lowest pay the highest. Odd units: C-3."""
        hands = self.standing(round)
        winners, worst = best(hands), hands[-1].place
        book = Book(round.pot_units)
        for player in round.turn_order if worst > 1 else ():
            if player in {hand.player for hand in hands if hand.place == worst}:
                _pay(round, book, player, winners)
        return book.settlement(round, winners, hands, describe_decision(hands))

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        return _tally().rarity(reading)


def _pay(round: RedsRound, book: Book, player: str, winners: Sequence[str]) -> None:
    reason, stakes, rule = LOWEST, round.options.loss, "RE-3"
    why = Message("{player} has the lowest total", player=player)
    if player == round.entry.knocker:
        reason, stakes, rule = LOWEST_KNOCKER, round.options.knocker_loss, "RE-4"
        why = Message("{player} knocked and has the lowest total", player=player)
    for winner, amount in share(round.units(stakes), winners).items():
        book.move(player, winner, amount, reason, rule, why)


def value(card: Card) -> int:
    """Count a card. Rule: RE-2."""
    return min(card.rank, _COURT) if card.suit in "hd" else 0


def count(hand: Sequence[Card]) -> Reading:
    """Read a hand by the total of its red cards."""
    return _worth(sum(map(value, hand)))


def _worth(total: int) -> Reading:
    words = Message("{n} in red", n=total)
    return Reading(Strength(0, "total", (total,)), Message("hand"), words, (words,), points=total)


@cache
def _tally() -> HandCounts:
    return deal_tally(FRENCH, _SIZE, lambda hand: count(hand).strength)


GAME = Reds()
