"""Measures a night on a slow phone: layout shifts, and the time from a tap until the page shows it.

    .venv/bin/python tests/measuring.py [ROUNDS] [SLOWER]   a night of 6 rounds on a processor 4 times slower

Taps as quickly as a thumb does, at a place: Playwright's own tap first has the page look at itself, which takes longer
than the tap. Prints for each page the sum of its layout shifts (at most 0.05), its INP (at most 100 ms) and its slowest
tap, and exits with 1 where one of the first two is above that. Not a test: a busy computer is slow by itself.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent))

from browser import PHONE, chromium, served, start_night
from playwright.sync_api import CDPSession, Locator, Page

MAX_SHIFT, MAX_MILLISECONDS = 0.05, 100
PACE = 150  # milliseconds between two taps, as of somebody who enters cards without looking up
REST = 60  # of them the thumb is on the glass; nobody's is for none, as in Playwright's taps
NAMES = ("Ana", "Beto", "Caro", "Dani")
HANDS = ("5s Qh 7d Ac 2s", "Ks Kh 8h 5h 3h", "Ah 2h 3c 9d 9c", "8c 8d Js 7h 4h")
# what each page saw is kept by the tab, as the next page begins anew
OBSERVER = """
    const kept = (key) => JSON.parse(sessionStorage.getItem(key) ?? '[]')
    const keep = (key, value) => sessionStorage.setItem(key, JSON.stringify([...kept(key), [location.pathname, value]]))
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) if (!one.hadRecentInput) keep('shifts', one.value)
    }).observe({ type: 'layout-shift', buffered: true })
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) {
        if (one.interactionId) keep('taps', [one.duration, `${one.name} ${one.target?.className}`])
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true })
"""

SEEN = "Object.fromEntries(['shifts', 'taps'].map((key) => [key, JSON.parse(sessionStorage.getItem(key) ?? '[]')]))"


@cache
def thumb(page: Page) -> CDPSession:
    """What touches a page."""
    return page.context.new_cdp_session(page)


def tap(page: Page, found: Locator, pace: int = PACE) -> None:
    """Touch the middle of something that is there, after a pause."""
    found.wait_for()
    page.wait_for_timeout(pace - REST)
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    assert box is not None
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    thumb(page).send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle]})
    page.wait_for_timeout(REST)
    thumb(page).send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def play_round(page: Page, night: str, knocker: int) -> None:
    """Enter a round by tapping and save it."""
    page.goto(f"{night}/round")
    tap(page, page.locator(f'[data-tab="{knocker}"]'))
    tap(page, page.locator(f"#seat-{knocker} label.chip", has_text="knocked"))
    tap(page, page.locator('[data-tab="0"]'))
    for hand in HANDS:
        for card in hand.split():
            tap(page, page.locator(f'[data-picker] [data-piece="{card}"]'))
    tap(page, page.locator("[data-save]"))
    page.locator(".saved").wait_for()
    page.wait_for_timeout(600)


def play_night(page: Page, address: str, rounds: int) -> None:
    """Start a night, play it, look at its tabs and end it."""
    night = start_night(page, address, NAMES, "knock")
    for number in range(rounds):
        play_round(page, night, number % len(NAMES))
        for tab in ("", "/rounds", "/money", "/people"):
            page.goto(night + tab)
            page.wait_for_timeout(200)
    page.goto(f"{night}/close")
    tap(page, page.get_by_role("button", name=re.compile("End the night|Close")).first)
    page.locator("[data-share]:visible").wait_for()
    page.wait_for_timeout(600)


def place(path: str) -> str:
    """Call a page by what it is, not by which night or line it is of."""
    return re.sub(r"/\d+", "/1", re.sub(r"/(s|g)/[\w-]+", r"/\1", path))


def inp(times: list[float]) -> float:
    """Return a page's interaction to next paint as https://web.dev/articles/inp defines it: the longest time of its
    taps, leaving out the longest one of every 50.
    """
    return sorted(times, reverse=True)[len(times) // 50] if times else 0


def main() -> None:
    """Play a night and print what was seen."""
    rounds, slower = (int(given) for given in [*sys.argv[1:], *("6", "4")[len(sys.argv) - 1 :]])
    shifts, taps = defaultdict[str, float](float), defaultdict[str, list[tuple[float, str]]](list)
    with served() as address, chromium() as browser:
        page = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, service_workers="allow").new_page()
        page.add_init_script(OBSERVER)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        play_night(page, address, rounds)
        seen: dict[str, list[tuple[str, Any]]] = page.evaluate(SEEN)
    visits = max(rounds, 1)
    for path, value in seen["shifts"]:
        shifts[place(path)] += value / visits
    for path, value in seen["taps"]:
        taps[place(path)].append(tuple(value))
    inps = {path: inp([milliseconds for milliseconds, _ in times]) for path, times in taps.items()}
    for path in sorted({*shifts, *taps}):
        slowest, what = max(taps[path], default=(0, ""))
        found = f"shift {shifts[path]:.3f}  INP {inps.get(path, 0):.0f} ms"
        print(f"{path:24} {found}  slowest of {len(taps[path])} taps {slowest:.0f} ms {what}")
    sys.exit(max(shifts.values(), default=0) > MAX_SHIFT or max(inps.values(), default=0) > MAX_MILLISECONDS)


if __name__ == "__main__":
    main()
