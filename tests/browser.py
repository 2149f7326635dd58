"""The app and a phone for tests of the pages: a server of its own, and Debian's Chromium at 390 x 844."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

from companion import create_app

PHONE = {"width": 390, "height": 844}
_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def served(made: Flask | None = None) -> Iterator[str]:
    """Serve an app, or one with an instance of its own, on a free port; gives its address."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as instance:
        # not waitress: its loop cannot be ended from another thread without an error now and then
        server = make_server("127.0.0.1", 0, made or create_app({"INSTANCE": instance}), threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium: the one that $CHROMIUM names, or the system's."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or "chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def tick(page: Page, field: str) -> None:
    """Click the label of a box or a radio, as a person does; what lies under the dock is scrolled out from it first."""
    page.locator("label", has=page.locator(field)).click()
