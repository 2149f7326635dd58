"""The fields of points kept from earlier rounds, which a night fills in by itself. Rule: KR-14."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.engine.game import AnyGame
from companion.engine.players import PlayerKey


class AnsweredSeat(Protocol):
    """A player's fields."""

    @property
    def answers(self) -> dict[str, Any]: ...


class FormOfSeats(Protocol):
    """The form of a round."""

    @property
    def game(self) -> AnyGame: ...
    @property
    def players(self) -> Sequence[PlayerKey]: ...
    @property
    def seats(self) -> Sequence[AnsweredSeat]: ...


def _keys(form: FormOfSeats) -> list[str]:
    return [question.key for question in form.game.questions if question.kind == "kept"]


def set_kept(form: FormOfSeats, points: Mapping[str, int]) -> None:
    """Fill in the points, by player."""
    for key in _keys(form):
        for player, seat in zip(form.players, form.seats, strict=True):
            seat.answers[key].data = str(points.get(player) or "")


def drafted_answers(form: FormOfSeats, seat: AnsweredSeat) -> dict[str, Any]:
    """Return a seat's answers that phones enter in a night."""
    return {key: field for key, field in seat.answers.items() if key not in _keys(form)}
