"""Knock when you think you hold the best five cards; those who stay in against you and lose pay double.

Play: the player to the dealer's left begins. A turn: draw from the stock or take the top discard; knock if you like;
discard (not the card just taken). Or, on the first turn, knock without drawing. After a knock everyone else has one
more turn, and after drawing either stays or drops. The round also ends when the stock is empty at the end of a turn; if
that happens after a knock, those who haven't had their last turn may stay, take the top discard and discard, or drop.

KP-1   Each player antes 1 stake.
KP-2   Hands are five cards in the standard poker order. Equal hands tie.
KP-3   The player who knocked and those who stayed in show. A player who drops pays the knocker 1 stake; the knocker
       keeps these whoever wins.
KP-4   If the knocker alone has the best hand, the knocker takes the pot, and every player who stayed in pays the
       knocker 2 stakes.
KP-5   If someone else alone has the best hand, that player takes the pot, and the knocker pays 2 stakes to every other
       player who stayed in, the winner included (a house rule leaves the winner out).
KP-6   If the knocker ties for best, every other player who stayed in and isn't among the tied pays 2 stakes; these
       payments and the pot are shared equally by everyone who tied.
KP-7   If two or more players other than the knocker tie for best, they share the pot, and the knocker pays 2 stakes to
       everyone who stayed in, including those who tied.
KP-8   If the stock ran out and nobody knocked, all show; the best hand takes the pot, or those who tie share it. Nobody
       can have dropped.
KP-9   If the stock ran out after a knock, the round settles like any knocked round.
KP-10  If everyone else dropped, the knocker takes the pot; a hand is needed only to claim a bonus for it.
KP-11  House rule, simple settlement: the knock ends play at once; the best hand takes the pot, whether or not it's the
       knocker's (players who tie for best share it). There are no other payments of KP-3 to KP-7, and nobody can drop.
KP-12  House rule, draw fee: a player adds stakes to the pot for each card drawn, from the stock or the discards; so do
       those who drop later.
KP-13  House rule, minimum knock: any pair; a pair of jacks, queens, kings or aces; two pair; three of a kind; a
       straight; a flush; or a full house. Any higher hand may knock too. If the knocker shows a lower one, it is
       refused; change the entry or void the round.
KP-14  House rule, bonuses: every other player in the round, including those who dropped, pays the winner 2 stakes for
       winning by a knock on the first turn without drawing, 4 for a royal flush, 2 for another straight flush, 1 for
       four of a kind. The first-turn bonus comes on top of a hand bonus. When winners tie, each player outside the tie
       pays the hand bonus once, and those who tied share it; the first-turn bonus is paid only if the knocker wins
       alone. A player who is the only one left gets a hand bonus only for a hand that is entered.
KP-15  House rule, ties: players who tie for best split the antes and whatever else the pot holds, and nothing else is
       paid, neither for the knock nor as a bonus. What those who dropped paid stays with the knocker.
KP-16  House rule, a losing knocker: pays another amount than a winning one gets, or pays the winner alone. Then, if
       others tie for best, the knocker pays each of them.
KP-17  House rule, a knock before drawing: a knocker who knocks on the first turn, then draws and wins, gets a bonus of
       its own from every other player, in place of the one for not drawing. It needs the bonuses.
KP-18  Foul hands and mucks (C-15) lose without being shown, the knocker's too, and pay as players who stayed in. A
       losing knocker pays those who mucked like the others, but nobody with a foul hand. If only one player is left,
       that player wins, and takes the pot without showing.

A turn

draw | Draw | from the stock or the discards
discard | Discard | another card
knock | Or knock | the others have one last turn | settlement=full
knock | Or knock | everyone shows at once | settlement=simple

Who pays whom

Before the deal | each {ante} → pot
A card drawn | {draw_fee} → pot
You drop | {drop_fee} → knocker, at once | settlement=full
The knocker wins | who stayed {knock_payment} → knocker | settlement=full
The knocker loses | knocker {knock_payment} → each who stayed | settlement=full losing_knocker_pays=all lost_knock=0
The knocker loses | knocker {knock_payment} → each other who stayed | settlement=full losing_knocker_pays=not-winner
    lost_knock=0
The knocker loses | knocker {knock_payment} → the winner | settlement=full losing_knocker_pays=winner lost_knock=0
The knocker loses | knocker {lost_knock} → each who stayed | settlement=full losing_knocker_pays=all
The knocker loses | knocker {lost_knock} → each other who stayed | settlement=full losing_knocker_pays=not-winner
The knocker loses | knocker {lost_knock} → the winner | settlement=full losing_knocker_pays=winner
The best hand | takes the pot
A tie | the pot is split, nothing else is paid | ties=antes-only
A rare hand wins | bonus from each other | bonuses=True

Sources

KP-1 | Knock Poker, “Players and Cards”: for 3 to 5, also for 2 or more | as in the source; up to 10, since 52 cards
     don't make hands for more
KP-1 | “Ante and Deal” | as in the source
KP-2 | “Objective and Combinations” | as in the source
KP-3 | “Play” and “Settlement” | as in the source
KP-4 | “Settlement” | as in the source
KP-5 | “Settlement”: “each of the other players who stayed in” | read so that the winner is paid too; the other reading
     is a house rule
KP-6 | “Settlement” | as in the source
KP-7 | “Settlement” | as in the source
KP-8 | “Settlement” | as in the source
KP-9 | “Settlement”, the note | as in the source, as the author suggests
KP-10 | silent | follows from KP-3
KP-11 | “Variations”, the simpler form | as in the source
KP-12 | “Variations” | as in the source; the fee can be any number of stakes
KP-13 | “Variations”: “such as a pair of Jacks or a pair of Aces” | as in the source; the other minimums are ours
KP-14 | “Variations” | as in the source; silent on ties, settled here
KP-15 | silent | a house rule of many tables; drop fees stay, since they were paid while playing
KP-16 | “Knock Poker”, The Official Dictionary of Poker: a winner collects one chip from each, a loser pays two chips to
     the player whose hand is better | a house rule
KP-17 | “Knock Poker”, Hoyle: one chip each for knocking before drawing on the first round, then drawing and winning | a
     house rule; any number of stakes
KP-18 | silent | “Irregularities”, Robert's Rules of Poker: a foul hand is dead, so collects nothing; mucks are ours
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.engine.deal import Deal, LastTurns
from companion.engine.game import Family, Game, Round, order_from
from companion.engine.hands.counting import poker_tally
from companion.engine.hands.ladder import Ladder, Rung
from companion.engine.hands.poker import FRENCH_ORDER, LEVELS, NAMES, categories, ladder
from companion.engine.hands.rarity import Rarity
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places, best, describe_decision
from companion.engine.messages import Message
from companion.engine.money.odd_chips import odd_units
from companion.engine.money.settlement import ANTE, HAND_BONUS, POT, POT_SHARE, Book, Reason, Settlement
from companion.engine.options import ante, choice, integer, odd_chips, toggle
from companion.engine.pieces.cards import FRENCH, Card, CardSet
from companion.engine.problems import Problem
from companion.engine.questions.entry import counts, flag, foul, mucked, one_player, some_players, won_by
from companion.engine.questions.unshown import ALONE, check_somebody_wins, nobody_else_shows, without_lost

DRAW_FEE = Reason("draw-fee", "while-playing")
DROP = Reason("drop", "while-playing")
STAYED_IN = Reason("stayed-in")
LOST_KNOCK = Reason("lost-knock")
FIRST_TURN_BONUS = Reason("first-turn-bonus")


def _least(category: str, *ranks: int) -> Strength:
    return Strength(LEVELS[category], category, ranks)


# Rule: KP-13; the heights are those of the pairs
_MINIMUM_KNOCK = {
    "pair": _least("pair"),
    "pair-of-jacks": _least("pair", 9),
    "pair-of-queens": _least("pair", 10),
    "pair-of-kings": _least("pair", 11),
    "pair-of-aces": _least("pair", 12),
    "two-pairs": _least("two-pairs"),
    "three-of-a-kind": _least("three-of-a-kind"),
    "straight": _least("straight"),
    "flush": _least("flush"),
    "full-house": _least("full-house"),
}
_MINIMUM_LABELS = {
    "none": "none",
    "pair": "a pair",
    "pair-of-jacks": "a pair of jacks",
    "pair-of-queens": "a pair of queens",
    "pair-of-kings": "a pair of kings",
    "pair-of-aces": "a pair of aces",
    "two-pairs": "two pair",
    "three-of-a-kind": "three of a kind",
    "straight": "a straight",
    "flush": "a flush",
    "full-house": "a full house",
}
# examples of the minimum hands that are a particular pair
_MINIMUM_PAIRS = {
    "pair-of-jacks": "Jh Jc 9s 7d 4h",
    "pair-of-queens": "Qh Qc 9s 7d 4h",
    "pair-of-kings": "Kh Kc 9s 7d 4h",
    "pair-of-aces": "Ah Ac 9s 7d 4h",
}


_BONUSES = "The bonuses"


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("KP-1")
    settlement: str = choice(
        "full",
        "Settlement",
        choices={"full": "full: all payments", "simple": "simple: only the pot"},
        help="In the simple settlement a knock ends play at once and the best hand takes the pot.",
        rule="KP-11",
    )
    drop_fee: int = integer(1, "Drop fee", help="Stakes that a player who drops pays the knocker.", rule="KP-3")
    knock_payment: int = integer(
        2, "Knock payment", help="Stakes paid to a winning knocker, or by a losing one.", rule="KP-4"
    )
    lost_knock: int = integer(
        0,
        "Payment of a losing knocker",
        help="Stakes that a losing knocker pays each of those paid; 0: the same as a winning knocker gets.",
        rule="KP-16",
    )
    losing_knocker_pays: str = choice(
        "all",
        "A losing knocker pays",
        choices={
            "all": "everyone who stayed in",
            "not-winner": "all of them but the winner",
            "winner": "the winner alone",
        },
        help="Whom the knocker pays when someone else has the best hand.",
        rule="KP-5",
    )
    ties: str = choice(
        "full",
        "When players tie for best",
        choices={"full": "all payments", "antes-only": "they only split the pot"},
        help="Whether a tie for the best hand is settled for the knock too, or only the pot is split.",
        rule="KP-15",
    )
    minimum_knock: str = choice(
        "none",
        "Minimum knock",
        choices=_MINIMUM_LABELS,
        help="The lowest hand that may knock. Any higher one may too.",
        rule="KP-13",
    )
    draw_fee: int = integer(
        0, "Draw fee", help="Stakes that a player adds to the pot for each card drawn.", rule="KP-12"
    )
    odd_chips: str = odd_chips(by_cards=True)
    bonuses: bool = toggle(
        False, "Bonuses", help="For a rare win every other player pays the winner, those who dropped too.", rule="KP-14"
    )
    bonus_first_turn: int = integer(
        2,
        "Bonus: first turn",
        help="For winning by a knock on the first turn without drawing.",
        rule="KP-14",
        group=_BONUSES,
    )
    bonus_royal_flush: int = integer(
        4, "Bonus: royal flush", help="For winning with a royal flush.", rule="KP-14", group=_BONUSES
    )
    bonus_straight_flush: int = integer(
        2,
        "Bonus: straight flush",
        help="For winning with a straight flush that is not royal.",
        rule="KP-14",
        group=_BONUSES,
    )
    bonus_four_of_a_kind: int = integer(
        1, "Bonus: four of a kind", help="For winning with four of a kind.", rule="KP-14", group=_BONUSES
    )
    bonus_drawn: int = integer(
        0,
        "Bonus: knock before drawing",
        help="For winning by a knock on the first turn after which the knocker drew. It needs the bonuses.",
        rule="KP-17",
        group=_BONUSES,
    )


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    knocker: str | None = one_player(
        "knocked",
        help="Who knocked?",
        rule="KP-3",
        nobody="Nobody (stock ran out)",
        explicit=True,
        meaning="knocked",
    )
    dropped: tuple[str, ...] = some_players("dropped", help="Who dropped after the knock?", rule="KP-3", meaning="left")
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    knocked_before_drawing: bool = flag(
        "The knock was on the first turn, before drawing",
        help="It earns a bonus.",
        rule="KP-14",
        only_with="bonuses",
    )
    drew_after_knocking: bool = flag(
        "The knocker drew after that knock",
        help="It earns a bonus of its own.",
        rule="KP-17",
        only_with="bonus_drawn",
    )
    draws: Mapping[str, int] = counts(
        "cards drawn", help="How many cards did each draw?", rule="KP-12", maximum=1_000, only_with="draw_fee"
    )
    won_by: tuple[str, ...] = won_by()


KnockPokerRound = Round[Options, Entry, Card]


class KnockPoker(Game[Options, Entry, Card]):
    """Knock Poker."""

    key = "knock-poker"
    name = "Knock Poker"
    summary = "Knock with the best five cards."
    family = Family.POKER
    seats = (2, 10)
    options = Options
    entry = Entry
    categories = categories("five-of-a-kind")
    reasons = (ANTE, DRAW_FEE, DROP, STAYED_IN, LOST_KNOCK, FIRST_TURN_BONUS, HAND_BONUS, POT_SHARE)
    examples = (
        {
            "knocker": "Ana",
            "dropped": ["Caro"],
            "hands": {"Ana": "9s 9h 9d 4c 4d", "Beto": "Ah Kh 8h 5h 3h", "Dani": "8c 8d Js 7d 4h"},
        },
        {
            "knocker": "Beto",
            "hands": {
                "Ana": "Qh Qs 9c 6d 3s",
                "Beto": "Kc Kd 5s 5h 2c",
                "Caro": "Ad Jh Tc 4s 2d",
                "Dani": "Ts 9h 8d 7c 6s",
            },
        },
        {
            "knocker": None,
            "hands": {
                "Ana": "Js Jd 7h 4c 2s",
                "Beto": "Ac Qd 9s 6h 3d",
                "Caro": "Ts Th Td 5c 3c",
                "Dani": "Kh Kc 8s 8d Ah",
            },
        },
    )

    def pieces(self, options: Options) -> CardSet:
        return FRENCH

    def deal(self, round: KnockPokerRound) -> Deal:
        dealt = super().deal(round)
        return replace(
            dealt, ante=round.options.ante, dealer_shuffles=True, is_cut=True, one_at_a_time=True, is_turned_up=True
        )

    def least_knock(self, options: Options) -> Message | None:
        """Return the lowest hand that may knock, in words; None if any may. Rule: KP-13."""
        least = options.minimum_knock
        return None if least == "none" else Message(_MINIMUM_LABELS[least])

    def last_turns(self, round: KnockPokerRound) -> LastTurns | None:
        """Return everyone else, from the knocker's left; in the simple settlement nobody. Rule: KP-11."""
        knocker = round.entry.knocker
        if knocker is None:
            return None
        if round.options.settlement == "simple":
            return LastTurns(knocker, "knocked")
        _, *others = order_from(round.players, knocker, self.direction)
        return LastTurns(knocker, "knocked", tuple(others), "stay-or-drop", round.options.drop_fee)

    def who_must_show(self, round: KnockPokerRound) -> tuple[str, ...]:
        left = _who_may_win(round)
        return left if len(left) > 1 else ()

    def who_may_show(self, round: KnockPokerRound) -> tuple[str, ...]:
        return _who_may_win(round)

    def check_entry(self, round: KnockPokerRound) -> Iterator[Problem]:
        entry = round.entry
        if entry.dropped and round.options.settlement == "simple":
            text = "Nobody can drop in the simple settlement; untick the drops or change the house rule"
            yield Problem("round.dropped", "bad-value", Message(text))
        elif entry.dropped and entry.knocker is None:
            text = "Nobody can drop before a knock. Who knocked?"
            yield Problem("round.dropped", "bad-value", Message(text), is_open=True)
        if entry.knocker in entry.dropped:
            text = "{player} knocked, so can't have dropped; untick one of the two"
            yield Problem("round.dropped", "bad-value", Message(text, player=entry.knocker))
        yield from check_somebody_wins(round, _stayed(round))
        if entry.knocked_before_drawing:
            yield from _check_first_turn(entry)
        elif entry.drew_after_knocking:
            text = "A draw after the knock counts only if the knock was before drawing; tick that, or untick the draw"
            yield Problem("round.drew_after_knocking", "bad-value", Message(text), is_open=True)

    def check_hands(self, round: KnockPokerRound) -> Iterator[Problem]:
        minimum = _MINIMUM_KNOCK.get(round.options.minimum_knock)
        knocker = round.entry.knocker
        if minimum is None or knocker is None or knocker not in round.hands:
            return
        reading = FRENCH_ORDER.read(round.hands[knocker])
        if reading.strength < minimum:
            text = "{player}'s {hand} is below {least}, the least that may knock; change the entry or void the round"
            least = Message(_MINIMUM_LABELS[round.options.minimum_knock])
            message = Message(text, player=knocker, hand=reading.description, least=least)
            yield Problem(f"round.hands.{knocker}", "invalid-knock", message)

    def place(self, round: KnockPokerRound) -> tuple[ShownHand, ...]:
        return assign_places(
            round.turn_order, round.hands, {p: FRENCH_ORDER.read(hand) for p, hand in round.hands.items()}
        )

    def ladder(self, options: Options) -> Ladder:
        """Mark the lowest hand that may knock, also as the example, and what earns a bonus. Rule: KP-13, KP-14."""
        rungs = ladder(FRENCH_ORDER, _notes(options))
        pair = FRENCH.hand(_MINIMUM_PAIRS.get(options.minimum_knock, ""))
        shown = (replace(rung, example=pair) if pair and rung.name == NAMES["pair"] else rung for rung in rungs)
        return Ladder(tuple(shown), tie_breakers=(Rung(Message("equal hands tie")),))

    def settle(self, round: KnockPokerRound) -> Settlement:
        """Settle in the order in which money moves: into the pot, among the players, out of the pot.

        Odd units: C-3, once for the pot (including the payments of KP-6) and once for a shared hand bonus.
        """
        options, entry = round.options, round.entry
        hands = self.standing(round)
        stayed = _stayed(round)
        left = _who_may_win(round) if len(stayed) > 1 else stayed
        winners = left if len(left) == 1 else round.won_by or best(hands)
        book = Book(round.pot_units)
        book.antes(round.turn_order, round.units(options.ante), "KP-1")
        _draw_fees(round, book)
        is_split_only = len(winners) > 1 and options.ties == "antes-only"
        if entry.knocker is not None and options.settlement == "full":
            _drop_fees(round, entry.knocker, book)
            if not is_split_only:
                _knock_payments(round, entry.knocker, winners, book)
        prize = book.pot
        shared = 0 if is_split_only else _bonuses(round, winners, hands, book)
        odd = odd_units(round, winners)
        rule, why = _pot_rule(round, winners, book)
        book.pay_out(prize, winners, rule, why, odd=odd)
        book.pay_out(shared, winners, "KP-14", Message("share of the bonus"), odd=odd, reason=HAND_BONUS)
        decided = describe_decision(hands, round.won_by) if len(left) > 1 else _only_one_left(stayed, winners)
        return book.settlement(round, winners, hands, decided)

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        return poker_tally(FRENCH_ORDER).rarity(reading)


