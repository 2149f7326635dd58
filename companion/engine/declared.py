"""What options and questions share: a declaration never changes, so it is read once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def read_once(read: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Keep what was read from each declaration; functools.cache, for mypy, takes no class as an argument."""
    found: dict[type[Any], T] = {}

    def reader(declaration: type[Any]) -> T:
        if declaration not in found:
            found[declaration] = read(declaration)
        return found[declaration]

    return reader
