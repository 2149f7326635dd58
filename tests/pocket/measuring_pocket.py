"""Measures the app inside a browser beside the served one, in one run: tests/pocket/measuring_pocket.py FOLDER.

FOLDER is what `companion pocket FOLDER/pocket --scope /pocket/` has written. Milliseconds are medians; ratios count.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import cast

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from playwright.sync_api import Frame, Page, sync_playwright  # noqa: E402
from pocket_host import Host  # noqa: E402
from pocket_phone import Phone, lend, play, start  # noqa: E402
from ports import free_port  # noqa: E402
from waiting import until  # noqa: E402

TIMES = 30
HAS_MEMORY = """async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('companion')
    const names = []
    for await (const name of folder.keys()) names.push(name)
    return names.some((name) => name.endsWith('.memory'))
}"""


def took(does: Callable[[], object]) -> float:
    """Return milliseconds."""
    began = time.perf_counter()
    does()
    return (time.perf_counter() - began) * 1000


def tap(page: Page, frame: Frame | Page, x: float, y: float) -> None:
    """Tap, and wait until what it changes is drawn; Playwright's own click asks more of a page within a frame."""
    page.mouse.click(x, y)
    frame.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def middles(frame: Frame | Page) -> list[tuple[float, float]]:
    """Return where the players' names are on an entry page."""
    boxes = [box for one in frame.locator("[data-tab]").all() if (box := one.bounding_box())]
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]


def of_nights(*nights: tuple[Page, Frame | Page, str]) -> list[dict[str, list[float]]]:
    """Return what pages, taps, and saves with their redirects take in some nights, in milliseconds.

    They take turns, so that what else the computer does meanwhile falls on all of them.
    """
    found: list[dict[str, list[float]]] = [{"page": [], "tap": [], "save": []} for _ in nights]
    turns = [*zip(nights, found, strict=True)]
    for at in range(TIMES):
        for (_, frame, night), times in turns:
            address = [f"{night}/round?game=knock-poker", f"{night}/rounds", night][at % 3]
            times["page"].append(took(lambda: frame.goto(address)))  # noqa: B023 - done at once
    for page, frame, night in nights:
        page.bring_to_front()
        frame.goto(f"{night}/round?game=knock-poker")
    places = [middles(frame) for _, frame, _ in nights]
    for at in range(TIMES):
        for (page, frame, _), where, times in zip(nights, places, found, strict=True):
            page.bring_to_front()
            times["tap"].append(took(lambda: tap(page, frame, *where[at % 3])))  # noqa: B023
    for at in range(TIMES):
        for (_, frame, night), times in turns:
            times["save"].append(took(lambda: lend(frame, night, at + 1)))  # noqa: B023
    return found


def needs(folder: Path) -> tuple[float, float]:
    """Return the MB that the processes of a browser with this profile have for themselves, and their processor time."""
    ours, parents, private, worked = set[int](), dict[int, int](), dict[int, int](), dict[int, int]()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            number = int(process.name)
            state = (process / "stat").read_text().rpartition(")")[2].split()
            parents[number], worked[number] = int(state[1]), int(state[11]) + int(state[12])
            lines = (process / "smaps_rollup").read_text().splitlines()
            private[number] = sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
            if str(folder).encode() in (process / "cmdline").read_bytes():
                ours.add(number)
        except OSError:
            continue
    for _ in range(4):  # the browser starts what starts the processes of its pages
        ours |= {number for number, parent in parents.items() if parent in ours}
    seconds = sum(worked.get(number, 0) for number in ours) / os.sysconf("SC_CLK_TCK")
    return sum(private.get(number, 0) for number in ours) / 1000, seconds


def served(folder: Path) -> tuple[subprocess.Popen[bytes], str, float]:
    """Start the served app; returns its process, its address, and milliseconds until its first answer."""
    port = free_port()
    environment = {**os.environ, "COMPANION_INSTANCE": str(folder), "PYTHONPATH": str(TESTS.parent)}
    began = time.perf_counter()
    command = [sys.executable, "-m", "companion.serve", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/"
    while subprocess.run(["curl", "-so", "/dev/null", address], check=False).returncode:
        time.sleep(0.02)
    return process, address, (time.perf_counter() - began) * 1000


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    site: Path = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        process, _, answered = served(Path(work, "instance"))
        process.terminate()
        process.wait()
        process, address, again = served(Path(work, "instance"))
        host = Host(site, is_packing=True)
        try:
            phone = Phone(playwright, Path(work, "phone"), host)
            page = phone.context.new_page()
            before = needs(Path(work, "phone"))[1]
            first = took(lambda: phone.open(page=page))
            worked = needs(Path(work, "phone"))[1] - before
            download = host.sent / 1e6
            host.off()
            until(lambda: page.evaluate(HAS_MEMORY), lambda: page.wait_for_timeout(100))
            later = [took(lambda: (page.reload(), page.locator("#app").wait_for())) for _ in range(3)]
            frame = phone.frame(page)
            night = start(frame)
            play(frame, night)
            kept = cast(float, page.evaluate("navigator.storage.estimate().then(({ usage }) => usage)")) / 1e6
            needed = needs(Path(work, "phone"))[0]
            other = phone.context.new_page()
            other.goto(address)
            there = start(other)
            play(other, there)
            ours, theirs = of_nights((page, frame, night), (other, other, there))
            phone.context.close()
        finally:
            process.terminate()
            process.wait()
    print(f"download {download:.1f} MB; stored {kept:.0f} MB; memory of the browser {needed:.0f} MB")
    print(f"first start {first:.0f} ms, {worked:.1f} s of processor time; later {median(later):.0f} ms")
    print(f"the served app's first answer {answered:.0f} ms, with a database already there {again:.0f} ms")
    for what, here in ours.items():
        slower = median(one / another for one, another in zip(here, theirs[what], strict=True))
        said = [f"{median(times):.0f} ms (least {min(times):.0f})" for times in (here, theirs[what])]
        print(f"{what}: {said[0]}, served {said[1]}: {slower:.2f} times, the median of {TIMES} pairs")


if __name__ == "__main__":
    main()
