"""Draw poker with CARDominoes: two rounds of betting, and an exchange in between; jokers or a rank may be wild.

Play: the player to the dealer's left begins the betting; then everyone may exchange up to three tiles, or four when
showing an ace; then a second round of betting. Whoever has called may not raise in that round; nobody raises their own
raise.

DR-1  Each player antes 1 stake and bets; say what each paid in total (ante included) and who folded. Those who didn't
      fold have all paid the same. Nobody who folded paid more than they did, and nobody paid less than the ante. The
      last player not to fold takes the pot without showing. House rule, all-in: players who didn't fold may have paid
      different amounts, even less than the ante or nothing; they still play for a pot carried over. Side pots are cut
      at these amounts, and each goes to the best hand among those who didn't fold and paid into it in full. A part that
      only one player paid into goes back.
DR-2  Hands are five tiles in the standard poker order, with the royal straight flush on top. Equal hands share the
      pot.
DR-3  House rule, wild tiles: the two jokers, or the four tiles of a rank. A wild tile takes the rank and suit that make
      the hand best, even those of a tile already in the hand, so A-A-K-9-5 can be a flush.
DR-4  House rule, five of a kind, with wild tiles: it ranks above the royal flush, or doesn't count; then the wild tiles
      make the best other hand, so K-K-K-K and a wild tile are four kings with an ace.
DR-5  The ace is high, and low in 5-4-3-2-A.
DR-6  If you say how many tiles each player exchanged: four at most, and more than three only with an ace in the shown
      hand. For a player who shows no hand, that can't be checked.
DR-7  Instead of the totals you can enter the betting itself, action by action: check, bet, call, raise, fold or, where
      that is played, all-in; first the bets before the exchange, then those after it, each from the dealer's left past
      those who folded or are all-in, until everyone left has put in the same amount or is all-in, or only one player is
      left. Whoever has called may not raise in that round, and nobody raises their own raise: when everyone else has
      called or folded to it, the round is over. Minimum, maximum, number of raises and all-in are as in Domino Poker;
      the all-in of somebody who has called is a call at most, and a player whose last chip went into the ante is all-in
      with it, without a turn. After the exchange, nobody bets if only one player still could.
DR-8  House rule, openers: to bet first you need a pair of jacks, a pair of aces or two pair. Nobody can check that
      before the end. If nobody opens, say so: the antes stay in the pot, nobody wins or shows, and you needn't say what
      was paid.
DR-9  House rule, equal hands with wild tiles: the one with the fewest wild tiles wins; a tile of the wild rank counts
      as wild even when it stands for itself. With the same number of wild tiles they share.
DR-10 House rules: a raise is at least as much above the call as the last bet or raise, if the largest raise allows it;
      an all-in may be less. And a short all-in, one that is less than a full raise, doesn't open the betting again:
      who has acted in that round may then call or fold, and raises only when facing a full raise in all. A full raise
      is as much as the last bet or raise, and as the smallest one set.
DR-11 House rules, a wild tile: never stands for a tile already in the hand, so that there is neither five of a kind
      nor a flush with two aces; or is a bug, which is an ace, or else fills a straight, a flush or a straight flush
      with the highest tile that isn't in the hand. The usual rule here, by which a flush may have two aces, is the
      rare one.
DR-12 House rules, several kinds at once: the two jokers, the one-eyed jacks (spades and hearts) and a rank may all be
      wild together. Five wild tiles are five aces, or a royal flush where five of a kind doesn't count.
DR-13 House rule, false openers: if somebody bet first without the hand that is needed, say so. That hand has lost, as a
      foul hand does, and the others play for the pot. If everybody else folded, nobody takes it: all of it stays for
      the next round. The table may agree on what it costs besides, which goes into the next pot.

A turn

bet | Bet or check | from the dealer's left
answer | Call, raise or fold | until all have put in the same
exchange | Exchange | three tiles at most; then bet again

Who pays whom

Before the deal | each {ante} → pot
Your bets | you → pot
The best hand | takes the pot
Everyone else folds | you take the pot

Sources

DR-1 | Basic Draw Poker, “Number of Players” | as in the source
DR-1 | “Basic Instructions” and “Betting” | as in the source; all-in is a house rule as in Domino Poker
DR-2 | “Winning Hand Combinations” | as in the source; it doesn't mention equal hands: they share
DR-3 | “Wild Tiles” | as in the source; it says “the jokers” but not how many: two here
DR-4 | silent | a house rule; five of a kind is on top unless you say otherwise
DR-5 | silent | as in the other poker games
DR-6 | “Basic Instructions” | as in the source
DR-7 | “Betting”, 1 to 5 | as in the source: whoever bet or raised and has not called may raise once more when raised.
     “Betting continues until all players call” is read with 5: when all others have called or folded to a raise, it's
     over. Checks, limits and all-in are as in Domino Poker
DR-8 | silent | a house rule of ours, as in Jackpots
DR-9 | silent | a house rule of ours
DR-10 | “No-limit and pot-limit”, Robert's Rules of Poker; “Re-opening the bet”, Poker Tournament Directors Association
     | house rules
DR-11 | “Joker”, Robert's Rules of Poker: the bug is an ace, or fills a straight or flush; “Wild cards”, Bicycle Cards
     | house rules
DR-12 | “Wild cards”, Bicycle Cards: jokers, a rank, one-eyed jacks | house rules; five wild tiles are ours
DR-13 | “Irregularities”, Robert's Rules of Poker: a dead hand; “Jacks to Open”, pokerengineering.com: the pot stays
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
from companion.engine.pieces.cards import Card, french
from companion.engine.questions.entry import bets, betting, counts, folded, foul, mucked, paid, won_by

_TILES = ("tile", "tiles")
CARDOMINOES = french(noun=_TILES)
CARDOMINOES_WITH_JOKERS = french(jokers=2, noun=_TILES)
_MAX_EXCHANGED, _MAX_WITHOUT_ACE = 4, 3
_WILD = {"none": "none", "jokers": "the two jokers", **WILD_RANKS}


@dataclass(frozen=True)
class Options:
    """The house rules."""

    ante: int = ante("DR-1")
    wild: str = choice(
        "none",
        "Wild tiles",
        choices=_WILD,
        help="Tiles that stand for any other.",
        rule="DR-3",
    )
    wild_use: str = wild_use("DR-11", "tile")
    jokers_too: bool = jokers_too("DR-12", "tiles")
    one_eyed_jacks: bool = one_eyed_jacks("DR-12")
    five_of_a_kind: str = choice(
        "top",
        "Five of a kind",
        choices={"top": "beats the royal flush", "off": "isn't a hand of its own"},
        help="What four of a rank with a wild tile count as.",
        rule="DR-4",
    )
    all_in: bool = all_in("DR-1")
    minimum_bet: int = minimum_bet("DR-7")
    maximum_bet: int = maximum_bet("DR-7")
    minimum_raise: int = minimum_raise("DR-7")
    maximum_raise: int = maximum_raise("DR-7")
    most_raises: int = most_raises("DR-7")
    raise_as_last: bool = raise_as_last("DR-10")
    short_all_in_reopens: bool = short_all_in_reopens("DR-10")
    odd_chips: str = odd_chips(by_cards=True)
    openers: str = openers("DR-8")
    false_openers_cost: int = false_openers_cost("DR-13")
    equal_hands: str = choice(
        "share",
        "Equal hands",
        choices={"share": "share the pot", "natural-first": "fewest wild tiles wins"},
        help="Who wins when two hands are equal, if you play with wild tiles.",
        rule="DR-9",
    )


@dataclass(frozen=True)
class Entry:
    """What the table saw."""

    paid: Mapping[str, int] = paid("DR-1")
    folded: tuple[str, ...] = folded("DR-1")
    foul: tuple[str, ...] = foul()
    mucked: tuple[str, ...] = mucked()
    false_openers: tuple[str, ...] = false_openers("DR-13")
    bets: tuple[Action, ...] = bets("DR-7")
    bets_after_exchange: tuple[Action, ...] = betting(
        "The bets after the exchange", help="What each did in turn once the tiles were exchanged.", rule="DR-7"
    )
    exchanged: Mapping[str, int] = counts(
        "exchanged", help="How many tiles did each exchange? You need not say.", rule="DR-6", maximum=_MAX_EXCHANGED
    )
    passed_in: bool = passed_in("DR-8")
    won_by: tuple[str, ...] = won_by()


DrawRound = Round[Options, Entry, Card]


class DrawPoker(DrawGame[Options, Entry]):
    """Draw Poker with CARDominoes."""

    key = "draw-poker"
    name = "Draw Poker with CARDominoes"
    summary = "Bet, exchange, bet: the best five tiles."
    family = Family.POKER
    seats = (2, 6)
    options = Options
    entry = Entry
    cards = CARDOMINOES
    cards_with_jokers = CARDOMINOES_WITH_JOKERS
    wild_names = _WILD
    bet_rules = BetRules(bets="DR-1", pot="DR-1", tied_pot="DR-2", side_pot="DR-1")
    caller_may_raise = False
    examples = (
        {
            "paid": {"Ana": 4, "Beto": 4, "Caro": 1, "Dani": 4},
            "folded": ["Caro"],
            "hands": {"Ana": "As Ad 9h 9c 4s", "Beto": "7c 7d 7h Ks 2d", "Dani": "Qs Js Td 9d 8c"},
            "exchanged": {"Ana": 1, "Beto": 2, "Caro": 3, "Dani": 1},
        },
        {
            "paid": {"Ana": 2, "Beto": 6, "Caro": 6, "Dani": 1},
            "folded": ["Ana", "Dani"],
            "hands": {"Beto": "Kc Tc 8c 4c 3c", "Caro": "5s 5h 5d Jc Jh"},
        },
        {
            "paid": {"Ana": 3, "Beto": 3, "Caro": 3, "Dani": 3},
            "folded": [],
            "hands": {
                "Ana": "Kd Qc 9s 6h 2c",
                "Beto": "Th Ts 6d 4h 3s",
                "Caro": "Ac Jd 8h 7s 5c",
                "Dani": "Qh Qd 8s 8d 3h",
            },
        },
    )

    def deal(self, round: DrawRound) -> Deal:
        about = Message("CARDominoes are tiles that show a playing card each; a deck of cards will do")
        return replace(super().deal(round), dealer_shuffles=True, about=about)

    def most_exchanged(self, options: Options) -> tuple[int, int]:
        return _MAX_WITHOUT_ACE, _MAX_EXCHANGED

    def too_many_exchanged(self, player: str, number: int, most: int) -> Message:
        text = "{player} exchanged {n} tiles, which needs an ace in the hand; fix the number or the hand"
        return Message(text, player=player, n=number)

    def fewest_wild(self, number: int | None) -> Message:
        if number is None:
            return Message("the hand with the fewest wild tiles wins")
        return Message("{n} wild tile", "{n} wild tiles", n=number)


GAME = DrawPoker()
