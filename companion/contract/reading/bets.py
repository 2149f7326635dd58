"""Bets in a round document: the answers they imply, and the state of the betting as a document."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.allowed import WITH_AMOUNT, Allowed
from companion.engine.betting.actions import Betting
from companion.engine.game import AnyGame, AnyRound
from companion.engine.messages import Message
from companion.engine.problems import Problem

_EMPTY: tuple[object, ...] = ([], {})


def answers_from_bets(
    game: AnyGame, asked: Mapping[str, object], needs_bets: bool
) -> tuple[tuple[str, ...], Problem | None]:
    """Return the keys of the answers that follow from the bets, and a problem if they are also given.

    `asked` is the document's "round" object. An empty answer counts as not given. With `needs_bets`, missing bets mean
    that the betting hasn't begun.
    """
    questions = game.questions
    bets = [q for q in questions if q.kind == "bets" and (needs_bets or q.key in asked)]
    if not bets:
        return (), None
    has_bets = needs_bets or any(asked[question.key] not in _EMPTY for question in bets)
    if not has_bets and any(asked.get(question.key) is True for question in questions if question.spares):
        return (), None
    if all(asked.get(key, []) in _EMPTY for key in bets[0].instead_of):
        return bets[0].instead_of, None
    if not has_bets:
        return (), None
    text = "Enter the bets, or what each paid and who folded, but not both; remove one of them"
    return bets[0].instead_of, Problem(f"round.{bets[0].key}", "bad-value", Message(text))


def betting_document(round: AnyRound, betting: Betting) -> dict[str, object]:
    """Write the state of the betting, amounts in units; the pot includes what was carried into the round."""
    state = betting.state
    return {
        "round": None if betting.is_over else betting.key,
        "turn": state.turn,
        "may": [_allowed(allowed) for allowed in state.allowed_actions()],
        "over": betting.is_over,
        "pot": round.pot_units + sum(state.paid.values()),
        "paid": {player: state.paid[player] for player in round.players},
        "folded": list(state.folded),
        "all_in": list(state.all_in),
    }


def _allowed(allowed: Allowed) -> dict[str, object]:
    if allowed.kind in WITH_AMOUNT:
        return {"action": allowed.kind, "least": allowed.least, "most": allowed.most}
    return {"action": allowed.kind, **({"amount": allowed.least} if allowed.least else {})}
