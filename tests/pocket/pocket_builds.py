"""New builds of the app on the host, and what a phone notices of them."""

from __future__ import annotations

import re

from playwright.sync_api import Page
from pocket_host import Host
from waiting import until

BUILD = re.compile("[0-9a-f]{12}")


def publish(host: Host, name: str, **changed: str) -> str:
    """Put another build in the host's folder, with changes of its engine; returns the build before."""
    worker = host.folder / "pocket" / "worker.js"
    old = BUILD.search(worker.read_text())
    assert old is not None
    for file in (worker, *(host.folder / "pocket" / "pocket").glob("*.js")):
        file.write_text(file.read_text().replace(old[0], name))
    engine = host.folder / "pocket" / "pocket" / "engine.js"
    for before, after in changed.items():
        assert before in engine.read_text()
        engine.write_text(engine.read_text().replace(before, after))
    size = engine.stat().st_size
    worker.write_text(re.sub(r'"engine.js": \[\d+', f'"engine.js": [{size}', worker.read_text()))
    return old[0]


def notice(page: Page) -> None:
    """Let the browser look for a new build, and wait until it is here."""
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
    waiting = "navigator.serviceWorker.getRegistration().then(({ waiting }) => Boolean(waiting))"
    until(lambda: page.evaluate(waiting), lambda: page.wait_for_timeout(20))


def builds(page: Page) -> list[str]:
    return sorted(name.removeprefix("pocket-") for name in page.evaluate("caches.keys()"))
