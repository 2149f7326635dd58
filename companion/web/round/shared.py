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
from .form import RoundForm
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


def shared_round(session: PlaySession, game: AnyGame) -> SharedRound:
    """Put the draft of a session's next round together for this phone.

    While hands lie face down on it, it is told nothing that depends on them but how many cards they have: whether all
    are in is told by the stored draft alone, not by the game that a phone asks for.
    """
    draft, players = store.draft_of(session), players_of(session, game)
    entered = draft_cells.values(draft)
    whole = new_form(session, game)
    draft_cells.fill(whole, game, players, entered)
    told = live(whole, game)
    me = my_player(session)
    seen = draft_cells.seen(draft, known_device())
    hands = {seat: f"players-{player}-hand" for seat, player in enumerate(players)}
    hidden = [
        seat for seat, cell in hands.items() if cell in entered and cell not in seen and whole.seats[seat].hand.data
    ]
    key = draft.key if draft else None
    own = f"players-{players.index(me)}-" if me in players and not may("keep") else ""
    if not hidden:
        return SharedRound(whole, players, key, {}, {**told, "wrong": _to_mend(told["wrong"], own)})
    form = new_form(session, game)
    draft_cells.fill(form, game, players, seen)
    nothing = {"size": 0, "complete": False}
    sizes = {seat: {**told["seats"].get(str(seat), nothing), "reading": ""} for seat in hidden}
    mine = live(form, game)
    seats = {**mine["seats"], **{str(seat): size for seat, size in sizes.items()}}
    hushed = {**told, "settled": None, "seats": seats, "wrong": _to_mend(mine["wrong"], own)}
    return SharedRound(form, players, key, sizes, hushed)


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
