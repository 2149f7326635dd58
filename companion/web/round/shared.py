"""The round that all of a session's phones enter together, as one of them may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ..access.devices import may
from . import draft_cells
from .entered import EnteredRound
from .form import RoundForm
from .live import live
from .next_round import NextRound
from .plain import PlainRound
from .prefill import new_form, new_round

Form = TypeVar("Form", bound=EnteredRound)


@dataclass(frozen=True)
class SharedRound(Generic[Form]):
    """`form` is filled in with what this phone may see.

    `down` has the seats whose hands are face down here, with {"size", "complete"}; `live` is its live reading.
    """

    round: NextRound
    form: Form
    down: dict[int, dict[str, Any]]
    live: dict[str, Any]


@dataclass(frozen=True)
class WholeRound(Generic[Form]):
    """The draft with every hand in it, regardless of who may see it. Never send it; send what `as_seen` returns."""

    round: NextRound
    form: Form
    live: dict[str, Any]


def whole_round(round: NextRound) -> WholeRound[PlainRound]:
    """Fill the next round with the draft, and evaluate it."""
    return _filled(round, new_round(round))


def _filled(round: NextRound, form: Form) -> WholeRound[Form]:
    draft_cells.fill(form, round)
    return WholeRound(round, form, live(form))


def as_seen(whole: WholeRound[Form]) -> SharedRound[Form]:
    """Remove from the round what this phone may not see; if that includes hands, evaluate the rest again.

    While hands are face down on this phone, it learns nothing that depends on them except how many cards they have.
    Whether all hands are in depends on the stored draft alone, not on the game the phone asks about.
    """
    round, form, told = whole.round, whole.form, whole.live
    own = f"players-{round.players.index(round.me)}-" if round.me in round.players and not may("keep") else ""
    hidden = draft_cells.hidden_hands(round, form.pieces)
    if not hidden:
        return SharedRound(round, form, {}, {**told, "wrong": _to_mend(told["wrong"], own)})
    for seat in hidden:
        form.seats[seat].hand.data = ""
    nothing = {"size": 0, "complete": False}
    sizes = {seat: {**told["seats"].get(str(seat), nothing), "reading": ""} for seat in hidden}
    mine = live(form)
    seats = {**mine["seats"], **{str(seat): size for seat, size in sizes.items()}}
    visible = {**told, "settled": None, "seats": seats, "wrong": _to_mend(mine["wrong"], own)}
    return SharedRound(round, form, sizes, visible)


def shared_round(round: NextRound) -> SharedRound[PlainRound]:
    """Return the draft of a session's next round as this phone may see it."""
    return as_seen(whole_round(round))


def shared_form(round: NextRound) -> SharedRound[RoundForm]:
    """Return the same with a form, for a page."""
    return as_seen(_filled(round, new_form(round)))


def _to_mend(wrong: list[dict[str, str]], own: str) -> list[dict[str, str]]:
    """Return the problems this phone can fix: if it enters only its own hand, none in other seats."""
    return [problem for problem in wrong if problem["id"].startswith(own) or not problem["id"].startswith("players-")]
