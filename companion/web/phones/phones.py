"""Players' own phones: joining with a code, taking a seat, and entering the round together.

`/state` is what all phones poll; `/draft` takes what is typed on one of them.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import StringField

from companion.engine.messages import Message
from companion.store.db.news import unchanged
from companion.store.identities import key_of, names_in, names_of
from companion.store.models import Night, Seat
from companion.store.night import drafts as store
from companion.store.night import phones as seats
from companion.store.night.before_round import BeforeRound
from companion.store.refusals import Refused
from companion.table.entering import Typed
from companion.table.hand import HandInPlay, moved_since

from ..access.actions import TOO_LONG, refusals_shown, stale_json
from ..access.devices import (
    ActForm,
    device_id,
    glance_or_404,
    join,
    known_device,
    may,
    must_have_access,
    my_player,
    new_key,
    night_or_404,
    sent,
    show_as,
)
from ..access.lookup import game_or_404
from ..http import figures
from ..http.csrf import is_stale, redraws
from ..http.news import offer_news
from ..http.parsing import posted, row_number
from ..http.rate_limits import Limit
from ..night.people import people_page
from ..round.document import shown_in_front
from ..round.draft_cells import fields_of, seats_of, typed_cells
from ..round.next_round import next_round, read_again
from ..round.rail import state_line
from ..round.sent_with import SentWithTap
from ..round.shared import SharedRound, live_here, shared_round
from ..round.showdown import late_sentences, reveal_if_all_in
from ..text.labels import UNNAMED
from ..text.language import say
from ..text.money import units

blueprint = Blueprint("phones", __name__)
_MAX_WORD_LENGTH = 40  # more than any game's key or any way to enter a round
# there are 34 million codes; `altogether` limits guessing from many addresses
_WRONG_CODES = Limit("wrong codes", minute=20, hour=100, altogether=1000)


class JoinForm(ActForm):
    """A join code, as typed."""

    code = StringField()


class SeatForm(ActForm):
    """Whose phone this is: a button for each player."""

    player = StringField()


@blueprint.get("/join")
def ask(problem: Message | None = None, typed: str = "") -> str:
    """Show the form for a join code, keeping what was typed."""
    return render_template("night/join.html", code=typed, problem=problem)


@blueprint.post("/join")
@redraws
def by_typed_code() -> str | AnyResponse:
    """Join the night with a typed code."""
    form = JoinForm()
    typed = form.code.data or ""
    if not form.validate():
        return ask(TOO_LONG, typed)
    problem = Message("No open night has this code; check it on the other phone")
    return _join_by_code(typed, problem, typed)


@blueprint.get("/join/<code>")
def by_code(code: str) -> str | AnyResponse:
    """Join the night with the code in a QR code's URL, and redirect to a URL without it."""
    return _join_by_code(code, Message("This code is no longer valid; ask for the new one"))


def _join_by_code(code: str, problem: Message, typed: str = "") -> str | AnyResponse:
    """Join the night that has this code; otherwise ask again, showing `problem`.

    After too many wrong codes, no code is checked for a while.
    """
    try:
        _WRONG_CODES.take()
    except Refused as refused:
        figures.refused(refused)
        return ask(refused.message, typed)
    # a code may come with blanks and hyphens, or as the URL in the QR code
    code = "".join(filter(str.isalnum, code.strip(" /").rpartition("/")[2])).upper()[:6]
    night = seats.find_by_code(code)
    if night is None:
        return ask(problem, typed)
    _WRONG_CODES.give_back()
    join(night, code)
    return redirect(url_for("phones.me", public_id=night.public_id), 303)


@blueprint.route("/s/<public_id>/me", methods=["GET", "POST"])
@redraws
def me(public_id: str) -> str | AnyResponse:
    """Ask whose phone this is, and take or free a player's seat."""
    night = night_or_404(public_id, "play")
    form, mine = SeatForm(), my_player(night)
    wanted, is_given_up = form.player.data or "", form.do.data == "give-up" and mine is not None
    if request.method == "GET" or not (is_given_up or wanted in [*map(key_of, _takeable(night))]):
        return _seat_page(night)
    with refusals_shown(form, lambda problem: _seat_page(night_or_404(public_id, "play"), problem)):
        if is_given_up:
            seats.give_up_seat(public_id, int(mine or 0), device_id(), sent(form))
        elif wanted != mine:
            seats.take_seat(night, int(wanted), device_id(), UNNAMED, sent(form))
    return redirect(_after_seat(public_id, is_given_up=is_given_up), 303)


def _after_seat(public_id: str, *, is_given_up: bool) -> str:
    if is_given_up:
        return url_for("phones.me", public_id=public_id)
    return url_for("night_round.new", public_id=public_id, own="yes" if may("keep") else None)


def _seat_page(night: Night, problem: Message | None = None) -> str:
    return render_template(
        "night/seat.html",
        night=night,
        people=names_in(night.group),
        seats=_takeable(night),
        mine=my_player(night),
        problem=problem,
    )


