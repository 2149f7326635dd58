"""Each script's own tests, in a browser without a server: the cases in the .js files, which mirror static/scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import PHONE
from playwright.sync_api import Browser, Error, Page, Route

FOLDER = Path(__file__).parent
SCRIPTS = FOLDER.parent.parent / "static" / "scripts"
# as large as a phone, and out of sight: what nobody sees isn't painted, which takes a quarter of the time
STYLE = "iframe { position: absolute; left: -1000px; width: 390px; height: 844px; border: 0 }"
# `test('what the case shows', ...)` at the beginning of a line
CASES = [
    (str(file.relative_to(FOLDER)), name)
    for file in sorted(FOLDER.rglob("*.js"))
    for name in re.findall(r"(?m)^test\('(.+?)', ", file.read_text(encoding="utf-8"))
]


def answer(route: Route) -> None:
    """Answer a request with a file from here; with an empty page if it isn't for one."""
    path = FOLDER / route.request.url.removeprefix("https://table.test/")
    if path.suffix == ".js":
        route.fulfill(path=path, content_type="text/javascript")
    else:
        route.fulfill(body=f"<!doctype html><style>{STYLE}</style>", content_type="text/html")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    page.route("https://table.test/**", answer)  # HTTPS: storage of copies, clipboard and more exist only there
    page.goto("https://table.test/")
    texts = {str(file.relative_to(SCRIPTS)): file.read_text(encoding="utf-8") for file in SCRIPTS.rglob("*.js")}
    page.evaluate("async (texts) => (await import('/harness.js')).begin(texts)", texts)
    yield page
    context.close()


@pytest.mark.parametrize(("file", "name"), CASES, ids=lambda part: part.removesuffix(".js"))
def test_script(page: Page, file: str, name: str) -> None:
    failed = ""
    try:
        page.evaluate("async ([file, name]) => (await import('/harness.js')).run(file, name)", [file, name])
    except Error as error:
        failed = error.message  # with the script's stack, which is the one that matters
    if failed:
        pytest.fail(failed, pytrace=False)
