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
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from companion.engine.actions import Betting
from companion.engine.allowed import Action
from companion.engine.betting import (
    BetRules,
    check_limits,
    check_paid,
    play_bets,
    settle_antes,
    settle_bets,
    stayed,
    who_must_show,
    who_must_show_anyway,
)
from companion.engine.cards import FRENCH_RANKS, Card, CardSet, french
from companion.engine.counting import poker_tally
from companion.engine.deal import Deal
from companion.engine.entry import amounts, betting, counts, flag, some_players, won_by
from companion.engine.game import Game, Round
from companion.engine.ladder import Ladder, Rung
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
)
from companion.engine.poker import PokerOrder, categories, ladder
from companion.engine.problems import Problem
from companion.engine.rarity import Rarity
from companion.engine.settlement import ANTE, BETS, POT_SHARE, RETURNED, Settlement
from companion.engine.strength import Reading, ShownHand, assign_places
from companion.engine.word import WON_BY

_TILES = ("tile", "tiles")
CARDOMINOES = french(noun=_TILES)
CARDOMINOES_WITH_JOKERS = french(jokers=2, noun=_TILES)
_MAX_EXCHANGED, _MAX_WITHOUT_ACE = 4, 3
_NOBODY_OPENED = "Nobody opened"
_OPENERS = {
    "none": "anything may open",
    "pair-of-jacks": "a pair of jacks",
    "pair-of-aces": "a pair of aces",
    "two-pairs": "two pair",
}
_OPENING_CATEGORY = {"pair-of-jacks": "pair", "pair-of-aces": "pair", "two-pairs": "two-pairs"}
_RANK_LABELS = {rank: f"every {'10' if rank == 'T' else rank}" for rank in FRENCH_RANKS}
_WILD = {"none": "none", "jokers": "the two jokers", **_RANK_LABELS}


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
    odd_chips: str = odd_chips()
    openers: str = choice(
        "none",
        "Openers",
        choices=_OPENERS,
        help="The least hand that may bet first. If nobody opens, the antes stay in the pot.",
        rule="DR-8",
    )
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

    paid: Mapping[str, int] = amounts(
        "total paid (incl. ante)", help="What each put into the pot, the ante included.", rule="DR-1"
    )
    folded: tuple[str, ...] = some_players("folded", help="Who folded?", rule="DR-1", meaning="left")
    bets: tuple[Action, ...] = betting(
        "The bets", help="What each did in turn; who paid what and who folded follow from it.", rule="DR-7"
    )
    bets_after_exchange: tuple[Action, ...] = betting(
        "The bets after the exchange", help="What each did in turn once the tiles were exchanged.", rule="DR-7"
    )
    exchanged: Mapping[str, int] = counts(
        "exchanged", help="How many tiles did each exchange? You need not say.", rule="DR-6", maximum=_MAX_EXCHANGED
    )
    passed_in: bool = flag(
        _NOBODY_OPENED,
        help="The antes stay in the pot, and nobody shows.",
        rule="DR-8",
        only_with="openers",
        decides_who_shows=True,
        spares=("paid",),
    )
    won_by: tuple[str, ...] = won_by()


DrawRound = Round[Options, Entry, Card]


