"""Who shows a hand that wins outright: that ends the hand, and nobody else shows one. Rules: DO-6, TH-5."""

from __future__ import annotations

from companion.engine.game import AnyGame
from companion.engine.players import PlayerKey
from companion.engine.questions.entry import Question

from .cells import TABLE
from .next_round import Before, NextRound


def outright_question(game: AnyGame) -> Question | None:
    """Return the game's question about who showed a hand that wins outright, or None."""
    return next((q for q in game.questions if q.kind == "player" and q.meaning == "outright"), None)


def outright_of(round: NextRound[Before]) -> PlayerKey | None:
    """Return who shows such a hand; None if nobody does."""
    question = outright_question(round.game)
    return None if question is None else round.player(round.entered(TABLE, question.key))
