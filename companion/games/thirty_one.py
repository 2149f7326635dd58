"""Three cards and the highest total in one suit, 31 at most: for the pot, or for lives that the lowest loses.

Play: the player to the dealer's left begins. A turn: draw from the stock, or take the top discard, and discard (not the
card just taken); or knock, without drawing. After a knock each other player has one more turn. Whoever holds 31 shows
it at once, which ends the round, also before the first turn or after a knock. The round also ends when the stock is
empty.

TH-1  Each player antes 1 stake.
TH-2  Hands are three cards. Ace 11; king, queen, jack and 10 count 10; every other card its number. Only the cards of
      one suit count together, the best suit of the hand, so 31 is the most.
TH-3  Three of a kind counts 30½, whatever the rank: more than 30 in one suit, less than 31. House rule: it counts
      nothing special.
TH-4  The highest total takes the pot; players who tie for it split it. It doesn't matter who knocked.
TH-5  Whoever shows 31 at once takes the pot; nobody else shows. If somebody had knocked before, you can say who; it
      changes nothing.
TH-6  House rule, lives: nobody antes. Instead the lowest total loses a life, and a life is 1 stake, paid into the pot.
      If several tie for lowest, each loses a life, except the knocker. If all hands are equal and nobody knocked,
      nobody loses one.
TH-7  With lives, a knocker who alone has the lowest total loses two (the table may agree on another number).
TH-8  With lives, when somebody shows 31 at once, everybody else loses a life.
TH-9  With lives, the pot stays until only one player has lives left. Say so in that round: the only player who lost no
      life in it takes the pot.

A turn

draw | Draw | from the stock or the discards
discard | Discard | another card
knock | Or knock | the others have one last turn

Who pays whom

Before the deal | each {ante} → pot | played_for=pot
The highest total | takes the pot | played_for=pot
The lowest total | a life, 1 → pot | played_for=lives
The knocker is lowest | {knocker_lives} lives → pot | played_for=lives
The last with lives | takes the pot | played_for=lives

Sources

TH-1 | “31”, Bicycle Cards: an equal number of chips from each player | as in the source; 2 to 9 players
TH-2 | “31”, Bicycle Cards, and “Thirty-One”, pagat.com | as in the sources
TH-3 | “31”, Bicycle Cards: three of a kind | as in the source unless you choose otherwise
TH-4 | “31”, Bicycle Cards: the highest total wins the pot | as in the source; silent on ties: they split
TH-5 | “31”, Bicycle Cards: 31 is turned face up and wins the pot | as in the source
TH-6 | “Thirty-One”, pagat.com: three lives each, the lowest loses one | as in the source; a life is a chip here, and
     it goes into the pot; it doesn't say what happens if all hands are equal without a knock
TH-6 | the last round “on the county”, without a life left | not followed: a player without lives is out
TH-7 | “Thirty-One”, pagat.com | as in the source
TH-8 | “Thirty-One”, pagat.com | as in the source
TH-9 | “Thirty-One”, pagat.com: the last player with lives is the winner | as in the source; the pot is ours
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from companion.engine.deal import Deal, LastTurns
from companion.engine.game import Category, Family, Game, Round, order_from
from companion.engine.hands.counting import deal_tally
from companion.engine.hands.ladder import Ladder, Rung
from companion.engine.hands.rarity import HandCounts, Rarity
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places, best, describe_decision
from companion.engine.messages import Message
from companion.engine.money.odd_chips import odd_units
from companion.engine.money.settlement import ANTE, POT, POT_SHARE, Book, Reason, Settlement
from companion.engine.options import ante, choice, integer, odd_chips, toggle
from companion.engine.pieces.cards import FRENCH, Card, CardSet
from companion.engine.problems import Problem
from companion.engine.questions.answers import format_halves
from companion.engine.questions.entry import flag, foul, mucked, one_player, points
from companion.engine.questions.unshown import (
    ALONE,
    check_has_shown,
    check_somebody_wins,
    nobody_else_shows,
    shows_none,
    who_shows,
    without_lost,
)

LIFE = Reason("life")
_SIZE, _ACE, _COURT = 3, 11, 10
_THIRTY_ONE, _THREE_OF_A_KIND = 62, 61  # in half points
_LAST_ROUND = "Only one player has lives left"


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("TH-1")
    played_for: str = choice(
        "pot",
        "Played for",
        choices={"pot": "the pot", "lives": "lives"},
        help="The highest total takes the pot, or the lowest loses a life.",
        rule="TH-6",
    )
    knocker_lives: int = integer(
        2,
        "Lives a lowest knocker loses",
        help="When you play for lives, and the knocker alone has the lowest total.",
        rule="TH-7",
        minimum=1,
        maximum=10,
    )
    three_of_a_kind: bool = toggle(
        True, "Three of a kind counts 30½", help="More than 30 in one suit, less than 31.", rule="TH-3"
    )
    odd_chips: str = odd_chips(by_cards=True)


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    knocker: str | None = one_player(
        "knocked",
        help="Who knocked?",
        rule="TH-4",
        nobody="Nobody (stock ran out)",
        explicit=True,
        meaning="knocked",
    )
    shown_by: str | None = one_player(
        "showed 31",
        help="Who showed 31 at once?",
        rule="TH-5",
        nobody="Nobody showed 31 at once",
        decides_who_shows=True,
        meaning="outright",
    )
    last_round: bool = flag(
        _LAST_ROUND,
        help="The only player who lost no life in this round takes the pot.",
        rule="TH-9",
        only_with="played_for",
    )
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    points: Mapping[str, int] = points(maximum=_THIRTY_ONE, in_halves=True)


ThirtyOneRound = Round[Options, Entry, Card]


class ThirtyOne(Game[Options, Entry, Card]):
    """Thirty-One."""

    key = "thirty-one"
    name = "Thirty-One"
    summary = "The most in one suit takes the pot."
    family = Family.POINTS
    seats = (2, 9)
    options = Options
    entry = Entry
    categories = (Category("points", Message("points in one suit, most win"), "As Ks Qs"),)
    reasons = (ANTE, LIFE, POT_SHARE)
    examples = (
        {"knocker": "Ana", "hands": {"Ana": "As Ks 7s", "Beto": "2h 3h 4c", "Caro": "9d 8d 2c", "Dani": "Qc Jc Th"}},
        {"shown_by": "Caro", "hands": {"Caro": "Ad Kd Qd"}},
        {"knocker": None, "hands": {"Ana": "Th Jh 2s", "Beto": "7s 7h 7d", "Caro": "9d 8d 3c", "Dani": "7c 6c 4d"}},
    )

    def pieces(self, options: Options) -> CardSet:
        return FRENCH

    def deal(self, round: ThirtyOneRound) -> Deal:
        stakes = round.options.ante if round.options.played_for == "pot" else 0
        return replace(super().deal(round), ante=stakes, is_turned_up=True)

    def last_turns(self, round: ThirtyOneRound) -> LastTurns | None:
        knocker = round.entry.knocker
        if knocker is None:
            return None
        _, *others = order_from(round.players, knocker, self.direction)
        return LastTurns(knocker, "knocked", tuple(others), "draw")

    def who_must_show(self, round: ThirtyOneRound) -> tuple[str, ...]:
        return (round.entry.shown_by,) if round.entry.shown_by else who_shows(round, round.turn_order)

    def who_may_show(self, round: ThirtyOneRound) -> tuple[str, ...]:
        return () if round.entry.shown_by else without_lost(round, round.turn_order)

    def hand_sizes(self, round: ThirtyOneRound) -> Collection[int]:
        return (_SIZE,)

    def check_entry(self, round: ThirtyOneRound) -> Iterator[Problem]:
        yield from check_has_shown(round, round.entry.shown_by)
        yield from check_somebody_wins(round, round.turn_order)
        if round.entry.last_round and round.options.played_for == "pot":
            text = "This table plays for the pot, not for lives; untick “{last_round}”, or change the house rule"
            yield Problem("round.last_round", "bad-value", Message(text, last_round=Message(_LAST_ROUND)))

    def check_hands(self, round: ThirtyOneRound) -> Iterator[Problem]:
        """Refuse 31 shown at once that isn't 31, and a last round that more than one player survives.

        Rule: TH-5, TH-9.
        """
        shown_by, hands = round.entry.shown_by, self.place(round)
        if shown_by is not None:
            for hand in (hand for hand in hands if hand.reading.strength < _worth(_THIRTY_ONE).strength):
                text = "{player} shows {hand}, not 31; fix the hand, or who showed 31"
                field = f"round.{'hands' if hand.cards else 'points'}.{shown_by}"
                message = Message(text, player=shown_by, hand=hand.reading.description)
                yield Problem(field, "not-an-outright-win", message)
        if not round.entry.last_round or round.options.played_for == "pot":
            return
        if len(hands) >= len(self.who_must_show(round)):
            left = round.others(*_losers(round, hands))
            if len(left) > 1:
                text = "{players} lost no life, so more than one player has lives left; untick “{last_round}”"
                message = Message(text, players=left, last_round=Message(_LAST_ROUND))
                yield Problem("round.last_round", "bad-value", message)

    def place(self, round: ThirtyOneRound) -> tuple[ShownHand, ...]:
        shows = {*self.who_must_show(round), *self.who_may_show(round)}
        stated = {player: _worth(halves) for player, halves in round.points.items() if player in shows}
        counted = {player: count(hand, round.options) for player, hand in round.hands.items()}
        return assign_places(round.turn_order, round.hands, stated | counted)

    def describe_cards(self, hand: Sequence[Card], round: ThirtyOneRound) -> Message | None:
        return count(hand, round.options).description if len(hand) <= _SIZE else None

    def points(self, piece: Card) -> str:
        return str(value(piece))

    def ladder(self, options: Options) -> Ladder:
        """Give a hand to count, in which one card doesn't; say what three of a kind counts. Rule: TH-2, TH-3."""
        notes = (Message("Three of a kind counts 30½ points"),) if options.three_of_a_kind else ()
        tie = Message("equal hands share the pot")
        if options.played_for == "lives":
            tie = Message("of those who tie for lowest, each loses a life, except the knocker")
        return Ladder(points_example=FRENCH.hand("As Ks 7d"), tie_breakers=(Rung(tie),), notes=notes)

    def settle(self, round: ThirtyOneRound) -> Settlement:
        """Settle the pot, or the lives that go into it. Odd units: C-3."""
        hands = self.place(round)
        left, book = without_lost(round, round.turn_order), Book(round.pot_units)
        if round.options.played_for == "lives":
            return _settle_lives(round, hands, book)
        book.antes(round.turn_order, round.units(round.options.ante), "TH-1")
        shown_by = round.entry.shown_by
        winners = best(hands)
        rule, why = "TH-4", Message("highest total")
        if len(left) == 1 and shown_by is None:
            winners, why, decided = left, ALONE, nobody_else_shows(left)
        elif shown_by is None:
            decided = describe_decision(hands)
        else:
            rule, why, decided = "TH-5", Message("{player} showed 31", player=shown_by), _shows(shown_by)
        book.pay_out(book.pot, winners, rule, why, odd=odd_units(round, winners))
        return book.settlement(round, winners, hands, decided)

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        return _tally(options.three_of_a_kind).rarity(reading)


