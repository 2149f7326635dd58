"""A group's page: who is ahead, starting tonight, and past nights."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from companion.store.groups.groups import last_night
from companion.store.groups.next_night import next_night
from companion.store.models import Group

from ..access.forms import redraws, refusals_shown
from ..access.lookup import group_or_404
from ..history import last_month
from .next_night import when_of
from .past_nights import Search, nights_on_page, podium
from .tonight import TonightForm, blank_form, posted_tonight, seats_again, start

blueprint = Blueprint("groups", __name__)


@blueprint.get("/g/<public_id>")
def show(public_id: str) -> str:
    """Show a group: who is ahead, starting tonight, and past nights."""
    return _group_page(group_or_404(public_id, "look"))


def _group_page(group: Group, tonight: TonightForm | None = None) -> str:
    """Render the group's page; a problem is shown at the form for tonight."""
    search = Search.from_query()
    last, planned = last_night(group), next_night(group)
    form = tonight or blank_form(group, last, planned)
    nights, older = nights_on_page(group, search)  # after the form, which loads the players and so their names
    people = group.names
    return render_template(
        "group/group.html",
        group=group,
        tonight=form,
        choosing=tonight is not None or last is None,
        people=people,
        podium=podium(group, last),
        nights=nights,
        older=older,
        search=search,
        last=last,
        again=[people[str(player)] for player in seats_again(group, last, planned)] if last is not None else [],
        last_month=last_month(),
        planned=planned,
        when_planned=when_of(planned) if planned else "",
    )


@blueprint.post("/g/<public_id>/tonight")
@redraws
def tonight(public_id: str) -> str | Response:
    """Start tonight's night, or reorder the chosen players."""
    group = group_or_404(public_id)
    form = posted_tonight(group)
    with refusals_shown(form, lambda: _group_page(group, form)):
        night = start(group, form) if form.do.data in ("again", "start", "rules") else None
    if night is None:
        return _group_page(group, form)
    if form.do.data == "rules":
        return redirect(url_for("night.rules", public_id=night.public_id, game=night.game), 303)
    return redirect(url_for("night.table", public_id=night.public_id), 303)
