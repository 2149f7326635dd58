"""What a round's page shows of the session it belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine.messages import Message
from companion.store.face_down import FaceDown
from companion.store.models import PlaySession

from .bet_line import InFront
from .effects import Effects
from .hand_in_play import HandInPlay
from .mine import Mine


@dataclass(frozen=True)
class SessionPart:
    """The session's part of a round's page; a single round has none.

    `number`, `key` and `seen` are carried by the form: the line, the key that saves it once, and in a correction the
    revision being corrected. `way` is how the round is entered: by cards, or by the question that replaces them. `me`
    is the seat of a phone that enters only its own hand (-1: not at the table). `down` has the seats whose hands are
    face down here. On a player's own phone, `hand` is the hand in play, `player` is whose
    phone it is, and `mine` is what that player has to give or get for the last round. `balances` has every account's
    balance before the round, by key, and `in_front` the stacks that limit the bets. A correction has neither: see
    `stacks.overdrawn`. `counts_again`: the round that it corrects is voided.
    """

    session: PlaySession
    action: str
    number: str
    key: str
    pot: int
    seen: str | None = None
    counts_again: bool = False
    way: str = ""
    # for the round that all phones enter together
    draft: str | None = None
    me: int | None = None
    hand: HandInPlay | None = None
    player: str | None = None
    down: Mapping[int, FaceDown] = field(default_factory=dict)
    mine: Mine | None = None
    balances: Mapping[str, int] = field(default_factory=dict)
    in_front: InFront = None
    overwritten: Sequence[str] = ()
    late: Sequence[Message] = ()
    # why it wasn't saved, and what is stored instead
    problem: Message | None = None
    problem_line: int | None = None
    saved_as: int | None = None
    other: Sequence[tuple[Any, str | None, str | None]] | None = None
    effects: Effects | None = None

    @property
    def corrects(self) -> int | None:
        """The line of the saved round that is corrected; None for the next round."""
        return None if self.seen is None else int(self.number)
