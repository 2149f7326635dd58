"""The round that all of a session's phones enter together, as one of them may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from flask import request

from companion.engine.game import AnyGame
from companion.store import drafts as store
from companion.store.before_round import BeforeRound
from companion.store.models import PlaySession

from ..access.devices import known_device, may, my_player
from ..access.lookup import game_or_404
from . import draft_cells
from .entered import EnteredRound
from .form import RoundForm
from .live import live
from .plain import PlainRound
from .prefill import new_form, new_round, players_of

Form = TypeVar("Form", bound=EnteredRound)


@dataclass(frozen=True)
class SharedRound(Generic[Form]):
    """`form` is filled in with what this phone may see; `players` are the player ids by seat.

    `down` has the seats whose hands are face down here, with {"size", "complete"}; `live` is its live reading.
    """

    form: Form
    players: list[str]
    key: str | None
    down: dict[int, dict[str, Any]]
    live: dict[str, Any]


@dataclass(frozen=True)
class WholeRound(Generic[Form]):
    """The draft with every hand in it, regardless of who may see it. Never send it; send what `as_seen` returns."""

    form: Form
    players: list[str]
    live: dict[str, Any]


def whole_round(session: PlaySession, game: AnyGame, before: BeforeRound) -> WholeRound[PlainRound]:
    """Fill a game's next round with a session's draft, and evaluate it."""
    return _filled(session, game, new_round(session, game, before))


def _filled(session: PlaySession, game: AnyGame, form: Form) -> WholeRound[Form]:
    players = players_of(session, game)
    draft_cells.fill(form, players, store.values_of(session.draft))
    return WholeRound(form, players, live(form))


def as_seen(session: PlaySession, game: AnyGame, whole: WholeRound[Form]) -> SharedRound[Form]:
    """Remove from the round what this phone may not see; if that includes hands, evaluate the rest again.

    While hands are face down on this phone, it learns nothing that depends on them except how many cards they have.
    Whether all hands are in depends on the stored draft alone, not on the game the phone asks about.
    """
    form, players, told = whole.form, whole.players, whole.live
    draft, me = session.draft, my_player(session)
    key = draft.key if draft else None
    own = f"players-{players.index(me)}-" if me in players and not may("keep") else ""
    pieces = form.pieces
    hidden = draft_cells.hidden_hands(draft, players, known_device(), pieces)
    if not hidden:
        return SharedRound(form, players, key, {}, {**told, "wrong": _to_mend(told["wrong"], own)})
    for seat in hidden:
        form.seats[seat].hand.data = ""
    nothing = {"size": 0, "complete": False}
    sizes = {seat: {**told["seats"].get(str(seat), nothing), "reading": ""} for seat in hidden}
    mine = live(form)
    seats = {**mine["seats"], **{str(seat): size for seat, size in sizes.items()}}
    visible = {**told, "settled": None, "seats": seats, "wrong": _to_mend(mine["wrong"], own)}
    return SharedRound(form, players, key, sizes, visible)


def shared_round(session: PlaySession, game: AnyGame, before: BeforeRound) -> SharedRound[PlainRound]:
    """Return the draft of a session's next round as this phone may see it."""
    return as_seen(session, game, whole_round(session, game, before))


def shared_form(session: PlaySession, game: AnyGame, before: BeforeRound) -> SharedRound[RoundForm]:
    """Return the same with a form, for a page."""
    return as_seen(session, game, _filled(session, game, new_form(session, game, before)))


def _to_mend(wrong: list[dict[str, str]], own: str) -> list[dict[str, str]]:
    """Return the problems this phone can fix: if it enters only its own hand, none in other seats."""
    return [problem for problem in wrong if problem["id"].startswith(own) or not problem["id"].startswith("players-")]


def next_game(session: PlaySession) -> AnyGame:
    """Return the next round's game: the requested one, else the one being entered, else the last one played."""
    asked = request.values.get("game")
    return game_or_404(asked or store.values_of(session.draft).get(draft_cells.GAME) or session.game)
