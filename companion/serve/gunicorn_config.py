"""gunicorn settings for a club, behind nginx: `--config python:companion.serve.gunicorn_config`.

gunicorn's own command-line options override these. Don't expose it to the internet directly: eight slow clients would
occupy all of a worker's threads, and nginx prevents that. All workers are copies of a process that has loaded the whole
app, also those that replace another while an upgrade changes the files. So HUP doesn't upgrade; restart gunicorn.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from typing import Any

from companion.config import BadSetting, read_settings
from companion.store.models import db

from .existing import own_games
from .sending.sender import start_sending
from .warming import load_lazy_modules, open_pages, warm_up

try:
    _SETTINGS = read_settings()
except BadSetting as sentence:
    sys.exit(str(sentence))
if _SETTINGS["METRICS"]:
    # workers write their metrics there and the master adds them up; must be set before prometheus_client is imported
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="companion-metrics-")

worker_class = "gthread"
workers = 2
threads = 8
preload_app = True
control_socket_disable = True
# the app writes its own access log, without secrets
accesslog = None
if _SETTINGS["JSON_LOG"]:
    logconfig_dict = {
        "formatters": {"generic": {"()": "companion.web.http.monitoring.request_log.JsonLines"}},
        "loggers": {"gunicorn.error": {"level": "INFO", "handlers": ["error_console"], "propagate": False}},
    }


def when_ready(server: Any) -> None:
    """Load what the app loads with its first use, for all workers, and serve their metrics from the master process."""
    load_lazy_modules()
    open_pages(server.app.wsgi())
    for line in own_games(server.app.wsgi()):
        server.log.info(line)
    if not _SETTINGS["METRICS"]:
        return
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    from companion.web.http.monitoring import figures

    def processes() -> Iterator[tuple[str, int]]:
        yield "gunicorn", os.getpid()
        for pid, worker in list(server.WORKERS.items()):
            yield f"worker {worker.place}", pid

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    try:
        figures.serve(server.app.wsgi(), registry, processes)
    except BadSetting as sentence:
        sys.exit(str(sentence))


def pre_fork(server: Any, worker: Any) -> None:
    """Give a worker the first free place, and close the database connections, which it must not share."""
    taken = {other.place for other in server.WORKERS.values()}
    worker.place = next(place for place in count(1) if place not in taken)
    with server.app.wsgi().app_context():
        db.engine.dispose()


def post_worker_init(worker: Any) -> None:
    """Prepare the odds of a worker's first rounds, and send what webhooks are told."""
    warm_up(worker.app.wsgi())
    start_sending(worker.app.wsgi())


def child_exit(server: Any, worker: Any) -> None:
    """Drop the gauges of a worker that exited; its counters remain."""
    if _SETTINGS["METRICS"]:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
