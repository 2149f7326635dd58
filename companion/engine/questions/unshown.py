"""Players who stay in but show no hand that could win: a foul hand, or a muck. Rule: C-15."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..game import AnyRound
from ..messages import Message
from ..problems import Problem
from .entry import players_who, questions_of


def without_lost(round: AnyRound, players: Sequence[str]) -> tuple[str, ...]:
    """Return those of the players who may win: who has neither a foul hand nor mucked."""
    lost = players_who(round.entry, "lost")
    return tuple(player for player in players if player not in lost)


def shows_none(round: AnyRound, players: Sequence[str]) -> frozenset[str]:
    """Return those of the players who may not win: who has a foul hand or mucked."""
    return frozenset(players) - {*without_lost(round, players)}


def who_shows(round: AnyRound, players: Sequence[str]) -> tuple[str, ...]:
    """Return those of the players who must show: who may win, or nobody if only one may. Rule: C-5, C-15."""
    left = without_lost(round, players)
    return left if len(left) > 1 else ()


def check_has_shown(round: AnyRound, player: str | None) -> Iterator[Problem]:
    """Yield a problem if a player who must show, such as one who called, has a foul hand or mucked."""
    if player is not None and not without_lost(round, [player]):
        text = "{player} ended the round and must show a hand; untick that, or fix who did"
        yield Problem(field_of_lost(round), "bad-value", Message(text, player=player))


def field_of_lost(round: AnyRound) -> str:
    """Return the path of the answer that says who has lost; there must be one."""
    questions = (question for question in questions_of(type(round.entry)) if question.meaning == "lost")
    return next(f"round.{question.key}" for question in questions if getattr(round.entry, question.key))


def check_somebody_wins(round: AnyRound, stayed: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem if several players stayed in, but all of them have foul hands or mucked."""
    if len(stayed) > 1 and not without_lost(round, stayed):
        text = "{players} can't all have lost without showing; the last one takes the pot, untick one"
        yield Problem(field_of_lost(round), "bad-value", Message(text, players=tuple(stayed)))


# why the last one who may win gets what is played for
ALONE = Message("nobody else shows a hand")


def nobody_else_shows(winners: tuple[str, ...]) -> Message:
    """Say that the others have foul hands or mucked."""
    one, many = "Nobody else shows a hand, so {players} takes the pot", "Nobody else shows, so {players} take the pot"
    return Message(one, many, n=len(winners), players=winners)
