"""Caches what is read from the declarations of options and questions, which never change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def read_once(read: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Cache a function of a class; mypy rejects functools.cache for a class argument."""
    found: dict[type[Any], T] = {}

    def reader(declaration: type[Any]) -> T:
        if declaration not in found:
            found[declaration] = read(declaration)
        return found[declaration]

    return reader
