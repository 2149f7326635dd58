"""A stand-in for a game whose file isn't here, so that rounds of it can be shown as they were booked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .game import Game, Round, turn_order
from .hands.strength import ShownHand
from .messages import Message
from .money.settlement import POT, Settlement, Transfer
from .options import Option
from .pieces.sets import NO_PIECES, Piece, PieceSet
from .questions.entry import Question


class _AnyRules:
    """House rules of which nothing is known."""

    def __init__(self, **rules: object) -> None:
        pass


@dataclass(frozen=True)
class _NoAnswers:
    """Answers of which nothing is known."""


AbsentRound = Round[_AnyRules, _NoAnswers, Piece]


class AbsentGame(Game[_AnyRules, _NoAnswers, Piece]):
    """A game of which only the key is known. Nothing can be entered for it, and its rounds aren't settled again."""

    is_absent = True
    summary = ""
    seats = (2, 20)
    options = _AnyRules
    entry = _NoAnswers
    categories = ()
    reasons = ()
    examples = ()

    def __init__(self, key: str) -> None:
        self.key = key  # type: ignore[misc]  # a class variable of other games
        self.name = key.replace("-", " ").capitalize()  # type: ignore[misc]

    @property
    def questions(self) -> tuple[Question, ...]:
        return ()

    @property
    def house_rules(self) -> tuple[Option, ...]:
        return ()

    def pieces(self, options: _AnyRules) -> PieceSet[Piece]:
        return NO_PIECES

    def who_must_show(self, round: AbsentRound) -> tuple[str, ...]:
        return ()

    def place(self, round: AbsentRound) -> tuple[ShownHand, ...]:
        return ()

    def as_booked(
        self, players: Sequence[str], dealer: str, pot_units: int, transfers: Sequence[Transfer]
    ) -> tuple[AbsentRound, Settlement]:
        """Return a round with the transfers booked for it; those who gained count as its winners."""
        order = turn_order(players, dealer, self.direction)
        round: AbsentRound = Round(tuple(players), dealer, order, 1, pot_units, _AnyRules(), _NoAnswers(), {})
        text = "{game} isn't installed here, so the round is shown as it was booked"
        message = Message(text, game=self.name)
        booked = Settlement(round.players, order, (), (), message, pot_units, tuple(transfers))
        winners = tuple(player for player in order if booked.net[player] > 0)
        return round, Settlement(round.players, order, winners, (), message, pot_units, tuple(transfers))

    def settle(self, round: AbsentRound) -> Settlement:
        raise NotImplementedError(f"{self.key} isn't installed")


def is_bookable(players: Sequence[str], pot_units: int, transfers: Sequence[tuple[str, str, int]]) -> bool:
    """Return whether transfers (giver, taker, units) are only between players and pot, which never falls below 0."""
    accounts, pot = {*players, POT}, pot_units
    for giver, taker, units in transfers:
        pot += units * ((taker == POT) - (giver == POT))
        if not {giver, taker} <= accounts or giver == taker or units < 1 or pot < 0:
            return False
    return True
