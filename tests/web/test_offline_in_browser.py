"""Phones without a signal: the last night opens, forms wait on the phone, and count once when the server is back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from browser import PHONE, Server, enter_hand, enter_round, fill_storage, open_seat, save, start_night, tick
from devices import HANDS, PlayedNight
from flask import Flask
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import func, select

from companion import create_app
from companion.store.models import Line, Paid, db

CLOCK = r"\d\d:\d\d"
MARK = "[data-seen-text]"
WAITS = re.compile(rf"A round from {CLOCK} is waiting on this phone")
KEPT = "No connection. This is kept on this phone and will be sent when the server is back."
# waits until so many pages are kept
STORED = """async (pages) => {
  const count = async () => (await (await caches.open('pages')).keys()).length
  while ((await count()) < pages) await new Promise((done) => setTimeout(done, 20))
}"""
Phone = Callable[..., Page]


@pytest.fixture(scope="module")
def app(new_instance: Callable[[], Path]) -> Flask:
    return create_app({"INSTANCE": new_instance()})


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    with ExitStack() as stack:
        yield Server(app, stack)


@pytest.fixture
def page(phone: Phone) -> Page:
    """A page without a service worker, as over plain HTTP."""
    return phone()


@pytest.fixture
def stored_page(phone: Phone) -> Page:
    """A page whose service worker keeps copies, as over HTTPS."""
    return phone(service_workers="allow")


def lines(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(Line)) or 0


def played_night(page: Page, app: Flask, server: Server, test: str) -> tuple[PlayedNight, str]:
    """Start a night of Ana, Beto and Caro, and open it by the scorekeeper's link; also returns its URL."""
    night = PlayedNight(app, secret=f"secret-of-a-link-that-keeps-score-{test}")
    page.goto(f"{server.address}open/{night.secret}")
    return night, f"{server.address}{night.night[1:]}"


def note(page: Page) -> Locator:
    """Return what is said beside a form."""
    return page.locator(".waiting:not([data-waiting])")


def waiting(page: Page) -> Locator:
    """Return the list of what waits on the phone."""
    return page.locator("[data-waiting]")


def reopened(page: Page, server: Server, address: str) -> Page:
    """Close the tab; once the server is back, open another one."""
    page.close()
    page = page.context.new_page()
    server.on()
    page.goto(address)
    return page


def open_loans(page: Page, night: str) -> None:
    page.goto(f"{night}/money")
    page.locator("#moves > summary").tap()


def lend(page: Page, amount: str, said: str) -> None:
    page.select_option("[name=movement]", "loan")
    page.select_option("[name=from]", index=1)
    page.select_option("[name=to]", index=2)
    page.fill("[name=amount]", amount)
    page.fill("#moves [name=note]", said)
    page.get_by_role("button", name="Record", exact=True).tap()


def test_a_round_entered_offline_is_booked_once(stored_page: Page, app: Flask, server: Server) -> None:
    page, before = stored_page, lines(app)
    night = start_night(page, server.address, at="")
    page.evaluate(STORED, 3)
    server.off()
    page.goto(night)
    expect(page.locator(MARK)).to_have_text(re.compile(rf"As seen at {CLOCK}; no connection"))
    expect(page.locator(".oval")).to_be_visible()
    page.get_by_role("link", name="Enter the hands").tap()
    expect(page.locator("h1")).to_have_text("Round 1")
    expect(page.locator(MARK)).to_contain_text("no connection")
    enter_round(page, HANDS.values())
    save(page)
    expect(waiting(page)).to_contain_text(WAITS)
    page.reload()
    expect(waiting(page)).to_contain_text(WAITS)
    expect(page.locator("[name=players-1-hand]")).to_have_value(HANDS["Beto"])
    page.goto(night)
    expect(waiting(page)).to_contain_text(WAITS)
    page.goto(f"{server.address}help/")
    expect(page.locator("h1")).to_have_text("No connection")
    page.get_by_role("link", name="The last night").tap()
    expect(waiting(page)).to_contain_text(WAITS)
    assert lines(app) == before
    server.on()
    expect(waiting(page)).to_contain_text("is saved")
    expect(page.locator(".last")).to_contain_text(re.compile(r"Ana\s+Knock Poker, full house"))
    expect(page.locator(MARK)).to_have_text("")
    page.goto(f"{night}/round")
    expect(page.locator("h1")).to_have_text("Round 2")
    assert lines(app) == before + 1


def test_an_own_hand_without_a_connection_tells_how_old_its_table_is(stored_page: Page, server: Server) -> None:
    page = stored_page
    start_night(page, server.address, at="/me")
    page.get_by_role("button").filter(has_text="Ana").tap()
    expect(page.locator("#at-table")).to_be_visible()
    page.evaluate(STORED, 3)
    server.off()
    page.reload()
    expect(page.locator("body")).to_have_class(re.compile(r"\bseated\b.*\baway\b"))
    expect(page.locator(MARK)).to_be_visible()
    expect(page.locator(MARK)).to_have_text(re.compile(rf"As seen at {CLOCK}; no connection"))


