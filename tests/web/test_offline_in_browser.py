"""A phone without a signal: the last night opens, a round waits on the phone, and is booked once when the server is
back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from browser import PHONE, Server, a_phone, enter_round, fill_storage, open_seat, start_night, tick
from devices import HANDS, SECRET, Night
from flask import Flask
from playwright.sync_api import Browser, Page, Route, expect
from sqlalchemy import func, select

from companion import create_app
from companion.store.models import Line, db

CLOCK = r"\d\d:\d\d"
MARK = "[data-seen-text]"
WAITS = re.compile(rf"A round from {CLOCK} is waiting on this phone")
# waits until so many pages are kept
KEPT = """async (pages) => {
  const count = async () => (await (await caches.open('pages')).keys()).length
  while ((await count()) < pages) await new Promise((done) => setTimeout(done, 20))
}"""


@pytest.fixture(scope="module")
def app(new_instance: Callable[[], Path]) -> Flask:
    return create_app({"INSTANCE": new_instance()})


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    with ExitStack() as stack:
        yield Server(app, stack)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    yield from a_phone(browser, service_workers="allow")


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    """A page without a service worker, as over plain HTTP."""
    yield from a_phone(browser)


def rounds(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(Line)) or 0


def night_kept(page: Page, address: str) -> str:
    """Start a night, and wait until the service worker has its pages."""
    session = start_night(page, address, list(HANDS), "knock-poker")
    page.goto(session)
    page.evaluate(KEPT, 3)
    return session


def test_a_round_entered_offline_is_booked_once(page: Page, app: Flask, server: Server) -> None:
    before = rounds(app)
    session = night_kept(page, server.address)
    server.off()
    page.goto(session)
    expect(page.locator(MARK)).to_have_text(re.compile(rf"As seen at {CLOCK}; no connection"))
    expect(page.locator(".oval")).to_be_visible()
    page.get_by_role("link", name="Enter the hands").tap()
    expect(page.locator("h1")).to_have_text("Round 1")
    expect(page.locator(MARK)).to_contain_text("no connection")
    enter_round(page, HANDS.values())
    page.locator("[data-save]").tap()
    expect(page.locator("[data-waiting]")).to_contain_text(WAITS)
    page.reload()
    expect(page.locator("[data-waiting]")).to_contain_text(WAITS)
    expect(page.locator("[name=players-1-hand]")).to_have_value(HANDS["Beto"])
    page.goto(session)
    expect(page.locator("[data-waiting]")).to_contain_text(WAITS)
    page.goto(f"{server.address}help/")
    expect(page.locator("h1")).to_have_text("No connection")
    page.get_by_role("link", name="The last night").tap()
    expect(page.locator("[data-waiting]")).to_contain_text(WAITS)
    assert rounds(app) == before
    server.on()
    expect(page.locator("[data-waiting]")).to_contain_text("is saved")
    expect(page.locator(".last")).to_contain_text(re.compile(r"Ana\s+Knock Poker, full house"))
    expect(page.locator(MARK)).to_have_text("")
    page.goto(f"{session}/round")
    expect(page.locator("h1")).to_have_text("Round 2")
    assert rounds(app) == before + 1


def test_a_closed_tab_loses_no_round_and_a_conflict_shows_both(plain_page: Page, app: Flask, server: Server) -> None:
    page, night = plain_page, Night(app)
    page.goto(f"{server.address}open/{SECRET}")
    page.goto(f"{server.address}{night.session[1:]}/round")
    enter_round(page, HANDS.values())
    expect(page.locator("[data-save]")).to_be_visible()
    server.off()
    page.locator("[data-save]").tap()
    expect(page.locator("[data-waiting]")).to_contain_text(WAITS)
    night.books(players_0_hand="Ac Kc Qc Jc Tc", key="of another phone")
    page.close()
    page = page.context.new_page()
    server.on()
    page.goto(f"{server.address}{night.session[1:]}")
    expect(page.locator("[data-waiting]")).to_contain_text("be saved as it is")
    # while it waits to be looked at, the next round can be entered: nothing is covered
    page.goto(f"{server.address}{night.session[1:]}/round")
    expect(page.locator("[data-waiting]")).to_contain_text("be saved as it is")
    open_seat(page, 1)
    for width, height in ((320, 568), (844, 390), PHONE.values()):
        page.set_viewport_size({"width": width, "height": height})
        for said in ("knocked", "dropped"):
            page.locator("#seat-1 label.chip", has_text=said).tap(trial=True)
    page.get_by_role("button", name="View").tap()
    # a live answer that finds nothing wrong with the hands leaves the conflict where it is
    expect(page.locator("#seat-0")).to_contain_text("leads")
    expect(page.locator("#refused")).to_contain_text("Round 1 was just saved from another phone")
    # it is on this page, which therefore doesn't offer to view or discard it; every other page does
    expect(page.locator("[data-waiting]")).to_have_text("")
    page.goto(f"{server.address}{night.session[1:]}/round")
    page.get_by_role("button", name="View").tap()
    expect(page.locator("[name=players-0-hand]")).to_have_value(HANDS["Ana"])
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url("**/lines/2?saved=yes")
    page.goto(f"{server.address}{night.session[1:]}/rounds")
    expect(page.locator(".rounds > li")).to_have_count(2)
    expect(page.locator("[data-waiting]")).to_have_text("")


def test_a_phone_without_room_for_a_round_sends_it_all_the_same(plain_page: Page, app: Flask, server: Server) -> None:
    page, before = plain_page, rounds(app)
    fill_storage(page)
    session = start_night(page, server.address, list(HANDS), "knock-poker")
    page.goto(f"{session}/round")
    enter_round(page, HANDS.values())
    page.locator("[data-save]").tap()
    page.wait_for_url("**/lines/1?saved=yes")
    assert rounds(app) == before + 1


def test_a_phone_without_room_or_a_server_says_that_the_round_is_not_kept(
    plain_page: Page, app: Flask, server: Server
) -> None:
    page, before = plain_page, rounds(app)
    fill_storage(page)
    session = start_night(page, server.address, list(HANDS), "knock-poker")
    page.goto(f"{session}/round")
    enter_round(page, HANDS.values())
    save = page.locator("[data-save]")
    expect(save).to_be_visible()
    server.off()
    open_seat(page, 1)
    tick(page, "[name=players-1-dropped]")
    expect(page.locator("[data-missing]")).to_have_text(re.compile("No connection, and .* full. Leave this page open"))
    save.tap()
    expect(page.locator("[data-waiting]")).to_contain_text(
        "Not saved: no connection, and this phone's storage is full or blocked"
    )
    expect(page.locator("[data-waiting] button")).to_have_count(0)
    tick(page, "[name=players-1-dropped]")  # the form can still be changed
    server.on()
    save.tap()
    page.wait_for_url("**/lines/1?saved=yes")
    assert rounds(app) == before + 1


def test_a_waiting_round_is_sent_again_after_an_answer_that_cannot_be_read(
    plain_page: Page, app: Flask, server: Server
) -> None:
    page, before = plain_page, rounds(app)
    session = start_night(page, server.address, list(HANDS), "knock-poker")
    answers: list[str] = []

    def garble(route: Route) -> None:
        if route.request.method != "POST" or answers:
            route.continue_()
        else:
            answers.append("of a portal")
            route.fulfill(status=201, body="<html>")

    page.route(re.compile("/round"), garble)
    page.add_init_script("reportError = console.error")  # the only one that is meant
    page.goto(f"{session}/round")
    enter_round(page, HANDS.values())
    page.locator("[data-save]").tap()
    page.wait_for_url("**/lines/1?saved=yes")
    assert rounds(app) == before + 1
    assert answers


def test_a_night_whose_link_is_renewed_is_kept_no_longer(page: Page, app: Flask, server: Server) -> None:
    secret = "another-secret-of-a-link-that-keeps-score"
    night = Night(app, secret=secret)
    page.goto(f"{server.address}open/{secret}")
    page.goto(f"{server.address}{night.session[1:]}")
    page.evaluate(KEPT, 3)
    page.goto("about:blank")  # the night's page would load itself again, just when it is opened here
    night.keeper.does(f"{night.group}/links", do="renew-keep")
    page.goto(f"{server.address}{night.session[1:]}")
    expect(page.locator("h1")).to_have_text("Not found")
    server.off()
    page.goto(f"{server.address}{night.session[1:]}")
    expect(page.locator("h1")).to_have_text("No connection")
    expect(page.get_by_role("link", name="The last night")).to_have_count(0)
