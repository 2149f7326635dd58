"""The page that hands a group over to another phone or computer, and leads back if it is written elsewhere."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.store.groups.turns import hand_over, write_here
from companion.store.night.drafts import is_being_entered

from ..access.forms import ActForm, redraws, refusals_shown, sent
from ..access.lookup import group_or_404

blueprint = Blueprint("turns", __name__)


@blueprint.route("/g/<public_id>/hand-over", methods=["GET", "POST"])
@redraws
def turn(public_id: str) -> str | Response:
    """Say where the group is written and what that means; hand it over, or let it be written here all the same."""
    group = group_or_404(public_id)
    if group.is_demo:  # it has no file
        abort(404)
    form = ActForm() if request.method == "POST" else ActForm(formdata=None)

    def page() -> str:
        is_lost = is_being_entered(group)
        return render_template("group/hand_over.html", group=group, loses_draft=is_lost)

    if request.method == "GET":
        return page()
    with refusals_shown(form, page):
        if form.do.data == "hand-over":
            hand_over(group, sent(form))
        elif form.do.data == "write-here":
            write_here(group, sent(form))
            return redirect(url_for("groups.show", public_id=public_id), 303)
    return redirect(url_for("turns.turn", public_id=public_id), 303)
