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

TIMES = 15


def took(does: Callable[[], object]) -> float:
    """Return milliseconds."""
    began = time.perf_counter()
    does()
    return (time.perf_counter() - began) * 1000


def of_a_night(frame: Frame | Page) -> dict[str, float]:
    """Return what a page, a tap, and a save with its redirect take, in milliseconds."""
    night = start(frame)
    play(frame, night)
    pages = [f"{night}/round?game=knock-poker", f"{night}/rounds", night]
    found = {"page": median(took(lambda at=at: frame.goto(pages[at % 3])) for at in range(TIMES))}
    frame.goto(pages[0])
    keys = frame.locator("[data-tab]")
    found["tap"] = median(took(lambda at=at: keys.nth(at % 3).click()) for at in range(TIMES))
    found["save"] = median(took(lambda at=at: lend(frame, night, at + 1)) for at in range(TIMES))
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
        process, address, answered = served(Path(work, "instance"))
        host = Host(site, is_packing=True)
        try:
            phone = Phone(playwright, Path(work, "phone"), host)
            page = phone.context.new_page()
            before = needs(Path(work, "phone"))[1]
            first = took(lambda: phone.open(page=page))
            worked = needs(Path(work, "phone"))[1] - before
            download = host.sent / 1e6
            host.off()
            time.sleep(3)  # the memory is kept
            later = [took(lambda: (page.reload(), page.locator("#app").wait_for())) for _ in range(3)]
            here = of_a_night(phone.frame(page))
            kept = cast(float, page.evaluate("navigator.storage.estimate().then(({ usage }) => usage)")) / 1e6
            needed = needs(Path(work, "phone"))[0]
            page.close()
            other = phone.context.new_page()
            other.goto(address)
            there = of_a_night(other)
            phone.context.close()
        finally:
            process.terminate()
            process.wait()
    print(f"download {download:.1f} MB; stored {kept:.0f} MB; memory of the browser {needed:.0f} MB")
    print(f"first start {first:.0f} ms, {worked:.1f} s of processor time; later {median(later):.0f} ms")
    print(f"the served app's first answer {answered:.0f} ms")
    for what in here:
        print(f"{what}: {here[what]:.0f} ms, served {there[what]:.0f} ms: {here[what] / there[what]:.2f} times")


if __name__ == "__main__":
    main()
