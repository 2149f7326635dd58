"""The interface of a game, and the round it settles."""

from __future__ import annotations

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, TypeVar

from .betting.actions import Betting
from .deal import Beginning, Deal, LastTurns
from .hands.ladder import Ladder, Rung
from .hands.rarity import Rarity
from .hands.strength import Reading, ShownHand, winners_first
from .messages import Message
from .money.settlement import Reason, Settlement
from .options import Option, defaults, options_of
from .pieces.sets import Piece, PieceSet
from .problems import Problem
from .questions.entry import Question, questions_of

O = TypeVar("O")  # noqa: E741 - the options of a game
E = TypeVar("E")  # the answers to its questions
P = TypeVar("P", bound=Piece)
Seated = TypeVar("Seated", bound=str)  # a player as the caller has it

# the players in examples, in seat order; games for fewer people take the first ones
EXAMPLE_PLAYERS = ("Ana", "Beto", "Caro", "Dani")

Direction = Literal["clockwise", "anticlockwise"]
_NO_POINTS: Mapping[str, int] = MappingProxyType({})


class Family(Enum):
    """A family of games, by its heading in menus; in their order."""

    POKER = "Poker"
    RUMMY = "Rummy"
    POINTS = "Points"
    DOMINOES = "Dominoes"
    OTHER = "Other games"


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of hand: its key, its name, and an example in the game's notation."""

    key: str
    name: Message
    example: str


