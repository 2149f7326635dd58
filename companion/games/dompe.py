"""From Sonora: call “dompe” with three of a kind or better, or show a winning hand of six cards.

Play: the player to the dealer's right has six cards and begins: discards one of them, or shows a six-card hand or a
quintilla, or calls with five and discards the sixth. A turn: take the top discard or draw; show a six-card hand, which
ends the round; or call (“dompe”) with five; discard (not the card just taken from the discards). After a call, play
goes on until the dealer's turn ends, or stops at once if the dealer called; a six-card hand shown in the meantime still
wins. You never have to call. When the stock runs out, all discards but the top one become the new stock.

DO-1  Each player antes 1 stake. Turn order runs to the right, from the player at the dealer's right.
DO-2  The deck: 52 cards and a joker, 52 cards, or a Spanish one of 40 (no 8, 9, 10: A 2 3 4 5 6 7 Sota Caballo Rey) or
      48 (A to 9, Sota, Caballo, Rey). With a Spanish deck the 2 of coins may be wild (yuca). Straights follow the
      deck's own order: with 40 cards the Sota comes after the 7, with 48 after the 9. The ace is above the king (Rey)
      and, at the bottom of a straight, below the 2.
DO-3  The wild card is the joker, or the 2 of coins with yuca. It stands for any card, even one already in the hand; the
      best reading of the hand counts. So A-K-9-5 of a suit with the wild card is the flush A-A-K-9-5.
DO-4  Five-card hands, high to low: five of a kind (quintilla: four equal cards and the wild card), straight flush (flor
      corrida), four of a kind (poker), full house, flush (flor), straight (escalera), three of a kind (tercia).
      Anything less is not a qualifying hand: it can never win, a player holding it cannot call, and all such players
      share the last place.
DO-5  Six-card hands, each an outright win: six cards of one suit; six consecutive ranks (ace high or low, no wrapping
      round); three pairs of three different ranks. The wild card helps in all three, but two of the three pairs may
      never be of the same rank: 9-9-9-9-4-4, 9-9-9-4-4-wild and two triplets are not three pairs.
DO-6  An outright win is a shown six-card hand, or a shown quintilla. It takes the pot at once; nobody else needs to
      show. If somebody had called before, you can say who; it changes nothing. Six cards that make no hand of DO-5, or
      five that are no quintilla, are refused; the app says what the best five make and which card to discard. A hand
      that is both a flush and a straight is called a six-card flush; if two straights are possible, the higher one
      counts.
DO-7  Otherwise someone called: all show five cards and the highest takes the pot. The caller needs a qualifying hand
      (DO-4). No other payment, no dropping, no penalty.
DO-8  There are no ties. Between hands of the same category and ranks (the wild card has the rank it stands for), the
      one with the wild card wins, whatever it stands for. If neither has it, the suit of the hand's highest card
      decides: diamonds, hearts, spades, clubs from high to low; the highest card of 5-4-3-2-A is the 5. In a Spanish
      deck: coins, cups, swords, clubs (oros, copas, espadas, bastos).
DO-9  House rule, equal hands: of hands equal in category and ranks, the one shown first wins, wild card or not, and
      takes the better place; the caller shows first, then the others anticlockwise.
DO-10 House rule, suits: spades, hearts, diamonds, clubs from high to low; in a Spanish deck swords, cups, coins, clubs.
DO-11 House rule, bonus: every other player pays stakes to whoever wins outright.

A turn

draw | Draw | from the stock or the discards
discard | Discard | another card
call | Or call “dompe” | with three of a kind or better

Who pays whom

Before the deal | each {ante} → pot
The best hand | takes the pot
An outright win | takes the pot at once
Bonus for it | each other {outright_bonus} → winner

Sources

DO-1 | Dompe, “Deal” | as in the source
DO-1 | “Players and Cards”: from 2 to 5 players | as in the source
DO-2 | “Players and Cards” and “Variations” | as in the source
DO-3 | “Objective and Combinations” | as in the source
DO-4 | “Objective and Combinations” | as in the source
DO-5 | “Objective and Combinations” | as in the source
DO-6 | “Play” and “Settlement” | as in the source
DO-7 | “Settlement” | as in the source
DO-8 | “Objective and Combinations”, the examples | as in the source; the order of the Spanish suits is ours
DO-9 | “Variations”: “the first called wins” | read as the first to show, from the caller on
DO-10 | silent | a house rule of ours: the order of suits that other card games use
DO-11 | “Settlement”: “There are no extra payments” | as in the source unless you choose a bonus, which is ours
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from companion.engine.deal import Deal, LastTurns
from companion.engine.game import Category, Family, Game, Round, order_from
from companion.engine.hands.counting import tally_by
from companion.engine.hands.ladder import Ladder, Rung
from companion.engine.hands.poker import LEVELS, NAMES, STRAIGHTS, PokerOrder, describe, details
from companion.engine.hands.poker import categories as poker_categories
from companion.engine.hands.rarity import HandCounts, Rarity
from companion.engine.hands.straights import straight_top
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places, best, describe_decision
from companion.engine.messages import Message
from companion.engine.money.settlement import ANTE, HAND_BONUS, POT_SHARE, Book, Settlement
from companion.engine.options import ante, choice, integer, toggle
from companion.engine.pieces.cards import FRENCH, FRENCH_WITH_JOKER, SPANISH_40, SPANISH_48, SUIT_NAMES, Card, CardSet
from companion.engine.problems import Problem
from companion.engine.questions.entry import foul, mucked, one_player, won_by
from companion.engine.questions.unshown import ALONE, check_has_shown, nobody_else_shows, who_shows, without_lost

DECKS = {"joker": FRENCH_WITH_JOKER, "plain": FRENCH, "spanish-40": SPANISH_40, "spanish-48": SPANISH_48}
YUCA = "2o"
# Rule: DO-8, DO-10
_SUITS_LOW_TO_HIGH = {
    "diamonds-first": {FRENCH.suits: "cshd", SPANISH_40.suits: "beco"},
    "spades-first": {FRENCH.suits: "cdhs", SPANISH_40.suits: "boce"},
}
_SIX = {
    "six-card-flush": Message("six-card flush"),
    "six-card-straight": Message("six-card straight"),
    "three-pairs": Message("three pairs"),
}
_NO_HAND = "no-hand"
_SIX_CARDS = 6
_NOT_QUALIFYING = ("two-pairs", "pair", "high-card")  # Rule: DO-4
_NOTHING = Strength(0, _NO_HAND, ())
_QUINTILLA = "five-of-a-kind"
# examples that both Spanish decks can deal; the 2 of coins appears only as yuca
_SPANISH_EXAMPLES = {
    "six-card-flush": "1o 12o 7o 5o 4o 3o",
    "six-card-straight": "7e 6o 5c 4o 3b 2c",
    "three-pairs": "12o 12c 7e 7b 4c 4e",
    "five-of-a-kind": "7o 7c 7e 7b 2o",
    "straight-flush": "7c 6c 5c 4c 3c",
    "four-of-a-kind": "7o 7c 7e 7b 11o",
    "full-house": "10o 10c 10e 12b 12c",
    "flush": "1b 12b 7b 5b 3b",
    "straight": "7c 6o 5e 4e 3b",
    "three-of-a-kind": "5o 5c 5e 1b 7c",
    "no-hand": "12o 12c 7e 7b 4c",
}


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("DO-1")
    deck: str = choice(
        "joker",
        "Deck",
        choices={
            "joker": "52 cards and a joker",
            "plain": "52 cards",
            "spanish-40": "Spanish, 40 cards",
            "spanish-48": "Spanish, 48 cards",
        },
        help="The cards you play with.",
        rule="DO-2",
    )
    yuca: bool = toggle(False, "Yuca (the 2 of coins is wild)", help="With a Spanish deck only.", rule="DO-2")
    equal_hands: str = choice(
        "wild-then-suit",
        "Equal hands",
        choices={"wild-then-suit": "wild card, then suit", "first-to-show": "the first to show wins"},
        help="Who wins when category and ranks are the same.",
        rule="DO-9",
    )
    suits: str = choice(
        "diamonds-first",
        "Suits, high to low",
        choices={
            "diamonds-first": "diamonds (coins) first",
            "spades-first": "spades (swords) first",
        },
        help="Which suit wins between equal hands without a wild card: diamonds, hearts, spades, clubs (coins, cups, "
        "swords, clubs), or spades, hearts, diamonds, clubs (swords, cups, coins, clubs).",
        rule="DO-10",
    )
    outright_bonus: int = integer(
        0, "Bonus: outright win", help="Stakes that every other player pays whoever wins outright.", rule="DO-11"
    )


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    caller: str | None = one_player(
        "called",
        help="Who called “dompe”?",
        rule="DO-7",
        nobody="Nobody called",
        decides_who_shows=True,
        meaning="knocked",
    )
    shown_by: str | None = one_player(
        "showed an outright win",
        help="Who showed an outright win?",
        rule="DO-6",
        nobody="No outright win",
        decides_who_shows=True,
        meaning="outright",
    )
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    won_by: tuple[str, ...] = won_by(ties=False)


DompeRound = Round[Options, Entry, Card]


class Dompe(Game[Options, Entry, Card]):
    """Dompe."""

    key = "dompe"
    name = "Dompe"
    summary = "Call with the best five, or win with six."
    family = Family.POKER
    direction = "anticlockwise"
    seats = (2, 5)
    options = Options
    entry = Entry
    categories = (
        Category("six-card-flush", _SIX["six-card-flush"], "Ad Kd 9d 8d 5d 3d"),
        Category("six-card-straight", _SIX["six-card-straight"], "Jh Ts 9d 8d 7c 6c"),
        Category("three-pairs", _SIX["three-pairs"], "Ks Kd 9h 9c 4s 4h"),
        *poker_categories("royal-flush", *_NOT_QUALIFYING),
        Category(_NO_HAND, Message("no qualifying hand"), "Ks Kd 9h 9c 4s"),
    )
    reasons = (ANTE, HAND_BONUS, POT_SHARE)
    examples = (
        {
            "caller": "Beto",
            "hands": {
                "Ana": "Ks Kd 9h 9c 4s",
                "Beto": "7c 7d 7h 2s 3d",
                "Caro": "8s 8h 8d Kc 3c",
                "Dani": "Ah Qd Jc 5s 2h",
            },
        },
        {"shown_by": "Dani", "hands": {"Dani": "Jh Ts 9d 8d 7c Jk"}},
        {
            "caller": "Ana",
            "hands": {
                "Ana": "Ah Jh 8h 5h 2h",
                "Beto": "Tc Td 6s 6h 3c",
                "Caro": "9s 8c 7d 6c 5s",
                "Dani": "Kh Qs Qd 4c 2c",
            },
        },
    )

    def pieces(self, options: Options) -> CardSet:
        return DECKS[options.deck]

    def deal(self, round: DompeRound) -> Deal:
        dealt = super().deal(round)
        return replace(
            dealt, ante=round.options.ante, dealer_shuffles=True, is_cut=True, one_at_a_time=True, first_gets_extra=True
        )

    def last_turns(self, round: DompeRound) -> LastTurns | None:
        """Return the players after the caller, up to the dealer; nobody if the dealer called."""
        caller = round.entry.caller
        if caller is None:
            return None
        after = round.turn_order[round.turn_order.index(caller) + 1 :]
        return LastTurns(caller, "called", after, "outright-win")

    def least_knock(self, options: Options) -> Message:
        return Message("three of a kind")

    def check_options(self, options: Options) -> Iterator[Problem]:
        if options.yuca and "o" not in self.pieces(options).suits:
            text = "The 2 of coins is in a Spanish deck only; choose one, or turn yuca off"
            yield Problem("rules.yuca", "bad-rule-value", Message(text))

    def check_entry(self, round: DompeRound) -> Iterator[Problem]:
        caller, shown_by = round.entry.caller, round.entry.shown_by
        if caller is None and shown_by is None:
            text = "Say who called “dompe”, or who showed an outright win"
            yield Problem("round.caller", "missing-field", Message(text))
        yield from check_has_shown(round, shown_by or caller)

    def who_must_show(self, round: DompeRound) -> tuple[str, ...]:
        return (round.entry.shown_by,) if round.entry.shown_by else who_shows(round, round.turn_order)

    def who_may_show(self, round: DompeRound) -> tuple[str, ...]:
        return () if round.entry.shown_by else without_lost(round, round.turn_order)

    def hand_sizes(self, round: DompeRound) -> Collection[int]:
        return (5, 6) if round.entry.shown_by else (5,)

    def check_hands(self, round: DompeRound) -> Iterator[Problem]:
        """Refuse a caller or winner without a qualifying hand, and a shown hand that isn't an outright win.

        Rule: DO-6, DO-7.
        """
        order = order_of(round.options.deck, round.options.yuca)
        caller, shown_by = round.entry.caller, round.entry.shown_by
        if shown_by:
            if shown_by in round.hands and outright_win(round.hands[shown_by], order) is None:
                message = _no_win(shown_by, round.hands[shown_by], order)
                yield Problem(f"round.hands.{shown_by}", "not-an-outright-win", message)
        elif caller and caller in round.hands and order.read(round.hands[caller]).strength.category in _NOT_QUALIFYING:
            text = (
                "{player} called without a qualifying hand: it takes three of a kind or better; fix the hand "
                "or the caller"
            )
            yield Problem(f"round.hands.{caller}", "invalid-knock", Message(text, player=caller))
        for winner in (p for p in round.won_by if p in round.hands and not shown_by):
            if order.read(round.hands[winner]).strength.category in _NOT_QUALIFYING:
                text = (
                    "{player} is named the winner without a qualifying hand: it takes three of a kind or better; "
                    "fix one of the two"
                )
                yield Problem(f"round.hands.{winner}", "contradiction", Message(text, player=winner))

    def place(self, round: DompeRound) -> tuple[ShownHand, ...]:
        order = order_of(round.options.deck, round.options.yuca)
        readings = {}
        if round.entry.shown_by:
            wins = {player: outright_win(hand, order) for player, hand in round.hands.items()}
            readings = {player: win for player, win in wins.items() if win is not None}
            return assign_places(round.turn_order, round.hands, readings)
        by_show_order = round.options.equal_hands == "first-to-show" and round.entry.caller is not None
        for at, player in enumerate(order_from(round.players, round.entry.caller or round.dealer, self.direction)):
            if player in round.hands:
                shown_at = at if by_show_order else None
                readings[player] = read(round.hands[player], order, shown_at, round.options.suits)
        return assign_places(round.turn_order, round.hands, readings)

    def describe_cards(self, hand: Sequence[Card], round: DompeRound) -> Message | None:
        if len(hand) != _SIX_CARDS:
            return None
        win = outright_win(hand, order_of(round.options.deck, round.options.yuca))
        return Message("{hand}, an outright win", hand=win.name) if win else Message("six cards, no outright win")

    def ladder(self, options: Options) -> Ladder:
        """Show five of a kind only if a card is wild, and examples in the deck's suits. Rule: DO-4, DO-8 to DO-10."""
        order = order_of(options.deck, options.yuca)
        is_spanish = order.cards.suits == SPANISH_40.suits
        rungs = []
        for category in self.categories:
            cards = order.cards.hand(_SPANISH_EXAMPLES[category.key] if is_spanish else category.example)
            if cards is not None and (order.wild or category.key != _QUINTILLA):
                rungs.append(Rung.of(category.key, category.name, cards, _notes(category.key, options)))
        return Ladder(tuple(rungs), tie_breakers=_tie_breakers(options, order))

    def settle(self, round: DompeRound) -> Settlement:
        """Pay the whole pot to one player; there are no ties."""
        book = Book(round.pot_units)
        book.antes(round.turn_order, round.units(round.options.ante), "DO-1")
        hands = self.standing(round)
        left = without_lost(round, round.turn_order)
        is_left_alone = len(left) == 1 and not round.entry.shown_by
        winners = left if is_left_alone else round.won_by or best(hands)
        name = next((hand.reading.name for hand in hands if hand.player in winners), None)
        if is_left_alone:
            rule, decided = "DO-7", nobody_else_shows(left)
        elif not round.entry.shown_by:
            rule, decided = "DO-7", describe_decision(hands, round.won_by)
        elif round.won_by:
            rule, decided = "DO-6", Message("The table decided: {player} showed an outright win", player=winners[0])
        else:
            rule, decided = "DO-6", Message("{player} shows an outright win: {hand}", player=winners[0], hand=name)
        if round.entry.shown_by:
            _outright_bonus(round, winners[0], book)
        why = Message("{player}'s {hand}", player=winners[0], hand=name) if name else Message("as the table decided")
        if is_left_alone:
            why = ALONE
        book.pay_out(book.pot, winners, rule, why)
        return book.settlement(round, winners, hands, decided)

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        """Return how rare a hand is among hands of its size, ignoring the tie-breakers DO-8 and DO-9."""
        order = order_of(options.deck, options.yuca)
        return _tally(order, len(hand)).rarity(replace(reading, strength=_strength(hand, order)))