def _takeable(night: Night) -> list[Seat]:
    return [seat for seat in night.seats if seat.state != "left"]


@blueprint.post("/s/<public_id>/phones")
@redraws
def manage(public_id: str) -> AnyResponse:
    """Let the scorekeeper free a seat, whichever phone has it, or make a new join code."""
    night = night_or_404(public_id)
    form = ActForm()
    action, player = form.do.action, form.do.row
    if action not in ("free", "renew") or (action == "free" and player not in names_of(night)):
        abort(400)
    with refusals_shown(form, lambda problem: people_page(night_or_404(public_id), problem, "phones")):
        if action == "renew":
            seats.renew_code(public_id, sent(form))
        else:
            seats.give_up_seat(public_id, int(player), None, sent(form))
    return redirect(url_for("night.people", public_id=public_id, _anchor="phones"), 303)


@blueprint.get("/s/<public_id>/state")
def state(public_id: str) -> AnyResponse:
    """Return what this phone may know about the round being entered; 304 if nothing has changed."""
    begun = unchanged().begin()
    glance = glance_or_404(public_id)
    mark = _mark(glance.version)
    if request.if_none_match.contains_weak(mark):
        response = Response(status=304, mimetype="application/json")
    else:
        night = night_or_404(public_id, "look")
        response = jsonify(_state_json(shared_round(next_round(night))))
    response.set_etag(mark, weak=True)
    response.cache_control.no_cache = True
    offer_news(response, public_id, glance, begun)
    return response


def _mark(version: int) -> str:
    # what a phone may see depends on the device and its seat, and taking a seat increases the version; what is missing
    # depends on the way the round is entered. Quoted, because a header takes no quotation mark, line break or "€"
    asked = (
        quote(text[:_MAX_WORD_LENGTH])
        for text in (request.args.get("game", ""), *(request.values.get(key, "") for key in ("way", "own")))
    )
    return "-".join([str(version), (known_device() or "")[:6], *asked])


@blueprint.post("/s/<public_id>/draft")
@redraws
def draft(public_id: str) -> tuple[Response, int] | Response:
    """Store what was typed on this phone (see `typed_cells`); responds like `state`."""
    must_have_access(public_id, "play")
    if is_stale():
        return stale_json()
    form = SentWithTap(request.form)
    number = row_number(form.number.data)
    if number is None:
        return jsonify(problem=say("This form is broken; open it again")), 400
    try:
        before = store.enter(
            public_id,
            (form.key.data or new_key())[:64],
            number,
            _typed(public_id),
            device_id(),
        )
        if form.do.data == "show" and may("keep"):
            store.show(public_id, is_keepers=True)
            before = BeforeRound(night_or_404(public_id, "play"))
    except Refused as refused:
        figures.refused(refused)
        night = night_or_404(public_id, "play")
        return jsonify(_state_json(shared_round(next_round(night))) | {"problem": say(refused.message)}), 409
    night = before.night
    show_as(night)
    shared = shared_round(next_round(night, before))
    if reveal_if_all_in(night, shared):
        # load the night again: the response's version must include what other phones changed meanwhile
        night = night_or_404(public_id, "play")
        shared = shared_round(read_again(shared.round, night))
    return jsonify(_state_json(shared))


def _typed(public_id: str) -> Typed:
    """Return what was typed, with the game and the seats of the page."""
    fields, asked = posted(), request.values.get("game")
    game = game_or_404(asked or store.game_at_table(night_or_404(public_id, "play")))
    seats = seats_of(fields)
    return Typed(game.key, seats, typed_cells(fields, game, seats), may("keep"))


def _state_json(shared: SharedRound) -> dict[str, Any]:
    """Return the JSON for a phone: the night's state, and what the phone may see of the round being entered.

    If the seats have changed since the hand began, that is the first problem, and the hand has no result yet.
    """
    round, form, live = shared.round, shared.form, live_here(shared)
    before, hand = round.before, HandInPlay(round)
    night = before.night
    left = shown_in_front(form) or {}
    moved = moved_since(round)
    if moved is not None:
        live = {**live, "out": [], "settled": None, "wrong": [{"id": "", "text": say(moved)}, *live["wrong"]]}
    return {
        "version": night.version,
        "mark": _mark(night.version),
        "closed": night.closed_at is not None,
        "number": before.number,
        "saved": before.last.number if before.last else 0,
        "key": round.key,
        "game": round.game.key,
        "seats": round.players,
        "me": -1 if round.my_seat is None else round.my_seat,
        "fields": {name: "" if field.data is None else field.data for name, field in fields_of(form).items()},
        "down": list(form.face_down),
        "late": [say(message) for message in late_sentences(night)],
        "hand": hand.shown_mark,
        "rail": state_line(round, hand),
        "in_front": {str(seat): units(left[player]) for seat, player in enumerate(form.players) if player in left},
        "live": live,
    }
