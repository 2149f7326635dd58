"""The fewest points win: queens and fives count nothing, and a knocker who is beaten matches the pot.

Play: the player to the dealer's left begins. A turn: draw, or take the top discard, and discard; or knock, without
drawing. After a knock each other player draws one more card. The round also ends when the stock is empty.

KN-1  Each player puts the same ante in the pot, 1 stake.
KN-2  Hands are five cards. Ace 1; 2, 3, 4, 6, 8, 9 and 10 their number; 5 is 0; 7 is ½; jack and king 10; queen 0. The
      lowest total wins the pot; players who tie for lowest split it.
KN-3  A knocker who isn't lowest (a tie counts as lowest) matches the pot: pays as much into the next pot as this one
      held, including what was carried over. Four players at $1 each, pot $4: the losing knocker puts in $4 now and all
      four ante $1 again, so the next pot holds $8.
KN-4  If the stock ran out and nobody knocked, the lowest total wins and nobody matches the pot. If it ran out after a
      knock, the round settles like any knocked round.
KN-5  House rule, Knock Poker variant: the best five-card poker hand wins instead; pots, ties and matching stay the
      same.
KN-6  House rule: a losing knocker matches the pot, or not.
KN-7  House rule: a losing knocker matches the pot up to a limit.
KN-8  House rule: a knocker who ties for lowest (or for the best poker hand) loses: the others who tied share the pot,
      and the knocker matches it. If you say who has the best hand instead of entering hands, name the knocker who ties
      as well.
KN-9  House rule: the table's own values of the cards, from 0 to 25 points, some with a half, instead of those of KN-2.

A turn

draw | Draw | from the stock or the discards
discard | Discard | another card
knock | Or knock | the others draw one more card

Who pays whom

Before the deal | each {ante} → pot
Fewest points | wins the pot | hand=points
The best hand | takes the pot | hand=poker
The knocker loses | as much as the pot → next pot | match_pot=True

Sources

KN-1 | Rules of Knock, “Money Play” | as in the source; it doesn't say how many play: 2 to 10, since 52 cards don't make
     hands for more
KN-2 | “Objective”, the values of the cards | as in the source; “points” of the other cards are their face value
KN-3 | “Money Play” | as in the source; its example's “$5” is read as the match of $4 and the knocker's own ante
KN-4 | “Course of Play” | as in the source; silent on matching without a knock
KN-5 | “Knock Poker” | as in the source; silent on money, which stays the same
KN-6 | silent | a house rule of ours
KN-7 | silent | a house rule of ours
KN-8 | “Money Play”: who “does not have the lowest point total” | not followed; a house rule of ours
KN-9 | “Objective”: three exceptions to the face values | a house rule of ours: other tables have other exceptions
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from companion.engine.deal import Deal, LastTurns
from companion.engine.game import Category, Family, Game, Round, order_from
from companion.engine.hands.counting import poker_tally, tally
from companion.engine.hands.ladder import Ladder, Rung
from companion.engine.hands.poker import FRENCH_ORDER, categories, ladder
from companion.engine.hands.rarity import HandCounts, Rarity
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places, best, describe_decision
from companion.engine.messages import Message
from companion.engine.money.odd_chips import odd_units
from companion.engine.money.settlement import ANTE, MATCH_POT, POT, POT_SHARE, Book, Settlement
from companion.engine.options import ante, choice, integer, odd_chips, toggle
from companion.engine.pieces.cards import FRENCH, Card, CardSet
from companion.engine.problems import Problem
from companion.engine.questions.answers import format_halves
from companion.engine.questions.entry import foul, mucked, one_player, points, won_by
from companion.engine.questions.unshown import ALONE, check_somebody_wins, nobody_else_shows, who_shows, without_lost

_ONE_POINT = 2  # in halves
# Rule: KN-2; a card's points by its rank
_USUAL = {1: "1", 2: "2", 3: "3", 4: "4", 5: "0", 6: "6", 7: "0.5", 8: "8", 9: "9", 10: "10"}
_USUAL |= {11: "10", 12: "0", 13: "10"}
_VALUES = ("0", "0.5", "1", "1.5", *map(str, range(2, 16)), "20", "25")  # Rule: KN-9
_HAND = 5
_MAX_HALVES = _HAND * 2 * 25
_NAMED = {1: "An ace", 8: "An 8", 11: "A jack", 12: "A queen", 13: "A king"}


def _counts(rank: int) -> Any:
    """Declare what the cards of a rank count. Rule: KN-9."""
    return choice(
        _USUAL[rank],
        f"{_NAMED.get(rank, f'A {rank}')} counts",
        choices={value: value.replace("0.5", "½").replace(".5", "½") for value in _VALUES},
        help="How many points, if the fewest points win.",
        rule="KN-9",
        group="Values of the cards",
    )


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("KN-1")
    hand: str = choice(
        "points",
        "What wins",
        choices={"points": "the fewest points", "poker": "the best poker hand"},
        help="The Knock Poker variant compares poker hands; everything else stays the same.",
        rule="KN-5",
    )
    match_pot: bool = toggle(
        True, "A losing knocker matches the pot", help="Pays as much into the next pot as this one held.", rule="KN-6"
    )
    match_limit: int = integer(
        0,
        "Most a losing knocker matches",
        help="A losing knocker matches at most this many stakes; 0: no limit.",
        rule="KN-7",
    )
    knocker_tie: str = choice(
        "shares",
        "A knocker who ties",
        choices={"shares": "shares the pot", "loses": "loses and matches the pot"},
        help="What happens when the knocker ties for the fewest points or the best hand.",
        rule="KN-8",
    )
    odd_chips: str = odd_chips(by_cards=True)
    counts_1: str = _counts(1)
    counts_2: str = _counts(2)
    counts_3: str = _counts(3)
    counts_4: str = _counts(4)
    counts_5: str = _counts(5)
    counts_6: str = _counts(6)
    counts_7: str = _counts(7)
    counts_8: str = _counts(8)
    counts_9: str = _counts(9)
    counts_10: str = _counts(10)
    counts_11: str = _counts(11)
    counts_12: str = _counts(12)
    counts_13: str = _counts(13)


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    knocker: str | None = one_player(
        "knocked",
        help="Who knocked?",
        rule="KN-3",
        nobody="Nobody (stock ran out)",
        explicit=True,
        meaning="knocked",
    )
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    won_by: tuple[str, ...] = won_by()
    points: Mapping[str, int] = points(maximum=_MAX_HALVES, in_halves=True)


KnockRound = Round[Options, Entry, Card]


class Knock(Game[Options, Entry, Card]):
    """Knock."""

    key = "knock"
    name = "Knock"
    summary = "Fewest points take the pot."
    family = Family.POINTS
    seats = (2, 10)
    options = Options
    entry = Entry
    categories = (
        Category("points", Message("points, fewest win"), "5s Qh 7d Ac 2s"),
        *categories("five-of-a-kind"),
    )
    reasons = (ANTE, POT_SHARE, MATCH_POT)
    examples = (
        {
            "knocker": "Ana",
            "hands": {
                "Ana": "5s Qh 7d Ac 2s",
                "Beto": "Ks Kh 2d 3c 4s",
                "Caro": "9h Qd 6c 5d 8s",
                "Dani": "Th 4d 4h Ad 7c",
            },
        },
        {
            "knocker": None,
            "hands": {
                "Ana": "Jd 9s 3h 2c 5c",
                "Beto": "7h 7s Qs 4c Ah",
                "Caro": "Kc 8d 6h 5h Qc",
                "Dani": "Ts 9c 2h 3d Qd",
            },
        },
        {
            "knocker": "Caro",
            "hands": {
                "Ana": "Kd 9d 8h 4s 2s",
                "Beto": "Qh 5s 5d Ac 2d",
                "Caro": "7d 7c 3s As Qs",
                "Dani": "Jh Jc 6s 8c 3c",
            },
        },
    )

    def pieces(self, options: Options) -> CardSet:
        return FRENCH

    def deal(self, round: KnockRound) -> Deal:
        return replace(super().deal(round), ante=round.options.ante, is_turned_up=True)

    def last_turns(self, round: KnockRound) -> LastTurns | None:
        knocker = round.entry.knocker
        if knocker is None:
            return None
        _, *others = order_from(round.players, knocker, self.direction)
        return LastTurns(knocker, "knocked", tuple(others), "draw")

    def who_must_show(self, round: KnockRound) -> tuple[str, ...]:
        return who_shows(round, round.turn_order)

    def who_may_show(self, round: KnockRound) -> tuple[str, ...]:
        return without_lost(round, round.turn_order)

    def check_entry(self, round: KnockRound) -> Iterator[Problem]:
        yield from check_somebody_wins(round, round.turn_order)
        most = _HAND * max(map(_halves_of(round.options).__getitem__, _USUAL))
        for player, points_halves in round.points.items():
            if points_halves > most:
                text = "{player} can't have {points} points in {cards} cards here; fix {player}'s points"
                values = {"player": player, "points": _with_half_sign(points_halves), "cards": _HAND}
                yield Problem(f"round.points.{player}", "bad-value", Message(text, **values))
        if round.points and round.options.hand == "poker":
            text = "The best poker hand wins here, not the fewest points; say who won or enter the hands"
            yield Problem("round.points", "bad-value", Message(text))

    def place(self, round: KnockRound) -> tuple[ShownHand, ...]:
        if round.options.hand == "poker":
            return assign_places(
                round.turn_order, round.hands, {p: FRENCH_ORDER.read(hand) for p, hand in round.hands.items()}
            )
        shows = self.who_may_show(round)
        counted = {player: _reading(halves) for player, halves in round.points.items() if player in shows}
        return assign_places(
            round.turn_order, round.hands, counted | {p: count(hand, round.options) for p, hand in round.hands.items()}
        )

    def describe_cards(self, hand: Sequence[Card], round: KnockRound) -> Message | None:
        return None if round.options.hand == "poker" else count(hand, round.options).description

    def points(self, piece: Card) -> str:
        return _with_half_sign(_halves_of(Options())[piece.rank])

    def ladder(self, options: Options) -> Ladder:
        """Rank poker hands, or give a hand to count, whichever the table plays. Rule: KN-2, KN-5, KN-8."""
        tie = (
            Message("a knocker who ties loses")
            if options.knocker_tie == "loses"
            else Message("equal hands share the pot")
        )
        tie_breakers = (Rung(tie),)
        if options.hand == "poker":
            return Ladder(ladder(FRENCH_ORDER), tie_breakers=tie_breakers)
        return Ladder(points_example=FRENCH.hand(self.categories[0].example), tie_breakers=tie_breakers)

    def settle(self, round: KnockRound) -> Settlement:
        """Settle the pot, and what a losing knocker puts into the next one. Odd units: C-3."""
        options, knocker = round.options, round.entry.knocker
        hands = self.standing(round)
        left = self.who_may_show(round)
        tied = left if len(left) == 1 else round.won_by or best(hands)
        winners = _winners(round, tied)
        book = Book(round.pot_units)
        book.antes(round.turn_order, round.units(options.ante), "KN-1")
        held = book.pot
        lost_a_tie = winners != tied
        rule, why = _pot_rule(round)
        book.pay_out(held, winners, "KN-8" if lost_a_tie else rule, why, odd=odd_units(round, winners))
        if options.match_pot and knocker is not None and knocker not in winners:
            most = round.units(options.match_limit)
            why = Message("{player} knocked and lost, so matches the pot", player=knocker)
            if 0 < most < held:
                text = "{player} knocked and lost, so matches the pot, up to the limit"
                why = Message(text, player=knocker)
            book.move(knocker, POT, min(held, most or held), MATCH_POT, "KN-8" if lost_a_tie else "KN-3", why)
        if len(left) == 1:
            decided = nobody_else_shows(left)
        elif lost_a_tie:
            decided = _lost_tie(round, hands, winners)
        else:
            decided = describe_decision(hands, round.won_by)
        return book.settlement(round, winners, hands, decided)

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        return (poker_tally(FRENCH_ORDER) if options.hand == "poker" else _points_tally(_as_values(options))).rarity(
            reading
        )


def _winners(round: KnockRound, tied: tuple[str, ...]) -> tuple[str, ...]:
    """Remove a knocker who ties, if the house rules let them lose. Rule: KN-8."""
    if round.options.knocker_tie == "shares" or len(tied) == 1:
        return tied
    return tuple(player for player in tied if player != round.entry.knocker)


def _lost_tie(round: KnockRound, hands: Sequence[ShownHand], winners: tuple[str, ...]) -> Message:
    values = {"n": len(winners), "knocker": round.entry.knocker, "players": winners}
    if round.won_by:
        return Message(
            "The table decided: {knocker} knocked but only ties with {players}, so {players} wins",
            "The table decided: {knocker} knocked but only ties with {players}, so {players} win",
            **values,
        )
    return Message(
        "{knocker} knocked but only ties with {players} at {hand}, so {players} wins",
        "{knocker} knocked but only ties with {players} at {hand}, so {players} win",
        hand=hands[0].reading.description,
        **values,
    )


def _pot_rule(round: KnockRound) -> tuple[str, Message]:
    """Return the rule by which the winners get the pot, and the reason in words."""
    why = Message("best hand") if round.options.hand == "poker" else Message("fewest points")
    if len(without_lost(round, round.turn_order)) == 1:
        why = ALONE
    if round.entry.knocker is None:
        return "KN-4", Message("{why}; nobody knocked", why=why)
    return ("KN-5" if round.options.hand == "poker" else "KN-2"), why


def _as_values(options: Options) -> tuple[str, ...]:
    """List what the cards count, from the ace up, as the house rules have it. Rule: KN-9."""
    return tuple(getattr(options, f"counts_{rank}") for rank in _USUAL)


def _halves_of(options: Options) -> Mapping[int, int]:
    """Return what a card counts in half points, by its rank. Rule: KN-2, KN-9."""
    return _by_rank(_as_values(options))


@cache
def _by_rank(values: tuple[str, ...]) -> Mapping[int, int]:
    written = zip(_USUAL, (value.partition(".") for value in values), strict=True)
    return {rank: _ONE_POINT * int(whole) + bool(half) for rank, (whole, _, half) in written}


def count(hand: Sequence[Card], options: Options) -> Reading:
    """Evaluate a hand by its points; the fewest are best."""
    return _count(hand, _halves_of(options))


def _count(hand: Sequence[Card], halves: Mapping[int, int]) -> Reading:
    return _reading(sum(halves[card.rank] for card in hand))


def _reading(points_halves: int) -> Reading:
    n = 1 if 0 < points_halves <= _ONE_POINT else 2
    points = Message("{points} point", "{points} points", n=n, points=_with_half_sign(points_halves))
    return Reading(
        Strength(0, "points", (-points_halves,)),
        Message("hand"),
        points,
        (points,),
        points=format_halves(points_halves),
    )


def _with_half_sign(points_halves: int) -> str:
    whole = points_halves >> 1
    return f"{whole or ''}½" if points_halves & 1 else str(whole)


@cache
def _points_tally(values: tuple[str, ...]) -> HandCounts:
    halves = _by_rank(values)
    return tally(FRENCH, (), _HAND, lambda hand: _count(hand, halves).strength)


GAME = Knock()
