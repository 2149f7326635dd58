"""What draw poker games share, whether played with cards or with tiles: wild pieces, openers, and the exchange."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, TypeVar

from ..game import Round
from ..hands.counting import poker_tally
from ..hands.ladder import Ladder, Rung
from ..hands.poker import FRENCH_ORDER, PokerOrder, WildUse, categories, ladder
from ..hands.rarity import Rarity
from ..hands.strength import Reading, ShownHand, assign_places
from ..messages import Message
from ..money.settlement import Settlement
from ..options import choice, toggle
from ..pieces.cards import FRENCH_RANKS, Card, CardSet
from ..problems import Problem
from ..questions.entry import Question, flag, players_who
from ..questions.word import WON_BY
from .actions import Betting
from .betting_game import BettingGame
from .false_openers import (
    FALSE_OPENERS,
    check_false_openers,
    is_left_to_false_openers,
    nobody_takes_it,
    opened_falsely,
    with_false_openers,
)
from .settling import play_bets, settle_antes

O = TypeVar("O", bound=Any)  # noqa: E741 - the options of a game
E = TypeVar("E", bound=Any)
_NOBODY_OPENED = "Nobody opened"
_OPENERS = {
    "none": "anything may open",
    "pair-of-jacks": "a pair of jacks",
    "pair-of-aces": "a pair of aces",
    "two-pairs": "two pair",
}
WILD_RANKS = {rank: f"every {'10' if rank == 'T' else rank}" for rank in FRENCH_RANKS}  # for the choice of `wild`
_ONE_EYED = ("Js", "Jh")
_OPENING_CATEGORY = {"pair-of-jacks": "pair", "pair-of-aces": "pair", "two-pairs": "two-pairs"}


def openers(rule: str) -> Any:
    """Declare which hand is needed to bet first. Rule: DR-8."""
    return choice(
        "none",
        "Openers",
        choices=_OPENERS,
        help="The least hand that may bet first. If nobody opens, the antes stay in the pot.",
        rule=rule,
    )


def wild_use(rule: str, piece: str) -> Any:
    """Declare what a wild piece, called "card" or "tile", may stand for. Rule: DR-11."""
    return choice(
        "any",
        f"A wild {piece} stands for",
        choices={
            "any": f"any {piece}, even a held one",
            "not-held": f"any {piece} that isn't in the hand",
            "bug": "an ace, straight or flush",
        },
        help=f"Usually it may stand for a {piece} already in the hand; this double-ace flush is a rare rule. "
        "A bug is an ace, or what a straight or flush lacks.",
        rule=rule,
    )


def jokers_too(rule: str, pieces: str) -> Any:
    """Declare that the two jokers are wild beside a rank; `pieces` are "cards" or "tiles". Rule: DR-12."""
    return toggle(False, "The jokers are wild too", help=f"Two jokers, beside the wild {pieces} above.", rule=rule)


def one_eyed_jacks(rule: str) -> Any:
    """Declare that the jacks of spades and hearts are wild, beside other kinds. Rule: DR-12."""
    text = "The jacks of spades and hearts, which are drawn in profile."
    return toggle(False, "One-eyed jacks are wild too", help=text, rule=rule)


def passed_in(rule: str) -> Any:
    """Declare the question whether nobody opened. Rule: DR-8."""
    return flag(
        _NOBODY_OPENED,
        help="The antes stay in the pot, and nobody shows.",
        rule=rule,
        only_with="openers",
        decides_who_shows=True,
        spares=("paid",),
    )


class DrawGame(BettingGame[O, E, Card]):
    """A game with a round of betting, an exchange, and another round of betting.

    Its options are those of `BettingGame` and `wild` (the key of `wild_names`: "none", "jokers" or a rank),
    `wild_use`, `five_of_a_kind`, `equal_hands`, `odd_chips` and `openers`; its answers also `bets`,
    `bets_after_exchange`, `exchanged` and `passed_in`; it may ask for `false_openers`. `cards` are without jokers,
    `cards_with_jokers` with two.
    """

    categories = categories()
    reasons = (*BettingGame.reasons, FALSE_OPENERS)
    cards: ClassVar[CardSet]
    cards_with_jokers: ClassVar[CardSet]
    wild_names: ClassVar[dict[str, str]]

    @abstractmethod
    def most_exchanged(self, options: O) -> tuple[int, int]:
        """Return how many pieces a player may exchange without an ace in the hand, and with one."""

    @abstractmethod
    def too_many_exchanged(self, player: str, number: int, most: int) -> Message:
        """Say that a player exchanged more than allowed; `most` may be exchanged with an ace."""

    @abstractmethod
    def fewest_wild(self, number: int | None) -> Message:
        """Say how many wild pieces a hand has or, without a number, that the fewest win."""

    def most_counted(self, question: Question, options: O) -> int:
        return self.most_exchanged(options)[1] if question.key == "exchanged" else question.maximum

    def pieces(self, options: O) -> CardSet:
        return self.cards_with_jokers if options.jokers_too or options.wild == "jokers" else self.cards

    def who_must_show(self, round: Round[O, E, Card]) -> tuple[str, ...]:
        return () if round.entry.passed_in else super().who_must_show(round)

    def betting(self, round: Round[O, E, Card]) -> Betting:
        """Play the two rounds of betting; there is no second one if nobody opened. Rule: DR-7, DR-8."""
        if round.entry.passed_in and not round.entry.bets_after_exchange:
            return play_bets(round, {"bets": round.entry.bets}, caller_may_raise=self.caller_may_raise)
        return super().betting(round)

    def check_entry(self, round: Round[O, E, Card]) -> Iterator[Problem]:
        yield from super().check_entry(round)
        yield from check_false_openers(round)
        if round.entry.passed_in:
            yield from _check_passed_in(round)

    def check_hands(self, round: Round[O, E, Card]) -> Iterator[Problem]:
        if round.entry.passed_in and round.hands and round.options.openers != "none":
            text = "Nobody shows a hand when nobody opened; clear the hands, or untick “{nobody_opened}”"
            yield _not_passed_in(text)
        without_ace, most = self.most_exchanged(round.options)
        for player, hand in round.hands.items():
            number = round.entry.exchanged.get(player, 0)
            if number > (most if any(piece.rank == 1 for piece in hand) else without_ace):
                message = self.too_many_exchanged(player, number, most)
                yield Problem(f"round.exchanged.{player}", "bad-value", message)

    def place(self, round: Round[O, E, Card]) -> tuple[ShownHand, ...]:
        order = self.order(round.options)
        readings = {player: order.read(hand) for player, hand in round.hands.items()}
        if round.options.equal_hands == "natural-first":
            readings = {player: self._natural_first(reading) for player, reading in readings.items()}
        return assign_places(round.turn_order, round.hands, readings)

    def _natural_first(self, reading: Reading) -> Reading:
        """Rank a hand with fewer wild pieces above one that is otherwise equal. Rule: DR-9."""
        wild = len(reading.wild_as or ())
        strength = reading.strength._replace(ranks=(*reading.strength.ranks, -wild))
        return replace(reading, strength=strength, details=(*reading.details, self.fewest_wild(wild)))

    def ladder(self, options: O) -> Ladder:
        """Show five of a kind only if pieces are wild and it counts, and mark the openers. Rule: DR-3, DR-4, DR-8."""
        opening = Message("{least} or better may bet first", least=Message(_OPENERS[options.openers]))
        notes = {_OPENING_CATEGORY[options.openers]: [opening]} if options.openers != "none" else {}
        order = self.order(options)
        share = Rung(Message("equal hands share the pot"))
        is_natural_first = order.wild and options.equal_hands == "natural-first"
        tie_breakers = (Rung(self.fewest_wild(None)), share) if is_natural_first else (share,)
        wild = (Message("Wild: {tiles}", tiles=self._wild_kinds(options)),) if order.wild else ()
        return Ladder(ladder(order, notes), tie_breakers=tie_breakers, notes=wild)

    def _wild_kinds(self, options: O) -> tuple[Message, ...]:
        """Name the kinds of wild pieces. Rule: DR-3, DR-12."""
        kinds = [options.wild] if options.wild != "none" else []
        kinds += ["jokers"] if options.jokers_too and options.wild != "jokers" else []
        jacks = (Message("one-eyed jacks"),) if options.one_eyed_jacks else ()
        return (*(Message(self.wild_names[kind]) for kind in kinds), *jacks)

    def settle(self, round: Round[O, E, Card]) -> Settlement:
        """Settle the pot or, with all-in, its layers; if nobody opened, the antes stay. Rule: DR-8, DR-13."""
        if round.entry.passed_in:
            return settle_antes(round, self.bet_rules.bets, Message("Nobody opened, so the antes stay in the pot"))
        if not opened_falsely(round):
            return super().settle(round)
        if is_left_to_false_openers(round):
            return with_false_openers(round, settle_antes(round, self.bet_rules.bets, nobody_takes_it(round)))
        return with_false_openers(round, super().settle(round))

    def rarity(self, options: O, hand: tuple[Card, ...], reading: Reading) -> Rarity:
        order = self.order(options)
        return poker_tally(order).rarity(replace(reading, strength=order.strength(hand)))

    def order(self, options: O) -> PokerOrder:
        """Return the ranking of hands under the house rules. Rule: DR-3, DR-4."""
        is_top, jacks = options.five_of_a_kind == "top", options.one_eyed_jacks
        return order_of(self.pieces(options), options.wild, is_top, options.wild_use, jacks)


@cache
def order_of(
    pieces: CardSet, wild: str, five_of_a_kind: bool, use: WildUse = "any", one_eyed_jacks: bool = False
) -> PokerOrder:
    """Return the ranking of hands for a choice of wild pieces; the set's jokers are wild. Rule: DR-3, DR-4, DR-11."""
    jacks = _ONE_EYED if one_eyed_jacks else ()
    chosen = [piece for piece in pieces.pieces if piece.text[0] == wild or piece.text in jacks]
    if pieces is FRENCH_ORDER.cards and not chosen:
        return FRENCH_ORDER  # with nothing wild, the other choices change nothing
    return PokerOrder(pieces, chosen, five_of_a_kind=five_of_a_kind, use=use)


def _check_passed_in(round: Round[Any, Any, Card]) -> Iterator[Problem]:
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
    if lost := players_who(entry, "lost"):
        text = "{players} stayed in but lost; untick that, or “{nobody_opened}”"
        yield _not_passed_in(text, players=tuple(player for player in round.turn_order if player in lost))


def _not_passed_in(text: str, **values: object) -> Problem:
    return Problem("round.passed_in", "bad-value", Message(text, nobody_opened=Message(_NOBODY_OPENED), **values))
