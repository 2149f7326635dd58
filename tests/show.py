"""Inspects every page of the app with test data: screenshots, axe-core, Lighthouse, HTML, the README's pictures.

    .venv/bin/python tests/show.py shots DIR [WORD]   pictures at three widths, light and dark, English and Spanish
    .venv/bin/python tests/show.py compare [WORD] [DIR]   today's pictures beside those in DIR; exit 1 if any differ
    .venv/bin/python tests/show.py accept [WORD] [DIR]   take today's pictures as the accepted ones
    .venv/bin/python tests/show.py axe [WORD]         axe-core's findings, small targets, sideways scrolling, requests
                                                      to other hosts: light, dark, forced colours, text at 200 %
    .venv/bin/python tests/show.py cut [WORD]         words that are cut, covered or beyond the edge on screens of
                                                      eleven sizes, in both languages
    .venv/bin/python tests/show.py html DIR           what the app sends: pages, JSON and files; needs no browser
    .venv/bin/python tests/show.py compare-html DIR   what it sends differently today; exit 1 if anything
    .venv/bin/python tests/show.py lighthouse [WORD]  scores, bytes and requests as a table, and what lowers a score;
                                                      needs Lighthouse from npm
    .venv/bin/python tests/show.py readme             the pictures of the README
    .venv/bin/python tests/show.py hands DIR [WORD]   every phone side by side, at each step of a hand of each game

WORD selects pages by name; DIR is instance/pictures by default, for pictures. compare marks the differences in
DIR/changed. Before a change that must not alter what is shown: html DIR; afterwards: compare-html DIR.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent
sys.path.append(str(TESTS / "web"))

import hands_in_pictures  # noqa: E402
import recorded  # noqa: E402
from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from browser import HANDS, PHONE, TOO_SMALL, chromium, enter_hand, open_seat, play_example, scale_text, served  # noqa: E402
from comparing import compared  # noqa: E402
from cut_texts import CUT_TEXTS  # noqa: E402
from every_page import LANGUAGES, THEMES, Site, View  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Page  # noqa: E402

from companion import create_app  # noqa: E402

WIDTHS = (320, 390, 820)
PHONES = ((320, 568), (360, 640), (375, 553), (390, 664), (390, 844), (667, 375), (568, 320))
DESKTOPS = ((844, 390), (820, 1180), (1440, 900))
SCREENS = ((1280, 720),)  # for all to see
LAID_OUT = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
PICTURES = TESTS.parent / "instance" / "pictures"
LOOKS = (*THEMES, "forced light", "forced dark", "text at 200 %")
SCORES = ("performance", "accessibility", "best-practices")
MEASURED = (
    "first visit",
    "group",
    "settle knock-poker",
    "ready to save",
    "settled knock-poker",
    "night lines 1",
    "night",
    "night rounds",
    "night money",
    "night people",
    "my hand",
    "years",
    "years leaderboard",
    "years pictures",
    "first visit help",
    "help knock-poker",
)


def opened(browser: Browser, site: Site, address: str, phone: str, width: int, language: str, theme: str) -> Page:
    """Return a new page on a phone with this language and theme."""
    size = {"width": width, "height": PHONE["height"]}
    context = browser.new_context(viewport=size, reduced_motion="reduce", is_mobile=width < 800, has_touch=True)
    context.add_cookies([{"name": "session", "value": site.cookie(phone, language, theme), "url": address}])
    return context.new_page()


def views_by_phone(site: Site, word: str) -> Iterator[tuple[str, list[View]]]:
    """Yield each phone with its views whose name contains a word."""
    for phone in site.devices:
        views = [view for view in site.views if view.phone == phone and word in view.name]
        if views:
            yield phone, views


def shots(site: Site, folder: str, word: str = "") -> None:
    """Take full-page screenshots of every page, unfolded, in each width, language and theme."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    with served(site.app) as address:
        for width, language, theme in product(WIDTHS, LANGUAGES, THEMES):
            # a browser of its own for each: one that has taken some hundred pictures may take no more
            with chromium() as browser:
                for phone, views in views_by_phone(site, word):
                    page = opened(browser, site, address, phone, width, language, theme)
                    for view in views:
                        page.goto(address + site.address(view, unfolded=True))
                        if page.locator("#entry").count():  # what its hands come to is asked for
                            page.wait_for_load_state("networkidle")
                        name = view.name.replace(" ", "-").replace("/", "-")
                        page.screenshot(path=f"{folder}/{name}-{width}-{language}-{theme}.png", full_page=True)
                    page.context.close()