def _notes(options: Options) -> dict[str, list[Message]]:
    """Return notes on what a category earns or allows under these house rules, by category."""
    notes: dict[str, list[Message]] = {}
    minimum = _MINIMUM_KNOCK.get(options.minimum_knock)
    if minimum is not None:
        least = Message(_MINIMUM_LABELS[options.minimum_knock])
        notes.setdefault(minimum.category, []).append(Message("{least} or better may knock", least=least))
    for category, stakes in _hand_bonuses(options).items():
        if options.bonuses and stakes:
            text = Message(
                "bonus: {n} stake from every other player", "bonus: {n} stakes from every other player", n=stakes
            )
            notes.setdefault(category, []).append(text)
    return notes


def _hand_bonuses(options: Options) -> dict[str, int]:
    """Return the bonus of each category that has one, in stakes. Rule: KP-14."""
    return {
        "royal-flush": options.bonus_royal_flush,
        "straight-flush": options.bonus_straight_flush,
        "four-of-a-kind": options.bonus_four_of_a_kind,
    }


def _stayed(round: KnockPokerRound) -> tuple[str, ...]:
    return round.others(*round.entry.dropped)


def _who_may_win(round: KnockPokerRound) -> tuple[str, ...]:
    """Return who stayed in without a foul hand or a muck. Rule: KP-18."""
    return without_lost(round, _stayed(round))


