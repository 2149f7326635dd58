"""A hand in the middle to swap with, whole or card by card; after a knock one more turn each, then the best hand wins.

Play: deal everyone five cards, and a hand of five to the middle, face down. The player to the dealer's left begins and
may take the whole hand from the middle, putting their own there face up, or leave it, and the next player is asked.
Once it is face up, a turn is: swap one card with the middle, or your whole hand; or knock. After a knock each other
player has one more turn; a player who knocks before the middle is turned up turns it up first. Then everyone shows.

WH-1  Each player antes 1 stake. There is no betting.
WH-2  Hands are five cards, in the standard poker order. The ace is high, and low in 5-4-3-2-A. Equal hands tie.
WH-3  A knock ends the round after one more turn for each of the others. It doesn't matter otherwise who knocked.
WH-4  The best hand takes the pot; players who tie for it split it.
WH-5  House rule, the lowest pays: nobody antes. The lowest hand pays the best 1 stake (the table may agree on another
      number); if several tie for lowest, each of them pays. Players who tie for best share. If all hands are equal
      nobody pays.
WH-6  House rule, everybody pays the winner: nobody antes. Each player whose hand isn't the best pays the best the same.

A turn

draw | Swap | one card, or the whole hand
knock | Or knock | the others have one last turn
show | Show | everyone

Who pays whom

Before the deal | each {ante} → pot | paid_by=pot
The best hand | takes the pot | paid_by=pot
The lowest hand | {loss} → the best | paid_by=lowest
Each other player | {loss} → the best | paid_by=everyone

Sources

WH-1 | “Whiskey Poker”, Foster's Complete Hoyle: one counter each, and no betting | as in the source; 2 to 9 players
WH-2 | “Whiskey Poker”: the best poker hand | as in the source; silent on equal hands: they share
WH-3 | “Whiskey Poker”: after a knock the others have one draw each | as in the source
WH-4 | “Whiskey Poker”: the best hand wins the pool | as in the source
WH-5 | “Whiskey Poker”: the lowest hand pays for the drinks | as a house rule, in stakes paid to the best hand
WH-6 | no source | a house rule of ours
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.engine.deal import Deal, LastTurns
from companion.engine.game import Family, Game, Round, order_from
from companion.engine.hands.counting import poker_tally
from companion.engine.hands.ladder import Ladder, Rung
from companion.engine.hands.poker import FRENCH_ORDER, categories, ladder
from companion.engine.hands.rarity import Rarity
from companion.engine.hands.strength import Reading, ShownHand, assign_places, best, describe_decision
from companion.engine.messages import Message
from companion.engine.money.pots import fill, share
from companion.engine.money.settlement import ANTE, POT_SHARE, Book, Reason, Settlement
from companion.engine.options import ante, choice, integer, odd_chips
from companion.engine.pieces.cards import FRENCH, Card, CardSet
from companion.engine.problems import Problem
from companion.engine.questions.entry import foul, mucked, one_player, won_by
from companion.engine.questions.unshown import (
    ALONE,
    check_somebody_wins,
    nobody_else_shows,
    shows_none,
    who_shows,
    without_lost,
)

FORFEIT = Reason("forfeit")


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("WH-1")
    paid_by: str = choice(
        "pot",
        "The best hand is paid",
        choices={"pot": "by the pot", "lowest": "by the lowest hand", "everyone": "by everybody else"},
        help="Whether everyone antes, or only the losers pay.",
        rule="WH-5",
    )
    loss: int = integer(
        1, "Loss without a pot", help="Stakes that the lowest hand pays, or everybody else.", rule="WH-5", minimum=1
    )
    odd_chips: str = odd_chips()


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    knocker: str | None = one_player(
        "knocked", help="Who knocked?", rule="WH-3", nobody="Nobody knocked", explicit=True, meaning="knocked"
    )
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    won_by: tuple[str, ...] = won_by()


WhiskyRound = Round[Options, Entry, Card]


class WhiskyPoker(Game[Options, Entry, Card]):
    """Whisky Poker."""

    key = "whisky-poker"
    name = "Whisky Poker"
    summary = "Swap with the middle, knock, best hand wins."
    family = Family.POKER
    seats = (2, 9)
    options = Options
    entry = Entry
    categories = categories("five-of-a-kind")
    reasons = (ANTE, POT_SHARE, FORFEIT)
    examples = (
        {
            "knocker": "Beto",
            "hands": {
                "Ana": "Js Jh 9d 6c 3s",
                "Beto": "8s 7h 6d 5c 4s",
                "Caro": "Ac Kd 8h 7s 4d",
                "Dani": "Th Tc 5d 5h 2s",
            },
        },
        {
            "knocker": "Ana",
            "hands": {
                "Ana": "Ah Qs 9c 7d 3h",
                "Beto": "Kc Kh Js 8d 2c",
                "Caro": "Qd Td 6d 4d 2d",
                "Dani": "8s 8c 5s 4h 3d",
            },
        },
        {"knocker": "Caro", "hands": {}, "won_by": ["Dani"]},
    )

    def pieces(self, options: Options) -> CardSet:
        return FRENCH

    def deal(self, round: WhiskyRound) -> Deal:
        stakes = round.options.ante if round.options.paid_by == "pot" else 0
        return replace(super().deal(round), ante=stakes, about=Message("a hand of five to the middle, face down"))

    def last_turns(self, round: WhiskyRound) -> LastTurns | None:
        knocker = round.entry.knocker
        if knocker is None:
            return None
        return LastTurns(knocker, "knocked", order_from(round.players, knocker, self.direction)[1:], "swap")

    def check_entry(self, round: WhiskyRound) -> Iterator[Problem]:
        return check_somebody_wins(round, round.turn_order)

    def who_must_show(self, round: WhiskyRound) -> tuple[str, ...]:
        return who_shows(round, round.turn_order)

    def who_may_show(self, round: WhiskyRound) -> tuple[str, ...]:
        return without_lost(round, round.turn_order)

    def who_must_show_anyway(self, round: WhiskyRound) -> tuple[str, ...]:
        """Need the losers' hands where the lowest of them pays, unless somebody shows none. Rule: WH-5."""
        is_open = round.options.paid_by == "lowest" and self.who_may_show(round) == round.turn_order
        return round.others(*round.won_by) if is_open else ()

    def place(self, round: WhiskyRound) -> tuple[ShownHand, ...]:
        readings = {player: FRENCH_ORDER.read(hand) for player, hand in round.hands.items()}
        return assign_places(round.turn_order, round.hands, readings)

    def ladder(self, options: Options) -> Ladder:
        ties = Message("equal hands share the pot") if options.paid_by == "pot" else Message("equal hands share")
        return Ladder(ladder(FRENCH_ORDER), tie_breakers=(Rung(ties),))

    def settle(self, round: WhiskyRound) -> Settlement:
        """Settle the pot, or what the losers pay the best hand. Odd units: C-3."""
        hands = self.standing(round)
        left, book = without_lost(round, round.turn_order), Book(round.pot_units)
        winners = left if len(left) == 1 else round.won_by or best(hands)
        odd_stays = round.options.odd_chips == "stay-in-pot"
        why = Message("best hand") if len(left) > 1 else ALONE
        if round.options.paid_by == "pot":
            book.antes(round.turn_order, round.units(round.options.ante), "WH-1")
            book.pay_out(book.pot, winners, "WH-4", why, odd_stays=odd_stays)
        else:
            _pay_best(round, hands, winners, book)
        decided = describe_decision(hands, round.won_by) if len(left) > 1 else nobody_else_shows(left)
        return book.settlement(round, winners, hands, decided)

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        return poker_tally(FRENCH_ORDER).rarity(reading)