def test_a_night_whose_link_is_renewed_is_kept_no_longer(stored_page: Page, app: Flask, server: Server) -> None:
    page = stored_page
    night, here = played_night(page, app, server, "renewed")
    page.goto(here)
    page.evaluate(STORED, 3)
    page.goto("about:blank")  # the night's page would load itself again, just when it is opened here
    night.keeper.does(f"{night.group}/links", do="renew-keep")
    page.goto(here)
    expect(page.locator("h1")).to_have_text("Not found")
    server.off()
    page.goto(here)
    expect(page.locator("h1")).to_have_text("No connection")
    expect(page.get_by_role("link", name="The last night")).to_have_count(0)


def test_the_offline_page_claims_nothing_that_is_not_so(stored_page: Page, server: Server) -> None:
    page = stored_page
    night = start_night(page, server.address, at="")
    page.evaluate("""async () => {
      while (!(await caches.match('/offline'))) await new Promise((done) => setTimeout(done, 20))
    }""")
    page.goto(f"{night}/people")
    server.off()
    # sent by the browser itself, as by a page whose script didn't load
    page.evaluate("document.querySelector('#note-of-night form').submit()")
    expect(page.get_by_text("Your last entry may not have arrived.")).to_be_visible()
    expect(page.get_by_role("link", name="Try again")).to_have_count(0)
    server.on()
    page.get_by_role("link", name="Go back").tap()
    expect(page.locator("#seats")).to_be_visible()
    server.off()
    page.goto(f"{server.address}help/")
    expect(page.locator(".lead")).to_contain_text("Can't reach the server.")
    expect(page.get_by_text("Your last entry may not have arrived.")).to_be_hidden()
    expect(page.get_by_role("link", name="Try again")).to_be_visible()
    server.on()
    expect(page.locator("h1")).to_have_text("Rules")  # by itself


@pytest.mark.parametrize("workers", ["allow", "block"])
def test_a_loan_waits_and_counts_once_when_the_server_is_back(
    phone: Phone, app: Flask, server: Server, workers: str
) -> None:
    page, before = phone(service_workers=workers), lines(app)
    open_loans(page, start_night(page, server.address))
    server.off()
    lend(page, "12", "taxi home")
    expect(note(page)).to_contain_text(KEPT)
    expect(page.locator("#moves [name=note]")).to_have_value("taxi home")
    # another one can be entered meanwhile, and what is being typed stays when the first is sent
    page.get_by_role("button", name="Enter another").tap()
    expect(waiting(page)).to_contain_text("Entries waiting on this phone: 1.")
    page.fill("[name=amount]", "7")
    server.on()
    expect(waiting(page)).to_contain_text("What was waiting on this phone is saved.")
    expect(page.locator("[aria-labelledby=movements]")).to_contain_text("taxi home")
    expect(page.locator("[name=amount]")).to_have_value("7")
    lend(page, "7", "beer")
    expect(page.locator("[aria-labelledby=movements] li")).to_have_count(2)
    assert lines(app) == before + 2


def test_a_closed_tab_loses_no_loan_and_a_refusal_is_shown_where_it_was_typed(
    page: Page, app: Flask, server: Server
) -> None:
    before, night = lines(app), start_night(page, server.address)
    open_loans(page, night)
    server.off()
    lend(page, "", "for the cake")
    expect(note(page)).to_contain_text(KEPT)
    page = reopened(page, server, night)
    row = waiting(page)
    expect(row).to_contain_text("couldn't be saved as it is. It is still on this phone.")
    row.get_by_role("button", name="View").tap()
    expect(page.locator("#problems")).to_contain_text("Enter an amount")
    expect(page.locator("#moves [name=note]")).to_have_value("for the cake")
    expect(row).to_have_text("")
    page.fill("[name=amount]", "3")
    page.get_by_role("button", name="Record", exact=True).tap()
    expect(page.locator("[aria-labelledby=movements]")).to_contain_text("for the cake")
    expect(row).to_have_text("")
    assert page.evaluate("localStorage.length") == 0
    assert lines(app) == before + 1


def test_a_payment_waits_behind_a_round_and_both_are_sent_in_order(page: Page, app: Flask, server: Server) -> None:
    night, here = played_night(page, app, server, "paid")
    night.books()
    night.keeper.does(f"{night.night}/settle")
    before = lines(app)
    page.goto(f"{here}/round")
    other = page.context.new_page()
    other.goto(f"{here}/settle")
    enter_round(page, HANDS.values())
    expect(page.locator("[data-save]")).to_be_visible()
    sent: list[str] = []
    page.context.on("response", lambda answer: sent.append(answer.url) if answer.status == 201 else None)
    server.off()
    save(page)
    expect(waiting(page)).to_contain_text("A round from")
    other.get_by_role("button", name="Mark paid").first.tap()
    expect(note(other)).to_contain_text(KEPT)
    expect(waiting(other)).to_contain_text("A round from")
    server.on()
    page.wait_for_url("**/lines/2?saved=yes")
    expect(other.get_by_role("button", name="Undo")).to_have_count(1)
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Paid)) == 1
    assert lines(app) == before + 1
    assert "/round" in sent[0]