def _only_one_left(stayed: Sequence[str], winners: tuple[str, ...]) -> Message:
    if len(stayed) > 1:
        return nobody_else_shows(winners)
    return Message("Everyone else dropped, so {player} takes the pot", player=winners[0])


def _check_first_turn(entry: Entry) -> Iterator[Problem]:
    field = "round.knocked_before_drawing"
    if entry.knocker is None:
        text = "Nobody knocked, so nobody knocked before drawing; say who knocked, or untick it"
        yield Problem(field, "bad-value", Message(text), is_open=True)
    elif entry.draws.get(entry.knocker) and not entry.drew_after_knocking:
        text = "{player} knocked before drawing but drew {n} card; fix one of the two"
        many = "{player} knocked before drawing but drew {n} cards; fix one of the two"
        yield Problem(field, "bad-value", Message(text, many, player=entry.knocker, n=entry.draws[entry.knocker]))


def _draw_fees(round: KnockPokerRound, book: Book) -> None:
    fee = round.units(round.options.draw_fee)
    for player in round.turn_order:
        drawn = round.entry.draws.get(player, 0)
        why = Message("{player} drew {n} card", "{player} drew {n} cards", player=player, n=drawn)
        book.move(player, POT, fee * drawn, DRAW_FEE, "KP-12", why)


