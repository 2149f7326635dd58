"""Forms sent while the server is away: they wait on the phone and count once, or say that they weren't sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from browser import Server, a_phone, enter_hand, enter_round, fill_storage, start_night
from devices import HANDS, SECRET, Night
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, Route, expect
from sqlalchemy import func, select

from companion import create_app
from companion.store.models import Line, Paid, db

KEPT = "No connection. This is kept on this phone and will be sent when the server is back."


@pytest.fixture(scope="module")
def app(new_instance: Callable[[], Path]) -> Flask:
    return create_app({"INSTANCE": new_instance()})


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    with ExitStack() as stack:
        yield Server(app, stack)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a service worker, as over plain HTTP."""
    yield from a_phone(browser)


@pytest.fixture(params=["worker", "plain"])
def any_page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    yield from a_phone(browser, **({"service_workers": "allow"} if request.param == "worker" else {}))


def count(app: Flask, table: type[Line | Paid]) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(table)) or 0


def note(page: Page) -> Locator:
    """Return what is said beside a form."""
    return page.locator(".waiting:not([data-waiting])")


def open_loans(page: Page, session: str) -> None:
    page.goto(f"{session}/money")
    page.locator("#moves > summary").tap()


def lend(page: Page, amount: str, said: str) -> None:
    page.select_option("[name=movement]", "loan")
    page.select_option("[name=from]", index=1)
    page.select_option("[name=to]", index=2)
    page.fill("[name=amount]", amount)
    page.fill("#moves [name=note]", said)
    page.get_by_role("button", name="Record", exact=True).tap()


def test_a_loan_waits_and_counts_once_when_the_server_is_back(any_page: Page, app: Flask, server: Server) -> None:
    page, before = any_page, count(app, Line)
    session = start_night(page, server.address, list(HANDS), "knock-poker")
    open_loans(page, session)
    server.off()
    lend(page, "12", "taxi home")
    expect(note(page)).to_contain_text(KEPT)
    expect(page.locator("#moves [name=note]")).to_have_value("taxi home")
    # another one can be entered meanwhile, and what is being typed stays when the first is sent
    page.get_by_role("button", name="Enter another").tap()
    expect(page.locator("[data-waiting]")).to_contain_text("Entries waiting on this phone: 1.")
    page.fill("[name=amount]", "7")
    server.on()
    expect(page.locator("[data-waiting]")).to_contain_text("What was waiting on this phone is saved.")
    expect(page.locator("[aria-labelledby=movements]")).to_contain_text("taxi home")
    expect(page.locator("[name=amount]")).to_have_value("7")
    lend(page, "7", "beer")
    expect(page.locator("[aria-labelledby=movements] li")).to_have_count(2)
    assert count(app, Line) == before + 2


def test_a_closed_tab_loses_no_loan_and_a_refusal_is_shown_where_it_was_typed(
    page: Page, app: Flask, server: Server
) -> None:
    before = count(app, Line)
    session = start_night(page, server.address, list(HANDS), "knock-poker")
    open_loans(page, session)
    server.off()
    lend(page, "", "for the cake")
    expect(note(page)).to_contain_text(KEPT)
    page.close()
    page = page.context.new_page()
    server.on()
    page.goto(session)
    row = page.locator("[data-waiting]")
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
    assert count(app, Line) == before + 1


def test_what_is_refused_at_once_is_not_remembered_when_its_page_is_left(page: Page, server: Server) -> None:
    session = start_night(page, server.address, list(HANDS), "knock-poker")
    open_loans(page, session)
    lend(page, "", "nothing")
    expect(page.locator("#problems")).to_contain_text("Enter an amount")
    page.goto(session)
    expect(page.locator("[data-waiting]")).to_have_text("")


def test_a_payment_waits_behind_a_round_and_both_are_sent_in_order(page: Page, app: Flask, server: Server) -> None:
    night = Night(app)
    night.books()
    night.keeper.does(f"{night.session}/settle")
    here, before = f"{server.address}{night.session[1:]}", (count(app, Line), count(app, Paid))
    page.goto(f"{server.address}open/{SECRET}")
    page.goto(f"{here}/round")
    other = page.context.new_page()
    other.goto(f"{here}/settle")
    enter_round(page, HANDS.values())
    expect(page.locator("[data-save]")).to_be_visible()
    sent: list[str] = []
    page.context.on("response", lambda answer: sent.append(answer.url) if answer.status == 201 else None)
    server.off()
    page.locator("[data-save]").tap()
    expect(page.locator("[data-waiting]")).to_contain_text("A round from")
    other.get_by_role("button", name="Mark paid").first.tap()
    expect(note(other)).to_contain_text(KEPT)
    expect(other.locator("[data-waiting]")).to_contain_text("A round from")
    server.on()
    page.wait_for_url("**/lines/2?saved=yes")
    expect(other.get_by_role("button", name="Undo")).to_have_count(1)
    assert (count(app, Line), count(app, Paid)) == (before[0] + 1, before[1] + 1)
    assert "/round" in sent[0]


