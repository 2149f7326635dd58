"""What finds words that can't be read does find them."""

from __future__ import annotations

import pytest
from cut_texts import CUT_TEXTS
from playwright.sync_api import Browser

BOX = "position: absolute; top: 0; left: 0"
NARROW = "width: 4em; white-space: nowrap"
LOW = "width: 3em; height: 1.2em; overflow: hidden"
BAR = "<div style='position: sticky; bottom: 0; background: red'>bar</div>"
CLAMPED = "display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<p>words</p>", []),
        (f"<p style='{NARROW}; overflow: hidden'>many long words</p>", ["cut: many long words in p"]),
        (f"<p style='{NARROW}; overflow: hidden; text-overflow: ellipsis'>many long words</p>", []),
        (f"<div style='{NARROW}; overflow: auto'><p>many long words</p></div>", []),
        (
            "<p class='a b' style='width: 3em; height: 1.2em; overflow: hidden'>one two</p>",
            ["cut in height: one two in p.a.b"],
        ),
        (
            "<p style='margin-left: 90vw; white-space: nowrap'>many long words</p>",
            ["beyond the edge: many long words in p"],
        ),
        (f"<p style='{BOX}'>one</p><p style='{BOX}'>two</p>", ['over "two": one in p']),
        (f"<p>one</p><div style='{BOX}; right: 0; height: 9em; background: red'></div>", ["covered by div: one in p"]),
        (f"<p>one</p><div style='{BOX}; right: 0; height: 9em'></div>", []),
        (f"<p>one</p>{BAR}<p style='height: 999px'>two</p>", []),
        ("<p style='position: absolute; clip-path: inset(50%)'>heard</p><p>seen</p>", []),
        ("<p style='width: 2em; overflow-wrap: anywhere'>400,012</p>", ["broken: 400,012 in p"]),
        ("<p style='width: 1.2em; overflow-wrap: anywhere'>3/5</p>", ["broken: 3/5 in p"]),
        ("<p style='width: 3em'>2 of 40,012 in 2026</p>", []),
        ("<p style='width: 2em; overflow-wrap: anywhere'>Xóchitl</p>", ["broken: Xóchitl in p"]),
        ("<p style='width: 2em; overflow-wrap: anywhere'>Pneumonoultramicroscopic</p>", []),
        ("<p style='width: 3em'>to-day is Mon/day</p>", []),
        (f"<div style='{LOW}'><p style='margin-left: 9em; width: 9em'>one two</p></div>", []),
        (f"<p style='{CLAMPED}; width: 3em; overflow-wrap: anywhere'>one two 400,012,345,678</p>", []),
        (
            f"<p style='{CLAMPED}; width: 3em; height: 1.5em; line-height: 1.2'>one two</p>",
            ["cut in height: one two in p"],
        ),
        ("<p hidden>one</p><p style='visibility: hidden'>two</p>", []),
    ],
)
def test_words_that_cannot_be_read_are_found(browser: Browser, body: str, found: list[str]) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 568})
    page.set_content(f"<!doctype html><body>{body}</body>")
    assert page.evaluate(CUT_TEXTS) == found
    page.close()