def _drop_fees(round: KnockPokerRound, knocker: str, book: Book) -> None:
    """Book what those who dropped pay the knocker, whoever wins. Rule: KP-3."""
    for player in round.others(*_stayed(round), knocker):
        why = Message("{player} dropped after {knocker}'s knock", player=player, knocker=knocker)
        book.move(player, knocker, round.units(round.options.drop_fee), DROP, "KP-3", why)


def _knock_payments(round: KnockPokerRound, knocker: str, winners: Sequence[str], book: Book) -> None:
    options = round.options
    payment = round.units(options.knock_payment)
    lost = round.units(options.lost_knock) or payment
    stayed = [player for player in _stayed(round) if player != knocker]

    # KP-4: the knocker alone is best; everyone who stayed in pays
    if winners == (knocker,):
        for player in stayed:
            why = Message("{player} stayed in and {knocker}, who knocked, won", player=player, knocker=knocker)
            book.move(player, knocker, payment, STAYED_IN, "KP-4", why)

    # KP-6: the knocker is among the tied; the others pay, through the pot, what the tied share
    elif knocker in winners:
        for player in (p for p in stayed if p not in winners):
            why = Message("{player} stayed in; {knocker}, who knocked, tied for best", player=player, knocker=knocker)
            book.move(player, POT, payment, STAYED_IN, "KP-6", why)

    # KP-16: the knocker lost and pays the winners alone
    elif options.losing_knocker_pays == "winner":
        text = "{knocker} knocked and lost; {player} has the best hand"
        if len(_who_may_win(round)) == 1:
            text = "{knocker} knocked and lost; {player} alone is left"
        for player in winners:
            why = Message(text, player=player, knocker=knocker)
            book.move(knocker, player, lost, LOST_KNOCK, "KP-16", why)

    # KP-5, KP-7: the knocker lost and pays those who stayed in
    else:
        rule = "KP-5" if len(winners) == 1 else "KP-7"
        spared = winners if rule == "KP-5" and options.losing_knocker_pays == "not-winner" else ()
        for player in (p for p in stayed if p not in (*spared, *round.entry.foul)):
            why = Message("{knocker} knocked and lost; {player} stayed in", player=player, knocker=knocker)
            book.move(knocker, player, lost, LOST_KNOCK, rule, why)


