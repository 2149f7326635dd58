"""The ways into a group: making one, and opening it by its link."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flask import abort, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.engine.messages import Message
from companion.folders import command
from companion.store.groups import groups as store
from companion.store.groups.links import new_secret
from companion.store.refusals import Conflict, Refused

from ..access.devices import remember
from ..access.forms import new_key, redraws
from ..access.pin import NewGroupForm, asks_passphrase, may_make_groups, must_know_passphrase
from ..entering.single_round import players_before
from ..http.monitoring import figures
from ..http.requests.rate_limits import Limit
from ..text.fields import ListField
from ..text.language import say
from .groups import blueprint

_LINES = 6
_MADE = Limit("groups made", hour=30, day=100)
_IN_MESSAGES = re.compile(r"g/[\w-]+/next|plans/[\w-]+/[0-9]+", re.ASCII)
_MAX_NAME_LENGTH = 40  # characters of the player's name that a group is named after


class UnknownLink(NotFound):
    """A link that opens no group."""

    way_out = Message(
        "This link opens nothing: it was replaced by a new one, its group was deleted, or a part of it is missing. Ask "
        "the scorekeeper for the new link. If nobody has one, whoever runs the app can make it: {command}",
        command=command("link ID"),
    )


class GroupForm(NewGroupForm):
    """A new group: its name, and a field for each player."""

    name = StringField()
    players = ListField(name="player", default=())


@blueprint.route("/groups/new", methods=["GET", "POST"])
@redraws
def new() -> str | Response:
    """Create a group; "add" shows the form again with one more field for a player, "show" as it is."""
    if not may_make_groups():
        abort(403)
    form = GroupForm()
    names = list(form.players.data) if request.method == "POST" else players_before()
    problems: list[tuple[str, str]] = []
    status = 200
    if request.method == "POST" and form.validate() and form.do.data not in ("add", "show"):
        typed_names = [name for name in names if name.strip()]
        try:
            must_know_passphrase(form.passphrase.data)
            name, secret = (form.name.data or "").strip(), form.secret.data or new_secret()
            with _MADE.counted():
                group = store.make_group(name or _usual_name(typed_names), typed_names, secret)
        except Refused as refused:
            figures.refused(refused)
            problems = [(say(wrong.message), wrong.field) for wrong in refused.problems] or [(say(refused.message), "")]
            if isinstance(refused, Conflict):
                # pressing the button again makes another group
                form.key.data, form.secret.data, status = new_key(), new_secret(), 409
        else:
            remember(group, form.secret.data or "")
            return redirect(url_for("groups.show", public_id=group.public_id), 303)
    adds = form.do.data == "add"  # also after Enter in any field: the form's first button
    lines = [*names, *[""] * max(1 if adds else 0, _LINES - len(names))]
    page = render_template(
        "group/new.html",
        form=form,
        names=lines[: store.MAX_PLAYERS],
        focus=lines.index("") if adds else None,
        problems=problems,
        most=store.MAX_PLAYERS,
        asks_passphrase=asks_passphrase(),
    )
    return make_response(page, status)


def _usual_name(players: Sequence[str]) -> str:
    """Name a group whose name was left empty after its first player; without players it is refused for that alone."""
    return say("{player}'s table", player="".join(players[:1]).strip()[:_MAX_NAME_LENGTH])


@blueprint.get("/open/<secret>")
def open_link(secret: str) -> Response:
    """Let this device into the group of a link, and redirect to a URL without the secret.

    In a message to players it may lead on to the next night or to a payment; anything else is left out.
    """
    group = store.open_group(secret)
    if group is None:
        raise UnknownLink
    remember(group, secret)
    to = request.args.get("to", "")
    if _IN_MESSAGES.fullmatch(to):
        return redirect(f"{request.script_root}/{to}", 303)
    return redirect(url_for("groups.show", public_id=group.public_id), 303)
