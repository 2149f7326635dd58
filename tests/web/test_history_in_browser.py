"""The history on small screens, light and dark: no overflow, no policy violations, legible names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from browser import boxes_of, served
from playwright.sync_api import Page
from years import make_years

from companion import create_app
from companion.store.groups import links
from companion.store.models import Night, db


@pytest.fixture(scope="module")
def pages(new_instance: Callable[[], Path]) -> Iterator[list[str]]:
    """Return the addresses of the link, the leaderboard, a player's page and a night's charts."""
    app, secret = create_app({"INSTANCE": new_instance()}), links.new_secret()
    with app.app_context():
        group = make_years(secret, 3, 60)
        night = db.session.scalars(db.select(Night).order_by(Night.id).limit(1)).one()
        here = f"g/{group.public_id}"
        paths = [f"{here}/leaderboard", f"{here}/players/{night.seats[0].player_id}", f"s/{night.public_id}/pictures"]
        db.session.remove()
    with served(app) as address:
        yield [address + path for path in (f"open/{secret}", *paths)]


def test_amounts_of_the_leaderboard_end_at_the_edge(phone: Callable[..., Page], pages: list[str]) -> None:
    page = phone()
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
def test_the_history_on_a_phone(page: Page, pages: list[str], width: int, scheme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    opening, *paths = pages
    page.goto(opening)
    for path in paths:
        page.goto(path)
        for summary in page.locator("main summary").all():
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert all(280 <= chart["width"] <= width for chart in boxes_of(page, "svg.chart"))
    # the names at the ends of the lines stand below each other, in letters of ten pixels or more
    tops = "(texts) => texts.map((text) => text.getBoundingClientRect().top)"
    names = page.locator("svg.chart >> nth=0 >> text:not(.amount)").evaluate_all(tops)
    assert len(names) >= 3
    assert all(below - above >= 10 for above, below in pairwise(names))
    assert page.evaluate("document.querySelector('.chart').getBoundingClientRect().width * 13 / 360") >= 10
    # what has a colour has also its own dashes or marks
    styles = page.evaluate(
        """[...document.querySelectorAll('.chart polyline')].map(line => [getComputedStyle(line).strokeDasharray,
           line.nextElementSibling.getAttribute('href')].join())"""
    )
    assert len(set(styles)) == len(styles)
