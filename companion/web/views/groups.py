"""Making a group, opening it by its links, and its page: tonight, its sessions, its players, its links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import ClassVar

from flask import Blueprint, abort, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField

from companion.engine.messages import Message
from companion.engine.settlement import POT
from companion.games import all_games
from companion.store import groups as store
from companion.store import links
from companion.store.links import Access
from companion.store.models import Group, PlaySession
from companion.store.refusals import Refused

from ..access.actions import TOO_LONG, refusal
from ..access.devices import ActForm, device_name, group_or_404, may, name_device, remember, secret_of
from ..access.pin import asks_passphrase, change_pin, may_make_groups, must_know_passphrase, must_know_pin
from ..http.csrf import redraws
from ..http.parsing import number_asked
from ..http.qr import qr_link
from ..http.rate_limits import Limit
from ..text.labels import pot_and_bank
from ..text.language import say
from .tonight import TonightForm, blank_form, posted_form, start

blueprint = Blueprint("groups", __name__)
_LINES = 6
_MADE = Limit("groups made", "30 per hour; 100 per day")
_PAGE = 20


class GroupForm(ActForm):
    """A new group. The secret of its link is made with the form, so that a form sent twice makes one group."""

    secret = HiddenField(default=links.new_secret)
    name = StringField("What are you called?")


@blueprint.route("/groups/new", methods=["GET", "POST"])
@redraws
def new() -> str | Response:
    """Make a group."""
    if not may_make_groups():
        abort(403)
    form = GroupForm()
    names = request.form.getlist("player")
    problems: list[tuple[str, str]] = []
    if request.method == "POST" and form.validate() and request.form.get("do") != "add":
        given = [name for name in names if name.strip()]
        try:
            must_know_passphrase()
            _MADE.must_not_be_reached()
            group = store.make_group(form.name.data or "", given, form.secret.data or links.new_secret())
        except Refused as refused:
            problems = [(say(p.message), p.field) for p in refused.problems] or [(say(refused.message), "")]
        else:
            _MADE.count()
            remember(group, form.secret.data or "")
            return redirect(url_for("groups.show", public_id=group.public_id), 303)
    lines = [*names, *[""] * max(1 if request.form.get("do") == "add" else 0, _LINES - len(names))]
    return render_template(
        "group_new.html",
        form=form,
        names=lines[: store.MOST_PLAYERS],
        problems=problems,
        most=store.MOST_PLAYERS,
        asks_passphrase=asks_passphrase(),
    )


@blueprint.get("/open/<secret>")
def open_link(secret: str) -> Response:
    """Let the device in that has the link, and move on to an address without the secret."""
    group = store.open_group(secret)
    if group is None:
        abort(404)
    remember(group, secret)
    return redirect(url_for("groups.show", public_id=group.public_id), 303)


@dataclass
class Search:
    """Which sessions are looked for, as typed; what is not understood is left out and said."""

    player: str = ""
    game: str = ""
    since: str = ""
    until: str = ""
    problem: ClassVar = Message("This is no day; choose one, or write it like 2026-11-21")

    @classmethod
    def asked(cls) -> Search:
        return cls(**{key: request.args.get(key, "") for key in ("player", "game", "since", "until")})

    @property
    def is_open(self) -> bool:
        return any((self.player, self.game, self.since, self.until))

    def wanted(self) -> store.Wanted:
        player = int(self.player) if self.player.isdecimal() and len(self.player) < 10 else None
        return store.Wanted(player, self.game or None, _day(self.since), _day(self.until))

    @property
    def wrong(self) -> list[str]:
        """The days that are none."""
        return [key for key in ("since", "until") if (text := getattr(self, key)) and _day(text) is None]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@blueprint.get("/g/<public_id>")
def show(public_id: str) -> str:
    """Show a group: tonight, its sessions, its players, its links."""
    return _group_page(group_or_404(public_id, "look"))


def _group_page(
    group: Group,
    tonight: TonightForm | None = None,
    problem: Message | None = None,
    typed: Mapping[str, str] = MappingProxyType({}),
    place: str = "",
    wrong: str = "",
) -> str:
    """Draw the group's page; a problem stands at its head, or in the form that `place` names, and marks a field."""
    before = number_asked("before")
    search = Search.asked()
    sessions = store.sessions_of(group, before, _PAGE + 1, search.wanted())
    last = store.last_session(group)
    names = {player.id: player.name for player in group.players}
    return render_template(
        "group.html",
        group=group,
        may=may,
        act=ActForm(formdata=None),
        tonight=tonight or blank_form(group, last),
        choosing=tonight is not None or last is None,
        names=names,
        games=all_games(),
        sessions=_with_standings(sessions[:_PAGE], names),
        older=sessions[_PAGE - 1].id if len(sessions) > _PAGE else None,
        search=search,
        last=last,
        links=_links(group) if may("keep") else {},
        device=device_name(),
        problem=problem or (tonight.problem if tonight else None),
        typed=typed,
        place=place,
        wrong=wrong,
    )


