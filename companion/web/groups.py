"""Making a group, opening it by its link, and its page: players, sessions, the link."""

from __future__ import annotations

from typing import Any

import segno
from flask import Blueprint, abort, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField

from companion.engine.messages import Message
from companion.engine.options import options_of
from companion.games import all_games
from companion.store import groups as store
from companion.store.models import Group
from companion.store.play import Refused, balances

from .access import ActForm, device_name, group_or_404, name_device, remember, secret_of
from .money import is_currency

blueprint = Blueprint("groups", __name__)
_LINES = 6
_PAGE = 20


class GroupForm(ActForm):
    """A new group. The secret of its link is made with the form, so that a form sent twice makes one group."""

    secret = HiddenField(default=store.new_secret)
    name = StringField("What are you called?")


@blueprint.route("/groups/new", methods=["GET", "POST"])
def new() -> str | Response:
    """Make a group."""
    form = GroupForm()
    names = request.form.getlist("player")
    problems: list[tuple[str, str]] = []
    if request.method == "POST" and form.validate() and request.form.get("do") != "add":
        given = [name for name in names if name.strip()]
        try:
            group = store.make_group(form.name.data or "", given, form.secret.data or store.new_secret())
        except Refused as refused:
            problems = [(str(p.message), p.field) for p in refused.problems]
        else:
            remember(group, form.secret.data or "")
            return redirect(url_for("groups.show", public_id=group.public_id), 303)
    lines = [*names, *[""] * max(1 if request.form.get("do") == "add" else 0, _LINES - len(names))]
    return render_template(
        "group_new.html", form=form, names=lines[: store.MOST_PLAYERS], problems=problems, most=store.MOST_PLAYERS
    )


@blueprint.get("/open/<secret>")
def open_link(secret: str) -> Response:
    """Let the device in that has the link, and move on to an address without the secret."""
    group = store.open_group(secret)
    if group is None:
        abort(404)
    remember(group, secret)
    return redirect(url_for("groups.show", public_id=group.public_id), 303)


@blueprint.get("/g/<public_id>")
def show(public_id: str) -> str:
    """Show a group: tonight, its players, its sessions, its link."""
    return _group_page(group_or_404(public_id))


def _group_page(group: Group, problem: str = "", typed: str = "") -> str:
    link = url_for("groups.open_link", secret=secret_of(group), _external=True)
    before = request.args.get("before", type=int)
    sessions = store.sessions_of(group, before, _PAGE + 1)
    return render_template(
        "group.html",
        group=group,
        act=ActForm(formdata=None),
        games=all_games(),
        sessions=sessions[:_PAGE],
        older=sessions[_PAGE - 1].id if len(sessions) > _PAGE else None,
        balances=balances,
        last=store.last_session(group),
        link=link,
        code=Markup(segno.make(link, error="l").svg_inline(scale=5, border=2, light="#fff")),
        device=device_name(),
        problem=problem,
        typed=typed,
    )


@blueprint.post("/g/<public_id>/players")
def players(public_id: str) -> str | Response:
    """Add, rename, retire or bring back a player; or name this device."""
    group = group_or_404(public_id)
    action, _, number = request.form.get("do", "").partition("-")
    name = request.form.get(f"name-{number}" if number else "name", "")
    if not ActForm().validate():
        return _group_page(group, str(Message("This page had been open for too long; press the button again")), name)
    player = next((p for p in group.players if str(p.id) == number), None)
    try:
        if action == "add":
            store.add_player(group, name)
        elif action == "device":
            name_device(name)
        elif player is None:
            abort(404)
        elif action == "rename":
            store.rename_player(player, name)
        else:
            store.retire_player(player, action == "retire")
    except Refused as refused:
        return _group_page(group, str(refused.message), name)
    return redirect(url_for("groups.show", public_id=public_id, _anchor="players"), 303)


@blueprint.post("/g/<public_id>/tonight")
def tonight(public_id: str) -> str | Response:
    """Start tonight's session: with the players and rules of last time, or as chosen on the page."""
    group = group_or_404(public_id)
    form = ActForm()
    if not form.validate():
        return _group_page(group, str(Message("This page had been open for too long; press the button again")))
    try:
        session = _start(group, str(form.key.data)[:64])
    except Refused as refused:
        return _group_page(group, str(refused.message))
    return redirect(url_for("sessions.show", public_id=session.public_id), 303)


def _start(group: Group, key: str) -> Any:
    last = store.last_session(group)
    if request.form.get("do") == "again" and last is not None:
        seats = [seat.player_id for seat in last.seats if seat.state != "left" and not seat.player.retired]
        return store.start_session(group, seats, last.game, last.rules, key, last.stake_units, last.currency)
    chosen = [int(player) for player in request.form.getlist("player") if player.isdecimal() and len(player) < 9]
    game = request.form.get("game", "")
    if game not in all_games():
        raise Refused(Message("Choose the game that you begin with"))
    units, currency = _stake()
    rules = {game: {option.key: option.default for option in options_of(all_games()[game].options)}}
    return store.start_session(group, chosen, game, rules, key, units, currency)


def _stake() -> tuple[int, str | None]:
    """Read what the table plays for: chips, or so many of a currency's smallest unit a stake."""
    currency, typed = request.form.get("currency", ""), request.form.get("stake", "1").strip()
    if currency and not is_currency(currency):
        raise Refused(Message("Take a currency of the list, or chips"))
    if not typed.isascii() or not typed.isdigit() or not 1 <= int(typed[:9]) <= 1_000_000:
        raise Refused(Message("The value of a stake is a whole number from 1 to 1,000,000 of the smallest unit"))
    return (int(typed), currency) if currency else (1, None)
