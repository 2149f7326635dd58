"""Melds of sets and runs: the lowest deadwood collects the difference, and a beaten knocker pays ten more.

Play: the player to the dealer's left begins. A turn: draw or take the top discard, then discard (not the card just
taken); or knock, discarding face down, which ends the round at once, even on a first turn. It also ends when the stock
is empty and the next player doesn't want the top discard; that doesn't count as a knock.

KR-1  There is no pot. Hands are 10 cards with two players, 7 with more; what counts is the hand after the last discard.
      Ace 1, 2 to 10 their number, jack, queen and king 10.
KR-2  Sets: three or four of one rank. Runs: three or more of one suit in sequence, the ace low only. A card can be in
      only one of them. Deadwood is the value of the rest, always the lowest possible; the app finds the arrangement.
KR-3  The least deadwood wins: every other player pays the winner the difference, in stakes. If someone else knocked,
      that knocker pays 10 more.
KR-4  If the knocker ties for least with others, the others win and share what the rest pay; the knocker pays nothing.
KR-5  If players other than the knocker tie for least, they share all payments evenly, including the knocker's penalty,
      which is paid once.
KR-6  A knocker with no deadwood wins alone, even if others have none, and gets the difference and 25 more from each
      other player. House rule: 25 in all, split evenly among the others.
KR-7  If the stock ran out and nobody knocked, there is no penalty and no bonus; KR-3 and KR-5 apply.
KR-8  House rule, odd chips: when tied winners can't share evenly, what is left over isn't paid; the last payer in turn
      order keeps it, up to what that player owes, then the payer before. Or it goes by the cards, as in C-3.
KR-9  House rule, knock limit: nobody may knock with more than 30, 20, 10, 5 or 0 deadwood. If a knocker's hand has
      more, it is refused; change the entry or void the round.
KR-10 House rule, the ace in a run: high or low, so that Q-K-A is a run too; or round the corner, so that K-A-2 is one
      as well. A run never has the same card twice. The ace always counts 1.
KR-11 House rule: 7 or 10 cards for any number of players; with 10, at most four can play. Or 10 for two, 7 for three or
      four, 6 for five or six: only then can six play.
KR-12 House rule, a beaten knocker: pays the penalty to everybody with less deadwood, not only to the winner.
KR-13 House rule, lay-offs: after a knock, each of the others may add unmatched cards to the knocker's sets and runs, as
      the app lays these out; only what is left then counts. Nothing is laid off on a knocker with no deadwood. Points
      that the table counted are those after the lay-offs.
KR-14 House rule, played to a total: nobody pays after a round. What a player would get is kept as points, one for each
      stake. Whoever has the total first gets the difference between their points from each other player, in stakes, and
      all begin again with none. If several have it after one round, the one with most wins; those with equally many
      share as in KR-8. The points stay when another game is played in between. Whoever doesn't play the last round
      neither pays nor gets, and what isn't played to its end in a night isn't paid.

A turn

draw | Draw | from the stock or the discards
discard | Discard | another card
knock | Or knock | and the round ends

Who pays whom

The least deadwood | wins
Each other player | the difference → winner
The knocker loses | {knocker_penalty} more → winner | penalty_to=winner
The knocker loses | {knocker_penalty} more → each with less | penalty_to=everybody-below
No deadwood at a knock | each other {rum_bonus} more → knocker | rum_bonus_from=each
No deadwood at a knock | the others {rum_bonus} more → knocker | rum_bonus_from=shared

Sources

KR-1 | Knock Rummy, “Number of Players”: 2 to 5 | as in the source
KR-1 | “Setup” and “Card Ranking” | as in the source
KR-1 | “Overview”: “win the pot” | read as a figure of speech: no rule puts anything in a pot
KR-2 | “Card Ranking, Point Values, and Combinations” | as in the source
KR-3 | “Scoring” | as in the source
KR-4 | “Scoring”: “the other player takes all the winnings” | as in the source; with several others they share
KR-5 | “Scoring” | as in the source
KR-6 | “Scoring”: “the difference from each player plus 25 additional stakes” | read as 25 from each; 25 in all is a
     house rule
KR-7 | “Gameplay”: “does not count as a knock” | as in the source
KR-8 | silent | a house rule of ours
KR-9 | silent | a house rule of ours, as in gin rummy
KR-10 | “Card Ranking, Point Values, and Combinations”: “Ace is always low” | as in the source unless you choose
     otherwise
KR-11 | “Setup”: 10 cards for two players, 7 for more | as in the source unless you choose otherwise
KR-11 | “Knock Rummy”, Bicycle Cards: six cards for five players; HowStuffWorks: also for six | a house rule
KR-12 | “How to Play Knock Rummy”, HowStuffWorks: every opponent who has less gets ten | a house rule
KR-13 | “Gin Rummy”, Bicycle Cards: lay-offs after a knock | a house rule; the sources of Knock Rummy have none
KR-14 | “Knock Rummy”, Card Game Heaven: first to reach a score agreed on | a house rule; the difference is paid as in
     “Gin Rummy”, Bicycle Cards
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from typing import cast

from companion.engine.deal import Deal, LastTurns
from companion.engine.game import Category, Family, Game, Round
from companion.engine.hands.deadwood import deadwood_counts
from companion.engine.hands.ladder import Ladder
from companion.engine.hands.melds import Ace, Arrangement, least_deadwood, runs_with, value
from companion.engine.hands.rarity import HandCounts, Rarity
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places, best, describe_decision
from companion.engine.messages import Message, Units
from companion.engine.money.odd_chips import odd_units
from companion.engine.money.pots import fill, share
from companion.engine.money.settlement import Book, Reason, Settlement
from companion.engine.options import ODD_BY_CARDS, choice, integer, toggle
from companion.engine.pieces.cards import FRENCH, SUIT_NAMES, Card, CardSet
from companion.engine.problems import Problem
from companion.engine.questions.entry import kept, one_player, points
from companion.engine.questions.kept import POINTS, Payments, settle_kept, total

DEADWOOD = Reason("deadwood")
KNOCKER_PENALTY = Reason("knocker-penalty")
RUM_BONUS = Reason("rum-bonus")
_MAX_CARDS, _MAX_CARD_POINTS = 10, 10  # Rule: KR-1
_TEN_CARDS = "4s 4h 4d 6c 7c 8c Js Jh Jd Kd"
# Rule: KR-10
_ACE = {
    "low": "The ace is low: A-2-3 is a run, Q-K-A isn't",
    "high-or-low": "The ace is high or low: A-2-3 and Q-K-A are runs",
    "round-the-corner": "Runs go round the corner: A-2-3, Q-K-A and K-A-2",
}
_KING = 13
_MAX_DEALT = 49  # of 52: leaves one card to turn up, and a stock of more than one


@dataclass(frozen=True)
class Options:
    """The house rules."""

    knocker_penalty: int = integer(
        10, "Penalty of a losing knocker", help="Stakes that a beaten knocker pays the winner on top.", rule="KR-3"
    )
    penalty_to: str = choice(
        "winner",
        "The penalty is paid",
        choices={"winner": "to the winner", "everybody-below": "to all with less deadwood"},
        help="Whom a beaten knocker pays the penalty.",
        rule="KR-12",
    )
    rum_bonus: int = integer(
        25, "Bonus for no deadwood", help="Stakes on top for a knocker without deadwood.", rule="KR-6"
    )
    rum_bonus_from: str = choice(
        "each",
        "The bonus is paid",
        choices={"each": "by each of the others", "shared": "once, split over the others"},
        help="Whether every other player pays the whole bonus, or all of them together.",
        rule="KR-6",
    )
    odd_chips: str = choice(
        "turn-order",
        "Odd chips in a split pot",
        choices={"turn-order": "one each, in turn order", "unpaid": "not paid", **ODD_BY_CARDS},
        help="What happens to the chips left over when tied winners cannot share evenly.",
        rule="KR-8",
    )
    knock_limit: str = choice(
        "none",
        "Most deadwood to knock",
        choices={"none": "any", "30": "30", "20": "20", "10": "10", "5": "5", "0": "0"},
        help="A knocker with more deadwood than this is refused.",
        rule="KR-9",
    )
    ace: str = choice(
        "low",
        "The ace in a run",
        choices={
            "low": "low only",
            "high-or-low": "high or low: Q-K-A too",
            "round-the-corner": "round the corner: K-A-2 too",
        },
        help="Where an ace may stand in a run. It counts 1 always.",
        rule="KR-10",
    )
    cards: str = choice(
        "usual",
        "Cards in a hand",
        choices={
            "usual": "10 for two players, 7 for more",
            "7": "7",
            "10": "10",
            "fewer": "10 for 2, 7 for 3–4, 6 for 5–6",
        },
        help="How many cards each player is dealt. With 10, four can play at most; with 6, six.",
        rule="KR-11",
    )
    lay_offs: bool = toggle(
        False,
        "Lay-offs after a knock",
        help="The others add unmatched cards to the knocker's sets and runs before the points are counted.",
        rule="KR-13",
    )
    total: int = total("KR-14")


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    knocker: str | None = one_player(
        "knocked",
        help="Who knocked?",
        rule="KR-3",
        nobody="Nobody (stock ran out)",
        explicit=True,
        meaning="knocked",
    )
    points: Mapping[str, int] = points(maximum=_MAX_CARDS * _MAX_CARD_POINTS)
    kept: Mapping[str, int] = kept("KR-14")


KnockRummyRound = Round[Options, Entry, Card]
Melds = tuple[tuple[Card, ...], ...] | None


class KnockRummy(Game[Options, Entry, Card]):
    """Knock Rummy."""

    key = "knock-rummy"
    name = "Knock Rummy"
    summary = "Least deadwood wins the difference."
    family = Family.RUMMY
    seats = (2, 6)
    options = Options
    entry = Entry
    categories = (Category("deadwood", Message("deadwood"), "4s 4h 4d 6c 7c 8c Kd"),)
    reasons = (DEADWOOD, KNOCKER_PENALTY, RUM_BONUS, POINTS)
    examples = (
        {
            "knocker": "Ana",
            "hands": {
                "Ana": "4s 4h 4d 6c 7c 8c 2d",
                "Beto": "As 2s 3s 9h 9d 9c Qh",
                "Caro": "Kh Ks Kd 5h 5s Jd 3c",
                "Dani": "Th Jh 8d 7d 6d Ac 3h",
            },
        },
        {
            "knocker": "Caro",
            "hands": {
                "Ana": "Qs Qd Qc 7h 6h 2h Td",
                "Beto": "3d 4d 5d Ks 9s 8s Ah",
                "Caro": "5c 6c 7c Js Jh Jc 2d",
                "Dani": "Ts Tc 9h 8h 2c 2s Kd",
            },
        },
        {
            "knocker": "Dani",
            "hands": {
                "Ana": "Ac Ad Ah 5s 6s 7s 4c",
                "Beto": "Kc Qc 9d 9c 3s 3d 8d",
                "Caro": "Ts Th 7h 7d 6d Js 2d",
                "Dani": "2h 3h 4h 8s 8c 8h 9s",
            },
        },
    )

    def pieces(self, options: Options) -> CardSet:
        return FRENCH

    def deal(self, round: KnockRummyRound) -> Deal:
        dealt = super().deal(round)
        return replace(dealt, dealer_shuffles=True, is_cut=True, one_at_a_time=True, is_turned_up=True)

    def last_turns(self, round: KnockRummyRound) -> LastTurns | None:
        knocker = round.entry.knocker
        return None if knocker is None else LastTurns(knocker, "knocked")

    def who_must_show(self, round: KnockRummyRound) -> tuple[str, ...]:
        return round.turn_order

    def hand_sizes(self, round: KnockRummyRound) -> Collection[int]:
        return (_hand_size(round.options, len(round.players)),)

    def check_seats(self, options: Options, players: int) -> Iterator[Problem]:
        """Refuse five players with ten cards each, as one card would be left, and six with seven. Rule: KR-11."""
        if _hand_size(options, players) * players > _MAX_DEALT:
            text = "With ten cards each four can play at most; {given} given. Deal 7 cards, or take somebody out"
            yield Problem("players", "too-many-players", Message(text, given=players))
        elif players == self.seats[1] and options.cards != "fewer":
            text = "Six play with six cards each; choose that in the house rules, or take somebody out"
            yield Problem("players", "too-many-players", Message(text))

    def check_entry(self, round: KnockRummyRound) -> Iterator[Problem]:
        (cards,) = self.hand_sizes(round)
        for player, deadwood in round.points.items():
            field = f"round.points.{player}"
            if deadwood > cards * _MAX_CARD_POINTS:
                text = "{player} can't have {n} deadwood in {cards} cards; fix {player}'s points"
                message = Message(text, player=player, n=deadwood, cards=cards)
                yield Problem(field, "bad-value", message)
            elif player == round.entry.knocker:
                yield from _check_knock(round, player, deadwood, field)

    def check_hands(self, round: KnockRummyRound) -> Iterator[Problem]:
        knocker = round.entry.knocker
        if knocker is not None and knocker in round.hands:
            deadwood = _arranged(round.hands[knocker], round.options).deadwood
            yield from _check_knock(round, knocker, deadwood, f"round.hands.{knocker}")
        if round.options.lay_offs and knocker in round.points and round.hands:
            text = "Cards are laid off on {player}'s, so enter these too, or everybody's points after the lay-offs"
            yield Problem(f"round.points.{knocker}", "bad-value", Message(text, player=knocker))

    def place(self, round: KnockRummyRound) -> tuple[ShownHand, ...]:
        counted = {player: _reading(deadwood) for player, deadwood in round.points.items()}
        laid_out = {player: lay_out(hand, round.options) for player, hand in round.hands.items()}
        if round.options.lay_offs and round.entry.knocker in laid_out:
            knocked = laid_out[round.entry.knocker]
            on = cast("Melds", knocked.melds) if knocked.points else ()
            others = {player: hand for player, hand in round.hands.items() if player != round.entry.knocker}
            laid_out |= {player: _lay_off(hand, on or (), round.options) for player, hand in others.items()}
        return assign_places(round.turn_order, round.hands, counted | laid_out)

    def describe_cards(self, hand: Sequence[Card], round: KnockRummyRound) -> Message | None:
        arrangement = _arranged(hand, round.options)
        counted = _counted(arrangement.deadwood)
        if not arrangement.melds:
            return counted
        return Message("{melds}; {deadwood}", melds=tuple(map(_named, arrangement.melds)), deadwood=counted)

    def points(self, piece: Card) -> str:
        return str(value(piece))

    def ladder(self, options: Options) -> Ladder:
        """Give a hand to count, of ten cards if everyone gets ten, and note the rules for aces and knocking."""
        notes = [Message(_ACE[options.ace])]
        if options.knock_limit != "none":
            notes.append(Message("Knock with {n} deadwood or less", n=options.knock_limit))
        text = _TEN_CARDS if options.cards == "10" else self.categories[0].example
        return Ladder(points_example=FRENCH.hand(text), notes=tuple(notes))

    def settle(self, round: KnockRummyRound) -> Settlement:
        """Settle among the players, or keep points; a carried pot stays as it is. Rule: C-6, KR-14."""
        if not round.options.total:
            return self._settle(round)

        def pay(first: Sequence[str], payments: Payments, book: Book) -> None:
            _share(round, first, payments, "KR-14", book)

        return settle_kept(round, self._settle(replace(round, stake_units=1)), pay)

    def _settle(self, round: KnockRummyRound) -> Settlement:
        """Settle what a round alone comes to."""
        knocker = round.entry.knocker
        hands = self.place(round)
        deadwood = {hand.player: -hand.reading.strength.ranks[0] for hand in hands}
        lowest = best(hands)
        book = Book(round.pot_units)
        decided = describe_decision(hands)
        if knocker is not None and deadwood[knocker] == 0:
            winners: tuple[str, ...] = (knocker,)
            decided = Message("{player} knocked with no deadwood and wins alone", player=knocker)
            _rum(round, knocker, deadwood, book)
        elif knocker in lowest and len(lowest) > 1:
            winners = tuple(player for player in lowest if player != knocker)
            text = "{knocker} knocked but only ties with {players} at {hand}, so {players} win"
            one = "{knocker} knocked but only ties with {players} at {hand}, so {players} wins"
            hand = hands[0].reading.description
            decided = Message(one, text, n=len(winners), knocker=knocker, players=winners, hand=hand)
            _share(round, winners, _differences(round, lowest, deadwood), "KR-4", book)
        else:
            winners = lowest
            payments = _differences(round, lowest, deadwood)
            _share(round, winners, payments, "KR-3" if len(winners) == 1 else "KR-5", book)
            if knocker is not None and round.options.penalty_to == "everybody-below":
                _pay_everybody_below(round, knocker, deadwood, book)
        return book.settlement(round, winners, hands, decided)

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity | None:
        """Return how rare a hand is; None unless the ace is low, as other runs take minutes to count. Rule: KR-10.

        None with lay-offs too, as what others hold changes what a hand counts. Rule: KR-13.
        """
        return _tally(len(hand)).rarity(reading) if options.ace == "low" and not options.lay_offs else None


def _hand_size(options: Options, players: int) -> int:
    """Return how many cards each player gets. Rule: KR-1, KR-11."""
    if options.cards == "usual":
        return 10 if players == 2 else 7
    if options.cards == "fewer":
        return 10 if players == 2 else 7 if players <= 4 else 6
    return int(options.cards)


def _check_knock(round: KnockRummyRound, knocker: str, deadwood: int, field: str) -> Iterator[Problem]:
    """Refuse a knock with too much deadwood. Rule: KR-9."""
    limit = round.options.knock_limit
    if limit != "none" and deadwood > int(limit):
        text = "{player} knocked with {hand}, more than the {limit} allowed; change the entry or void the round"
        yield Problem(field, "invalid-knock", Message(text, player=knocker, hand=_counted(deadwood), limit=limit))


def _arranged(hand: Sequence[Card], options: Options) -> Arrangement:
    """Lay a hand out with the least deadwood. Rule: KR-2, KR-10."""
    return least_deadwood(hand, runs_with(cast("Ace", options.ace)))


def lay_out(hand: Sequence[Card], options: Options) -> Reading:
    """Evaluate a hand by its least deadwood; the lowest is best. `points` is the deadwood. Rule: KR-2."""
    arrangement = _arranged(hand, options)
    return _reading(arrangement.deadwood, arrangement.melds, arrangement.unmatched)


def _lay_off(hand: Sequence[Card], on: Sequence[tuple[Card, ...]], options: Options) -> Reading:
    """Evaluate a hand after the best lay-offs on a knocker's melds; what is laid off is the last meld. Rule: KR-13."""
    ways: list[tuple[Card, ...]] = [()]
    for meld in on:
        ways = [(*laid, *more) for laid in ways for more in _additions(meld, hand, options)]
    arranged = [(laid, _arranged([card for card in hand if card not in laid], options)) for laid in ways]
    laid, rest = min(arranged, key=lambda way: (way[1].deadwood, len(way[0])))
    return _reading(rest.deadwood, (*rest.melds, laid) if laid else rest.melds, rest.unmatched)


