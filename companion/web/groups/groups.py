"""Creating a group, opening its links, and its page: who is ahead, starting tonight, and past nights."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.engine.messages import Message
from companion.engine.settlement import POT
from companion.folders import command
from companion.store.groups import groups as store
from companion.store.groups import links
from companion.store.groups.next_night import next_night
from companion.store.history.last_games import last_games
from companion.store.history.results import nets_ever
from companion.store.identities import names_in
from companion.store.models import Group, Night
from companion.store.night.reading import curves_of, won_in
from companion.store.refusals import Conflict, Refused

from ..access.actions import TOO_LONG
from ..access.devices import group_or_404, new_key, remember
from ..access.pin import NewGroupForm, asks_passphrase, may_make_groups, must_know_passphrase
from ..entering.single_round import players_before
from ..history import last_month
from ..http.monitoring import figures
from ..http.requests.csrf import redraws
from ..http.requests.parsing import number_asked, row_number
from ..http.requests.rate_limits import Limit
from ..text.fields import ListField
from ..text.labels import pot_and_bank
from ..text.language import locale, say
from ..text.money import currencies
from .next_night import when_of
from .tonight import TonightForm, blank_form, posted_tonight, start

blueprint = Blueprint("groups", __name__)
_LINES = 6
_MADE = Limit("groups made", hour=30, day=100)
_PAGE = 10
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


@dataclass
class Search:
    """The search terms as typed; invalid ones are ignored, and reported on the page."""

    player: str = ""
    game: str = ""
    since: str = ""
    until: str = ""
    problem: ClassVar = Message("This isn't a day; choose one, or write it like 2026-11-21")

    @classmethod
    def from_query(cls) -> Search:
        return cls(**{key: request.args.get(key, "") for key in ("player", "game", "since", "until")})

    @property
    def is_open(self) -> bool:
        return any((self.player, self.game, self.since, self.until))

    def wanted(self) -> store.Wanted:
        player = row_number(self.player)
        return store.Wanted(player, self.game or None, _day(self.since), _day(self.until))

    @property
    def wrong(self) -> list[str]:
        """The fields with an invalid day."""
        return [key for key in ("since", "until") if (text := getattr(self, key)) and _day(text) is None]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


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
            name, secret = (form.name.data or "").strip(), form.secret.data or links.new_secret()
            with _MADE.counted():
                group = store.make_group(name or _usual_name(typed_names), typed_names, secret)
        except Refused as refused:
            figures.refused(refused)
            problems = [(say(wrong.message), wrong.field) for wrong in refused.problems] or [(say(refused.message), "")]
            if isinstance(refused, Conflict):
                # pressing the button again makes another group
                form.key.data, form.secret.data, status = new_key(), links.new_secret(), 409
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


@blueprint.get("/g/<public_id>")
def show(public_id: str) -> str:
    """Show a group: who is ahead, starting tonight, and past nights."""
    return _group_page(group_or_404(public_id, "look"))


def _group_page(group: Group, tonight: TonightForm | None = None, problem: Message | None = None) -> str:
    """Render the group's page; a problem is shown at the form for tonight."""
    search = Search.from_query()
    nights = store.nights_of(group, number_asked("before"), _PAGE + 1, search.wanted())
    last = store.last_night(group)
    planned = next_night(group)
    return render_template(
        "group/group.html",
        group=group,
        tonight=tonight or blank_form(group, last, planned),
        played=last_games(group.id),
        choosing=tonight is not None or last is None,
        people=names_in(group),
        currencies=currencies(str(locale())),
        podium=_podium(group, last),
        nights=_nights(group, nights[:_PAGE]),
        older=nights[_PAGE - 1].id if len(nights) > _PAGE else None,
        search=search,
        last=last,
        last_month=last_month(),
        planned=planned,
        when_planned=when_of(planned) if planned else "",
        problem=problem or (tonight.refused.message if tonight and tonight.refused else None),
    )


@dataclass(frozen=True)
class ListedNight:
    """A night in the list.

    `nets` are what was won and lost, as (name, units) pairs, highest first, with the pot at the end unless it is empty;
    none if nothing was won yet. `winners` are the account keys of those who won most; `curve` is the sum of the only
    winner's rounds, 0 at first, then after each.
    """

    night: Night
    nets: list[tuple[str, int]]
    winners: list[str]
    curve: list[int]


def _nights(group: Group, nights: Sequence[Night]) -> list[ListedNight]:
    people, pot = names_in(group), pot_and_bank()[POT]
    won = won_in({night.id: group.id for night in nights})
    ranked = {
        night.id: sorted(((key, n) for key, n in won[night.id].items() if key in people), key=lambda net: -net[1])
        for night in nights
    }
    winners = {night: [key for key, n in nets if n == nets[0][1] > 0] for night, nets in ranked.items()}
    curves = curves_of({night: int(winners[night.id][0]) for night in nights if len(winners[night.id]) == 1})
    listed = []
    for night in nights:
        nets = [(people[key], units) for key, units in ranked[night.id]]
        left = won[night.id].get(POT, 0)
        best = winners[night.id]
        standings = [*nets, (pot, left)] if left else nets if best else []
        listed.append(ListedNight(night, standings, best, curves.get(night.id, [])))
    return listed


def _podium(group: Group, last: Night | None) -> list[tuple[str, int]]:
    """Return all players over all rounds in the newest night's currency, with their nets in units, highest first.

    Empty if there are fewer than three.
    """
    if last is None:
        return []
    nets = nets_ever(group, last.currency or "")
    ranked = sorted(((str(player), net) for player, net in nets.items()), key=lambda net: -net[1])
    return ranked if len(ranked) > 2 else []


@blueprint.post("/g/<public_id>/tonight")
@redraws
def tonight(public_id: str) -> str | Response:
    """Start tonight's night, or reorder the chosen players."""
    group = group_or_404(public_id)
    form = posted_tonight(group)
    if not form.validate():
        return _group_page(group, form, TOO_LONG)
    night = start(group, form) if form.do.data in ("again", "start", "rules") else None
    if night is None:
        return make_response(_group_page(group, form), 409 if isinstance(form.refused, Conflict) else 200)
    if form.do.data == "rules":
        return redirect(url_for("night.rules", public_id=night.public_id, game=night.game), 303)
    return redirect(url_for("night.table", public_id=night.public_id), 303)
