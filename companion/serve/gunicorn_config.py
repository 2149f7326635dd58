"""gunicorn settings for a club, behind nginx: `--config python:companion.serve.gunicorn_config`.

gunicorn's own command-line options override these. Don't expose it to the internet directly: eight slow clients would
occupy all of a worker's threads, and nginx prevents that. All workers are copies of a process that has loaded the whole
app, also those that replace another while an upgrade changes the files. So HUP doesn't upgrade; restart gunicorn.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from companion.config import BadSetting, read_settings
from companion.store.models import db

from .existing import own_games
from .warming import load_lazy_modules, open_pages, warm_up

try:
    _METRICS: Any = read_settings()["METRICS"]
except BadSetting as sentence:
    sys.exit(str(sentence))
if _METRICS:
    # workers write their metrics there and the master adds them up; must be set before prometheus_client is imported
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="companion-metrics-")

worker_class = "gthread"
workers = 2
threads = 8
preload_app = True
control_socket_disable = True
# the app writes its own access log, without secrets
accesslog = None


def when_ready(server: Any) -> None:
    """Load what the app loads with its first use, for all workers, and serve their metrics from the master process."""
    load_lazy_modules()
    open_pages(server.app.wsgi())
    for line in own_games(server.app.wsgi()):
        server.log.info(line)
    if not _METRICS:
        return
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    from companion.web.http.request_log import serve_metrics

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    try:
        serve_metrics(_METRICS, registry)
    except BadSetting as sentence:
        sys.exit(str(sentence))


def pre_fork(server: Any, worker: Any) -> None:
    """Close the database connections, which a worker must not share."""
    with server.app.wsgi().app_context():
        db.engine.dispose()


def post_worker_init(worker: Any) -> None:
    """Prepare the odds of a worker's first rounds."""
    warm_up(worker.app.wsgi())


def child_exit(server: Any, worker: Any) -> None:
    """Drop the gauges of a worker that exited; its counters remain."""
    if _METRICS:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