def _additions(meld: Sequence[Card], hand: Sequence[Card], options: Options) -> Iterator[tuple[Card, ...]]:
    """Yield every choice of cards in a hand that make a longer set or run of a meld; the first is none."""
    if meld[0].rank == meld[1].rank:
        yield ()
        yield from ((card,) for card in hand if card.rank == meld[0].rank)
        return
    mine = {card.rank: card for card in hand if card.suit == meld[0].suit}
    up = _onward(meld[-1].rank, 1, mine, options.ace)
    for below in range(len(down := _onward(meld[0].rank, -1, mine, options.ace)) + 1):
        for above in range(len(up) + 1):
            laid = (*down[:below], *up[:above])
            if len({*laid}) == len(laid):
                yield laid


def _onward(rank: int, step: int, held: Mapping[int, Card], ace: str) -> list[Card]:
    """List the held cards that follow a run's end one after the other, where an ace may be by the house rule."""
    higher, lower = range(rank + 1, _KING + 1), range(rank - 1, 0, -1)
    if ace == "round-the-corner":
        following = [*higher, *reversed(lower)] if step > 0 else [*lower, *reversed(higher)]
    elif step < 0:
        following = [*lower]
    elif rank == 1:  # a high ace
        following = []
    else:
        following = [*higher, *([1] if ace == "high-or-low" else [])]
    return [held[other] for other in takewhile(held.__contains__, following)]


