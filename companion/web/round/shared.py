"""The round that all of a session's phones enter together, as one of them may see it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from companion.contract import HandSoFar, Progress

from ..access.devices import may
from . import draft_cells
from .form import RoundForm
from .live import live, progress_of
from .next_round import NextRound

Down = dict[int, dict[str, Any]]  # by seat, of the hands that are face down on this phone: {"size", "complete"}


@dataclass(frozen=True)
class WholeRound:
    """The draft with every hand in it, regardless of who may see it. Never send it before `cover` has run."""

    round: NextRound
    form: RoundForm
    progress: Progress
    live: Mapping[str, Any]


def whole_round(round: NextRound) -> WholeRound:
    """Fill the next round with the draft, and evaluate it."""
    form = draft_cells.drafted_form(round)
    found = progress_of(form)
    return WholeRound(round, form, found, live(form, found))


def cover(whole: WholeRound) -> tuple[Down, dict[str, Any]]:
    """Take out of the round's form what this phone may not see; if that includes hands, evaluate the rest again.

    Returns the hands face down on this phone, and the live reading for it.

    While hands are face down on this phone, it learns nothing that depends on them except how many cards they have.
    Whether all hands are in depends on the stored draft alone, not on the game the phone asks about.
    """
    round, form, told = whole.round, whole.form, whole.live
    own = f"players-{round.my_seat}-" if round.my_seat is not None and not may("keep") else ""
    hidden = _hidden_seats(round, form)
    if not hidden:
        return {}, {**told, "wrong": _fixable_here(told["wrong"], own)}
    down = _covered(form, hidden, whole.progress)
    mine = live(form)
    seats = {**mine["seats"], **{str(seat): size for seat, size in down.items()}}
    return down, {**told, "settled": None, "seats": seats, "wrong": _fixable_here(mine["wrong"], own)}


def shared_form(round: NextRound) -> tuple[RoundForm, Down]:
    """Return the form of the next round with what this phone may see of the draft, and the hands face down on it."""
    form = draft_cells.drafted_form(round)
    hidden = _hidden_seats(round, form)
    return form, _covered(form, hidden, progress_of(form)) if hidden else {}


def _hidden_seats(round: NextRound, form: RoundForm) -> list[int]:
    """Return the seats whose hand the filled form has, but this phone shows as cards lying face down."""
    return [seat for seat in draft_cells.face_down(round) if form.seats[seat].hand.data]


def _covered(form: RoundForm, hidden: Collection[int], found: Progress) -> Down:
    """Take hidden hands out of a form. Returns what everybody may know of them: the size, and if they are complete."""
    for seat in hidden:
        form.seats[seat].hand.data = ""
    nothing, names = HandSoFar(0, False, None, None), form.names
    hands = {seat: found.hands.get(names[seat], nothing) for seat in hidden}
    return {seat: {"size": hand.size, "complete": hand.is_complete, "reading": ""} for seat, hand in hands.items()}


def _fixable_here(wrong: list[dict[str, str]], own: str) -> list[dict[str, str]]:
    """Return the problems this phone can fix: if it enters only its own hand, none in other seats."""
    return [problem for problem in wrong if problem["id"].startswith(own) or not problem["id"].startswith("players-")]
