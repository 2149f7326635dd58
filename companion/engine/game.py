"""What a game module offers, and the round that it is asked to settle."""

from __future__ import annotations

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, TypeVar

from .actions import Betting
from .deal import Deal, LastTurns
from .ladder import Ladder, Rung
from .messages import Message
from .pieces import Piece, PieceSet
from .problems import Problem
from .rarity import Rarity
from .settlement import Reason, Settlement
from .strength import Reading, ShownHand, winners_first

O = TypeVar("O")  # noqa: E741 - the options of a game
E = TypeVar("E")  # the answers to its questions
P = TypeVar("P", bound=Piece)

# who plays in the examples, in seat order; of games for less people the first of them
EXAMPLE_PLAYERS = ("Ana", "Beto", "Caro", "Dani")

Direction = Literal["clockwise", "anticlockwise"]
_NO_POINTS: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of hand: its key, its name, and an example in the game's notation."""

    key: str
    name: Message
    example: str


@dataclass(frozen=True, slots=True)
class Round(Generic[O, E, P]):
    """A round as the table saw it, read clean.

    `players` are in seat order, clockwise; `turn_order` starts after the dealer in the game's direction and ends with
    the dealer. Money in `entry` and `pot_units` is in units, options are in stakes.
    """

    players: tuple[str, ...]
    dealer: str
    turn_order: tuple[str, ...]
    stake_units: int
    pot_units: int
    options: O
    entry: E
    hands: Mapping[str, tuple[P, ...]]

    @property
    def won_by(self) -> tuple[str, ...]:
        """Name those who hold the best hand by the table's word, in turn order; nobody where hands tell. Rule: C-13."""
        named = getattr(self.entry, "won_by", ())
        return tuple(player for player in self.turn_order if player in named) if named else ()

    @property
    def points(self) -> Mapping[str, int]:
        """Give what hands count by the table's word, as the game counts it. Rule: C-13."""
        found: Mapping[str, int] = getattr(self.entry, "points", _NO_POINTS)
        return found

    def units(self, stakes: int) -> int:
        """Turn stakes into units."""
        return stakes * self.stake_units

    def others(self, *left_out: str) -> tuple[str, ...]:
        """Give the other players in turn order."""
        return tuple(player for player in self.turn_order if player not in left_out)


def order_from(players: Sequence[str], first: str, direction: Direction) -> tuple[str, ...]:
    """Line the seats up from one player on in a direction."""
    seats = list(players) if direction == "clockwise" else list(reversed(players))
    at = seats.index(first)
    return (*seats[at:], *seats[:at])


def turn_order(players: Sequence[str], dealer: str, direction: Direction) -> tuple[str, ...]:
    """Line up the players from the one after the dealer to the dealer."""
    dealer_first = order_from(players, dealer, direction)
    return (*dealer_first[1:], dealer_first[0])


