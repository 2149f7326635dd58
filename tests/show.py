"""Inspects every page of the app with test data: screenshots, axe-core, Lighthouse, and the README's pictures.

    .venv/bin/python tests/show.py shots DIR [WORD]   pictures at three widths, light and dark, English and Spanish
    .venv/bin/python tests/show.py compare [WORD] [DIR]   today's pictures beside those in DIR; exit 1 if any differ
    .venv/bin/python tests/show.py accept [WORD] [DIR]   take today's pictures as the accepted ones
    .venv/bin/python tests/show.py axe [WORD]         axe-core's findings, targets, sideways scrolling; exit 1 where any
    .venv/bin/python tests/show.py adapted [WORD]     axe-core and sideways scrolling: forced colours, text at 200 %
    .venv/bin/python tests/show.py lighthouse         scores, bytes and requests as a table
    .venv/bin/python tests/show.py readme             the pictures of the README

WORD selects pages by name; DIR is instance/pictures by default. compare marks the differences in DIR/changed. axe and
lighthouse run scripts from next to the checkout, or where SHARED says; these get axe-core and Lighthouse from npm.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent
sys.path.append(str(TESTS / "web"))

from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from browser import HANDS, PHONE, chromium, enter_hand, open_seat, play_example, scale_text, served  # noqa: E402
from comparing import compared  # noqa: E402
from every_page import LANGUAGES, THEMES, Site, View  # noqa: E402
from playwright.sync_api import Browser, Page  # noqa: E402

from companion import create_app  # noqa: E402

WIDTHS = (320, 390, 820)
PICTURES = TESTS.parent / "instance" / "pictures"
PLACES = [Path(os.environ.get("SHARED", "nowhere")), TESTS.parents[1] / "shared", Path("/work/shared")]
COUNTED = ("pages", "best_practice", "taps_under_24", "taps_under_44", "csp_violations", "foreign_requests")
SCORES = ("performance", "accessibility", "best_practices", "seo", "fcp", "bytes", "requests")
# what Lighthouse looks at: name of the view → whether it is public
MEASURED = {
    "first visit": True,
    "group": False,
    "settle knock-poker": True,
    "ready to save": False,
    "settled knock-poker": True,
    "night lines 1": False,
    "night": False,
    "night rounds": False,
    "night money": False,
    "night people": False,
    "my hand": False,
    "years": False,
    "years leaderboard": False,
    "years pictures": False,
    "first visit help": True,
    "help knock-poker": True,
}


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


def axe(site: Site, word: str = "") -> None:
    """Run axe-core on every page, unfolded, in each language and theme at 320 px; exit 1 if it finds anything."""
    script, sums, is_good = shared("probes/axe.mjs"), Counter[str](), True
    with served(site.app) as address, tempfile.TemporaryDirectory() as folder:
        for language, theme in product(LANGUAGES, THEMES):
            for phone, views in views_by_phone(site, word):
                urls = [address + site.address(view, unfolded=True) for view in views]
                options = ["--width", "320", "--out", folder, *["--dark"][: theme == "dark"]]
                cookie = f"session={site.cookie(phone, language, theme)}"
                (found,) = told("node", str(script), *options, "--cookie", cookie, *urls)
                sums.update({name: found[name] for name in COUNTED} | found["violations"])
                is_good = is_good and found["ok"] and not found["best_practice"]
                print(language, theme, phone, *found["errors"], flush=True)
                for view, one in zip(views, found["per_page"], strict=True):
                    if one.get("error") or one["rules"] or one["overflow_px"] or (one["min_tap"] or 0) < 24:
                        print("   ", view.name, one)
    print(dict(sums))
    sys.exit(not is_good)


def adapted(site: Site, word: str = "") -> None:
    """Run axe-core on every page in forced colours and with text twice as large; exit 1 if it finds anything."""
    checked, wrong = Counter[str](), Counter[str]()
    with served(site.app) as address:
        for language, look in product(LANGUAGES, ("forced light", "forced dark", "text at 200 %")):
            with chromium() as browser:
                for phone, views in views_by_phone(site, word):
                    page = opened(browser, site, address, phone, 320, language, "auto")
                    if look.startswith("forced"):
                        page.emulate_media(forced_colors="active", color_scheme=look.split()[1])
                    else:
                        scale_text(page, 2)
                    for view, is_unfolded in product(views, (True, False)):
                        page.goto(address + site.address(view, unfolded=is_unfolded))
                        if not is_unfolded and not page.locator("#entry").count():
                            continue  # only the house rules of a round, unfolded, hide the rest of its page
                        rules = {rule["id"]: rule["nodes"] for rule in Axe().run(page).response["violations"]}
                        found = [f"{rule} {node['target']}" for rule, nodes in rules.items() for node in nodes]
                        beyond = page.evaluate("document.documentElement.scrollWidth") - 320
                        found += [f"{beyond} px sideways"] * (beyond > 0)
                        checked[look] += 1
                        wrong[look] += bool(found)
                        if found:
                            print(language, look, view.name, "unfolded" if is_unfolded else "", *found, flush=True)
                    page.context.close()
    print("pages checked:", dict(checked), "with findings:", dict(wrong))
    sys.exit(bool(sum(wrong.values())))


def lighthouse(site: Site) -> None:
    """Print Lighthouse's scores for the main pages, with bytes and requests of a first visit."""
    script = shared("bench/lighthouse.sh")
    print("| page |", " | ".join(SCORES), "|\n|---" * 1 + "|---" * len(SCORES) + "|")
    with served(site.app) as address:
        for view in (view for name in MEASURED for view in site.views if view.name == name):
            cookie = f"session={site.cookie(view.phone, 'en', 'auto')}"
            cookies = [] if view.phone == "stranger" and view.fields is None else ["--cookie", cookie]
            (found,) = told("bash", str(script), "--runs", "1", "--audits", *cookies, address + site.address(view))
            scores = [found[score] if MEASURED[view.name] or score != "seo" else "private" for score in SCORES]
            print("|", view.name, "|", " | ".join(map(str, scores)), "|", found.get("failed", ""), flush=True)


def shared(name: str) -> Path:
    """Return the path of one of the shared scripts."""
    return next(place / name for place in PLACES if (place / name).exists())


def told(*command: str) -> list[dict[str, Any]]:
    """Run a script that prints a line of JSON for each thing it checked."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def readme(site: Site) -> None:
    """Take the README's pictures: entering a hand, a round's result, a night's chart."""
    folder = TESTS / "pictures"
    folder.mkdir(exist_ok=True)
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
    print(*sorted(folder.iterdir()), sep="\n")


def main() -> None:
    """Run the requested command."""
    commands = {function.__name__: function for function in (shots, compare, accept, axe, adapted, lighthouse, readme)}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        commands[sys.argv[1]](Site(create_app({"INSTANCE": folder})), *sys.argv[2:])


if __name__ == "__main__":
    main()
