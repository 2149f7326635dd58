"""The betting of the hand in play: whose turn it is, what that player may do, and what everyone has put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.messages import Message
from companion.store.hand_in_play import ASKED_BACK

from .next_round import NextRound


@dataclass(frozen=True)
class Offer:
    """Something the player in turn may do; it puts `least` to `most` units into the pot (`most` None: no limit)."""

    action: str
    least: int = 0
    most: int | None = 0

    @property
    def is_fixed(self) -> bool:
        """Whether it puts in one amount only, which nobody needs to type."""
        return self.least == self.most


def betting_fields(round: NextRound) -> dict[str, Any]:
    """Return the fields of `HandInPlay` about the betting; empty if they aren't entered one by one, or nobody plays.

    In a night with stacks, nothing is offered that the player's chips don't cover, and an all-in has one amount.
    """
    played = round.bets
    if played is None:
        return {}
    is_begun, state = bool(played.sentences), played.state
    told: dict[str, Any] = {"has_bets": True, "bets": tuple(played.sentences), "is_begun": is_begun}
    if state is None:
        text = "The bets as entered don't add up; the scorekeeper can correct them"
        return {**told, "problem": Message(text)}
    by_name = {round.names[player]: player for player in round.players}
    keys = [question.key for question in round.game.betting_rounds]
    asked_back = round.cells.get(ASKED_BACK)
    return {
        **told,
        "turn": by_name.get(state["turn"]),
        "pot": state["pot"],
        "paid": {by_name[name]: units for name, units in state["paid"].items()},
        "to_call": played.to_call,
        "offers": tuple(map(_offer, state["may"])),
        "is_exchange": state["round"] in keys[1:] and not played.actions[state["round"]],
        "asked_back": asked_back if is_begun and asked_back in round.players else None,
        "all_in": tuple(by_name[name] for name in state["all_in"]),
        "out": tuple(by_name[name] for name in state["folded"]),
        "is_over": state["over"],
    }


def _offer(allowed: Mapping[str, Any]) -> Offer:
    units = allowed.get("amount", 0)
    return Offer(allowed["action"], allowed.get("least", units), allowed.get("most", units))