def _reading(deadwood: int, melds: Melds = None, unmatched: tuple[Card, ...] | None = None) -> Reading:
    words = _counted(deadwood)
    strength, name = _strength(deadwood), Message("hand")
    return Reading(strength, name, words, (words,), points=deadwood, melds=melds, unmatched=unmatched)


def _counted(points: int) -> Message:
    return Message("{points} deadwood", points=points) if points else Message("no deadwood")


def _named(meld: Sequence[Card]) -> Message:
    """Name a set ("3 nines") or a run, whose cards are in order ("four to seven of clubs")."""
    low, high = meld[0], meld[-1]
    if low.rank == high.rank:
        return Message("{n} {ranks}", n=len(meld), ranks=FRENCH.rank_plurals[low.height])
    ends = {"low": FRENCH.rank_names[low.height], "high": FRENCH.rank_names[high.height]}
    return Message("{low} to {high} of {suit}", suit=SUIT_NAMES[FRENCH.suits][low.suit], **ends)


def _strength(deadwood: int) -> Strength:
    return Strength(0, "deadwood", (-deadwood,))


@cache
def _tally(cards: int) -> HandCounts:
    return HandCounts({_strength(deadwood): hands for deadwood, hands in deadwood_counts(cards).items()})


def _differences(round: KnockRummyRound, lowest: Sequence[str], deadwood: dict[str, int]) -> Payments:
    """List what the others pay the lowest, in turn order: the difference, and a knocker the penalty too. Rule: KR-3.

    With several lowest, the penalty follows its payer's difference (KR-5); otherwise it comes last.
    """
    payments: Payments = []
    for player in round.others(*lowest):
        more = deadwood[player] - deadwood[lowest[0]]
        why = Message("{player} has {n} more deadwood", player=player, n=more)
        payments.append((player, round.units(more), DEADWOOD, why))
        if player == round.entry.knocker and round.options.penalty_to == "winner":
            why = Message("{player} knocked and lost", player=player)
            payments.append((player, round.units(round.options.knocker_penalty), KNOCKER_PENALTY, why))
    return payments if len(lowest) > 1 else sorted(payments, key=lambda payment: payment[2] == KNOCKER_PENALTY)


