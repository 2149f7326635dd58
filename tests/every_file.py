"""A rule for many files as one test, which lists those that break it: as a test each they would be thousands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

_TOP = Path(__file__).resolve().parents[1]


def broken(keeps: Callable[[Path], None], paths: Sequence[Path]) -> Iterator[str]:
    """Yield the paths for which a check raises AssertionError, with what it says."""
    for path in paths:
        try:
            keeps(path)
        except AssertionError as error:
            yield f"{path.relative_to(_TOP).as_posix()}: {error}"


def every(paths: Sequence[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """Make one test of a check for each of these files or folders; there must be some."""

    def made(keeps: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            told = list(broken(keeps, paths)) if paths else ["There is no file to check"]
            if told:
                pytest.fail("\n".join(told), pytrace=False)

        test.__name__, test.__doc__, test.__module__ = keeps.__name__, keeps.__doc__, keeps.__module__
        return test

    return made