def _payers(round: WhiskyRound, hands: tuple[ShownHand, ...], winners: tuple[str, ...]) -> Iterator[str]:
    """Yield who pays, in turn order; of a tie of all nobody. Who shows no hand is lowest. Rule: C-15, WH-5, WH-6."""
    last = {hand.player for hand in hands if hand.place == hands[-1].place}
    lowest = shows_none(round, round.turn_order) or last
    for player in round.others(*winners):
        if round.options.paid_by == "everyone" or player in lowest:
            yield player


def _pay_best(round: WhiskyRound, hands: tuple[ShownHand, ...], winners: tuple[str, ...], book: Book) -> None:
    """Book what the losers pay; sharers' parts are filled in turn order. Rule: C-3, WH-5, WH-6."""
    is_lowest, loss = round.options.paid_by == "lowest", round.units(round.options.loss)
    payers = list(_payers(round, hands, winners))
    parts = share(loss * len(payers), winners)
    for at, winner, amount in fill([loss] * len(payers), parts):
        text = "{player} has the lowest hand" if is_lowest else "{player} doesn't have the best hand"
        if not without_lost(round, [payers[at]]):
            text = "{player} shows no hand"
        book.move(
            payers[at], winner, amount, FORFEIT, "WH-5" if is_lowest else "WH-6", Message(text, player=payers[at])
        )


GAME = WhiskyPoker()
