"""The page that deletes a group, after explaining what that removes."""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.store.groups import deleting as store
from companion.store.refusals import Gone

from ..access.forms import redraws, refusals_shown, sent
from ..access.lookup import group_or_404
from ..access.pin import PinForm, must_know_pin

blueprint = Blueprint("delete_group", __name__)


@blueprint.route("/g/<public_id>/delete", methods=["GET", "POST"])
@redraws
def delete(public_id: str) -> str | Response:
    """Ask for a confirmation, and delete the group."""
    form = PinForm()
    key = sent(form).key
    if request.method == "POST" and store.was_deleted_by(key):
        return _gone()
    group = group_or_404(public_id)

    def page() -> str:
        return render_template("group/delete.html", group=group)

    if request.method == "GET":
        return page()
    with refusals_shown(form, page):
        must_know_pin(group, form.pin.data)
        with suppress(Gone):  # the button was tapped twice, or another phone was faster
            store.delete_group(group, key)
    return _gone()


def _gone() -> Response:
    return redirect(url_for("home.home", deleted="yes"), 303)