def test_the_next_round_is_entered_while_the_first_waits(page: Page, app: Flask, server: Server) -> None:
    before = count(app, Line)
    session = start_night(page, server.address, list(HANDS), "knock-poker")
    open_loans(page, session)
    rounds = page.context.new_page()
    rounds.goto(f"{session}/round")
    enter_round(rounds, HANDS.values())
    expect(rounds.locator("[data-save]")).to_be_visible()
    server.off()
    rounds.locator("[data-save]").tap()
    rounds.get_by_role("button", name="Next round").tap()
    expect(rounds.locator("h1")).to_have_text("Round 2")
    expect(rounds.locator("[data-dealer]")).to_have_text("Ana deals")
    for seat in range(3):
        expect(rounds.locator(f"[name=players-{seat}-hand]")).to_have_value("")
    # a loan between them gets a line of its own
    lend(page, "5", "between")
    expect(note(page)).to_contain_text(KEPT)
    enter_round(rounds, [HANDS["Ana"], "Ah Kh 8h 5h 2h", HANDS["Caro"]])
    expect(rounds.locator("[data-save]")).to_be_visible()
    rounds.locator("[data-save]").tap()
    expect(rounds.locator("[data-waiting] .row")).to_have_count(2 + 1)
    rounds.get_by_role("button", name="Next round").tap()
    enter_hand(rounds, 0, "Ac Kc")
    server.on()
    expect(rounds.locator("[data-waiting] .row")).to_have_count(0)
    # the third one goes on, with the table again
    expect(rounds.locator("[data-missing]")).to_contain_text("Cards missing")
    expect(rounds.locator("h1")).to_have_text("Round 3")
    expect(rounds.locator("[name=players-0-hand]")).to_have_value("Ac Kc")
    assert count(app, Line) == before + 3
    rounds.goto(f"{session}/round")
    expect(rounds.locator("[name=players-0-hand]")).to_have_value("Ac Kc")
    expect(rounds.locator("[data-dealer]")).to_have_text("Beto deals")


def test_a_round_waits_for_the_one_before_that_was_refused(page: Page, app: Flask, server: Server) -> None:
    secret = "secret-of-two-rounds-that-wait-for-a-conflict"
    night, before = Night(app, secret=secret), count(app, Line)
    here = f"{server.address}{night.session[1:]}"
    page.goto(f"{server.address}open/{secret}")
    page.goto(f"{here}/round")
    enter_round(page, HANDS.values())
    expect(page.locator("[data-save]")).to_be_visible()
    server.off()
    page.locator("[data-save]").tap()
    page.get_by_role("button", name="Next round").tap()
    enter_round(page, HANDS.values())
    expect(page.locator("[data-save]")).to_be_visible()
    page.locator("[data-save]").tap()
    expect(page.locator("[data-waiting] .row")).to_have_count(2)
    night.books(players_0_hand="Ac Kc Qc Jc Tc", key="of another phone")
    page.close()
    page = page.context.new_page()
    server.on()
    page.goto(here)
    row = page.locator("[data-waiting]")
    expect(row).to_contain_text("couldn't be saved as it is")
    expect(row).to_contain_text("It will be saved after the one before it.")
    row.get_by_role("button", name="View").first.tap()
    expect(page.locator("#refused")).to_contain_text("Round 1 was just saved from another phone")
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url("**/lines/2?saved=yes")
    page.goto(f"{here}/rounds")
    expect(page.locator(".rounds > li")).to_have_count(3)
    assert count(app, Line) == before + 3
    assert page.evaluate("Object.keys(localStorage).filter((slot) => slot.startsWith('waiting'))") == []


def block_storage(page: Page) -> None:
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })"
    )


