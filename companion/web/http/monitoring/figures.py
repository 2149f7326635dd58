"""Metrics for Prometheus: requests, waiting, connections to the database, rounds, refusals, photographs, upkeep.

No label is a secret or an id: a request is labelled with its route (`/open/<secret>`), never with its URL. Names and
units are those that Prometheus recommends. Under gunicorn each process counts for itself, and the process that started
the others adds them up; that one also reads from the database what only it knows, once for each time it is asked.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from flask import Flask, Response, current_app, request
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from companion import __version__
from companion.config import BadSetting
from companion.store import upkeep
from companion.store.models import db
from companion.store.refusals import Refused

from .request_log import route, seconds

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import Metric

_KEY = "companion_figures"
_ARRIVED = "HTTP_X_REQUEST_START"  # set by a proxy, such as "t=1700000000.123": seconds since 1970
_MAX_WAIT = 3600  # seconds; a longer wait means that a clock is wrong
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_PHOTO_SECONDS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
Processes = Callable[[], Iterable[tuple[str, int]]]


def init_app(app: Flask) -> None:
    """Count, if metrics are configured."""
    if not app.config["METRICS"]:
        return
    figures = app.extensions[_KEY] = Figures()
    app.after_request(figures.count)
    if app.config["TRUSTED_PROXIES"]:
        app.before_request(figures.queued)
    with app.app_context():
        figures.watch(db.engine)


def round_saved(game: str) -> None:
    """Count a round that was saved for the first time."""
    if (figures := _figures()) is not None:
        figures.rounds.labels(game).inc()


def refused(why: Refused) -> None:
    """Count a refusal: each code of its problems, or else its kind, such as "conflict"."""
    problems_found({problem.code for problem in why.problems} or {type(why).__name__.lower()})


def problems_found(codes: Iterable[str]) -> None:
    """Count an entry with problems, once for each of their codes."""
    if (figures := _figures()) is not None:
        for code in codes:
            figures.refusals.labels(code).inc()


@contextmanager
def photograph() -> Iterator[None]:
    """Measure how long the block takes to read a photograph."""
    began = time.perf_counter()
    try:
        yield
    finally:
        if (figures := _figures()) is not None:
            figures.photographs.observe(time.perf_counter() - began)


def _figures() -> Figures | None:
    figures: Figures | None = current_app.extensions.get(_KEY)
    return figures


class Figures:
    """What one process counts."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._out: WeakSet[ConnectionPoolEntry] = WeakSet()
        self.registry = all_of = CollectorRegistry()
        by = ["method", "route", "status"]
        self._requests = Counter("companion_requests", "Requests answered", by, registry=all_of)
        self._seconds = Histogram("companion_request_seconds", "Time to answer", by[:2], registry=all_of)
        self._queued = Histogram("companion_queue_seconds", "From the proxy to a free thread", registry=all_of)
        self.rounds = Counter("companion_rounds_saved", "Rounds saved in nights", ["game"], registry=all_of)
        self.refusals = Counter("companion_refusals", "Entries and changes refused", ["code"], registry=all_of)
        self.photographs = Histogram(
            "companion_photograph_seconds",
            "Time to read a photograph",
            buckets=_PHOTO_SECONDS,
            registry=all_of,
        )
        sums: Any = {"registry": all_of, "multiprocess_mode": "livesum"}
        self._in_use = Gauge("companion_database_connections_in_use", "Connections that a request has", **sums)
        self._open = Gauge("companion_database_connections_open", "Connections to the database", **sums)
        self._most = Gauge("companion_database_connections_limit", "Connections that the pools may open", **sums)
        build = Gauge(
            "companion_build_info", "The version, as a label", ["version"], registry=all_of, multiprocess_mode="max"
        )
        build.labels(__version__).set(1)

    def count(self, response: Response) -> Response:
        """Count an answer, and how long it took."""
        method = request.method if request.method in _METHODS else "other"
        self._requests.labels(method, route(), response.status_code).inc()
        self._seconds.labels(method, route()).observe(seconds())
        return response

    def queued(self) -> None:
        """Measure how long the request waited for a free thread, which no route's own time contains."""
        with suppress(ValueError):
            waited = time.time() - float(request.environ.get(_ARRIVED, "").removeprefix("t="))
            if 0 <= waited < _MAX_WAIT:
                self._queued.observe(waited)

    def watch(self, engine: Engine) -> None:
        """Follow the engine's connections to the database."""
        if not isinstance(engine.pool, QueuePool):
            return
        options = current_app.config["SQLALCHEMY_ENGINE_OPTIONS"]
        most = options.get("pool_size", 5) + options.get("max_overflow", 10)  # SQLAlchemy's own numbers

        def connected(*_: object) -> None:
            self._open.inc()
            self._most.set(most)

        engine.dispose()  # what the start of the app opened wasn't counted
        event.listen(engine, "connect", connected)
        event.listen(engine, "close", lambda *_: self._open.dec())
        event.listen(engine, "checkout", self._taken)
        event.listen(engine, "checkin", self._returned)

    # SQLAlchemy also tells of what came back without having gone out, such as when the database is away
    def _taken(self, _connection: object, record: ConnectionPoolEntry, _fairy: object) -> None:
        if record not in self._out:
            self._out.add(record)
            self._in_use.inc()

    def _returned(self, _connection: object, record: ConnectionPoolEntry) -> None:
        if record in self._out:
            self._out.discard(record)
            self._in_use.dec()


