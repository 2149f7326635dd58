"""Everybody's own phone: joining by a code, saying whose phone it is, and the round that all of them enter together."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from sqlalchemy import select
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.store import drafts as store
from companion.store import play
from companion.store.models import PlaySession, db
from companion.store.refusals import Refused

from ..access.actions import TOO_LONG
from ..access.devices import ActForm, device_id, join, may, my_player, named_player, say_who_i_am, version_or_404
from ..access.lookup import opened
from ..http.parsing import posted
from ..http.rate_limits import limited
from ..round import draft_cells
from ..round.form import RoundForm, form_class
from ..round.prefill import players_of
from ..round.shared import next_game, shared_round
from ..text.language import say

blueprint = Blueprint("phones", __name__)
_PER_ADDRESS, _PER_CODE = "20 per minute; 100 per hour", "40 per hour"
_MOST_TOUCHED = 200


def _code_tried() -> str:
    view = request.view_args or {}
    return _as_code(request.form.get("code") or str(view.get("code", "")))


def _as_code(typed: str) -> str:
    return "".join(typed.split()).upper()[:6]


@blueprint.get("/join")
def ask(problem: Message | None = None) -> str:
    """Ask for the code that another phone shows; what was typed stays."""
    code = request.form.get("code", "")
    return render_template("join.html", act=ActForm(formdata=None), code=code, problem=problem)


@blueprint.post("/join")
@limited(_PER_ADDRESS, ask)
@limited(_PER_CODE, ask, _code_tried)
def by_typed_code() -> str | AnyResponse:
    """Let this phone in by a typed code."""
    form, code = ActForm(), _as_code(request.form.get("code", ""))
    problem = TOO_LONG
    if form.validate():
        found = _joined(code)
        if found is not None:
            return found
        problem = Message("No open night has this code; look at it again on the other phone")
    return ask(problem)


@blueprint.get("/join/<code>")
@limited(_PER_ADDRESS, ask)
@limited(_PER_CODE, ask, _code_tried)
def by_code(code: str) -> str | AnyResponse:
    """Let this phone in by the address of the QR code, and move on to one without the code."""
    problem = Message("This code is no longer good; ask for the new one")
    return _joined(_as_code(code)) or ask(problem)


def _joined(code: str) -> AnyResponse | None:
    is_open = PlaySession.closed_at.is_(None)
    session = db.session.scalar(select(PlaySession).where(PlaySession.join_code == code, is_open)) if code else None
    if session is None:
        return None
    join(session, code)
    return redirect(url_for("phones.me", public_id=session.public_id), 303)


@blueprint.route("/s/<public_id>/me", methods=["GET", "POST"])
def me(public_id: str) -> str | AnyResponse:
    """Ask whose phone this is."""
    session = opened(public_id, "play")
    players = {str(seat.player_id): seat.player.name for seat in session.seats if seat.state != "left"}
    problem = None
    if request.method == "POST":
        problem = None if ActForm().validate() else TOO_LONG
        if problem is None and request.form.get("player") in players:
            say_who_i_am(session, request.form["player"])
            return redirect(url_for("session_round.new", public_id=public_id), 303)
    act = ActForm(formdata=None)
    mine = my_player(session)
    return render_template("me.html", session=session, players=players, mine=mine, act=act, problem=problem)


@blueprint.get("/s/<public_id>/state")
def state(public_id: str) -> AnyResponse:
    """Give what this phone may know of the round that is being entered; 304 when it knows it already."""
    mark = _mark(public_id, version_or_404(public_id))
    if request.if_none_match.contains_weak(mark):
        response = Response(status=304, mimetype="application/json")
    else:
        response = jsonify(_state(opened(public_id, "look")))
    response.set_etag(mark, weak=True)
    response.cache_control.no_cache = True
    return response


def _mark(public_id: str, version: int) -> str:
    return f"{version}-{named_player(public_id) or ''}-{request.args.get('game', '')}"


@blueprint.post("/s/<public_id>/draft")
def draft(public_id: str) -> tuple[Response, int] | Response:
    """Take what was typed on this phone (`touched` names the fields); answers like `state`."""
    session = opened(public_id, "play")
    game = next_game(session)
    form: RoundForm = form_class(game.key)(formdata=posted())
    if not form.validate():
        return jsonify(problem=say(Message("This page had been open for too long; load it again"))), 400
    try:
        number = int(request.form.get("number", "")[:9])
        session = store.enter(
            public_id,
            request.form.get("key", "")[:64],
            number,
            _typed(session, game, form),
            device_id(),
            shown=may("keep") and request.form.get("do") == "show",
        )
    except ValueError:
        return jsonify(problem=say(Message("This form is broken; open it again"))), 400
    except Refused as refused:
        return jsonify(_state(session) | {"problem": say(refused.message)}), 409
    return jsonify(_state(session))


def _typed(session: PlaySession, game: AnyGame, form: RoundForm) -> dict[str, Any]:
    """Give the cells that were touched, of those that this phone may write; none where the seats changed meanwhile."""
    players = players_of(session, game)
    if request.form.getlist("seat") != players:
        return {}
    cells = draft_cells.cells_of(form, game, players, request.form.getlist("touched")[:_MOST_TOUCHED])
    if not may("keep"):
        return {cell: value for cell, value in cells.items() if draft_cells.is_own(cell, my_player(session))}
    return {**cells, draft_cells.GAME: game.key}


def _state(session: PlaySession) -> dict[str, Any]:
    """Tell of the round that is being entered what this phone may see, and of the session what is new."""
    game = next_game(session)
    shared = shared_round(session, game)
    return {
        "version": session.version,
        "mark": _mark(session.public_id, session.version),
        "closed": session.closed_at is not None,
        "number": play.next_number(session),
        "saved": play.last_round_number(session),
        "key": shared.key,
        "game": game.key,
        "seats": shared.players,
        "fields": {name: _plain(field.data) for name, field in draft_cells.fields_of(shared.form, game).items()},
        "down": list(shared.down),
        "live": shared.told,
    }


def _plain(value: Any) -> Any:
    return "" if value is None else value