class DrawPoker(Game[Options, Entry, Card]):
    """Draw Poker with CARDominoes."""

    key = "draw-poker"
    name = "Draw Poker with CARDominoes"
    summary = "Bet, exchange, bet again; the best five tiles take the pot."
    seats = (2, 6)
    options = Options
    entry = Entry
    categories = categories()
    reasons = (ANTE, BETS, POT_SHARE, RETURNED)
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

    def pieces(self, options: Options) -> CardSet:
        return CARDOMINOES_WITH_JOKERS if options.wild == "jokers" else CARDOMINOES

    def deal(self, round: DrawRound) -> Deal:
        about = Message("CARDominoes are tiles that show a playing card each; a deck of cards will do")
        return replace(super().deal(round), ante=round.options.ante, dealer_shuffles=True, about=about)

    def who_must_show(self, round: DrawRound) -> tuple[str, ...]:
        return () if round.entry.passed_in else who_must_show(round)

    def who_must_show_anyway(self, round: DrawRound) -> tuple[str, ...]:
        return who_must_show_anyway(round)

    def who_may_show(self, round: DrawRound) -> tuple[str, ...]:
        return stayed(round)

    def check_options(self, options: Options) -> Iterator[Problem]:
        return check_limits(options)

    def betting(self, round: DrawRound) -> Betting:
        """Play the two rounds of betting; who has called may not raise in that round. Rule: DR-7.

        If nobody opened there is no second round. Rule: DR-8.
        """
        entry = round.entry
        actions = {"bets": entry.bets, "bets_after_exchange": entry.bets_after_exchange}
        if entry.passed_in and not entry.bets_after_exchange:
            del actions["bets_after_exchange"]
        return play_bets(round, actions, caller_may_raise=False)

    def check_entry(self, round: DrawRound) -> Iterator[Problem]:
        yield from check_paid(round)
        if round.entry.passed_in:
            yield from _check_passed_in(round)

    def check_hands(self, round: DrawRound) -> Iterator[Problem]:
        if round.entry.passed_in and round.hands and round.options.openers != "none":
            text = "Nobody shows a hand when nobody opened; clear the hands, or untick “{nobody_opened}”"
            yield _not_passed_in(text)
        for player, hand in round.hands.items():
            exchanged = round.entry.exchanged.get(player, 0)
            if exchanged > _MAX_WITHOUT_ACE and not any(tile.rank == 1 for tile in hand):
                text = "{player} exchanged {n} tiles, which needs an ace in the hand; fix the number or the hand"
                message = Message(text, player=player, n=exchanged)
                yield Problem(f"round.exchanged.{player}", "bad-value", message)

    def place(self, round: DrawRound) -> tuple[ShownHand, ...]:
        order = _order(round.options)
        readings = {player: order.read(hand) for player, hand in round.hands.items()}
        if round.options.equal_hands == "natural-first":
            readings = {player: _natural_first(reading) for player, reading in readings.items()}
        return assign_places(round.turn_order, round.hands, readings)

    def ladder(self, options: Options) -> Ladder:
        """Show five of a kind only if tiles are wild and it counts, and mark the openers. Rule: DR-3, DR-4, DR-8."""
        opening = Message("{least} or better may bet first", least=Message(_OPENERS[options.openers]))
        notes = {_OPENING_CATEGORY[options.openers]: [opening]} if options.openers != "none" else {}
        order = _order(options)
        share = Rung(Message("equal hands share the pot"))
        fewest = Rung(Message("the hand with the fewest wild tiles wins"))
        tie_breakers = (fewest, share) if order.wild and options.equal_hands == "natural-first" else (share,)
        wild = (Message("Wild: {tiles}", tiles=Message(_WILD[options.wild])),) if order.wild else ()
        return Ladder(ladder(order, notes), tie_breakers=tie_breakers, notes=wild)

    def settle(self, round: DrawRound) -> Settlement:
        """Settle the pot or, with all-in, its layers. Odd units: C-3, for each layer by itself."""
        if round.entry.passed_in:
            return settle_antes(round, "DR-1", Message("Nobody opened, so the antes stay in the pot"))
        rules = BetRules(bets="DR-1", pot="DR-1", tied_pot="DR-2", side_pot="DR-1")
        return settle_bets(round, self.standing(round), rules, odd_stays=round.options.odd_chips == "stay-in-pot")

    def rarity(self, options: Options, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        order = _order(options)
        return poker_tally(order).rarity(replace(reading, strength=order.strength(hand)))


def _check_passed_in(round: DrawRound) -> Iterator[Problem]:
    """Yield problems with answers that contradict "nobody opened"; `check_hands` does so for hands. Rule: DR-8."""
    entry, ante = round.entry, round.units(round.options.ante)
    if round.won_by:
        text = "Nobody wins a round that nobody opened; remove the winner, or untick “{nobody_opened}”"
        yield Problem(WON_BY, "bad-value", Message(text, nobody_opened=Message(_NOBODY_OPENED)))
    if round.options.openers == "none":
        text = "Any hand may open at this table; untick “{nobody_opened}”, or choose openers in the house rules"
        yield _not_passed_in(text)
        return
    if any(units > ante for units in entry.paid.values()) or entry.bets_after_exchange:
        yield _not_passed_in("There were bets; take them out, or untick “{nobody_opened}”")
    if entry.folded:
        text = "{players} folded; untick that, or “{nobody_opened}”"
        yield _not_passed_in(text, players=entry.folded)


def _not_passed_in(text: str, **values: object) -> Problem:
    return Problem("round.passed_in", "bad-value", Message(text, nobody_opened=Message(_NOBODY_OPENED), **values))


def _natural_first(reading: Reading) -> Reading:
    """Rank a hand with fewer wild tiles above one that is otherwise equal. Rule: DR-9."""
    wild = len(reading.wild_as or ())
    strength = reading.strength._replace(ranks=(*reading.strength.ranks, -wild))
    words = Message("{n} wild tile", "{n} wild tiles", n=wild)
    return replace(reading, strength=strength, details=(*reading.details, words))


def _order(options: Options) -> PokerOrder:
    return order_of(options.wild, options.five_of_a_kind == "top")


@cache
def order_of(wild: str, five_of_a_kind: bool) -> PokerOrder:
    """Return the ranking of hands for a choice of wild tiles. Rule: DR-3, DR-4."""
    if wild == "jokers":
        return PokerOrder(CARDOMINOES_WITH_JOKERS, five_of_a_kind=five_of_a_kind)
    tiles = [tile for tile in CARDOMINOES.pieces if tile.text[0] == wild]
    return PokerOrder(CARDOMINOES, tiles, five_of_a_kind=five_of_a_kind)


GAME = DrawPoker()
