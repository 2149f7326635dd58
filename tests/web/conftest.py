"""A browser for the tests of the pages, one in a run (one a worker), and the app that it opens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import SCRIPT_ERRORS, chromium, served
from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(autouse=True)
def _no_script_errors() -> Iterator[None]:
    """Fail a test in which the script of any page ended with an error."""
    SCRIPT_ERRORS.clear()
    yield
    assert SCRIPT_ERRORS == []


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Give the address of an app with an empty database, for the tests of a file."""
    with served() as found:
        yield found
