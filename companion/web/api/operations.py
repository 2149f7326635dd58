"""Declares the operations of /api/v1, and does what all of them have in common.

A declaration makes the route, the check of the token's right and of the body, and the description in the OpenAPI
document. A cookie opens nothing here, so that another site can't send anything in its name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, NoReturn

from flask import Blueprint, Response, abort, current_app, g, request

from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.engine.problems import Problem
from companion.store.groups.tokens import find_token, note_use
from companion.store.models import Access, ApiToken, Line, Night
from companion.store.night import play
from companion.store.refusals import Conflict, Elsewhere, Refused, Sent

from ..access.devices import includes
from ..access.forms import new_key
from ..access.lookup import line_or_404
from ..http.answers.errors import TYPED_PREFIX, typed_problem
from ..http.monitoring import figures
from ..http.requests.rate_limits import Limit
from .bodies import posted_object, problems_in
from .schemas import COMPONENTS, NEW_MOVEMENTS, Schema

blueprint = Blueprint("api_v1", __name__, url_prefix=TYPED_PREFIX)

NIGHT = "/nights/<night>"
MAX_PAGE, _PAGE, MAX_CURSOR_DIGITS = 50, 20, 9
MAX_KEY_LENGTH = 255
_WRITES = Limit("API writes", minute=120, hour=2000, who=lambda: str(g.token.id))
_KEY = re.compile(rf"[!-~]{{1,{MAX_KEY_LENGTH}}}")
_TAG = re.compile(r"(\d{1,9})-[0-9a-f]+")  # a version, and a digest of the answer
Answer = dict[str, Any] | tuple[dict[str, Any], int, str]  # a document, its version, and where it is if it was made
View = Callable[..., Answer]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation. `right` is None if it needs no token; `body` and `answers` are schemas' names.

    `sees` says what `If-Match` may be, or must be: the ETag of the "night", or of the "line" that is changed.
    """

    name: str
    method: str
    path: str
    right: Access | None
    summary: str
    answers: str
    body: str = ""
    status: int = 200
    is_list: bool = False
    sees: str = ""


OPERATIONS: list[Operation] = []


def operation(
    method: str, path: str, right: Access | None, summary: str, answers: str, **more: Any
) -> Callable[[View], Callable[..., Response]]:
    """Declare the operation that the decorated function carries out.

    The function gets the group, or in its place the night of the path; then what else the path says, and the body. It
    returns a document with its version, and the address if it made something.
    """

    def declared(view: View) -> Callable[..., Response]:
        about = Operation(view.__name__, method, path, right, summary, answers, **more)
        OPERATIONS.append(about)

        @wraps(view)
        def answered(**parts: Any) -> Response:
            try:
                return _answered(about, view, parts)
            except Refused as refused:
                figures.refused(refused)
                return _refused(refused)

        blueprint.add_url_rule(path, view.__name__, answered, methods=[method])
        return answered

    return declared


def _answered(about: Operation, view: View, parts: dict[str, Any]) -> Response:
    arguments: list[Any] = []
    if about.right is not None:
        token = _token(about.right)
        if about.method != "GET" and (seconds := _WRITES.count()):
            response = typed_problem("too-many")
            response.headers["Retry-After"] = str(seconds)
            return response
        if about.sees == "line" and not request.if_match:
            abort(typed_problem("no-etag"))
        arguments.append(_night(token, parts.pop("night")) if "night" in parts else token.group)
    arguments += parts.values()
    if about.body:
        arguments.append(_body(about.body))
    answer = view(*arguments)
    document, version, address = answer if isinstance(answer, tuple) else (answer, 0, "")
    response = current_app.response_class(current_app.json.dumps(document), about.status, mimetype="application/json")
    response.set_etag(f"{version}-{hashlib.sha256(response.get_data()).hexdigest()[:20]}")
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Authorization")
    if address:
        response.headers["Location"] = address
    if about.method == "GET" and request.if_none_match.contains_weak(response.get_etag()[0] or ""):
        response.status_code = 304
        response.set_data(b"")
    return response


def _token(wanted: Access) -> ApiToken:
    """Return the request's token; 401 without a valid one, 403 if its right isn't enough."""
    sent = request.authorization
    is_bearer = sent is not None and sent.type == "bearer" and bool(sent.token)
    token = find_token(sent.token or "") if sent is not None and is_bearer else None
    if token is None:
        response = typed_problem("bad-token" if is_bearer else "no-token")
        more = ', error="invalid_token"' if is_bearer else ""
        response.headers["WWW-Authenticate"] = f'Bearer realm="Table Companion"{more}'
        abort(response)
    note_use(token)
    g.token = token
    if not includes(token.access, wanted):
        abort(typed_problem("no-right"))
    return token


def token() -> ApiToken:
    """Return the token of this request."""
    api_token: ApiToken = g.token
    return api_token


def _night(token: ApiToken, public_id: str) -> Night:
    night = play.find_night(public_id)
    return night if night is not None and night.group_id == token.group_id else abort(404)