def _losers(round: ThirtyOneRound, hands: Sequence[ShownHand]) -> tuple[str, ...]:
    """Return who loses lives, in turn order; who shows no hand is lowest. Rule: C-15, TH-6, TH-8."""
    knocker = round.entry.knocker
    if round.entry.shown_by is not None:
        return round.others(round.entry.shown_by)
    lost = shows_none(round, round.turn_order)
    lowest = lost or {hand.player for hand in hands if hand.place == hands[-1].place}
    if not lost and len(lowest) == len(hands) and knocker is None:
        return ()
    spared = {knocker} if len(lowest) > 1 else set()
    return tuple(player for player in round.turn_order if player in lowest - spared)


def _settle_lives(round: ThirtyOneRound, hands: tuple[ShownHand, ...], book: Book) -> Settlement:
    """Put the lost lives into the pot; in the last round the only one who lost none takes it. Rule: TH-6 to TH-9."""
    shown_by, losers = round.entry.shown_by, _losers(round, hands)
    lives = round.options.knocker_lives if losers == (round.entry.knocker,) and shown_by is None else 1
    rule = "TH-8" if shown_by is not None else "TH-7" if losers == (round.entry.knocker,) else "TH-6"
    hidden = shows_none(round, round.turn_order)
    for player in losers:
        text = "{player} shows no hand" if player in hidden else "{player} has the lowest total"
        why = Message(text, player=player)
        if shown_by is not None:
            why = Message("{player} showed 31", player=shown_by)
        book.move(player, POT, round.units(lives), LIFE, rule, why)
    if round.entry.last_round:
        book.pay_out(book.pot, round.others(*losers), "TH-9", Message("nobody else has lives left"))
    left = without_lost(round, round.turn_order)
    winners = left if len(left) == 1 and shown_by is None else best(hands)
    return book.settlement(round, winners, hands, _lives_lost(round, hands, losers))


