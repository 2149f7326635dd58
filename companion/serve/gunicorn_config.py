"""gunicorn's settings for a deployment: `gunicorn --config python:companion.serve.gunicorn_config 'companion:create_app()'`.

Whatever stands here can be said otherwise on gunicorn's command line.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any

from companion.config import read_metrics_address

from .memory import tune_memory

_METRICS = read_metrics_address()
if _METRICS:
    # the processes write their figures there, and the first one adds them up; read when prometheus_client is imported
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="companion-metrics-")

worker_class = "gthread"
workers = 2
threads = 8
# each worker connects to the database by itself; of those that begin at once one migrates it
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
    """Let a worker begin that has made its app."""
    tune_memory()


def child_exit(server: Any, worker: Any) -> None:
    """Forget what a worker that is gone was doing; what it counted stays."""
    if _METRICS:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
