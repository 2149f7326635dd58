"""Poker as it began: five cards, one round of betting, no exchange; the best five cards take the pot.

Play: the player to the dealer's left begins. One round of betting: check (while nobody has bet), bet, call, raise,
fold; it ends when everyone who hasn't folded has put in the same amount. Then whoever is left shows.

SP-1  Each player antes 1 stake and bets; say what each paid in total (ante included) and who folded. Those who didn't
      fold have all paid the same. Nobody who folded paid more than they did, and nobody paid less than the ante. The
      last player not to fold takes the pot without showing. House rule, all-in: players who didn't fold may have paid
      different amounts, even less than the ante or nothing; they still play for a pot carried over. Side pots are cut
      at these amounts, and each goes to the best hand among those who didn't fold and paid into it in full. A part that
      only one player paid into goes back.
SP-2  Hands are the five cards as dealt, in the standard poker order. The ace is high, and low in 5-4-3-2-A. Equal hands
      share the pot.
SP-3  Instead of the totals you can enter the betting itself, action by action: check, bet, call, raise, fold or, where
      that is played, all-in, from the dealer's left past those who folded or are all-in, until everyone left has put in
      the same amount or is all-in, or only one player is left. Minimum, maximum, number of raises and all-in are as in
      Domino Poker. If everyone checks, all show.
SP-4  House rules: a raise is at least as much above the call as the last bet or raise. And a short all-in doesn't open
      the betting again. Both are as in Domino Poker (DP-10).

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

SP-1 | “Straight Poker”, Cassell's Book of In-door Amusements: every player antes | as in the source; 2 to 10 players,
     since 52 cards don't make hands for more; all-in is a house rule
SP-2 | “Straight Poker”: no one may discard or draw any cards | as in the source; silent on equal hands: they share
SP-3 | “Straight Poker”: betting as in Draw Poker | as in the source; a player who checked may still call or raise
SP-3 | “Straight Poker”: when everybody passes, each antes again into the same pot | not followed: if everyone checks,
     all show
SP-4 | “No-limit and pot-limit”, Robert's Rules of Poker; “Re-opening the bet”, Poker Tournament Directors Association
     | house rules
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.engine.allowed import Action
from companion.engine.betting.betting_game import BettingGame
from companion.engine.betting.settling import BetRules
from companion.engine.deal import Deal
from companion.engine.game import Family, Round
from companion.engine.hands.counting import poker_tally
from companion.engine.hands.ladder import Ladder, Rung
from companion.engine.hands.poker import FRENCH_ORDER, categories, ladder
from companion.engine.hands.rarity import Rarity
from companion.engine.hands.strength import Reading, ShownHand, assign_places
from companion.engine.messages import Message
from companion.engine.options import (
    all_in,
    ante,
    maximum_bet,
    maximum_raise,
    minimum_bet,
    minimum_raise,
    most_raises,
    odd_chips,
    raise_as_last,
    short_all_in_reopens,
)
from companion.engine.pieces.cards import FRENCH, Card, CardSet
from companion.engine.questions.entry import bets, folded, foul, mucked, paid, won_by


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("SP-1")
    all_in: bool = all_in("SP-1")
    minimum_bet: int = minimum_bet("SP-3")
    maximum_bet: int = maximum_bet("SP-3")
    minimum_raise: int = minimum_raise("SP-3")
    maximum_raise: int = maximum_raise("SP-3")
    most_raises: int = most_raises("SP-3")
    raise_as_last: bool = raise_as_last("SP-4")
    short_all_in_reopens: bool = short_all_in_reopens("SP-4")
    odd_chips: str = odd_chips(by_cards=True)


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    paid: Mapping[str, int] = paid("SP-1")
    folded: tuple[str, ...] = folded("SP-1")
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    bets: tuple[Action, ...] = bets("SP-3")
    won_by: tuple[str, ...] = won_by()


StraightRound = Round[Options, Entry, Card]


class StraightPoker(BettingGame[Options, Entry, Card]):
    """Straight Poker."""

    key = "straight-poker"
    name = "Straight Poker"
    summary = "Five cards, one round of bets."
    family = Family.POKER
    seats = (2, 10)
    options = Options
    entry = Entry
    categories = categories("five-of-a-kind")
    bet_rules = BetRules(bets="SP-1", pot="SP-1", tied_pot="SP-2", side_pot="SP-1")
    examples = (
        {
            "paid": {"Ana": 4, "Beto": 4, "Caro": 1, "Dani": 4},
            "folded": ["Caro"],
            "hands": {"Ana": "Js Jh 9d 6c 3s", "Beto": "Ac Kd 8h 7s 4d", "Dani": "Th Tc 5d 5h 2s"},
        },
        {
            "paid": {"Ana": 2, "Beto": 2, "Caro": 2, "Dani": 2},
            "folded": [],
            "hands": {
                "Ana": "Ah Qs 9c 7d 3h",
                "Beto": "Kc Kh Js 8d 2c",
                "Caro": "Qd Td 6d 4d 2d",
                "Dani": "8s 8c 5s 4h 3d",
            },
        },
        {"paid": {"Ana": 1, "Beto": 3, "Caro": 7, "Dani": 3}, "folded": ["Ana", "Beto", "Dani"], "hands": {}},
    )

    def pieces(self, options: Options) -> CardSet:
        return FRENCH

    def deal(self, round: StraightRound) -> Deal:
        return replace(super().deal(round), dealer_shuffles=True, is_cut=True, one_at_a_time=True)

    def place(self, round: StraightRound) -> tuple[ShownHand, ...]:
        readings = {player: FRENCH_ORDER.read(hand) for player, hand in round.hands.items()}
        return assign_places(round.turn_order, round.hands, readings)

    def ladder(self, options: Options) -> Ladder:
        return Ladder(ladder(FRENCH_ORDER), tie_breakers=(Rung(Message("equal hands share the pot")),))

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        return poker_tally(FRENCH_ORDER).rarity(reading)


GAME = StraightPoker()
