"""A browser for the page tests, one per run (and worker), and the app that it opens."""

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
    """Return the URL of an app with an empty database, for one file's tests."""
    with served() as found:
        yield found