def _lives_lost(round: ThirtyOneRound, hands: Sequence[ShownHand], losers: tuple[str, ...]) -> Message:
    knocker, shown_by = round.entry.knocker, round.entry.shown_by
    if shown_by is not None:
        return _shows(shown_by)
    if not losers:
        return Message("All hands are equal, so nobody loses a life")
    if shows_none(round, round.turn_order):
        if losers == (knocker,):
            return Message(
                "{knocker} knocked but shows no hand, so loses {n} life",
                "{knocker} knocked but shows no hand, so loses {n} lives",
                n=round.options.knocker_lives,
                knocker=knocker,
            )
        return Message(
            "{players} shows no hand and loses a life",
            "{players} show no hand and lose a life",
            n=len(losers),
            players=losers,
        )
    values = {"players": losers, "knocker": knocker, "hand": hands[-1].reading.description}
    if losers == (knocker,):
        return Message(
            "{knocker} knocked and is lowest with {hand}, so loses {n} life",
            "{knocker} knocked and is lowest with {hand}, so loses {n} lives",
            n=round.options.knocker_lives,
            **values,
        )
    if any(hand.player == knocker and hand.place == hands[-1].place for hand in hands):
        return Message(
            "{knocker} knocked and ties for lowest with {hand}, so {players} loses a life",
            "{knocker} knocked and ties for lowest with {hand}, so {players} lose a life",
            n=len(losers),
            **values,
        )
    return Message(
        "{players} is lowest with {hand} and loses a life",
        "{players} are lowest with {hand} and lose a life",
        n=len(losers),
        **values,
    )