def compare(site: Site, word: str = "", folder: str = "") -> None:
    """Photograph the pages and say which are not as they were accepted, and where; exit 1 where any is not."""
    accepted = Path(folder) if folder else PICTURES
    with tempfile.TemporaryDirectory() as today:
        shots(site, today, word)
        found = list(compared(accepted, Path(today), accepted / "changed"))
        number = len(list(Path(today).glob("*.png")))
    for one in found:
        print(f"{one.name}: {one.what}", *one.boxes)
    print(f"{number} pictures, {len(found)} of them changed; see {accepted / 'changed'}")
    sys.exit(bool(found))


def accept(site: Site, word: str = "", folder: str = "") -> None:
    """Photograph the pages as they are to be from now on."""
    shots(site, folder or str(PICTURES), word)


def cut(site: Site, word: str = "") -> None:
    """List words that can't be read in the pages, folded and unfolded; exit 1 if there are any.

    A page is loaded once and turned to each size, as a phone is turned.
    """
    found: Counter[tuple[str, str]] = Counter()
    with served(site.app) as address:
        for sizes, language in product((PHONES, DESKTOPS, SCREENS), LANGUAGES):
            with chromium() as browser:
                for phone, views in views_by_phone(site, word):
                    page = opened(browser, site, address, phone, sizes[0][0], language, "light")
                    for view in views:
                        if sizes is SCREENS and "table view" not in view.name:
                            continue
                        page.goto(address + site.address(view, unfolded=False))
                        if page.locator("#entry").count():
                            page.wait_for_load_state("networkidle")  # what is unfolded lies over its page
                        else:
                            page.goto(address + site.address(view, unfolded=True))
                        for width, height in sizes:
                            page.set_viewport_size({"width": width, "height": height})
                            page.evaluate(LAID_OUT)
                            for what in page.evaluate(CUT_TEXTS):
                                if not found[view.name, what]:
                                    print(f"{width} x {height} {language} {view.name}: {what}", flush=True)
                                found[view.name, what] += 1
                    page.context.close()
    print(f"{len(found)} words, {found.total()} times")
    sys.exit(bool(found))


def axe(site: Site, word: str = "") -> None:
    """Inspect every page in each language and look, unfolded and not; exit 1 if anything is found."""
    checked, wrong = Counter[str](), Counter[str]()
    with served(site.app) as address:
        for language, look in product(LANGUAGES, LOOKS):
            with chromium() as browser:
                for phone, views in views_by_phone(site, word):
                    page = opened(browser, site, address, phone, 320, language, look if look in THEMES else "auto")
                    if look.startswith("forced"):
                        page.emulate_media(forced_colors="active", color_scheme=look.split()[1])
                    elif look not in THEMES:
                        scale_text(page, 2)
                    said = heard(page, address)
                    for view, is_unfolded in product(views, (True, False)):
                        page.goto(address + site.address(view, unfolded=is_unfolded))
                        if not is_unfolded and not page.locator("#entry").count():
                            continue  # only the house rules of a round, unfolded, hide the rest of its page
                        found = [*findings(page), *said]
                        said.clear()
                        checked[look] += 1
                        wrong[look] += bool(found)
                        if found:
                            print(language, look, view.name, "unfolded" if is_unfolded else "", *found, flush=True)
                    page.context.close()
    print("pages checked:", dict(checked), "with findings:", dict(wrong))
    sys.exit(bool(sum(wrong.values())))


def heard(page: Page, address: str) -> list[str]:
    """Return a list that fills with a page's requests to other hosts and its errors, such as breaches of its CSP."""
    said: list[str] = []
    page.on(
        "request", lambda asked: said.extend([f"asks {asked.url}"] * (not asked.url.startswith((address, "data:"))))
    )
    page.on("console", lambda told: said.extend([told.text] * (told.type == "error")))
    return said


def findings(page: Page) -> list[str]:
    """Return what axe-core finds on a page, what is too small to be tapped, and how far it scrolls sideways."""
    rules = Axe().run(page).response["violations"]
    found = [f"{rule['id']} {node['target']}" for rule in rules for node in rule["nodes"]]
    beyond = page.evaluate("document.documentElement.scrollWidth") - 320
    return found + [f"small: {one}" for one in page.evaluate(TOO_SMALL)] + [f"{beyond} px sideways"] * (beyond > 0)