@cache
def order_of(deck: str, yuca: bool) -> PokerOrder:
    """Return the ranking of five-card hands of a deck. Rule: DO-2, DO-3."""
    cards = DECKS[deck]
    return PokerOrder(cards, [card for card in cards.pieces if yuca and card.text == YUCA])


def _notes(category: str, options: Options) -> tuple[Message, ...]:
    """Note what a kind of hand wins, or can't do. Rule: DO-4, DO-6, DO-11."""
    if category == _NO_HAND:
        return (Message("can't call and can't win"),)
    if category not in (*_SIX, _QUINTILLA):
        return ()
    n = options.outright_bonus
    bonus = Message("bonus: {n} stake from every other player", "bonus: {n} stakes from every other player", n=n)
    return (Message("wins outright when shown"), *([bonus] if n else []))


def _tie_breakers(options: Options, order: PokerOrder) -> tuple[Rung, ...]:
    """List what decides between equal hands; the wild card and the aces of the suits illustrate it.

    Rule: DO-8 to DO-10.
    """
    if options.equal_hands == "first-to-show":
        return (Rung(Message("the first to show wins: the caller, then on anticlockwise")),)
    cards = order.cards
    wild = Rung(Message("the hand with the wild card wins"), tuple(order.wild))
    suits = reversed(_SUITS_LOW_TO_HIGH[options.suits][cards.suits])
    aces = tuple(card for suit in suits for card in cards.pieces if (card.rank, card.suit) == (1, suit))
    by_suit = Rung(Message("the suit of the highest card decides, from high to low"), aces)
    return (wild, by_suit) if order.wild else (by_suit,)


