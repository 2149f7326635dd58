"""Memory of a serving process: fewer pauses for garbage collection, one heap for all threads."""

from __future__ import annotations

import gc
import sys

_M_ARENA_MAX = -8  # as in glibc's malloc.h


def tune_memory() -> None:
    """Call once, after the app is made and before its threads start."""
    freeze_gc()
    share_one_heap()


def freeze_gc() -> None:
    """Exclude the app's own objects from garbage collection, as they live as long as the process.

    Scanning them took each full collection some 50 ms, during which nobody was answered.
    """
    gc.collect()
    gc.freeze()


def share_one_heap() -> None:
    """Make glibc's malloc use one heap for all threads; only one of them runs at a time anyway.

    By default each thread gets a heap of its own: 5 MB in all that are never given back.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        library = ctypes.CDLL(None)
    except (ImportError, OSError):  # a Python that was built without it
        return
    mallopt = getattr(library, "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)
