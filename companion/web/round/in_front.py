"""Limits a round being entered to the players' stacks: which bets are possible, and refusing those that aren't.

Stacks are in units, by the players' names, because the form has names. None means a night without stacks and limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wtforms import Field

from companion.engine.messages import Message
from companion.engine.settlement import Settlement
from companion.store.stacks import shortfall_message, shortfalls

from ..http.parsing import whole
from ..text.language import say
from ..text.money import amount_typed, units
from . import bet_line
from .document import Answer, played_bets
from .entered import EnteredRound
from .form import RoundForm

InFront = Mapping[str, int] | None


def shown_in_front(form: EnteredRound) -> InFront:
    """Return the chips that players have in front of them during a round: their stacks, less their bets so far."""
    played = played_bets(form, form.names)
    if form.in_front is None or played is None or played.state is None:
        return form.in_front
    return {player: held - played.state["paid"].get(player, 0) for player, held in form.in_front.items()}


def left_of_turn(state: Mapping[str, Any] | None, in_front: InFront) -> int | None:
    """Return how many chips the player in turn has left; None without stacks, or if it is nobody's turn."""
    if state is None or in_front is None or state["turn"] not in in_front:
        return None
    turn = str(state["turn"])
    return max(in_front[turn] - int(state["paid"][turn]), 0)


def within_stack(state: Mapping[str, Any], in_front: InFront) -> Mapping[str, Any]:
    """Limit the actions in a betting document to the chips the player has left; an all-in then has an amount."""
    left = left_of_turn(state, in_front)
    if left is None:
        return state
    return {**state, "may": [one for allowed in state["may"] for one in _within(allowed, left)]}


def _within(allowed: Mapping[str, Any], left: int) -> list[Mapping[str, Any]]:
    action, most = allowed["action"], allowed.get("most")
    if action == "all-in":
        return [{"action": action, "amount": left}] if left and (most is None or left <= most) else []
    if "least" in allowed:
        fits = allowed["least"] <= left
        return [{**allowed, "most": left if most is None else min(most, left)}] if fits else []
    return [allowed] if allowed.get("amount", 0) <= left else []


def exceeds_stack(form: RoundForm, action: str) -> bool:
    """Return whether a betting button puts in more than the player in turn has left; if so, set the field's error."""
    kind, given = bet_line.button_parts(action)
    played = played_bets(form, form.names)
    state = played.state if played else None
    left = left_of_turn(state, form.in_front)
    if state is None or left is None:
        return False
    wanted: object = None
    if kind == "call":
        wanted = bet_line.call_of(state)
    elif kind in ("bet", "raise", "all-in"):
        wanted = whole(given) if given else amount_typed(form.bet_amount.data or "")
    if not isinstance(wanted, int) or wanted <= left:
        return False
    form.bet_amount.errors = [say(_too_much(state["turn"], left))]
    return True


def _too_much(player: str, left: int) -> Message:
    if not left:
        text = "{player} has no chips left: record a rebuy first, or enter the totals instead"
        return Message(text, player=player)
    text = "{player} has {units} left: that is all-in; for more, record a rebuy first"
    return Message(text, player=player, units=units(left))


def too_much(settlement: Settlement, in_front: InFront) -> dict[str, str]:
    """Return an explanation for each player who puts in more than their stack, by name."""
    return {
        player: say(shortfall_message(player, units(given), stack, units(max(stack, 0))))
        for player, (given, stack) in shortfalls(settlement, in_front or {}).items()
    }


def refuse_uncovered(answer: Answer, form: RoundForm) -> Answer:
    """Turn an answer into a refusal if anybody puts in more than their stack, and show the problems at their fields."""
    told = too_much(answer.settlement, form.in_front) if answer.settlement else {}
    if not told:
        return answer
    placed = [(text, field_of_bets(player, form)) for player, text in told.items()]
    for text, field in placed:
        field.errors = [*field.errors, text]
    return replace(answer, settlement=None, problems=tuple(placed))


def field_of_bets(player: str, form: EnteredRound) -> Field:
    """Return the field that decides what a player puts in: the bets, the player's total, or else the player's hand."""
    replaced = form.replaced
    (seat,) = [seat for seat in form.seats if (seat.name.data or "").strip() == player]
    key = next((q.key for q in form.game.questions if q.kind == "amounts"), "hand")
    found: Field = form.bets if key in replaced else seat[key]
    return found
