"""The log: a JSON line per request and error, with the field names of the Elastic Common Schema.

It contains no secrets: a request is identified by its route (`/open/<secret>`), never by its URL. What has no name in
the schema is under `labels`. A poll that finds nothing new isn't logged, or polls would fill the disk.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from flask import Flask, Response, current_app, has_request_context, request
from flask.logging import default_handler

from companion import __version__
from companion.store.db.faults import fault

_BEGAN, _ID = "companion.began", "companion.request_id"
_GIVEN_ID = "HTTP_X_REQUEST_ID"  # set by a proxy
_SAFE_PARTS = ("public_id", "number", "key", "filename")  # route parameters; any other may be a secret
_requests = logging.getLogger("companion.requests")
ExcInfo = tuple[type, BaseException, TracebackType] | tuple[None, None, None]


class App(Flask):
    """Flask, but with errors logged by route, because URLs may contain secrets."""

    def log_exception(self, exc_info: ExcInfo) -> None:
        """Log an unexpected error; `errors.py` logs in one line that the database is away."""
        if fault(exc_info[1] or Exception()) is None:
            self.logger.error("Exception in %s %s", request.method, route(), exc_info=exc_info)


class JsonLines(logging.Formatter):
    """Formats each log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record; entries of `extra={"fields": …}` are added next to the message."""
        line: dict[str, Any] = {
            "@timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "log.level": record.levelname.lower(),
            "message": record.getMessage(),
            "ecs.version": "8.11",
            "log.logger": record.name,
            "process.pid": record.process,
            "service.name": "table-companion",
            "service.version": __version__,
        }
        if has_request_context():
            line["http.request.id"] = _request_id()
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[0]:
            line["error.type"] = record.exc_info[0].__name__
            line["error.stack_trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def log_json() -> None:
    """Let every logger write lines of JSON to the standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.getLogger().handlers[:] = [handler]
    logging.getLogger("companion").removeHandler(default_handler)  # which Flask added if it has logged already
    _requests.setLevel(logging.INFO)


def init_app(app: Flask) -> None:
    """Log each request, if configured."""
    if app.config["JSON_LOG"]:
        app.after_request(_answered)
    if app.config["JSON_LOG"] or app.config["METRICS"]:
        app.before_request(_begin)


def route() -> str:
    """Return the request's route, which contains no secrets."""
    return request.url_rule.rule if request.url_rule else "no such route"


def _begin() -> None:
    request.environ[_BEGAN] = time.perf_counter()


def seconds() -> float:
    """Return how long the request has taken so far."""
    now = time.perf_counter()
    return now - float(request.environ.get(_BEGAN, now))


def _request_id() -> str:
    """Return what all lines about this request have in common: the proxy's id for it, or else a random one."""
    if _ID not in request.environ:
        proxy_id = request.environ.get(_GIVEN_ID, "") if current_app.config["TRUSTED_PROXIES"] else ""
        is_good = re.fullmatch(r"[0-9A-Za-z-]{8,64}", proxy_id)
        request.environ[_ID] = proxy_id if is_good else secrets.token_hex(16)
    return str(request.environ[_ID])


def _answered(response: Response) -> Response:
    if response.status_code != 304:
        _requests.info("request", extra={"fields": _fields(response)})
    return response


def _fields(response: Response) -> dict[str, object]:
    parts = {part: value for part, value in (request.view_args or {}).items() if part in _SAFE_PARTS}
    return {
        "http.request.method": request.method,
        "http.response.status_code": response.status_code,
        "event.duration": round(seconds() * 1e9),  # nanoseconds, as the schema wants
        "client.ip": request.remote_addr,
        "labels.route": route(),
        **{f"labels.{part}": str(value) for part, value in parts.items()},
    }
