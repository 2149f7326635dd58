"""Five-card draw with ordinary cards: bet, exchange, bet again; the best five cards take the pot.

Play: the player to the dealer's left begins the betting. Then everyone who is still in may exchange cards once, in the
same order: up to three, or as many as the house rules say. Then a second round of betting, and whoever is left shows.

FD-1  Each player antes 1 stake and bets; say what each paid in total (ante included) and who folded. Those who didn't
      fold have all paid the same. Nobody who folded paid more than they did, and nobody paid less than the ante. The
      last player not to fold takes the pot without showing. House rule, all-in: players who didn't fold may have paid
      different amounts, even less than the ante or nothing; they still play for a pot carried over. Side pots are cut
      at these amounts, and each goes to the best hand among those who didn't fold and paid into it in full. A part that
      only one player paid into goes back.
FD-2  Hands are five cards in the standard poker order. Equal hands share the pot.
FD-3  House rule, wild cards: the two jokers, or the four cards of a rank. A wild card takes the rank and suit that make
      the hand best, even those of a card already in the hand, so A-A-K-9-5 can be a flush.
FD-4  House rule, five of a kind, with wild cards: it ranks above the royal flush, or doesn't count; then the wild cards
      make the best other hand, so K-K-K-K and a wild card are four kings with an ace.
FD-5  The ace is high, and low in 5-4-3-2-A.
FD-6  If you say how many cards each player exchanged: three at most. House rules: four with an ace in the hand, or all
      five. For a player who shows no hand, the ace can't be checked.
FD-7  Instead of the totals you can enter the betting itself, action by action: check, bet, call, raise, fold or, where
      that is played, all-in; first the bets before the exchange, then those after it. Each round begins at the dealer's
      left and passes those who folded or are all-in, until everyone left has put in the same amount or is all-in, or
      only one player is left. Whoever has called may still raise when somebody else raises. Minimum, maximum, number of
      raises and all-in are as in Domino Poker. After the exchange, nobody bets if only one player still could.
FD-8  House rule, openers: to bet first you need a pair of jacks, a pair of aces or two pair. Nobody can check that
      before the end. If nobody opens, say so: the antes stay in the pot, nobody wins or shows, and you needn't say what
      was paid.
FD-9  House rule, equal hands with wild cards: the one with the fewest wild cards wins; a card of the wild rank counts
      as wild even when it stands for itself. With the same number of wild cards they share.
FD-10 House rules: a raise is at least as much above the call as the last bet or raise. And a short all-in doesn't open
      the betting again. Both are as in Domino Poker (DP-10).
FD-11 House rules, a wild card: never stands for a card already in the hand, so that there is neither five of a kind nor
      a flush with two aces; or is a bug, which is an ace, or else fills a straight, a flush or a straight flush with
      the highest card that isn't in the hand.
FD-12 House rules, several kinds at once: the two jokers, the one-eyed jacks (spades and hearts) and a rank may all be
      wild together. Five wild cards are five aces, or a royal flush where five of a kind doesn't count.
FD-13 House rule, false openers: if somebody bet first without the hand that is needed, say so. That hand has lost, as a
      foul hand does, and the others play for the pot. If everybody else folded, nobody takes it: all of it stays for
      the next round. The table may agree on what it costs besides, which goes into the next pot.

A turn

bet | Bet or check | from the dealer's left
answer | Call, raise or fold | until all have put in the same
exchange | Exchange | once; then bet again

Who pays whom

Before the deal | each {ante} → pot
Your bets | you → pot
The best hand | takes the pot
Everyone else folds | you take the pot

Sources

FD-1 | “Draw Poker”, Bicycle Cards | as in the source; 2 to 6 players, since the cards are to last for the exchange
FD-2 | “Draw Poker”, Bicycle Cards | as in the source; silent on equal hands: they share
FD-3 | “Basic Five Card Draw”, poker.com: the dealer says whether cards are wild | a house rule; the jokers or one rank
FD-4 | silent | a house rule; five of a kind is on top unless you say otherwise
FD-5 | silent | as in the other poker games
FD-6 | “Draw Poker”, Bicycle Cards: up to three cards | as in the source
FD-6 | “Five Card Draw”, pokertips.org: five cards, or four with an ace | house rules
FD-7 | “Draw poker”, Wikipedia: betting begins at the dealer's left | as in the source, in both rounds of betting;
     limits and all-in are as in Domino Poker
FD-8 | “Jackpots”, Bicycle Cards: a pair of jacks or better | as in the source; aces and two pair are ours
FD-9 | silent | a house rule of ours
FD-10 | “No-limit and pot-limit”, Robert's Rules of Poker; “Re-opening the bet”, Poker Tournament Directors Association
     | house rules
FD-11 | “Joker”, Robert's Rules of Poker: the bug is an ace, or fills a straight or flush; “Wild cards”, Bicycle Cards
     | house rules
FD-12 | “Wild cards”, Bicycle Cards: jokers, a rank, one-eyed jacks | house rules; five wild cards are ours
FD-13 | “Irregularities”, Robert's Rules of Poker: a dead hand; “Jacks to Open”, pokerengineering.com: the pot stays
     | as in the sources; what it costs is the table's
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.engine.allowed import Action
from companion.engine.betting.draw_game import (
    WILD_RANKS,
    DrawGame,
    jokers_too,
    one_eyed_jacks,
    openers,
    passed_in,
    wild_use,
)
from companion.engine.betting.false_openers import false_openers, false_openers_cost
from companion.engine.betting.settling import BetRules
from companion.engine.deal import Deal
from companion.engine.game import Family, Round
from companion.engine.messages import Message
from companion.engine.options import (
    all_in,
    ante,
    choice,
    maximum_bet,
    maximum_raise,
    minimum_bet,
    minimum_raise,
    most_raises,
    odd_chips,
    raise_as_last,
    short_all_in_reopens,
)
from companion.engine.pieces.cards import FRENCH, Card, french
from companion.engine.questions.entry import bets, betting, counts, folded, foul, mucked, paid, won_by

_WITH_JOKERS = french(jokers=2)
_WILD = {"none": "none", "jokers": "both jokers", **WILD_RANKS}
_MOST_EXCHANGED = {"three": (3, 3), "four-with-ace": (3, 4), "five": (5, 5)}  # without an ace, with one. Rule: FD-6


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("FD-1")
    exchange: str = choice(
        "three",
        "Cards to exchange",
        choices={"three": "up to three", "four-with-ace": "up to four with an ace", "five": "up to five"},
        help="How many cards a player may exchange.",
        rule="FD-6",
    )
    wild: str = choice(
        "none",
        "Wild cards",
        choices=_WILD,
        help="Cards that stand for any other.",
        rule="FD-3",
    )
    wild_use: str = wild_use("FD-11", "card")
    jokers_too: bool = jokers_too("FD-12", "cards")
    one_eyed_jacks: bool = one_eyed_jacks("FD-12")
    five_of_a_kind: str = choice(
        "top",
        "Five of a kind",
        choices={"top": "beats the royal flush", "off": "isn't a hand of its own"},
        help="What four of a rank with a wild card count as.",
        rule="FD-4",
    )
    all_in: bool = all_in("FD-1")
    minimum_bet: int = minimum_bet("FD-7")
    maximum_bet: int = maximum_bet("FD-7")
    minimum_raise: int = minimum_raise("FD-7")
    maximum_raise: int = maximum_raise("FD-7")
    most_raises: int = most_raises("FD-7")
    raise_as_last: bool = raise_as_last("FD-10")
    short_all_in_reopens: bool = short_all_in_reopens("FD-10")
    odd_chips: str = odd_chips(by_cards=True)
    openers: str = openers("FD-8")
    false_openers_cost: int = false_openers_cost("FD-13")
    equal_hands: str = choice(
        "share",
        "Equal hands",
        choices={"share": "share the pot", "natural-first": "fewest wild cards wins"},
        help="Who wins when two hands are equal, if you play with wild cards.",
        rule="FD-9",
    )


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    paid: Mapping[str, int] = paid("FD-1")
    folded: tuple[str, ...] = folded("FD-1")
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    false_openers: tuple[str, ...] = false_openers("FD-13")
    bets: tuple[Action, ...] = bets("FD-7")
    bets_after_exchange: tuple[Action, ...] = betting(
        "The bets after the exchange", help="What each did in turn once the cards were exchanged.", rule="FD-7"
    )
    exchanged: Mapping[str, int] = counts(
        "exchanged", help="How many cards did each exchange? You need not say.", rule="FD-6", maximum=5
    )
    passed_in: bool = passed_in("FD-8")
    won_by: tuple[str, ...] = won_by()


class FiveCardDraw(DrawGame[Options, Entry]):
    """Five-Card Draw."""

    key = "five-card-draw"
    name = "Five-Card Draw"
    summary = "Bet, exchange, bet: the best five cards."
    family = Family.POKER
    seats = (2, 6)
    options = Options
    entry = Entry
    cards = FRENCH
    cards_with_jokers = _WITH_JOKERS
    wild_names = _WILD
    bet_rules = BetRules(bets="FD-1", pot="FD-1", tied_pot="FD-2", side_pot="FD-1")
    examples = (
        {
            "paid": {"Ana": 3, "Beto": 3, "Caro": 3, "Dani": 1},
            "folded": ["Dani"],
            "hands": {"Ana": "Kh Ks 8d 8c 3s", "Beto": "Qs Qd Qc 7h 2c", "Caro": "Ad Ac Jh 9c 4h"},
            "exchanged": {"Ana": 1, "Beto": 2, "Caro": 3},
        },
        {
            "paid": {"Ana": 5, "Beto": 2, "Caro": 5, "Dani": 5},
            "folded": ["Beto"],
            "hands": {"Ana": "9h 8s 7d 6c 5h", "Caro": "Ks Js 9s 6s 2s", "Dani": "Th Td 4c 4d Ac"},
        },
        {"paid": {"Ana": 2, "Beto": 6, "Caro": 2, "Dani": 1}, "folded": ["Ana", "Caro", "Dani"], "hands": {}},
    )

    def deal(self, round: Round[Options, Entry, Card]) -> Deal:
        return replace(super().deal(round), dealer_shuffles=True, is_cut=True, one_at_a_time=True)

    def most_exchanged(self, options: Options) -> tuple[int, int]:
        return _MOST_EXCHANGED[options.exchange]

    def too_many_exchanged(self, player: str, number: int, most: int) -> Message:
        text = "{player} exchanged {n} cards, more than the {most} allowed; fix the number or the house rule"
        if number <= most:
            text = "{player} exchanged {n} cards, which needs an ace in the hand; fix the number or the hand"
        return Message(text, player=player, n=number, most=most)

    def fewest_wild(self, number: int | None) -> Message:
        if number is None:
            return Message("the hand with the fewest wild cards wins")
        return Message("{n} wild card", "{n} wild cards", n=number)


GAME = FiveCardDraw()
