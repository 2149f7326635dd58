"""The round that all phones of a session enter together, as one of them may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import abort, request

from companion.engine.game import AnyGame
from companion.games import all_games
from companion.store import drafts as store
from companion.store.models import PlaySession

from ..access.devices import known_device, may, my_player
from . import draft_cells
from .form import RoundForm, chosen_options
from .in_front import in_front_of
from .live import live
from .prefill import new_form, players_of


@dataclass(frozen=True)
class SharedRound:
    """`form` is filled in with what this phone may see, `players` are the seats' players by their ids.

    `down` has the seats whose hands lie face down here, with {"size", "complete"}; `told` is what `live` tells.
    """

    form: RoundForm
    players: list[str]
    key: str | None
    down: dict[int, dict[str, Any]]
    told: dict[str, Any]


@dataclass(frozen=True)
class WholeRound:
    """The draft with every hand in it, whoever may see it: never told, but what `as_seen` leaves of it."""

    form: RoundForm
    players: list[str]
    told: dict[str, Any]


def whole_round(session: PlaySession, game: AnyGame) -> WholeRound:
    """Put the draft of a session's next round into the form of a game, and read that."""
    players, form = players_of(session, game), new_form(session, game)
    draft_cells.fill(form, game, players, draft_cells.values(store.draft_of(session)))
    return WholeRound(form, players, live(form, game, in_front_of(session)))


def as_seen(session: PlaySession, game: AnyGame, whole: WholeRound) -> SharedRound:
    """Take out of the round what this phone may not see, and read the rest again where that is a hand.

    While hands lie face down on it, it is told nothing that depends on them but how many cards they have: whether all
    are in is told by the stored draft alone, not by the game that a phone asks for.
    """
    form, players, told = whole.form, whole.players, whole.told
    draft, me = store.draft_of(session), my_player(session)
    key = draft.key if draft else None
    own = f"players-{players.index(me)}-" if me in players and not may("keep") else ""
    pieces = game.pieces(chosen_options(form, game))
    hidden = draft_cells.hidden_hands(draft, players, known_device(), pieces)
    if not hidden:
        return SharedRound(form, players, key, {}, {**told, "wrong": _to_mend(told["wrong"], own)})
    for seat in hidden:
        form.seats[seat].hand.data = ""
    nothing = {"size": 0, "complete": False}
    sizes = {seat: {**told["seats"].get(str(seat), nothing), "reading": ""} for seat in hidden}
    mine = live(form, game, in_front_of(session))
    seats = {**mine["seats"], **{str(seat): size for seat, size in sizes.items()}}
    hushed = {**told, "settled": None, "seats": seats, "wrong": _to_mend(mine["wrong"], own)}
    return SharedRound(form, players, key, sizes, hushed)


def shared_round(session: PlaySession, game: AnyGame) -> SharedRound:
    """Put the draft of a session's next round together for this phone."""
    return as_seen(session, game, whole_round(session, game))


def _to_mend(wrong: list[dict[str, str]], own: str) -> list[dict[str, str]]:
    """List what can be mended on this phone: where it enters one hand only, nothing of another seat's."""
    return [problem for problem in wrong if problem["id"].startswith(own) or not problem["id"].startswith("players-")]


def next_game(session: PlaySession) -> AnyGame:
    """Find the game of the next round: the one asked for, else the one that is being entered, else the last one."""
    asked = request.values.get("game")
    key = asked or draft_cells.values(store.draft_of(session)).get(draft_cells.GAME) or session.game
    game = all_games().get(key)
    if game is None:
        abort(404)
    return game