def _outright_bonus(round: DompeRound, winner: str, book: Book) -> None:
    """Book what the others pay for an outright win. Rule: DO-11."""
    why = Message("{winner} won outright", winner=winner)
    for player in round.others(winner):
        book.move(player, winner, round.units(round.options.outright_bonus), HAND_BONUS, "DO-11", why)


def read(
    hand: Sequence[Card], order: PokerOrder, shown_at: int | None = None, suits: str = "diamonds-first"
) -> Reading:
    """Evaluate five cards after a call; hands below three of a kind are all equal, and described by what they hold.

    `shown_at` is the position in show order, 0 for the caller, which decides between equal hands (DO-9). If it is None,
    the wild card and the suits decide (DO-8, DO-10), so that no two qualifying hands of a deal are equal.
    """
    held, strength = order.read(hand), _strength(hand, order)
    if strength == _NOTHING:
        description = Message("{hand}, below three of a kind", hand=held.description)
        return Reading(strength, Message("lesser hand"), description, wild_as=held.wild_as, can_win=False)
    if shown_at is None:
        ranks, words = _by_wild_and_suit(hand, order, strength, _SUITS_LOW_TO_HIGH[suits][order.cards.suits])
    else:
        ranks, words = _by_show_order(shown_at)
    return Reading(
        strength._replace(ranks=(*strength.ranks, *ranks)),
        NAMES[strength.category],
        describe(strength, order.cards),
        (*details(strength, order.cards), *words),
        wild_as=held.wild_as,
    )