def _shows(player: str) -> Message:
    return Message("{player} shows 31", player=player)


def value(card: Card) -> int:
    """Count a card. Rule: TH-2."""
    return _ACE if card.rank == 1 else min(card.rank, _COURT)


def count(hand: Sequence[Card], options: Options) -> Reading:
    """Evaluate a hand by the total of its best suit; the highest is best. Rule: TH-2, TH-3."""
    if options.three_of_a_kind and len(hand) == _SIZE and len({card.rank for card in hand}) == 1:
        return _worth(_THREE_OF_A_KIND)
    suits: Counter[str] = Counter()
    for card in hand:
        suits[card.suit] += value(card)
    return _worth(2 * max(suits.values(), default=0))


def _worth(points_halves: int) -> Reading:
    whole = f"{points_halves >> 1}½" if points_halves & 1 else str(points_halves >> 1)
    words = Message("{points} point", "{points} points", n=2, points=whole)
    written = format_halves(points_halves)
    return Reading(Strength(0, "points", (points_halves,)), Message("hand"), words, (words,), points=written)


@cache
def _tally(three_of_a_kind: bool) -> HandCounts:
    options = Options(three_of_a_kind=three_of_a_kind)
    return deal_tally(FRENCH, _SIZE, lambda hand: count(hand, options).strength)


GAME = ThirtyOne()
