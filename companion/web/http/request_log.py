"""Monitoring: a JSON line per request, and metrics for Prometheus.

Neither contains secrets: a request is identified by its route (`/open/<secret>`), never by its URL.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, request

from companion import __version__
from companion.config import BadSetting
from companion.store.db.faults import fault

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_BEGAN = "companion.began"
_ARRIVED = "HTTP_X_REQUEST_START"  # set by a proxy, such as "t=1700000000.123": seconds since 1970
_MAX_WAIT = 3600  # seconds; a longer wait means that a clock is wrong
_COUNTED_SECONDS = 60  # between two lines that count what found nothing new
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
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
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def init_app(app: Flask) -> None:
    """Enable logging and metrics if configured."""
    if app.config["JSON_LOG"]:
        _log_json()
        app.after_request(_Log().answered)
    if app.config["METRICS"]:
        figures = _Figures(app)
        app.after_request(figures.count)
        if app.config["TRUSTED_PROXIES"]:
            app.before_request(figures.queued)
    if app.config["JSON_LOG"] or app.config["METRICS"]:
        app.before_request(_begin)


def _log_json() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    _requests.setLevel(logging.INFO)


def route() -> str:
    """Return the request's route, which contains no secrets."""
    return request.url_rule.rule if request.url_rule else "no such route"


def _begin() -> None:
    request.environ[_BEGAN] = time.perf_counter()


def _seconds() -> float:
    now = time.perf_counter()
    return now - float(request.environ.get(_BEGAN, now))


class _Log:
    """Logs each request but polls that find nothing new: a line a minute counts those, or they would fill the disk."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._polls, self._since = 0, time.monotonic()

    def answered(self, response: Response) -> Response:
        if response.status_code == 304:
            self._count_poll()
        else:
            _requests.info("request", extra={"fields": _fields(response)})
        return response

    def _count_poll(self) -> None:
        with self._lock:
            self._polls += 1
            counted, seconds = self._polls, time.monotonic() - self._since
            if seconds < _COUNTED_SECONDS:
                return
            self._polls, self._since = 0, time.monotonic()
        fields = {"status": 304, "count": counted, "seconds": round(seconds)}
        _requests.info("nothing new", extra={"fields": fields})


def _fields(response: Response) -> dict[str, object]:
    return {
        "method": request.method,
        "route": route(),
        **{part: value for part, value in (request.view_args or {}).items() if part in _SAFE_PARTS},
        "status": response.status_code,
        "ms": round(_seconds() * 1000, 1),
        "client": request.remote_addr,
    }


class _Figures:
    """Counts requests and their duration, by route."""

    def __init__(self, app: Flask) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        registry = CollectorRegistry()
        names = ("method", "route", "status")
        self._requests = Counter("companion_requests", "Requests answered", names, registry=registry)
        self._seconds = Histogram("companion_request_seconds", "Time to answer", names[1:2], registry=registry)
        self._queued = Histogram("companion_queue_seconds", "From the proxy to a free thread", registry=registry)
        build = Gauge("companion_build_info", "1", ["version"], registry=registry, multiprocess_mode="max")
        build.labels(__version__).set(1)
        app.extensions["companion_metrics"] = registry

    def count(self, response: Response) -> Response:
        method = request.method if request.method in _METHODS else "other"
        self._requests.labels(method, route(), response.status_code).inc()
        self._seconds.labels(route()).observe(_seconds())
        return response

    def queued(self) -> None:
        """Measure how long the request waited for a free thread, which no route's own time contains."""
        with suppress(ValueError):
            waited = time.time() - float(request.environ.get(_ARRIVED, "").removeprefix("t="))
            if 0 <= waited < _MAX_WAIT:
                self._queued.observe(waited)


def serve_metrics(address: tuple[str, int], registry: CollectorRegistry) -> None:
    """Serve Prometheus metrics on their own address, in a thread; raises BadSetting if that is taken."""
    from prometheus_client import start_http_server

    host, port = address
    try:
        start_http_server(port, host, registry)
    except OSError as error:
        text = f"COMPANION_METRICS is {host}:{port}: {error.strerror or error}. Choose another address"
        raise BadSetting(text) from error
