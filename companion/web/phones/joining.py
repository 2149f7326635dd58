"""Players' own phones: joining with a code, and taking a seat."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import StringField

from companion.engine.messages import Message
from companion.store.models import Night
from companion.store.night import phones as seats
from companion.store.refusals import Refused

from ..access.devices import device_id, join
from ..access.forms import ActForm, redraws, refusals_shown, sent
from ..access.lookup import has_group_link, my_player, night_or_404
from ..http.requests.rate_limits import Limit
from ..night.people import people_page
from ..text.labels import UNNAMED

blueprint = Blueprint("phones", __name__)
# there are 34 million codes; `altogether` limits guessing from many addresses
_WRONG_CODES = Limit("wrong codes", minute=20, hour=100, altogether=1000)
_OF_A_SEAT = ("free", "keeper", "player")  # what the scorekeeper may do with a seat that a phone has


class JoinForm(ActForm):
    """A join code, as typed."""

    code = StringField()


class SeatForm(ActForm):
    """Whose phone this is: a button for each player."""

    player = StringField()


@blueprint.get("/join")
def ask(typed: str = "") -> str:
    """Show the form for a join code, keeping what was typed."""
    return render_template("night/join.html", code=typed)


@blueprint.post("/join")
@redraws
def by_typed_code() -> AnyResponse:
    """Join the night with a typed code."""
    form = JoinForm()
    typed = form.code.data or ""
    with refusals_shown(form, lambda: ask(typed)):
        return _join_by_code(typed, Message("No open night has this code; check it on the other phone"))


@blueprint.get("/join/<code>")
def by_code(code: str) -> AnyResponse:
    """Join the night with the code in a QR code's URL, and redirect to a URL without it."""
    with refusals_shown(None, ask):
        return _join_by_code(code, Message("This code is no longer valid; ask for the new one"))


def _join_by_code(code: str, problem: Message) -> AnyResponse:
    """Join the night that has this code; if there is none, raise Refused with `problem`.

    After too many wrong codes, no code is checked for a while.
    """
    _WRONG_CODES.take()
    # a code may come with blanks and hyphens, or as the URL in the QR code
    code = "".join(filter(str.isalnum, code.strip(" /").rpartition("/")[2])).upper()[:6]
    night = seats.find_by_code(code)
    if night is None:
        raise Refused(problem)
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
    if request.method == "GET" or not (is_given_up or wanted in night.player_keys()):
        return _seat_page(night)
    with refusals_shown(form, lambda: _seat_page(night_or_404(public_id, "play"))):
        if is_given_up:
            seats.give_up_seat(public_id, int(mine or 0), device_id(), sent(form))
        elif wanted != mine or wanted not in night.player_keys("in"):
            seats.take_seat(night, int(wanted), device_id(), UNNAMED, sent(form))
    return redirect(_after_seat(public_id, is_given_up=is_given_up), 303)


def _after_seat(public_id: str, *, is_given_up: bool) -> str:
    if is_given_up:
        return url_for("phones.me", public_id=public_id)
    return url_for("night_round.new", public_id=public_id, own="yes")


def _seat_page(night: Night) -> str:
    return render_template(
        "night/seat.html",
        night=night,
        people=night.group.names,
        mine=my_player(night),
    )


@blueprint.post("/s/<public_id>/phones")
@redraws
def manage(public_id: str) -> AnyResponse:
    """Let the scorekeeper free a seat, let its phone keep score or no longer, or make a new join code."""
    night = night_or_404(public_id)
    form = ActForm()
    action, player = form.do.action, form.do.row
    if action != "renew" and (action not in _OF_A_SEAT or player not in night.names):
        abort(400)
    with refusals_shown(form, lambda: people_page(night_or_404(public_id), "phones")):
        if action == "renew":
            seats.renew_code(public_id, sent(form))
            if not has_group_link():  # a phone that came by the old code goes on with the new one
                join(night, str(night.join_code))
        elif action == "free":
            seats.give_up_seat(public_id, int(player), None, sent(form))
        else:
            seats.let_keep_score(public_id, int(player), action == "keeper", sent(form))
    return redirect(url_for("night.people", public_id=public_id, _anchor="phones"), 303)
