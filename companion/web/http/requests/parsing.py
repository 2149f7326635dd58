"""Reads numbers and fields from requests, which are untrusted input."""

from __future__ import annotations

from flask import abort, request
from werkzeug.datastructures import MultiDict

from companion.engine.messages import Message
from companion.store.refusals import Refused

MAX_ROWS = 10**9  # no table has as many; larger numbers may not fit into the database's column
_MAX_FIELD_LENGTH = 60  # characters of a field's name


def row_number(text: str | None) -> int | None:
    """Parse a number that a page of ours wrote; None if it is missing, or no page can have written it."""
    is_ours = text and text.isascii() and text.isdigit() and len(text) < len(str(MAX_ROWS))
    return int(text) if text and is_ours else None


def page_before() -> int | None:
    """Return the row that the next part of a list ends before; None if it is missing or can't be in the database."""
    return row_number(request.args.get("before")) or None


def line_number(text: str | None) -> int:
    """Parse the line number in a form; raises Refused if no page of ours can have produced it."""
    number = row_number(text)
    if number is None:
        raise Refused(Message("This form is broken; open it again"))
    return number


def must_send_no_file(except_for: str = "") -> None:
    """Abort with 400 if a file was uploaded in place of a text field, which WTForms would accept as text."""
    # without a content type there are no files, and looking for them takes time that each poll would spend
    if request.content_type and set(request.files) - {except_for}:
        abort(400)


def posted() -> MultiDict[str, str]:
    """Return the posted text fields, without names that can't be ours."""
    return MultiDict(
        (name, value)
        for name, value in request.form.items(multi=True)
        if name.isascii() and len(name) <= _MAX_FIELD_LENGTH
    )


def asks_for_json() -> bool:
    """Return whether the request comes from a page's script, which wants JSON, and not from a plain form."""
    return request.accept_mimetypes.best == "application/json"


def is_ticked(sent: str) -> bool:
    """Return whether a box is ticked, given what was sent for it."""
    return sent not in ("", "false")
