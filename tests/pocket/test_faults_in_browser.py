"""What a host, a browser or a phone does wrong: a sentence before anything is typed, and nothing lost."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pocket_builds import builds, notice, publish
from pocket_host import SCOPE, Host
from pocket_phone import Phone, lend, start, statuses
from waiting import until

from companion.store.db.startup import newest

pytestmark = pytest.mark.thorough
Breaks = Callable[[Host], object]


def _half(host: Host) -> None:
    pack = host.folder / "pocket" / "pocket" / "app.pack"
    pack.write_bytes(pack.read_bytes()[:1000])


@pytest.mark.parametrize(
    ("breaks", "said"),
    [
        (_half, "sends 1000 bytes as /pocket/pocket/app.pack instead of"),
        (lambda host: (host.folder / "pocket" / "pocket" / "app.pack").unlink(), "app.pack (it answers 404)"),
        (lambda host: (host.folder / "pocket" / "worker.js").unlink(), "no /pocket/worker.js (it answers 404)"),
        (lambda host: host.types.update({"worker.js": "text/plain"}), "sends /pocket/worker.js as “text/plain”"),
        (lambda host: host.dead.append("app.pack"), "The connection broke off before all was here."),
        (lambda host: host.types.update({"shell.js": "text/plain"}), "may not send .js files as text/javascript"),
    ],
)
def test_what_is_wrong_with_the_host_is_said(phone: Phone, host: Host, breaks: Breaks, said: str) -> None:
    breaks(host)
    page = phone.context.new_page()
    page.goto(host.address)
    expect(page.locator("#starting")).to_contain_text(said)
    expect(page.locator("#app")).to_be_hidden()


def test_a_first_visit_in_airplane_mode_begins_where_a_network_is(phone: Phone, host: Host) -> None:
    page = phone.context.new_page()
    page.add_init_script("if (!sessionStorage.there) Object.defineProperty(navigator, 'onLine', { value: false })")
    host.dead.append("app.pack")
    page.goto(host.address)
    expect(page.locator("#step")).to_contain_text("Connect to the internet once")
    host.dead.clear()
    page.evaluate("sessionStorage.there = 1")
    page.locator("#again").click()
    expect(page.locator("#title")).to_have_text("The table is set")


def test_a_host_that_knows_no_types_does_no_harm(phone: Phone, host: Host) -> None:
    host.types.update(dict.fromkeys((".mjs", ".wasm", ".pack", ".webmanifest", ".zip", ".json"), "text/plain"))
    _, frame = phone.open()
    expect(frame.locator("h1")).to_be_visible()


def test_half_a_new_build_leaves_the_old_one_in_use(phone: Phone, host: Host) -> None:
    page, frame = phone.open()
    night = start(frame)
    old = publish(host, "0123456789ab")
    _half(host)
    update = "navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => {}, () => {})"
    page.evaluate(update)
    gone = "navigator.serviceWorker.getRegistration().then(({ installing, waiting }) => !installing && !waiting)"
    until(lambda: page.evaluate(gone), lambda: page.wait_for_timeout(20))
    assert lend(frame, night, 5) == 303
    page.reload()
    page.locator("#app").wait_for()
    assert old in builds(page)
    assert lend(phone.frame(page), night, 6) == 303


FORGET = """async (what) => {
    const root = await navigator.storage.getDirectory()
    if (what.includes('nights')) await root.removeEntry('companion', { recursive: true })
    if (what.includes('files')) for (const name of await caches.keys()) await caches.delete(name)
    if (what.includes('worker')) await (await navigator.serviceWorker.getRegistration()).unregister()
    if (what.includes('notes')) localStorage.clear()
}"""


def forget(page: Page, host: Host, *what: str) -> None:
    """Delete what a browser keeps of the app, as one does that wants room; the app doesn't run meanwhile."""
    page.goto(f"{host.address}pocket/shell.css")
    until(lambda: not page.evaluate("navigator.locks.query().then(({ held }) => held.length)"))
    # the files are free a moment after their worker has ended
    until(
        lambda: page.evaluate(f"({FORGET})({[*what]}).then(() => true, () => false)"), lambda: page.wait_for_timeout(20)
    )