def _strength(hand: Sequence[Card], order: PokerOrder) -> Strength:
    """Evaluate five cards without tie-breakers, or six as an outright win. Rule: DO-4, DO-5."""
    if len(hand) == 6:
        win = outright_win(hand, order)
        return win.strength if win else _NOTHING
    _, category, ranks = order.strength(hand)
    if category in _NOT_QUALIFYING:
        return _NOTHING
    if category == "royal-flush":
        category = "straight-flush"
    return Strength(LEVELS[category], category, ranks)


@cache
def _tally(order: PokerOrder, size: int) -> HandCounts:
    return tally_by(order, size, lambda hand: _strength(hand, order))


def _by_wild_and_suit(
    hand: Sequence[Card], order: PokerOrder, strength: Strength, suits: str
) -> tuple[tuple[int, ...], tuple[Message, ...]]:
    """Return the tie-breaking ranks and their descriptions: the wild card, then the suit of the highest card.

    `suits` go from low to high. Rule: DO-8, DO-10.
    """
    if any(card in order.wild for card in hand):
        return (1, 0), (Message("the wild card"), Message("the wild card"))
    # the ace of 5-4-3-2-A is below the 2
    top = strength.ranks[0] if strength.category in STRAIGHTS else max(card.height for card in hand)
    suit = max((card.suit for card in hand if card.height == top), key=suits.index)
    return (0, suits.index(suit)), (Message("no wild card"), SUIT_NAMES[order.cards.suits][suit])


