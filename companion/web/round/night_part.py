"""What a round's page shows of the night it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.store.models import Night
from companion.store.night.before_round import BeforeRound
from companion.store.refusals import Refused
from companion.table.bets import InFront
from companion.table.guidance.worth import Prospect
from companion.table.hand import HandInPlay
from companion.table.sight import FaceDown

from ..http.monitoring import figures
from .effects import Effects
from .mine import Mine


@dataclass(frozen=True)
class OwnPhone:
    """A player's own phone, which enters only its player's hand: in which `seat` (-1: not in this round), and whose.

    `hand` is the hand in play, `prospects` what the player decides between, and `mine` what that player has to give or
    get for the last round. `wrong` is what is wrong with that hand once all are shown, such as a card in two of them.
    """

    seat: int
    player: PlayerKey | None = None
    hand: HandInPlay | None = None
    mine: Mine | None = None
    prospects: tuple[Prospect, ...] = ()
    wrong: str = ""


@dataclass(frozen=True)
class NotSaved:
    """Why a round wasn't saved. `line` is in the way; `saved_as` is the one that was saved with the same key.

    `other` is what another phone saved instead, beside what was typed here.
    """

    problem: Message
    line: int | None = None
    saved_as: int | None = None
    other: Sequence[tuple[Any, str | None, str | None]] | None = None


@dataclass(frozen=True)
class NightPart:
    """The night's part of a round's page; a single round has none.

    `number`, `key` and `seen` are carried by the form: the line, the key that saves it once, and in a correction the
    revision being corrected. `kept` are the points kept from earlier rounds. `played_for` are the units of a stake in
    this round, and `stake_now` those that hold for it by now, unless the table decides otherwise. `way` is how the
    round is entered: by cards, or by the question that replaces them. `down` has the seats whose hands are face down
    here. `before` knows what everybody had won before the round, and `in_front` the stacks that limit the
    bets. A correction has neither: see `stacks.overdrawn`. `counts_again`: the round that it corrects is voided. `own`
    is None on the scorekeeper's phone. `asks_stake` asks for which of the two stakes the round was played.
    `state_line` says what comes next in the hand, and `note()` what is announced. `me` is the player whose seat this
    phone has.
    """

    night: Night
    action: str
    number: str
    key: str
    pot: int
    played_for: int
    stake_now: int
    seen: str | None = None
    counts_again: bool = False
    way: str = ""
    kept: Mapping[str, int] = field(default_factory=dict)
    # for the round that all phones enter together
    draft: str | None = None
    down: Mapping[int, FaceDown] = field(default_factory=dict)
    before: BeforeRound | None = None
    in_front: InFront = None
    overwritten: Sequence[PlayerKey] = ()
    late: Sequence[Message] = ()
    own: OwnPhone | None = None
    state_line: str = ""
    note: Callable[[], str] = str
    me: PlayerKey | None = None

    not_saved: NotSaved | None = None
    asks_stake: Message | None = None
    effects: Effects | None = None

    def refused(self, why: Refused) -> NightPart:
        """Return this part with why the round wasn't saved, which is counted among the refusals."""
        figures.refused(why)
        return self.unsaved(why.message, why.line)

    def unsaved(self, problem: Message, line: int | None = None) -> NightPart:
        """Return this part with a problem that must be mended before the round is saved."""
        return replace(self, not_saved=NotSaved(problem, line))

    @property
    def corrects(self) -> int | None:
        """The line of the saved round that is corrected; None for the next round."""
        return None if self.seen is None else int(self.number)
