"""Error pages, and problem documents (RFC 9457) under /api."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, redirect, render_template, request
from sqlalchemy.exc import DataError, SQLAlchemyError
from werkzeug.exceptions import (
    BadRequest,
    Conflict,
    HTTPException,
    InternalServerError,
    MethodNotAllowed,
    NotFound,
    ServiceUnavailable,
)
from werkzeug.wrappers import Response as AnyResponse

from companion.contract import problems_document
from companion.engine.guard import GameFailed
from companion.engine.messages import Message
from companion.engine.problems import Problem
from companion.store import is_replaced
from companion.store.db.database import end_reading
from companion.store.db.faults import fault
from companion.store.refusals import Elsewhere, Gone

from ..monitoring import figures
from ..requests.rate_limits import too_many_tries
from .problem_types import OF_STATUS, TYPES, typed_document

PREFIX = "/api"
TYPED_PREFIX = f"{PREFIX}/v1"  # below it problems have types
_MAY_WORK_AGAIN = (409, 429, 500, 503)
MEDIA_TYPE = "application/problem+json"
_RETRY_SECONDS = 5
_REPLACED = Message("The database is being replaced or upgraded, so nothing was saved. Send it again in a moment.")
_ELSEWHERE = Message("Score is kept elsewhere")
_TITLES = {
    400: Message("Not understood"),
    403: Message("Not allowed"),
    404: Message("Not found"),
    405: Message("That doesn't work here"),
    409: Message("Somebody else was faster"),
    413: Message("Too large"),
    415: Message("Not accepted"),
    429: Message("Wait a moment"),
    500: Message("Our mistake"),
    503: Message("Not available now"),
}
_WAYS_OUT = {
    400: Message("The browser sent something this page doesn't understand. Go back and try again."),
    403: Message("This phone isn't allowed to do that. Ask the scorekeeper for a link that allows it."),
    # phones whose join code was renewed get this too, for example after a night was reopened
    404: Message(
        "There is nothing at this address. Start again from the games, or if you joined a night by its code, join "
        "again with the new one."
    ),
    405: Message("This address can't be used like that. Start again from the games."),
    409: Message("This has changed in the meantime. Go back, check the new version, then send yours again."),
    413: Message("That file is too big. Go back and choose another."),
    415: Message("The browser sent something this page doesn't accept. Go back and try again."),
    429: too_many_tries(60),
    500: Message("Something went wrong on our side; nothing was changed. Go back and try again."),
    503: Message("The app isn't available right now. Try again in a moment."),
}
_OF_API = {
    413: Message("That is more than this address accepts. Send less."),
    415: Message("This address only accepts JSON. Send it as application/json."),
}


def init_app(app: Flask) -> None:
    """Answer every error with a page of the app."""
    app.register_error_handler(HTTPException, _answer)
    app.register_error_handler(MethodNotAllowed, _answer_wrong_method)
    app.register_error_handler(Exception, _unexpected)
    # for example a NUL character in a URL, which PostgreSQL rejects
    app.register_error_handler(DataError, lambda _error: _answer(BadRequest()))
    app.register_error_handler(GameFailed, _answer_failed_game)
    app.register_error_handler(Gone, lambda _gone: _answer(NotFound()))
    app.register_error_handler(Elsewhere, _answer_elsewhere)


def _answer_wrong_method(error: MethodNotAllowed) -> AnyResponse:
    """Lead from an address that only takes forms to the page above it, as in /g/…/tonight to /g/….

    A form that had to be mended is shown at such an address, and a phone that reopens its tabs asks for it again.
    """
    if error is request.routing_exception and request.method == "GET" and not request.path.startswith(f"{PREFIX}/"):
        return redirect(request.script_root + _page_above(request.path), 303)
    return _answer(error)


def _page_above(path: str) -> str:
    routes = current_app.create_url_adapter(request)
    assert routes is not None
    while path := path.rpartition("/")[0]:
        if routes.test(path, "GET"):
            return path
    return "/"


def _answer_failed_game(failed: GameFailed) -> AnyResponse:
    """Say where a table's own game failed; its owner can mend it."""
    current_app.logger.warning("A table's own game failed: %s", failed)
    error = InternalServerError()
    text = "This table's own game failed: {error}. Its file has to be fixed; until then choose another game."
    error.way_out = Message(text, error=str(failed))  # type: ignore[attr-defined]
    return _answer(error)