def lighthouse(site: Site, word: str = "") -> None:
    """Print Lighthouse's scores for the main pages, bytes and requests of a first visit, and what isn't perfect."""
    installed = shutil.which("lighthouse")
    if installed is None:
        sys.exit("Lighthouse isn't installed. Install it with: npm install --global lighthouse")
    os.environ.setdefault("CHROME_PATH", os.environ.get("CHROMIUM") or shutil.which("chromium") or "")
    options = ["--verbose", "--output=json", "--chrome-flags=--headless=new --no-sandbox --disable-gpu"]
    options += [
        "--disable-full-page-screenshot",
        "--no-enable-error-reporting",
        f"--only-categories={','.join(SCORES)}",
        # a night's page polls, so that the network is never quiet: 45 seconds of polls would be counted as loading
        "--max-wait-for-load=10000",
    ]
    print("| page |", " | ".join(SCORES), "| bytes | requests |\n|---" + "|---" * (len(SCORES) + 2) + "|")
    with served(site.app) as address:
        for view in (view for name in MEASURED if word in name for view in site.views if view.name == name):
            cookie = json.dumps({"Cookie": f"session={site.cookie(view.phone, 'en', 'auto')}"})
            command = [installed, address + site.address(view), *options, f"--extra-headers={cookie}"]
            found = _measured(command)
            scores = [round(100 * (found["categories"][score]["score"] or 0)) for score in SCORES]
            loaded = found["audits"]["network-requests"]["details"]["items"]
            print("|", view.name, *(f"| {score}" for score in scores), end=" ")
            print(f"| {sum(item['transferSize'] for item in loaded):,} | {len(loaded)} |", *_faults(found), flush=True)


def _measured(command: list[str]) -> dict[str, Any]:
    """Return Lighthouse's report; ask three times, because it sometimes loses its browser (12.8 with Chromium 156)."""
    for _ in range(3):
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode == 0:
            return json.loads(ended.stdout)
    sys.exit(ended.stderr)


def _faults(found: Mapping[str, Any]) -> list[str]:
    """Return what lowers Lighthouse's scores, with what it measured."""
    counted = {one["id"] for score in SCORES for one in found["categories"][score]["auditRefs"] if one["weight"]}
    audits = [audit for name, audit in found["audits"].items() if name in counted]
    return [f"{one['title']}: {one.get('displayValue', 'no')};" for one in audits if one["score"] not in (None, 1)]


def html(folder: str) -> None:
    """Store what the app sends."""
    print(f"{recorded.store(Path(folder))} files in {folder}")


def compare_html(folder: str) -> None:
    """Say what the app sends differently; exit 1 if anything."""
    changes = list(recorded.compared(Path(folder)))
    print(*changes, f"{len(changes)} changes", sep="\n")
    sys.exit(bool(changes))


def readme(site: Site) -> None:
    """Take the README's pictures: entering a hand, a round's result, a night's chart."""
    folder = TESTS.parent / ".github" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    with served(site.app) as address, chromium() as browser:
        entry = opened(browser, site, address, "stranger", PHONE["width"], "en", "light")
        entry.goto(f"{address}settle/knock-poker")
        for seat, (name, hand) in enumerate(HANDS.items()):
            open_seat(entry, seat)
            entry.fill(f"[name=players-{seat}-name]", name)
            if seat == 0:
                enter_hand(entry, seat, hand)
        enter_hand(entry, 1, "Ah Kh 8h")
        entry.locator("[data-missing]", has_text="Beto (2)").wait_for()
        entry.screenshot(path=folder / "entry.png")
        result = opened(browser, site, address, "stranger", PHONE["width"], "en", "light")
        result.goto(f"{address}settle/knock-poker")
        play_example(result)
        result.screenshot(path=folder / "result.png")
        (chart,) = (view for view in site.views if view.name == "years pictures")
        history = opened(browser, site, address, "years", PHONE["width"], "en", "dark")
        history.goto(address + site.address(chart))
        history.screenshot(path=folder / "history.png")
    for path in sorted(folder.iterdir()):
        with Image.open(path) as picture:
            small = picture.convert("RGB").quantize(64)  # colours: a quarter of the bytes
        small.save(path, optimize=True)
        print(path)


def main() -> None:
    """Run the requested command."""
    of_site = {function.__name__: function for function in (shots, compare, accept, cut, axe, lighthouse, readme)}
    others = {"html": html, "compare-html": compare_html}  # they make a site of their own
    command, *arguments = sys.argv[1:] or [""]
    if command == "hands" and arguments:
        hands_in_pictures.take(*arguments)
        return
    if command in others and len(arguments) == 1:
        others[command](*arguments)
    elif command in of_site:
        with tempfile.TemporaryDirectory() as folder:
            of_site[command](Site(create_app({"INSTANCE": folder})), *arguments)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