def _bonuses(round: KnockPokerRound, winners: Sequence[str], hands: Sequence[ShownHand], book: Book) -> int:
    """Book what the others pay for a rare win; returns the units that went into the pot to be shared. Rule: KP-14."""
    options, entry = round.options, round.entry
    if not options.bonuses:
        return 0
    payers = round.others(*winners)
    if entry.knocked_before_drawing and winners == (entry.knocker,):
        text, stakes, rule = "{winner} won by a knock before drawing", options.bonus_first_turn, "KP-14"
        if entry.drew_after_knocking:
            text, stakes, rule = "{winner} knocked before drawing, then drew and won", options.bonus_drawn, "KP-17"
        early = Message(text, winner=winners[0])
        _collect(book, payers, winners[0], round.units(stakes), FIRST_TURN_BONUS, early, rule)
    shown = next((hand for hand in hands if hand.player in winners), None)
    if shown is None:
        return 0
    reading = shown.reading
    bonus = round.units(_hand_bonuses(options).get(reading.strength.category, 0))
    why = Message("{winners} won with {hand}", winners=tuple(winners), hand=reading.description)
    if len(winners) == 1:
        _collect(book, payers, winners[0], bonus, HAND_BONUS, why)
        return 0
    _collect(book, payers, POT, bonus, HAND_BONUS, why)
    return bonus * len(payers)


