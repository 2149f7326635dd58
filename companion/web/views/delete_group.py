"""Deleting a group: the page that says what goes, and the button on it."""

from __future__ import annotations

from flask import Blueprint, Flask, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.store import deleting as store

from ..access.actions import refusal
from ..access.devices import ActForm, group_or_404, sent
from ..access.pin import PinForm, must_know_pin
from ..http.csrf import redraws

blueprint = Blueprint("delete_group", __name__)


def init_app(app: Flask) -> None:
    """Let every page of a demo have the button that removes it."""
    app.jinja_env.globals["new_act"] = lambda: ActForm(formdata=None)


@blueprint.route("/g/<public_id>/delete", methods=["GET", "POST"])
@redraws
def delete(public_id: str) -> str | Response:
    """Ask whether the group shall be deleted; and delete it."""
    form = PinForm()
    key = sent(form).key
    if request.method == "POST" and store.was_deleted_by(key):
        return _gone()
    group = group_or_404(public_id)

    def work() -> None:
        must_know_pin(group, form.pin.data)
        store.delete_group(group, key)

    problem = refusal(form, work) if request.method == "POST" else None
    if request.method == "POST" and problem is None:
        return _gone()
    return render_template("group/delete.html", group=group, act=ActForm(formdata=None), problem=problem)


def _gone() -> Response:
    return redirect(url_for("home.home", deleted="yes"), 303)