def round_or_404(night: Night, number: int) -> Line:
    """Return the line of a round; 404 if the night has no round with this number."""
    line = line_or_404(night, number)
    return line if line.game else abort(404)


def movement_or_404(night: Night, number: int) -> Line:
    """Return the line of a movement other than a round; 404 if the night has none with this number."""
    line = line_or_404(night, number)
    return abort(404) if line.game else line


def _body(name: str) -> dict[str, Any]:
    """Return the body; ends the request if it is no JSON object, or doesn't fit its schema.

    A round is read by the contract, which says more than its schema could.
    """
    if request.mimetype != "application/json":
        abort(415)
    body = posted_object()
    if body is None:
        abort(typed_problem("bad-request"))
    problems = [] if name == "Round" else list(problems_in(body, _schema(name, body)))
    if problems:
        not_valid(problems)
    return body


def _schema(name: str, body: dict[str, Any]) -> Schema:
    """Return a body's schema; of a movement, that of its kind."""
    if name != "NewMovement":
        return COMPONENTS[name]
    kind = body.get("movement")
    known = {"type": "string", "enum": list(NEW_MOVEMENTS)}
    any_kind = {"type": "object", "properties": {"movement": known}, "required": ["movement"]}
    return NEW_MOVEMENTS[kind] if isinstance(kind, str) and kind in NEW_MOVEMENTS else any_kind


def not_valid(problems: list[Problem]) -> NoReturn:
    """End the request: what was sent isn't valid."""
    abort(typed_problem("not-valid", problems=problems))


def _refused(refused: Refused) -> Response:
    """Answer why the store refused a change, with players by name."""
    if isinstance(refused, Elsewhere):
        return typed_problem("written-elsewhere")
    names = g.token.group.names
    detail = str(_named(refused.message, names))
    if isinstance(refused, Conflict):
        if refused.is_sent_before:
            return typed_problem("key-used")
        return typed_problem("changed" if request.if_match else "conflict", detail)
    if not refused.problems:
        return typed_problem("refused", detail)
    problems = [Problem(_field(p.field, names), p.code, _named(p.message, names)) for p in refused.problems]
    return typed_problem("not-valid", detail, problems)


def _named(message: Message, names: dict[str, str]) -> Message:
    def shown(value: object) -> object:
        if isinstance(value, PlayerKey):
            return names.get(value, value)
        if isinstance(value, tuple):
            return tuple(map(shown, value))
        return _named(value, names) if isinstance(value, Message) else value

    return Message(message.template, message.plural, **{key: shown(value) for key, value in message.values.items()})


def _field(path: str, names: dict[str, str]) -> str:
    """Put a name for the key that a path of the answers ends with."""
    start, _, last = path.rpartition(".")
    return f"{start}.{names.get(last, last)}" if start.startswith("round.") else path


def sent(body: object = None, version: int | None = None) -> Sent:
    """Return what a change records about its request: the same `Idempotency-Key` carries it out once.

    `version` is that of the night that the program saw.
    """
    sent_key = request.headers.get("Idempotency-Key")
    if sent_key is not None and not _KEY.fullmatch(sent_key):
        abort(typed_problem("bad-request", f"An Idempotency-Key has 1 to {MAX_KEY_LENGTH} visible ASCII characters."))
    key = new_key() if sent_key is None else hashlib.sha256(f"{g.token.id}:{sent_key}".encode()).hexdigest()[:40]
    return Sent(f"api-{key}", g.token.label, ["api", request.method, request.path, body], version)


def seen_version() -> int | None:
    """Return the version in the ETag of `If-Match`; None without that, or if any will do. No version is -1."""
    if not request.if_match or request.if_match.star_tag:
        return None
    versions = [tag[1] for tag in map(_TAG.fullmatch, filter(None, request.if_match.as_set())) if tag]
    return int(versions[0]) if versions else -1


def seen_revision(line: Line) -> int:
    """Return the revision in the ETag of `If-Match`; that of the line if any will do."""
    seen = seen_version()
    return line.current.number if seen is None else seen


def page_asked() -> tuple[int | None, int]:
    """Return the `cursor` and the `limit` of the query."""
    asked = {}
    for name, least, most in (("cursor", 0, 10**MAX_CURSOR_DIGITS - 1), ("limit", 1, MAX_PAGE)):
        text = request.args.get(name)
        if text is not None:
            is_number = text.isascii() and text.isdigit() and len(text) <= MAX_CURSOR_DIGITS
            if not is_number or not least <= int(text) <= most:
                not_valid([Problem(name, "bad-value", Message(f"This must be {least} to {most}"))])
            asked[name] = int(text)
    return asked.get("cursor"), asked.get("limit", _PAGE)


def paged(key: str, rows: list[dict[str, Any]], limit: int, cursors: list[int]) -> dict[str, Any]:
    """Return a page of a list of which one more than `limit` was read; `cursors` lead to what comes after each."""
    return {key: rows[:limit], "next": str(cursors[limit - 1]) if len(cursors) > limit else None}