def _pay_everybody_below(round: KnockRummyRound, knocker: str, deadwood: dict[str, int], book: Book) -> None:
    """Book the penalty that a beaten knocker pays to each player with less deadwood, in turn order. Rule: KR-12."""
    penalty = round.units(round.options.knocker_penalty)
    for player in (p for p in round.others(knocker) if deadwood[p] < deadwood[knocker]):
        why = Message("{knocker} knocked, and {player} has less deadwood", knocker=knocker, player=player)
        book.move(knocker, player, penalty, KNOCKER_PENALTY, "KR-12", why)


def _share(round: KnockRummyRound, winners: Sequence[str], payments: Payments, rule: str, book: Book) -> None:
    """Share the payments evenly among the winners; the odd units are those of the total. Rule: C-3, KR-8."""
    order = odd_units(round, winners).order
    amounts = [amount for _, amount, _, _ in payments]
    parts = share(sum(amounts), order or winners, odd_stays=not order)
    paid = amounts if order else _without_odd(amounts, sum(amounts) - sum(parts.values()))
    for number, winner, amount in fill(paid, {winner: parts[winner] for winner in winners}):
        payer, _, reason, why = payments[number]
        if left := amounts[number] - paid[number]:
            why = Message("{why}; less what can't be shared, {odd}", why=why, odd=Units(left))
        book.move(payer, winner, amount, reason, rule, why)


def _without_odd(amounts: Sequence[int], odd: int) -> list[int]:
    """Take the odd units off the last payments, which are in turn order of their payers. Rule: KR-8."""
    paid = []
    for amount in reversed(amounts):
        kept = min(odd, amount)
        paid.append(amount - kept)
        odd -= kept
    return paid[::-1]


def _rum(round: KnockRummyRound, knocker: str, deadwood: dict[str, int], book: Book) -> None:
    """Book what everyone pays a knocker without deadwood: the difference and the bonus. Rule: KR-6."""
    others = round.others(knocker)
    bonus = round.units(round.options.rum_bonus)
    each = share(bonus, others) if round.options.rum_bonus_from == "shared" else dict.fromkeys(others, bonus)
    for player in others:
        why = Message("{player} has {n} more deadwood", player=player, n=deadwood[player])
        book.move(player, knocker, round.units(deadwood[player]), DEADWOOD, "KR-6", why)
    for player in others:
        why = Message("{knocker} knocked with no deadwood", knocker=knocker)
        book.move(player, knocker, each[player], RUM_BONUS, "KR-6", why)


GAME = KnockRummy()
