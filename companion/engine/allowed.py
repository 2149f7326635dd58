"""The actions of a betting round, which of them a player may take, and how to word that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from .messages import Message

ActionKind = Literal["check", "bet", "call", "raise", "fold", "all-in", "all-in-by-ante"]
BY_ANTE: ActionKind = "all-in-by-ante"  # entered before anyone's turn; every other action is a turn
ACTIONS: tuple[ActionKind, ...] = tuple(kind for kind in get_args(ActionKind) if kind != BY_ANTE)
WITH_AMOUNT: tuple[ActionKind, ...] = ("bet", "raise", "all-in")


@dataclass(frozen=True, slots=True)
class Action:
    """What a player did on their turn, and the `units` it added to the pot.

    `units` is 0 for a call, whose amount follows from the state, and for actions without an amount. `BY_ANTE` isn't a
    turn: it means that the ante was the player's last chip.
    """

    player: str
    kind: ActionKind
    units: int = 0


@dataclass(frozen=True, slots=True)
class Allowed:
    """An action that the player whose turn it is may take. It adds `least` to `most` units (None: no limit)."""

    kind: ActionKind
    least: int = 0
    most: int | None = 0

    def takes(self, action: Action) -> bool:
        """Return whether `action` is of this kind and its amount is within the bounds."""
        if action.kind != self.kind or self.kind not in WITH_AMOUNT:
            return action.kind == self.kind
        return self.least <= action.units and (self.most is None or action.units <= self.most)

    @property
    def phrase(self) -> Message:
        """The action in words, to follow "may": "raise with 2 to 10"."""
        most = "" if self.most is None else f"{self.most:,}"
        template = _PHRASES[self.kind][0 if self.most is None else 1 if self.least < self.most else 2]
        return Message(template, least=f"{self.least:,}", most=most)


# follows "may": without an upper limit, with a range, with only one possible amount
_PHRASES: Mapping[ActionKind, tuple[str, str, str]] = {
    "check": ("check", "check", "check"),
    "bet": ("bet {least} or more", "bet {least} to {most}", "bet {least}"),
    "call": ("call {least}", "call {least}", "call {least}"),
    "raise": ("raise with {least} or more", "raise with {least} to {most}", "raise with {least}"),
    "fold": ("fold", "fold", "fold"),
    "all-in": ("go all-in", "go all-in with {most} at most", "go all-in with {most} at most"),
}


def any_of(things: Sequence[Message]) -> Message:
    """Join the allowed actions with commas and "or"; there are always at least two."""
    *others, last = things
    first = others.pop(0)
    for other in others:
        first = Message("{first}, {other}", first=first, other=other)
    return Message("{first}, or {last}" if others else "{first} or {last}", first=first, last=last)