@pytest.mark.parametrize("what", [("nights",), ("nights", "files", "worker", "notes")])
def test_deleted_nights_are_told_before_anything_is_typed(phone: Phone, host: Host, what: tuple[str, ...]) -> None:
    page, frame = phone.open()
    start(frame)
    forget(page, host, *what)
    page.goto(host.address)
    expect(page.locator("#title")).to_have_text("Your nights are gone from this phone")
    assert not page.locator("#app").is_visible()
    page.locator("#keep").click()
    page.locator("#app").wait_for()
    expect(phone.frame(page).locator("[name=file]")).to_be_visible()
    page.goto("about:blank")
    page.goto(host.address)  # said once
    page.locator("#app").wait_for()


def test_deleted_files_are_fetched_again(phone: Phone, host: Host) -> None:
    page, frame = phone.open()
    night = start(frame)
    forget(page, host, "files")
    page.goto(f"{host.address}#{night.partition('/pocket')[2]}")
    page.locator("#app").wait_for()
    expect(phone.frame(page).locator("h1")).to_have_text("Friday")
    host.off()
    page.reload()
    page.locator("#app").wait_for()
    assert lend(phone.frame(page), night, 5) == 303
    host.on()


def test_a_full_phone_says_so_at_the_start(phone: Phone, host: Host) -> None:
    page, frame = phone.open()
    night = start(frame)
    storage = phone.context.new_cdp_session(page)
    here = {"origin": host.address.removesuffix(SCOPE)}
    storage.send("Storage.overrideQuotaForOrigin", {**here, "quotaSize": 1})
    page.reload()
    expect(page.locator("#title")).to_have_text("This phone is full")
    page.locator("#start").click()  # what is there can be read
    page.locator("#app").wait_for()
    assert statuses(phone.frame(page), [night]) == {night: 200}
    page.reload()
    expect(page.locator("#title")).to_have_text("This phone is full")
    storage.send("Storage.overrideQuotaForOrigin", here)
    page.locator("#keep").click()
    page.locator("#app").wait_for()
    assert lend(phone.frame(page), night, 5) == 303


def test_nights_of_a_newer_version_stay_as_they_are(phone: Phone, host: Host) -> None:
    def of_version(number: str) -> str:
        change = f"UPDATE alembic_version SET version_num = '{number}'"
        script = f'import sqlite3; sqlite3.connect("/data/companion.db", isolation_level=None).execute("{change}")'
        return f"py.runPython(`{script}`); const refused"

    page, frame = phone.open()
    night = start(frame)
    publish(host, "0123456789ab", **{"const refused": of_version("9999")})
    notice(page)
    page.close()
    page = phone.context.new_page()
    page.goto(host.address)
    expect(page.locator("#step")).to_contain_text("Your nights are of a newer version of the app.")
    publish(host, "0123456789ac", **{of_version("9999"): of_version(newest())})
    notice(page)
    page.close()
    _, frame = phone.open(f"#{night.partition('/pocket')[2]}")
    expect(frame.locator("h1")).to_have_text("Friday")


def test_a_shared_copy_counts_and_a_closed_share_sheet_does_not(phone: Phone) -> None:
    page, frame = phone.open()
    night = start(frame)
    assert lend(frame, night, 5) == 303
    until(lambda: page.evaluate("times.isPersisted !== undefined"), lambda: page.wait_for_timeout(20))
    frame.goto(f"{night}/close")
    frame.locator("button[value=leave]").click()
    frame.wait_for_url("**/end*")
    page.evaluate(
        """() => {
            navigator.canShare = () => true
            navigator.share = async ({ files }) => {
                globalThis.shared = [...(globalThis.shared ?? []), files[0].name]
                if (shared.length === 1) throw new DOMException('closed', 'AbortError')
            }
        }"""
    )
    copy = frame.get_by_role("link", name="Save a copy", exact=True)
    copy.click()
    until(lambda: page.evaluate("globalThis.shared?.length === 1"), lambda: page.wait_for_timeout(20))
    expect(frame.locator("#copy-due")).to_be_visible()
    copy.click()
    expect(frame.locator("#copy-due")).to_have_count(0)
    assert re.fullmatch(r"\d+\.\d+\.1\.\d+", page.evaluate("Object.values(JSON.parse(localStorage.copies))[0]"))


def test_the_app_can_be_installed(phone: Phone) -> None:
    page, _ = phone.open()
    session = phone.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert '"display": "standalone"' in manifest["data"]
    assert "viewport-fit=cover" in page.locator("meta[name=viewport]").get_attribute("content")  # type: ignore[operator]