def test_the_next_round_is_entered_while_the_first_waits(page: Page, app: Flask, server: Server) -> None:
    before, night = lines(app), start_night(page, server.address)
    open_loans(page, night)
    rounds = page.context.new_page()
    rounds.goto(f"{night}/round")
    enter_round(rounds, HANDS.values())
    expect(rounds.locator("[data-save]")).to_be_visible()
    server.off()
    save(rounds)
    rounds.get_by_role("button", name="Next round").tap()
    expect(rounds.locator("h1")).to_have_text("Round 2")
    expect(rounds.locator("[data-dealer]")).to_have_text("Ana deals")
    for seat in range(3):
        expect(rounds.locator(f"[name=players-{seat}-hand]")).to_have_value("")
    # a loan between them gets a line of its own
    lend(page, "5", "between")
    expect(note(page)).to_contain_text(KEPT)
    enter_round(rounds, [HANDS["Ana"], "Ah Kh 8h 5h 2h", HANDS["Caro"]])
    save(rounds)
    expect(rounds.locator("[data-waiting] .row")).to_have_count(2 + 1)
    rounds.get_by_role("button", name="Next round").tap()
    enter_hand(rounds, 0, "Ac Kc")
    server.on()
    expect(rounds.locator("[data-waiting] .row")).to_have_count(0)
    # the third one goes on, with the table again
    expect(rounds.locator("[data-missing]")).to_contain_text("Cards missing")
    expect(rounds.locator("h1")).to_have_text("Round 3")
    expect(rounds.locator("[name=players-0-hand]")).to_have_value("Ac Kc")
    assert lines(app) == before + 3
    rounds.goto(f"{night}/round")
    expect(rounds.locator("[name=players-0-hand]")).to_have_value("Ac Kc")
    expect(rounds.locator("[data-dealer]")).to_have_text("Beto deals")


@pytest.mark.parametrize("has_next", [False, True], ids=["one round", "two rounds"])
def test_a_conflict_shows_both_rounds_and_holds_back_the_next(
    page: Page, app: Flask, server: Server, has_next: bool
) -> None:
    night, here = played_night(page, app, server, f"conflict-{has_next}")
    before = lines(app)
    page.goto(f"{here}/round")
    enter_round(page, HANDS.values())
    expect(page.locator("[data-save]")).to_be_visible()
    server.off()
    save(page)
    if has_next:
        page.get_by_role("button", name="Next round").tap()
        enter_round(page, HANDS.values())
        save(page)
    expect(page.locator("[data-waiting] .row")).to_have_count(1 + has_next)
    night.books(players_0_hand="Ac Kc Qc Jc Tc", key="of another phone")
    page = reopened(page, server, here if has_next else f"{here}/round")
    expect(waiting(page)).to_contain_text("couldn't be saved as it is")
    if has_next:
        expect(waiting(page)).to_contain_text("It will be saved after the one before it.")
    else:  # the next round can be entered: nothing is covered
        open_seat(page, 1)
        for width, height in ((320, 568), (844, 390), PHONE.values()):
            page.set_viewport_size({"width": width, "height": height})
            for said in ("knocked", "dropped"):
                page.locator("#seat-1 label.chip", has_text=said).tap(trial=True)
    page.get_by_role("button", name="View").first.tap()
    # a live answer that finds nothing wrong with the hands leaves the conflict where it is
    expect(page.locator("#seat-0")).to_contain_text("leads")
    expect(page.locator("#refused")).to_contain_text("Round 1 was just saved from another phone")
    expect(page.locator("[name=players-0-hand]")).to_have_value(HANDS["Ana"])
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url("**/lines/2?saved=yes")
    page.goto(f"{here}/rounds")
    expect(page.locator(".rounds > li")).to_have_count(2 + has_next)
    assert lines(app) == before + 2 + has_next
    assert page.evaluate("Object.keys(localStorage).filter((slot) => slot.startsWith('waiting'))") == []


def test_a_phone_without_room_or_a_server_says_that_the_round_is_not_kept(
    page: Page, app: Flask, server: Server
) -> None:
    before = lines(app)
    fill_storage(page)
    start_night(page, server.address, at="/round")
    enter_round(page, HANDS.values())
    expect(page.locator("[data-save]")).to_be_visible()
    server.off()
    open_seat(page, 1)
    tick(page, "[name=players-1-dropped]")
    expect(page.locator("[data-missing]")).to_have_text(re.compile("No connection, and .* full. Leave this page open"))
    save(page)
    expect(waiting(page)).to_contain_text("Not saved: no connection, and this phone's storage is full or blocked")
    expect(page.locator("[data-waiting] button")).to_have_count(0)
    tick(page, "[name=players-1-dropped]")  # the form can still be changed
    server.on()
    save(page)
    page.wait_for_url("**/lines/1?saved=yes")
    assert lines(app) == before + 1