class Game(ABC, Generic[O, E, P]):
    """A game: what it is called, what it asks, and how its rounds are checked and settled.

    The docstring of its module is its help page. `options` and `entry` are frozen dataclasses of declarations;
    `categories` go from high to low; `reasons` are those of its transfers. `examples` are made-up rounds of the
    EXAMPLE_PLAYERS under the usual house rules, whoever deals and whatever was in the pot: what a round document has
    under "round".
    """

    key: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    direction: ClassVar[Direction] = "clockwise"
    seats: ClassVar[tuple[int, int]]
    options: ClassVar[type[Any]]
    entry: ClassVar[type[Any]]
    categories: ClassVar[tuple[Category, ...]]
    reasons: ClassVar[tuple[Reason, ...]]
    examples: ClassVar[tuple[Mapping[str, Any], ...]]

    @property
    def text(self) -> str:
        """The rules by id and the sources, as written at the head of the game's module."""
        return inspect.cleandoc(sys.modules[type(self).__module__].__doc__ or "")

    @abstractmethod
    def pieces(self, options: O) -> PieceSet[P]:
        """Give the set of cards or tiles that is played with."""

    def deal(self, round: Round[O, E, P]) -> Deal:
        """Say how a hand is dealt; of the round only the seats and the options are known. Rule: C-10."""
        noun = self.pieces(round.options).noun
        return Deal(round.turn_order, min(self.hand_sizes(round)), noun, self.direction == "clockwise")

    def last_turns(self, round: Round[O, E, P]) -> LastTurns | None:
        """Say who still has a turn after a knock or a call; None where there was none. Rule: C-11."""
        return None

    @abstractmethod
    def must_show(self, round: Round[O, E, P]) -> tuple[str, ...]:
        """Name the players whose hands decide the round, where the table's word does not. Rule: C-5."""

    def undecided(self, round: Round[O, E, P]) -> tuple[str, ...]:
        """Name the players whose hands are needed although the table named the best one. Rule: C-13."""
        return ()

    def may_show(self, round: Round[O, E, P]) -> tuple[str, ...]:
        """Name the players who may show a hand besides those who must."""
        return ()

    def hand_sizes(self, round: Round[O, E, P]) -> Collection[int]:
        """Tell how many cards a shown hand may have."""
        return (5,)

    def check_options(self, options: O) -> Iterator[Problem]:
        """Yield what is wrong with house rules that are each right by themselves."""
        return iter(())

    def check_seats(self, options: O, players: int) -> Iterator[Problem]:
        """Yield what is wrong with a number of players, within `seats`, under these house rules."""
        return iter(())

    def betting(self, round: Round[O, E, P]) -> Betting | None:
        """Play the bets of a round as far as they are told; None in a game without bets. `round.hands` is empty.

        Asked where the bets take the place of other answers (`Question.instead_of`), which follow from them.
        """
        return None

    def check_entry(self, round: Round[O, E, P]) -> Iterator[Problem]:
        """Yield what is wrong with the answers, whatever the hands; `round.hands` is empty."""
        return iter(())

    def check_hands(self, round: Round[O, E, P]) -> Iterator[Problem]:
        """Yield what is wrong with the shown hands; `round.hands` has those that were read clean."""
        return iter(())

    @abstractmethod
    def place(self, round: Round[O, E, P]) -> tuple[ShownHand, ...]:
        """Read the hands in `round.hands` and place them, best first; there may be less of them than must be shown."""

    def standing(self, round: Round[O, E, P]) -> tuple[ShownHand, ...]:
        """Place the hands, those of whom the table says that they hold the best one first. Rule: C-13."""
        hands = self.place(round)
        return winners_first(hands, round.won_by) if round.won_by else hands

    def read_part(self, hand: Sequence[P], round: Round[O, E, P]) -> Message | None:
        """Say what a hand that is not complete, or too large, comes to; None where nothing can be said of it."""
        return None

    def points(self, piece: P) -> str | None:
        """Tell what a card counts under the usual house rules, as written; None where it is hands that count."""
        return None

    def ladder(self, options: O) -> Ladder:
        """Rank the kinds of hands under these house rules, each with an example that their set of cards can deal."""
        pieces = self.pieces(options)
        dealt = [(category.name, pieces.hand(category.example)) for category in self.categories]
        rungs = [Rung(name, cards) for name, cards in dealt if cards is not None]
        if self.points(pieces.pieces[0]) is None:
            return Ladder(tuple(rungs))
        # where points are counted, the first category is the example of that
        return Ladder(tuple(rungs[1:]), counted=rungs[0].example)

    @abstractmethod
    def settle(self, round: Round[O, E, P]) -> Settlement:
        """Work out who pays whom; the round has no problems."""

    def rarity(self, options: O, hand: tuple[P, ...], reading: Reading) -> Rarity | None:
        """Tell how rare a shown hand is among all the hands of its size in the game's set; None: not counted.

        `reading` is the one that `settle` gave it. Drawing and choosing what to keep are left out of account.
        """
        return None

    def rarities(self, options: O, settlement: Settlement) -> dict[str, Rarity]:
        """Tell how rare each shown hand is, by its player; none where the table's word decided. Rule: C-13."""
        if settlement.is_by_word:
            return {}
        shown: list[tuple[str, Any, Reading]] = [(hand.player, hand.cards, hand.reading) for hand in settlement.hands]
        found = {player: self.rarity(options, cards, reading) for player, cards, reading in shown}
        return {player: rarity for player, rarity in found.items() if rarity is not None}


AnyGame = Game[Any, Any, Any]
AnyRound = Round[Any, Any, Any]


def seated(game: AnyGame, options: Any, players: Sequence[str], dealer: str, **answers: object) -> AnyRound:
    """Make a round of which no more is known than who sits where, who deals, and some answers."""
    order = turn_order(players, dealer, game.direction)
    return Round(tuple(players), dealer, order, 1, 0, options, game.entry(**answers), {})
