"""Reading numbers and fields from requests as untrusted input."""

from __future__ import annotations

import re

from flask import abort, request
from werkzeug.datastructures import MultiDict

_MOST_ROWS = 10**9


_WHOLE_NUMBER = re.compile(r"\s*[+-]?[0-9]{1,40}\s*")


def number_asked(name: str) -> int | None:
    """Read a number of a row out of the page's address; None where there is none that a database could have."""
    number = request.args.get(name, type=int)
    return number if number is not None and 0 < number < _MOST_ROWS else None


def whole(text: str | None) -> int | str:
    """Turn typed text into a whole number where it is one."""
    return int(text) if text and _WHOLE_NUMBER.fullmatch(text) else (text or "")


def must_send_no_file(except_for: str = "") -> None:
    """Abort with 400 where a file came under the name of a text field: WTForms would take it for the text."""
    if set(request.files) - {except_for}:
        abort(400)


_LONGEST_FIELD = 60


def posted() -> MultiDict[str, str]:
    """Give the posted text fields; names that cannot be ours are left out."""
    return MultiDict(
        (name, value)
        for name, value in request.form.items(multi=True)
        if name.isascii() and len(name) <= _LONGEST_FIELD
    )


def asks_for_json() -> bool:
    """Tell whether a page's script asks, which is answered with JSON; a browser that sends a form wants a page."""
    return request.accept_mimetypes.best == "application/json"
