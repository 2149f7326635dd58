"""The history on small screens, light and dark: no overflow, no policy violations, legible names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from browser import served
from playwright.sync_api import Browser, Page
from years import make_years

from companion import create_app
from companion.store import links
from companion.store.models import PlaySession, db


@pytest.fixture(scope="module")
def pages(new_instance: Callable[[], Path]) -> Iterator[list[str]]:
    """Return the addresses of the link, the leaderboard, a player's page and a night's charts."""
    app, secret = create_app({"INSTANCE": new_instance()}), links.new_secret()
    with app.app_context():
        group = make_years(secret, 3, 60)
        night = db.session.scalars(db.select(PlaySession).order_by(PlaySession.id).limit(1)).one()
        here = f"g/{group.public_id}"
        paths = [f"{here}/leaderboard", f"{here}/players/{night.seats[0].player_id}", f"s/{night.public_id}/pictures"]
        db.session.remove()
    with served(app) as address:
        yield [address + path for path in (f"open/{secret}", *paths)]


def tops(page: Page, texts: str) -> list[float]:
    boxes = [one.bounding_box() for one in page.locator(texts).all()]
    return [box["y"] for box in boxes if box is not None]


def test_amounts_of_the_leaderboard_end_at_the_edge(browser: Browser, pages: list[str]) -> None:
    with browser.new_page(viewport={"width": 390, "height": 844}) as page:
        for address in pages[:2]:
            page.goto(address)
        rooms = page.locator(".ranks > li").evaluate_all("""(rows) => rows.map((row) => {
          const amount = document.createRange()
          amount.selectNodeContents(row.querySelector('.amount'))
          return row.getBoundingClientRect().right - amount.getBoundingClientRect().right
        })""")
        assert rooms
        assert all(abs(room) < 1 for room in rooms), rooms


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (390, "dark")])
def test_the_history_on_a_phone(browser: Browser, pages: list[str], width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    opening, *paths = pages
    page.goto(opening)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    for path in paths:
        page.goto(path)
        for summary in page.locator("main summary").all():
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        for chart in page.locator("svg.chart").all():
            box = chart.bounding_box()
            assert box is not None
            assert 280 <= box["width"] <= width
    # the names at the ends of the lines stand below each other, in letters of ten pixels or more
    names = tops(page, "svg.chart >> nth=0 >> text:not(.amount)")
    assert len(names) >= 3
    assert all(below - above >= 10 for above, below in pairwise(names))
    size = page.evaluate("document.querySelector('.chart').getBoundingClientRect().width * 13 / 360")
    assert size >= 10
    # what has a colour has also its own dashes or marks
    styles = page.evaluate(
        """[...document.querySelectorAll('.chart polyline')].map(line => [getComputedStyle(line).strokeDasharray,
           line.nextElementSibling.getAttribute('href')].join())"""
    )
    assert len(set(styles)) == len(styles)
    context.close()
    assert said == []