def _answer_elsewhere(elsewhere: Elsewhere) -> AnyResponse:
    """Say that the group is written elsewhere, where a page has no place for that."""
    figures.refused(elsewhere)
    error = Conflict()
    error.title, error.way_out = _ELSEWHERE, elsewhere.message  # type: ignore[attr-defined]
    return _answer(error)


def _unexpected(error: Exception) -> AnyResponse:
    """Answer 503 if the database is unavailable, whichever statement found out; bugs remain a 500."""
    unavailable = _unavailable(error)
    if unavailable is None:
        raise error
    return _answer(unavailable)


def _unavailable(error: BaseException | None) -> ServiceUnavailable | None:
    """Return the error to answer if the database is unavailable or another version's; None if it isn't to blame."""
    if error is None:
        return None
    known_fault = fault(error, is_one_phone=not current_app.config["PLATFORM"].phones)
    way_out = known_fault or (_REPLACED if isinstance(error, SQLAlchemyError) and is_replaced() else None)
    if way_out is None:
        return None
    current_app.logger.error("503: %s", str(getattr(error, "orig", error)).partition("\n")[0])
    # the page of the error must not read anything again
    end_reading(error)
    g.pop("group", None)
    unavailable = ServiceUnavailable(retry_after=_RETRY_SECONDS)
    unavailable.way_out = way_out  # type: ignore[attr-defined]
    return unavailable


def _answer(error: HTTPException) -> AnyResponse:
    """Render an error unless it has a response already. An error may carry its own advice as `way_out`.

    What fails outside a view, such as while another error's page is rendered, arrives as an InternalServerError.
    """
    error = _unavailable(getattr(error, "original_exception", None)) or error
    if error.response is not None:
        return cast(AnyResponse, error.response)
    status = error.code or InternalServerError.code
    is_api = request.path.startswith(f"{PREFIX}/")
    ways_out = _WAYS_OUT | _OF_API if is_api else _WAYS_OUT
    way_out = getattr(error, "way_out", None) or ways_out.get(status, Message("Go back and try again."))
    if request.path.startswith(f"{TYPED_PREFIX}/"):
        response = typed_problem(OF_STATUS.get(status, "bad-request"), str(getattr(error, "way_out", "")))
        response.status_code = status
    elif is_api:
        problem = Problem("", "bad-request", way_out)
        response = problem_response(problems_document([problem], status, error.name), status)
    else:
        title = getattr(error, "title", None) or _TITLES.get(status, error.name)
        response = Response(_page(status, title, way_out), status)
    # keep the error's headers, such as Allow, but not those of its replaced body
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            response.headers[name] = value
    return response


def _page(status: int, title: Any, way_out: Message) -> str:
    again = status in _MAY_WORK_AGAIN and title is not _ELSEWHERE and request.method == "GET"
    return render_template(
        "error.html",
        status=status,
        title=title,
        way_out=way_out,
        again=again,
        back=None if again else _page_before(),
    )


def _page_before() -> str | None:
    """Return the URL of the page the browser came from, if it is on this site."""
    try:
        came_from = urlsplit(request.referrer or "")
    except ValueError:
        return None
    if came_from.netloc != request.host or came_from.path.startswith("//"):
        return None
    return came_from._replace(scheme="", netloc="", fragment="").geturl()


def problem_response(document: dict[str, object], status: int) -> Response:
    """Return a problem document as an RFC 9457 response."""
    figures.problems_found({problem["code"] for problem in document["errors"]})  # type: ignore[attr-defined]
    return current_app.response_class(current_app.json.dumps(document), status, mimetype=MEDIA_TYPE)


def typed_problem(key: str, detail: str = "", problems: Iterable[Problem] = ()) -> Response:
    """Return a problem of one of the `problem_types`."""
    document = typed_document(key, detail, problems)
    return problem_response(document, TYPES[key].status)
