"""What whoever runs the app can watch: a JSON line for each request, and figures for Prometheus.

Neither holds a secret: a request is told by its route, as `/open/<secret>`, never by its address.
"""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, request

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_BEGAN = "companion.began"
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_TELLING = ("public_id", "number", "key", "filename")  # of a route's parts; any other may be a secret
_requests = logging.getLogger("companion.requests")
ExcInfo = tuple[type, BaseException, TracebackType] | tuple[None, None, None]


class App(Flask):
    """Flask, with errors logged by their route, as an address may hold a secret."""

    def log_exception(self, exc_info: ExcInfo) -> None:
        """Log an error that nobody expected."""
        self.logger.error("Exception in %s %s", request.method, route(), exc_info=exc_info)


class JsonLines(logging.Formatter):
    """Writes each record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record; what was given to it as `extra={"fields": …}` stands beside the message."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def init_app(app: Flask) -> None:
    """Watch every request, where the settings ask for it."""
    if app.config["JSON_LOG"]:
        _log_json()
        app.after_request(_log)
    if app.config["METRICS"]:
        app.after_request(_Figures(app).count)
    if app.config["JSON_LOG"] or app.config["METRICS"]:
        app.before_request(_begin)


def _log_json() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    _requests.setLevel(logging.INFO)


def route() -> str:
    """Name what was asked for, without what may be secret in it."""
    return request.url_rule.rule if request.url_rule else "no such route"


def _begin() -> None:
    request.environ[_BEGAN] = time.perf_counter()


def _seconds() -> float:
    now = time.perf_counter()
    return now - float(request.environ.get(_BEGAN, now))


def _log(response: Response) -> Response:
    fields = {
        "method": request.method,
        "route": route(),
        **{part: value for part, value in (request.view_args or {}).items() if part in _TELLING},
        "status": response.status_code,
        "ms": round(_seconds() * 1000, 1),
        "client": request.remote_addr,
    }
    _requests.info("request", extra={"fields": fields})
    return response


class _Figures:
    """Counts requests and their time, by route."""

    def __init__(self, app: Flask) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram

        registry = CollectorRegistry()
        names = ("method", "route", "status")
        self._requests = Counter("companion_requests", "Requests answered", names, registry=registry)
        self._seconds = Histogram("companion_request_seconds", "Time to answer", names[1:2], registry=registry)
        app.extensions["companion_metrics"] = registry

    def count(self, response: Response) -> Response:
        method = request.method if request.method in _METHODS else "other"
        self._requests.labels(method, route(), response.status_code).inc()
        self._seconds.labels(route()).observe(_seconds())
        return response


def serve_metrics(address: tuple[str, int], registry: CollectorRegistry) -> None:
    """Answer Prometheus at an address of its own, in a thread."""
    from prometheus_client import start_http_server

    host, port = address
    start_http_server(port, host, registry)