def _by_show_order(shown_at: int) -> tuple[tuple[int, ...], tuple[Message, ...]]:
    return (-shown_at,), (Message("shown as number {n}", n=shown_at + 1),)


def outright_win(hand: Sequence[Card], order: PokerOrder) -> Reading | None:
    """Evaluate a hand shown as an outright win; None if it isn't one. Rule: DO-5, DO-6."""
    if len(hand) == 5:
        reading = order.read(hand)
        return reading if reading.strength.category == "five-of-a-kind" else None
    natural = [card for card in hand if card not in order.wild]
    counts = Counter(card.height for card in natural)
    held = tuple(sorted(counts, reverse=True))
    wild = len(hand) - len(natural)
    suits = {card.suit for card in natural}
    if len(suits) == 1:
        free = max(h for h in range(order.cards.heights) if h not in counts)
        return _six("six-card-flush", order, suits, [free] * wild)
    top = straight_top(held, order.cards.heights, 6) if len(held) == len(natural) else None
    if top is not None:
        run = [(top - step) % order.cards.heights for step in range(6)]
        return _six("six-card-straight", order, order.cards.suits, [h for h in run if h not in counts])
    if len(held) == 3 and max(counts.values()) == 2:
        return _six("three-pairs", order, order.cards.suits, [h for h in held if counts[h] == 1])
    return None