def _collect(
    book: Book, payers: Sequence[str], taker: str, amount: int, reason: Reason, why: Message, rule: str = "KP-14"
) -> None:
    for player in payers:
        book.move(player, taker, amount, reason, rule, why)


def _pot_rule(round: KnockPokerRound, winners: Sequence[str], book: Book) -> tuple[str, Message]:
    """Return the rule by which the winners get the pot, and the reason in words."""
    knocker = round.entry.knocker
    if len(_stayed(round)) == 1:
        return "KP-10", Message("everyone else dropped")
    if len(_who_may_win(round)) == 1:
        return "KP-18", ALONE
    if knocker is None:
        return "KP-8", Message("best hand; nobody knocked")
    if round.options.settlement == "simple":
        return "KP-11", Message("best hand")
    if len(winners) > 1 and round.options.ties == "antes-only":
        return "KP-15", Message("share of the pot")
    if winners == (knocker,):
        return "KP-4", Message("{player} knocked and has the best hand", player=knocker)
    if knocker in winners:
        is_paid = any(t.taker == POT and t.reason == STAYED_IN for t in book.transfers)
        text = "share of the pot and of what those outside the tie paid" if is_paid else "share of the pot"
        return "KP-6", Message(text)
    if len(winners) == 1:
        return "KP-5", Message("{player} has the best hand", player=winners[0])
    return "KP-7", Message("share of the pot")


GAME = KnockPoker()
