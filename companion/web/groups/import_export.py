"""Downloads of a group's file and sheets, and the page that imports such a file.

`portable` is loaded with the first of them, because it would slow down the start.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.utils import secure_filename
from werkzeug.wrappers import Response as AnyResponse
from wtforms import BooleanField

from companion.engine.messages import Message
from companion.store.groups.groups import open_group
from companion.store.groups.links import new_secret
from companion.store.refusals import Conflict, Refused

from ..access.devices import may_in, remember
from ..access.forms import check_late, is_stale, protection, refusals_shown
from ..access.lookup import group_or_404
from ..access.pin import NewGroupForm, asks_passphrase, may_make_groups, must_know_passphrase
from ..http.requests.parsing import must_send_no_file, posted
from ..http.requests.rate_limits import Limit

if TYPE_CHECKING:
    from companion.store.portable import Taken

blueprint = Blueprint("import_export", __name__)
MAX_BYTES = 32 * 1024 * 1024  # twice the size of a group after two years
_IMPORTS = Limit("imports", minute=10, hour=60)
_KINDS = {"group.json": "application/json", "rounds.csv": "text/csv", "transfers.csv": "text/csv"}


class ImportForm(NewGroupForm):
    """The file of a group; as a copy, it becomes a group of its own. `is_here`: it was refused, being here already."""

    as_copy = BooleanField(name="copy", default=False)
    is_here = False


@blueprint.get("/g/<public_id>/export/<what>")
def download(public_id: str, what: str) -> Response:
    """Return a group's file, or one of its sheets."""
    group = group_or_404(public_id)
    # not a demo's, because a file doesn't say that its rounds are made up
    if what not in _KINDS or group.is_demo:
        abort(404)
    from companion.store.portable import export_group, rounds_sheet, transfers_sheet

    if what == "group.json":  # how players get paid is only in it if the scorekeeper asked for that
        content = export_group(public_id, has_handles=request.args.get("paid-by") == "yes")
    else:
        content = rounds_sheet(public_id) if what == "rounds.csv" else transfers_sheet(public_id)
    name = f"{secure_filename(group.name) or 'group'}-{datetime.now(UTC).astimezone():%Y-%m-%d}-{what}"
    response = Response(content, mimetype=_KINDS[what])
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


@blueprint.route("/groups/import", methods=["GET", "POST"])
def upload() -> str | AnyResponse:
    """Import a group, and let this device into it if it is new here; one that goes on is continued in place.

    Says what was added, and which rounds weren't settled again.
    """
    if not may_make_groups():
        abort(403)
    if request.method == "GET":
        return _page()
    with refusals_shown(None, _page):
        _IMPORTS.take()
    request.max_content_length = MAX_BYTES
    check_late()
    must_send_no_file(except_for="file")
    form = ImportForm(formdata=posted())
    # after a stale form, show one with a new token and secret
    with refusals_shown(form, lambda: _page(None if is_stale() else form)):
        taken = _taken_in(form)
    from companion.store.audit import rounds_of_absent_games

    unsettled = rounds_of_absent_games(taken.group.id)
    if unsettled or taken.place or taken.outcome in ("continued", "older"):
        return render_template("group/imported.html", group=taken.group, taken=taken, unsettled=unsettled)
    return redirect(url_for("groups.show", public_id=taken.group.public_id), 303)


protection.exempt(upload)  # it checks the token itself, after the rate limit and before reading up to 32 MB


def _taken_in(form: ImportForm) -> Taken:
    must_know_passphrase(form.passphrase.data)
    file = request.files.get("file")
    if file is None or not file.filename:
        raise Refused(Message("Choose an exported group file"))
    from companion.store.portable import FileLimits, take_in

    secret = form.secret.data or new_secret()
    is_copy = form.as_copy.data
    try:
        taken = take_in(
            file.read(), secret, FileLimits(), may_continue=lambda group: may_in(group, "keep"), is_copy=is_copy
        )
    except Conflict:
        form.is_here = True
        raise
    group = taken.group
    opened = open_group(secret)
    if opened is not None and opened.id == group.id:
        remember(group, secret)
    elif not may_in(group, "look"):
        text = "The group {name} already exists here with the same content; open it with its link"
        raise Refused(Message(text, name=group.name))
    return taken


def _page(form: ImportForm | None = None) -> str:
    return render_template(
        "group/import.html",
        form=form or ImportForm(formdata=None),
        most=MAX_BYTES // 1024**2,
        asks_passphrase=asks_passphrase(),
    )
