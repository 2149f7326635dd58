"""gunicorn settings for a club, behind nginx: `--config python:companion.serve.gunicorn_config`.

gunicorn's own command-line options override these. Don't expose it to the internet directly: eight slow clients would
occupy all of a worker's threads, and nginx prevents that. After an upgrade, restart gunicorn instead of sending it HUP:
the workers would inherit the modules that this file imports from the old version.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from companion.config import BadSetting, read_settings

from .counting_ahead import count_ahead
from .memory import tune_memory

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
# each worker has its own database connections; if several start at once, one runs the migrations
preload_app = False
control_socket_disable = True
# the app writes its own access log, without secrets
accesslog = None


def when_ready(server: Any) -> None:
    """Serve all workers' metrics from the master process."""
    if not _METRICS:
        return
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    from companion.web.http.request_log import serve_metrics

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    serve_metrics(_METRICS, registry)


def post_worker_init(worker: Any) -> None:
    """Tune a worker's memory once its app has been created, and prepare the odds of its first rounds."""
    tune_memory()
    count_ahead()


def child_exit(server: Any, worker: Any) -> None:
    """Drop the gauges of a worker that exited; its counters remain."""
    if _METRICS:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