def _with_standings(
    sessions: Sequence[PlaySession], names: Mapping[int, str]
) -> list[tuple[PlaySession, list[tuple[str, int]]]]:
    """List who won and lost how much in each session, the winner first, and what lies in its pot."""
    named = {str(player): name for player, name in names.items()}
    balances, pot = store.balances_of(sessions), pot_and_bank()[POT]
    found = []
    for session in sessions:
        of = balances[session.id]
        nets = sorted(((named[key], n) for key, n in of.items() if key in named), key=lambda net: -net[1])
        found.append((session, [*nets, (pot, of[POT])] if of.get(POT) else nets))
    return found


def _links(group: Group) -> dict[Access, tuple[str, Markup]]:
    """Give the address and the QR code of each link, for who has the one that keeps score."""
    secret = secret_of(group)
    secrets: dict[Access, str] = {"keep": secret, **links.lesser_secrets(group, secret)}
    return {access: qr_link("groups.open_link", secret=one) for access, one in secrets.items()}


@blueprint.post("/g/<public_id>/links")
@redraws
def renew(public_id: str) -> str | Response:
    """Make a link anew; the old one is shut out at once."""
    group = group_or_404(public_id)
    access = next((right for right in ("keep", *links.LESSER) if request.form.get("do") == f"renew-{right}"), None)
    if access is None:
        abort(400)
    problem = refusal(ActForm(), lambda: must_know_pin(group))
    if problem is not None:
        return _group_page(group, problem=problem, place="links")
    remember(group, links.renew(group, access, secret_of(group)))
    return redirect(url_for("groups.show", public_id=public_id, _anchor="links"), 303)


@blueprint.post("/g/<public_id>/players")
@redraws
def players(public_id: str) -> str | Response:
    """Add, rename, retire or bring back a player; or name this device."""
    group = group_or_404(public_id)
    action, _, number = request.form.get("do", "").partition("-")
    typed = {key: value for key, value in request.form.items() if key.startswith(("name", "device"))}
    form = ActForm()
    problem = refusal(form, lambda: _change_players(group, action, number, typed))
    if problem is not None:
        place = action if action in ("pin", "device") else "players"
        return _group_page(
            group, problem=problem, typed=typed, place=place, wrong="" if form.errors else _field(action, number)
        )
    return redirect(url_for("groups.show", public_id=public_id, _anchor="players"), 303)


def _field(action: str, number: str) -> str:
    """Name the field that a change of the players is about; "" where it is about none."""
    return {"add": "name", "rename": f"name-{number}"}.get(action, "")


def _change_players(group: Group, action: str, number: str, typed: dict[str, str]) -> None:
    player = next((p for p in group.players if str(p.id) == number), None)
    if action == "add":
        store.add_player(group, typed.get("name", ""))
    elif action == "device":
        name_device(typed.get("device", ""))
    elif action == "pin":
        must_know_pin(group)
        change_pin(group, request.form.get("new-pin", ""))
    elif action not in ("rename", "retire", "return"):
        abort(400)
    elif player is None:
        abort(404)
    elif action == "rename":
        store.rename_player(player, typed.get(f"name-{number}", ""))
    else:
        store.retire_player(player, action == "retire")


@blueprint.post("/g/<public_id>/tonight")
@redraws
def tonight(public_id: str) -> str | Response:
    """Start tonight's session, or move a row of the players who are chosen for it."""
    group = group_or_404(public_id)
    form = posted_form(group)
    if not form.validate():
        return _group_page(group, form, TOO_LONG)
    session = start(group, form) if request.form.get("do") in ("again", "start", "rules") else None
    if session is None:
        return _group_page(group, form)
    if request.form["do"] == "rules":
        return redirect(url_for("session.rules", public_id=session.public_id, game=session.game), 303)
    return redirect(url_for("session.show", public_id=session.public_id), 303)
