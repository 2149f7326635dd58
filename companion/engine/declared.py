"""Caches what is read from the declarations of options and questions, which never change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def read_once(read: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Cache a function of a class; mypy rejects functools.cache for a class argument."""
    cached: dict[type[Any], T] = {}

    def reader(declaration: type[Any]) -> T:
        if declaration not in cached:
            cached[declaration] = read(declaration)
        return cached[declaration]

    return reader