class _Stored:
    """What the database knows, read whenever Prometheus asks."""

    def __init__(self, app: Flask) -> None:
        with app.app_context():
            self._engine = upkeep.engine_apart()

    def collect(self) -> Iterator[Metric]:
        """Yield whether the database answers and, if it does, its figures."""
        from prometheus_client.core import GaugeMetricFamily as Gauge

        gauges = list[Gauge]()
        with suppress(SQLAlchemyError), self._engine.connect() as connection:
            gauges = [Gauge(*row) for row in self._read(connection)]
        yield Gauge("companion_database_up", "1 if the database answers, else 0", bool(gauges))
        yield from gauges

    @staticmethod
    def _read(connection: Connection) -> Iterator[tuple[str, str, float]]:
        yield "companion_nights_open", "Nights that aren't closed", upkeep.open_nights(connection)
        for kind, done in upkeep.last_done(connection).items():
            name = f"companion_last_{kind}_timestamp_seconds"
            yield name, f"When the last {kind} ended, since 1970", done.at.timestamp()
            if kind == "audit":
                yield "companion_last_audit_errors", "Errors that the last audit found", done.errors


class _Processes:
    """Processor, memory and open files of each process, by its place, such as "worker 1": numbers would go on for ever.

    The names are those of Prometheus' own clients.
    """

    def __init__(self, processes: Processes) -> None:
        self._processes = processes

    def collect(self) -> Iterable[Metric]:
        """Return each figure once, with a row for each process."""
        from prometheus_client import ProcessCollector
        from prometheus_client.metrics_core import Metric

        metrics: dict[str, Metric] = {}
        for place, pid in self._processes():
            for metric in ProcessCollector(pid=lambda pid=pid: pid, registry=None).collect():  # type: ignore[misc]
                kept = metrics.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
                for sample in metric.samples:
                    kept.add_sample(sample.name, {"process": place}, sample.value)
        return metrics.values()


def _this_process() -> Iterable[tuple[str, int]]:
    return [("app", os.getpid())]


def serve(app: Flask, counted: CollectorRegistry | None = None, processes: Processes = _this_process) -> None:
    """Serve the metrics on their own address, in a thread; raises BadSetting if that is taken.

    `counted` are the sums of all processes, if there are several.
    """
    from prometheus_client import start_http_server

    registry = counted or app.extensions[_KEY].registry
    registry.register(_Stored(app))
    registry.register(_Processes(processes))
    host, port = app.config["METRICS"]
    try:
        start_http_server(port, host, registry)
    except OSError as error:
        text = f"COMPANION_METRICS is {host}:{port}: {error.strerror or error}. Choose another address"
        raise BadSetting(text) from error