@dataclass(frozen=True, slots=True)
class Round(Generic[O, E, P]):
    """A valid round, as entered by the table.

    `players` are in seat order, clockwise. `turn_order` starts after the dealer, in the game's direction, and ends with
    the dealer. Money in `entry` and `pot_units` is in units; options are in stakes.
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
        """The players the table named as having the best hand, in turn order; empty if hands decide. Rule: C-13."""
        named = getattr(self.entry, "won_by", ())
        return tuple(player for player in self.turn_order if player in named) if named else ()

    @property
    def points(self) -> Mapping[str, int]:
        """The points that the table entered instead of hands, by player, in the unit the game counts in. Rule: C-13."""
        points: Mapping[str, int] = getattr(self.entry, "points", _NO_POINTS)
        return points

    def units(self, stakes: int) -> int:
        """Convert stakes to units."""
        return stakes * self.stake_units

    def others(self, *left_out: str) -> tuple[str, ...]:
        """Return the other players, in turn order."""
        return tuple(player for player in self.turn_order if player not in left_out)


def order_from(players: Sequence[Seated], first: str, direction: Direction) -> tuple[Seated, ...]:
    """Return the seats in a direction, starting from one player."""
    seats = list(players) if direction == "clockwise" else list(reversed(players))
    at = seats.index(first)  # type: ignore[arg-type]  # equal texts
    return (*seats[at:], *seats[:at])


def turn_order(players: Sequence[Seated], dealer: str, direction: Direction) -> tuple[Seated, ...]:
    """Return the players from the one after the dealer round to the dealer."""
    dealer_first = order_from(players, dealer, direction)
    return (*dealer_first[1:], dealer_first[0])


class Game(ABC, Generic[O, E, P]):
    """A game: its name, its questions, and how its rounds are checked and settled.

    Its module's docstring is its help page. `options` and `entry` are frozen dataclasses that declare the house rules
    and the questions. `seats` are the fewest and most players. `categories` go from high to low. `reasons` are all that
    its transfers may have. Each of `examples` is the "round" part of a document: a made-up round of EXAMPLE_PLAYERS
    under the default house rules, valid for any dealer and opening pot.

    `family` is where menus list it, `summary` its one line there: 45 characters at most.

    `example_name` is what a table may call a game that has no name of its own; its documents say that in "called".
    """

    key: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    family: ClassVar[Family] = Family.OTHER
    direction: ClassVar[Direction] = "clockwise"
    beginning: ClassVar[Beginning] = "first"
    seats: ClassVar[tuple[int, int]]
    options: ClassVar[type[Any]]
    entry: ClassVar[type[Any]]
    categories: ClassVar[tuple[Category, ...]]
    reasons: ClassVar[tuple[Reason, ...]]
    examples: ClassVar[tuple[Mapping[str, Any], ...]]
    example_name: ClassVar[str] = ""
    is_absent: ClassVar[bool] = False  # see `AbsentGame`
    is_own: ClassVar[bool] = False  # a table's own, from its instance folder

    @property
    def text(self) -> str:
        """The rules by id and their sources: the docstring of the game's module."""
        return inspect.cleandoc(sys.modules[type(self).__module__].__doc__ or "")

    @property
    def is_named(self) -> bool:
        """Whether the table says what the game is called."""
        return bool(self.example_name)

    @cached_property
    def has_hands(self) -> bool:
        """Whether hands are shown, entered and compared."""
        return bool(self.pieces(self.options()).pieces)

    @property
    def questions(self) -> tuple[Question, ...]:
        """What the table is asked about a round besides the hands, in the order of `entry`."""
        return questions_of(self.entry)

    @property
    def betting_rounds(self) -> tuple[Question, ...]:
        """The questions about bets, in the order they are played; empty in a game without."""
        return tuple(question for question in self.questions if question.kind == "bets")

    @property
    def house_rules(self) -> tuple[Option, ...]:
        """The options a table may choose, in the order of `options`."""
        return options_of(self.options)

    @property
    def usual_rules(self) -> dict[str, Any]:
        """The house rules of a table that chooses nothing: the value of each by key."""
        return defaults(self.options)

    @abstractmethod
    def pieces(self, options: O) -> PieceSet[P]:
        """Return the deck or set of tiles played with."""

    def deal(self, round: Round[O, E, P]) -> Deal:
        """Describe how a hand is dealt. Only the round's seats, options and opening pot are known. Rule: C-10."""
        noun = self.pieces(round.options).noun
        is_clockwise = self.direction == "clockwise"
        return Deal(round.turn_order, min(self.hand_sizes(round)), noun, is_clockwise, beginning=self.beginning)

    def last_turns(self, round: Round[O, E, P]) -> LastTurns | None:
        """Return who still has a turn after a knock or a call; None if there was none. Rule: C-11."""
        return None

    def least_knock(self, options: O) -> Message | None:
        """Return the lowest hand that may knock or call, in words; None if any hand may. Rule: C-11."""
        return None

    def most_counted(self, question: Question, options: O) -> int:
        """Return how much a question counts of one player at most, under these house rules."""
        return question.maximum

    @abstractmethod
    def who_must_show(self, round: Round[O, E, P]) -> tuple[str, ...]:
        """Return the players whose hands decide the round, unless the table stated the result. Rule: C-5."""

    def who_must_show_anyway(self, round: Round[O, E, P]) -> tuple[str, ...]:
        """Return the players whose hands are needed even if the table named the winners. Rule: C-13."""
        return ()

    def who_may_show(self, round: Round[O, E, P]) -> tuple[str, ...]:
        """Return the players who may show a hand; it needn't include those who must."""
        return ()

    def hand_sizes(self, round: Round[O, E, P]) -> Collection[int]:
        """Return the possible numbers of cards in a shown hand."""
        return (5,)

    def check_options(self, options: O) -> Iterator[Problem]:
        """Yield problems with house rules that are each valid but don't fit together."""
        return iter(())

    def check_seats(self, options: O, players: int) -> Iterator[Problem]:
        """Yield problems with the number of players under these house rules; `players` is within `seats`."""
        return iter(())

    def betting(self, round: Round[O, E, P]) -> Betting | None:
        """Play the bets entered so far; None in a game without betting. `round.hands` is empty.

        Called if the bets were entered instead of the answers that follow from them (`Question.instead_of`).
        """
        return None

    def check_entry(self, round: Round[O, E, P]) -> Iterator[Problem]:
        """Yield problems with the answers, before the hands are considered; `round.hands` is empty."""
        return iter(())

    def check_hands(self, round: Round[O, E, P]) -> Iterator[Problem]:
        """Yield problems with the shown hands; `round.hands` has those that are valid so far."""
        return iter(())

    @abstractmethod
    def place(self, round: Round[O, E, P]) -> tuple[ShownHand, ...]:
        """Evaluate and rank the hands in `round.hands`, best first; hands that must be shown may still be missing."""

    def standing(self, round: Round[O, E, P]) -> tuple[ShownHand, ...]:
        """Rank the hands like `place`, but put the winners named by the table first. Rule: C-13."""
        hands = self.place(round)
        return winners_first(hands, round.won_by) if round.won_by else hands

    def describe_cards(self, hand: Sequence[P], round: Round[O, E, P]) -> Message | None:
        """Describe what an incomplete or oversized hand is worth; None if nothing can be said."""
        return None

    def points(self, piece: P) -> str | None:
        """Return a card's points under the default house rules, as written; None if only whole hands have a value."""
        return None

    def ladder(self, options: O) -> Ladder:
        """Rank the kinds of hands under these house rules, each with an example that their set of cards can deal."""
        pieces = self.pieces(options)
        dealt = [(category, pieces.hand(category.example)) for category in self.categories]
        rungs = [Rung.of(category.key, category.name, cards) for category, cards in dealt if cards is not None]
        if not self.has_hands or self.points(pieces.pieces[0]) is None:
            return Ladder(tuple(rungs))
        # in a game of points, the first category is only the example of counting them
        return Ladder(tuple(rungs[1:]), points_example=rungs[0].example)

    @abstractmethod
    def settle(self, round: Round[O, E, P]) -> Settlement:
        """Work out who pays whom in a valid round."""

    def rarity(self, options: O, hand: tuple[P, ...], reading: Reading) -> Rarity | None:
        """Return how rare a shown hand is among all hands of its size; None if the game doesn't count them.

        `reading` is the hand's reading in the settlement. Drawing and discarding are ignored, as if it had been dealt.
        """
        return None

    def rarities(self, options: O, settlement: Settlement) -> dict[str, Rarity]:
        """Return how rare each shown hand is, by player; empty if the table stated the result. Rule: C-13."""
        if settlement.is_by_word:
            return {}
        shown: list[tuple[str, Any, Reading]] = [(hand.player, hand.cards, hand.reading) for hand in settlement.hands]
        rarities = {player: self.rarity(options, cards, reading) for player, cards, reading in shown}
        return {player: rarity for player, rarity in rarities.items() if rarity is not None}


AnyGame = Game[Any, Any, Any]
AnyRound = Round[Any, Any, Any]


def seated(game: AnyGame, options: Any, players: Sequence[str], dealer: str, **answers: object) -> AnyRound:
    """Make a round without hands or money, of which only the seats, the dealer and some answers are known."""
    order = turn_order(players, dealer, game.direction)
    return Round(tuple(players), dealer, order, 1, 0, options, game.entry(**answers), {})
