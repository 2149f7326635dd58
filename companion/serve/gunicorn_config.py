"""gunicorn's settings for a club, behind nginx: `--config python:companion.serve.gunicorn_config`.

gunicorn's own command line overrides what stands here. It must not face the internet by itself: eight slow clients
keep a worker's threads busy, and nginx keeps those away.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from companion.config import BadSetting, read_settings

from .memory import tune_memory

try:
    _METRICS: Any = read_settings()["METRICS"]
except BadSetting as sentence:
    sys.exit(str(sentence))
if _METRICS:
    # the workers write their figures there, and the first process adds them up; read when prometheus_client is imported
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="companion-metrics-")

worker_class = "gthread"
workers = 2
threads = 8
# each worker connects to the database by itself; of those that start at once one migrates it
preload_app = False
control_socket_disable = True
# the app writes its own lines, without secrets
accesslog = None


def when_ready(server: Any) -> None:
    """Serve the figures of all workers from the first process."""
    if not _METRICS:
        return
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    from companion.web.http.request_log import serve_metrics

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    serve_metrics(_METRICS, registry)


def post_worker_init(worker: Any) -> None:
    """Tune a worker's memory, once it has made its app."""
    tune_memory()


def child_exit(server: Any, worker: Any) -> None:
    """Drop the gauges of a worker that is gone; its counters stay."""
    if _METRICS:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
