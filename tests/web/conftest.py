"""A browser for the tests of the pages, one in a run (one a worker), and the app that it opens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import chromium, served
from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Give the address of an app with an empty database, for the tests of a file."""
    with served() as found:
        yield found