@pytest.mark.parametrize("spoil", [fill_storage, block_storage])
def test_a_phone_that_cannot_store_says_so(
    page: Page, app: Flask, server: Server, spoil: Callable[[Page], None]
) -> None:
    before = count(app, Line)
    spoil(page)
    session = start_night(page, server.address, list(HANDS), "knock-poker")
    open_loans(page, session)
    server.off()
    lend(page, "12", "taxi home")
    expect(note(page)).to_contain_text("this phone's storage is full or blocked. Leave this page open, and try again")
    expect(page.locator("#moves [name=note]")).to_have_value("taxi home")
    server.on()
    page.get_by_role("button", name="Record", exact=True).tap()
    expect(page.locator("[aria-labelledby=movements] li")).to_have_count(1)
    assert count(app, Line) == before + 1


def test_what_makes_no_sense_later_is_not_sent_and_stays_filled_in(page: Page, server: Server) -> None:
    page.goto(f"{server.address}join")
    server.off()
    page.fill("[name=code]", "ABC234")
    page.get_by_role("button", name="Join").tap()
    expect(note(page)).to_have_text("Nothing was sent: no connection. Try again when the server is back.")
    expect(page.locator("[name=code]")).to_have_value("ABC234")
    assert page.evaluate("localStorage.length") == 0
    server.on()
    page.get_by_role("button", name="Join").tap()
    expect(page.locator("#code-error")).to_contain_text("No open night has this code")


# what stands between the phone and the server answers once
ANSWERS = {
    "busy": {"status": 429, "headers": {"Retry-After": "1"}},
    "gateway": {"status": 502, "body": "<h1>Bad gateway</h1>"},
    "portal": {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to our Wi-Fi</h1>"},
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_the_answer_of_a_proxy_is_none(page: Page, app: Flask, server: Server, answer: str) -> None:
    before, asked = count(app, Line), list[str]()
    session = start_night(page, server.address, list(HANDS), "knock-poker")

    def stand_in(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.continue_()
        else:
            route.fulfill(**ANSWERS[answer])  # type: ignore[arg-type]

    page.route(re.compile("/move"), stand_in)
    open_loans(page, session)
    # and the page is older than its cookie
    page.locator("#moves [name=csrf_token]").evaluate("field => { field.value = 'of before' }")
    lend(page, "12", "taxi home")
    expect(page.locator("[aria-labelledby=movements] li")).to_have_count(1)
    assert count(app, Line) == before + 1
    assert len(asked) == 3


def test_the_offline_page_claims_nothing_that_is_not_so(browser: Browser, app: Flask, server: Server) -> None:
    for page in a_phone(browser, service_workers="allow"):
        session = start_night(page, server.address, list(HANDS), "knock-poker")
        page.goto(session)
        page.evaluate("""async () => {
          while (!(await caches.match('/offline'))) await new Promise((done) => setTimeout(done, 20))
        }""")
        page.goto(f"{session}/people")
        server.off()
        # sent by the browser itself, as by a page whose script didn't load
        page.evaluate("document.querySelector('#note-of-session form').submit()")
        expect(page.get_by_text("Your last entry may not have arrived.")).to_be_visible()
        expect(page.get_by_role("link", name="Try again")).to_have_count(0)
        server.on()
        page.get_by_role("link", name="Go back").tap()
        expect(page.locator("#seats")).to_be_visible()
        server.off()
        page.goto(f"{server.address}help/")
        expect(page.locator(".lead")).to_contain_text("Can't reach the server.")
        expect(page.get_by_text("Your last entry may not have arrived.")).to_be_hidden()
        server.on()
        page.get_by_role("link", name="Try again").tap()
        expect(page.locator("h1")).not_to_have_text("No connection")


def test_a_loan_waits_until_somebody_looks_if_the_phone_lost_its_rights(page: Page, app: Flask, server: Server) -> None:
    secret = "another-secret-of-a-link-that-keeps-score"
    night, before = Night(app, secret=secret), count(app, Line)
    page.goto(f"{server.address}open/{secret}")
    open_loans(page, f"{server.address}{night.session[1:]}")
    server.off()
    lend(page, "12", "taxi home")
    expect(note(page)).to_contain_text(KEPT)
    night.keeper.does(f"{night.group}/links", do="renew-keep")
    page.close()
    page = page.context.new_page()
    server.on()
    page.goto(server.address)
    row = page.locator("[data-waiting]")
    expect(row).to_contain_text("couldn't be saved as it is. It is still on this phone.")
    page.once("dialog", lambda asked: asked.accept())
    row.get_by_role("button", name="Discard it").tap()
    expect(row).to_have_text("")
    assert page.evaluate("localStorage.length") == 0
    assert count(app, Line) == before