def _six(category: str, order: PokerOrder, suits: Collection[str], missing: Sequence[int]) -> Reading:
    """Describe a six-card win; `missing` has the height that the wild card stands for, if there is one."""
    wild_as = tuple(
        next(card for card in order.cards.pieces if card.height == height and card.suit in suits) for height in missing
    )
    return Reading(Strength(len(LEVELS), category, ()), _SIX[category], _SIX[category], wild_as=wild_as or None)


def _no_win(player: str, hand: Sequence[Card], order: PokerOrder) -> Message:
    """Say what the hand makes instead, and what to discard. Rule: DO-6."""
    fives = [list(five) for five in combinations(hand, 5)]
    top = max(fives, key=lambda five: order.read(five).strength)
    made = read(top, order)
    values = {"player": player, "hand": made.description}
    if len(hand) == 5:
        return Message("{player}'s five cards make {hand}, which isn't an outright win; only a quintilla is", **values)
    left = list(hand)
    for card in top:
        left.remove(card)
    values["card"] = Message("{text} (the {name})", text=left[0].text, name=left[0].name)
    if made.strength.category == "five-of-a-kind":
        return Message("{player}'s six cards hold a quintilla: discard {card} and show the five", **values)
    if made.strength.category == _NO_HAND:
        text = "{player}'s six cards win nothing, and no five of them are a hand to call with; discard {card}"
        return Message(text, **values)
    return Message("{player}'s six cards aren't an outright win; discard {card} and call with {hand}", **values)


GAME = Dompe()
