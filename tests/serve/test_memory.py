"""Every way of serving the app tunes its memory first."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.serve import gunicorn_config, start

BEGINNINGS: dict[str, Callable[[Path], object]] = {
    "uvicorn": lambda instance: start.make_app(INSTANCE=instance, TESTING=True),
    "gunicorn": lambda _instance: gunicorn_config.post_worker_init(None),
}


@pytest.mark.parametrize("server", BEGINNINGS)
def test_permanent_objects_are_frozen(server: str, tmp_path: Path) -> None:
    gc.unfreeze()
    try:
        BEGINNINGS[server](tmp_path)
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
