"""The app that the browser opens in the page tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browser import A_PHONE, SCRIPT_ERRORS, served
from devices import PlayedNight
from every_page import Site
from flask import Flask
from playwright.sync_api import Browser, Page

from companion import create_app


@pytest.fixture(autouse=True)
def _no_script_errors() -> Iterator[None]:
    """Fail a test in which the script of any page ended with an error."""
    SCRIPT_ERRORS.clear()
    yield
    assert SCRIPT_ERRORS == []


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """Return a night of Knock Poker that was just started; files with another one of this name have their own."""
    return PlayedNight(app)


@pytest.fixture(scope="module")
def address(new_instance: Callable[[], Path]) -> Iterator[str]:
    """Return the URL of an app with an empty database, for one file's tests."""
    with served(create_app({"INSTANCE": new_instance()})) as found:
        yield found


@pytest.fixture(scope="module")
def site(new_instance: Callable[[], Path]) -> Site:
    """Return the app with all its tables and views, for one file's tests."""
    return Site(create_app({"INSTANCE": new_instance()}))


@pytest.fixture(scope="session")
def used_site(new_instance: Callable[[], Path]) -> Site:
    """Return such an app for tests that only look at it, or that find in any state what they want."""
    return Site(create_app({"INSTANCE": new_instance()}))


@pytest.fixture(scope="module")
def site_address(site: Site) -> Iterator[str]:
    """Return the URL of that app."""
    with served(site.app) as found:
        yield found


@pytest.fixture
def phone(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open phones, each with cookies of its own; `options` may make them something else, such as a laptop."""
    with ExitStack() as contexts:

        def another(script: str = "", **options: Any) -> Page:
            context = browser.new_context(**{**A_PHONE, **options})
            contexts.callback(context.close)
            context.add_init_script(script)
            return context.new_page()

        yield another


@pytest.fixture
def page(phone: Callable[..., Page]) -> Iterator[Page]:
    """A phone whose page may log nothing: no error, no breach of the content security policy."""
    opened, said = phone(), list[str]()
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    assert said == []
