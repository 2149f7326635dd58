"""A table with phones and a screen in the room: it follows the night by itself, asks seldom, and reads aloud."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from browser import PHONE, code_of, enter_hand, join_night, start_night, tap_cards, tick
from playwright.sync_api import Browser, Page, Request, expect

NAMES = ("Ana", "Beto", "Caro", "Dani")
SCREEN = {"width": 1280, "height": 720}
KNOCK_POKER = (
    ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "2s 2h 6d Tc Qd"),
    ("Ts 9h 8d 4c 2d", "Ac Kh 8h 5h 5s", "7c 7h 7s Jd 4h", "2s 3h 6d Tc Qd"),
)
KNOCK = (
    ("5s Qh 7d Ac 2s", "Ks Kh 2d 3c 4s", "5h Qd Qc 5c 5d", "Kd 9h 9d 9c 3s"),
    ("Ks Kh 2d 3c 4s", "5s Qh 7d Ac 2s", "Kd 9h 9d 9c 3s", "5h Qd Qc 5c 5d"),
)
STUB = """
  window.spoken = []
  window.SpeechSynthesisUtterance = class extends EventTarget { constructor(text) { super(); this.text = text } }
  Object.defineProperty(window, 'speechSynthesis', { value: {
    cancel() {},
    speak(said) { spoken.push([said.text, said.lang]); said.dispatchEvent(new Event('start')) },
  } })
"""
Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    with ExitStack() as contexts:

        def another(size: dict[str, int] = PHONE, script: str = "", **more: object) -> Page:
            settings = {"viewport": size, "reduced_motion": "reduce", **more}
            context = browser.new_context(**settings)  # type: ignore[arg-type]
            contexts.callback(context.close)
            context.add_init_script(script)
            return context.new_page()

        yield another


def number(text: str) -> int:
    return int(text.replace("\u2212", "-").replace("\u2060", "").replace("+", ""))


def differences(sums: dict[str, int], screen: Page, phones: dict[int, Page]) -> Iterator[str]:
    """Compare what the screen and every player's phone say of the night with a plain sum of its rounds."""
    rows = {name: screen.locator(".standings li", has_text=name).locator("b") for name in sums}
    standings = {name: number(row.inner_text()) for name, row in rows.items()}
    if standings != sums:
        yield f"the screen says {standings}, the list {sums}"
    for (name, total), page in ((list(sums.items())[seat], page) for seat, page in phones.items()):
        said = re.search(r"You have (\S+) tonight", page.locator(".tonight").inner_text())
        if said is None or number(said[1]) != total:
            yield f"{name}'s phone says {said and said[0]}, the list {total}"


def nets(keeper: Page) -> dict[str, int]:
    """Read from a result what the round brought each player."""
    rows = keeper.locator(".answer .rows > li")
    told = [(row.locator("strong").inner_text(), row.locator("> b").inner_text()) for row in rows.all()]
    return {name: number(net) for name, net in told}


def save(keeper: Page) -> dict[str, int]:
    keeper.locator("[data-save]").click()
    keeper.wait_for_url("**/lines/*")  # the form's own page may already say who won
    expect(keeper.locator("#won")).to_be_visible()
    return nets(keeper)


def test_four_phones_and_a_screen_play_two_rounds_of_two_games(opened: Open, address: str) -> None:
    keeper, beto, caro, dani, screen = *(opened() for _ in range(4)), opened(SCREEN)
    session = start_night(keeper, address, NAMES, "knock-poker")
    code = code_of(keeper, session)
    phones = {1: beto, 2: caro, 3: dani}
    for seat, page in phones.items():
        join_night(page, address, code, NAMES[seat])
    screen.goto(f"{address}join/{code}")
    screen.get_by_role("link", name="Table view").click()
    news = screen.locator("#news")
    expect(news).to_have_attribute("data-stage", "waiting")
    expect(screen.locator(".join")).to_contain_text(code)
    sums, keeper_page = dict.fromkeys(NAMES, 0), f"{session}/round"
    keeper.goto(keeper_page)
    for at, hands in enumerate((*KNOCK_POKER, *KNOCK)):
        is_away = at == 1  # Dani's phone has no signal for this round
        enter_hand(keeper, 0, hands[0])
        for seat, page in phones.items():
            if seat == 3 and is_away:
                continue
            page.wait_for_url("**/round")
            tap_cards(page, hands[seat])
            if seat < 3:
                # nothing of it is on the screen yet
                expect(screen.locator(".in .back").first).to_be_attached()
                assert screen.locator(".place .face").count() == 0
        if is_away:
            enter_hand(keeper, 3, hands[3])
        expect(news).to_have_attribute("data-stage", "shown")
        tick(keeper, '[name=asked-knocker][value="0"]')
        if is_away:
            dani.context.set_offline(True)
        brought = save(keeper)
        sums = {name: sums[name] + brought[name] for name in NAMES}
        expect(news).to_have_attribute("data-stage", "result")
        for seat, page in phones.items():
            if seat == 3 and is_away:
                dani.context.set_offline(False)
            page.wait_for_url(re.compile(rf"/lines/{at + 1}\?since="))
            expect(page.locator(".mine .give").first).to_contain_text(re.compile("You |gives you|pays you"))
        if at == 1:
            keeper.get_by_role("link", name="Back to the night").click()
            keeper.locator(".pick").get_by_role("link", name="Knock", exact=True).click()
            keeper.get_by_role("link", name="Enter the hands").click()
        elif at < 3:
            keeper.get_by_role("link", name="Next round").click()
    # every screen says what a plain sum of the rounds comes to
    assert list(differences(sums, screen, phones)) == []
    keeper.goto(f"{session}/close")
    keeper.get_by_role("button", name=re.compile("Close")).first.click()
    for page in phones.values():
        page.wait_for_url(session)
        expect(page.locator("#news")).to_contain_text("This night is closed")
    expect(news).to_have_attribute("data-stage", "closed")


def test_how_often_a_page_asks(opened: Open, address: str) -> None:
    page = opened()
    session = start_night(page, address, NAMES, "knock")
    page.goto(session)
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/state"):
            asked.append(request.url)

    delays = page.evaluate(
        """async () => {
          const { src } = document.querySelector('script[src*="follow.js"]')
          const { delay } = await import(src.replace(/follow.*/, 'pace.js'))
          const quiet = [0, 19_000, 21_000, 299_000, 301_000]
          const closed = delay({ isClosed: true, changedAt: 0, took: 20 }, 0)
          const slow = [500, 60_000].map((took) => delay({ isClosed: false, changedAt: 0, took }, 0))
          return [...quiet.map((ms) => delay({ isClosed: false, changedAt: 0, took: 20 }, ms)), closed, ...slow]
        }"""
    )
    assert delays[0] == delays[1] < delays[2] == delays[3] < 1000 < delays[4] < delays[5]
    # a server that answers slowly is asked less often
    assert delays[6:] == [1_500, delays[5]]
    page.on("request", note)
    page.goto(session)
    page.wait_for_timeout(2_500)
    assert 3 <= len(asked) <= 7
    # nobody looks at it
    page.evaluate(
        """() => {
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.isHidden })
          window.isHidden = true
          document.dispatchEvent(new Event('visibilitychange'))
        }"""
    )
    page.wait_for_timeout(300)
    asked.clear()
    page.wait_for_timeout(2_000)
    assert asked == []
    # and when somebody does again it asks at once
    with page.expect_request("**/state", timeout=500):
        page.evaluate("() => { window.isHidden = false; document.dispatchEvent(new Event('visibilitychange')) }")


def test_a_result_is_read_aloud_once_and_only_where_that_was_chosen(opened: Open, address: str) -> None:
    keeper, screen = opened(), opened(SCREEN, STUB)
    session = start_night(keeper, address, NAMES, "knock-poker")
    join_night(screen, address, code_of(keeper, session), "Beto")
    screen.goto(f"{address}phone")
    screen.get_by_label("Yes", exact=True).check()
    screen.get_by_role("button", name="Save").click()
    keeper.goto(f"{session}/round")
    screen.goto(f"{session}/table")
    for seat, hand in enumerate(KNOCK_POKER[0]):
        enter_hand(keeper, seat, hand)
    tick(keeper, '[name=asked-knocker][value="0"]')
    save(keeper)
    expect(screen.locator("#news")).to_have_attribute("data-stage", "result")
    (text, language), *more = screen.evaluate("spoken")
    assert text.startswith("Ana wins 9. Ana's full house beats Beto's flush. ")
    assert (language, more) == ("en", [])
    screen.reload()
    screen.wait_for_timeout(500)
    assert screen.evaluate("spoken") == []


def test_a_browser_that_cannot_speak_is_not_asked(opened: Open, address: str) -> None:
    silent = opened(script="delete window.speechSynthesis")
    silent.goto(f"{address}phone")
    expect(silent.get_by_role("button", name="Save")).to_be_visible()
    expect(silent.locator("[data-speech-choice]")).to_be_hidden()


def test_the_screen_stays_awake_and_a_phone_buzzes(opened: Open, address: str) -> None:
    script = """
      const lock = { released: false, release() {} }
      if (navigator.wakeLock) navigator.wakeLock.request = async () => { window.isAwake = true; return lock }
      navigator.vibrate = (ms) => { sessionStorage.setItem('buzzed', ms); return true }
    """
    keeper, beto = opened(), opened(script=script)
    session = start_night(keeper, address, NAMES, "knock-poker")
    join_night(beto, address, code_of(keeper, session), "Beto")
    keeper.goto(f"{session}/round")
    assert beto.evaluate("isAwake")
    for seat, hand in enumerate(KNOCK_POKER[0]):
        enter_hand(keeper, seat, hand)
    tick(keeper, '[name=asked-knocker][value="0"]')
    save(keeper)
    beto.wait_for_url("**/lines/1?since=0")
    expect(beto.locator(".mine")).to_contain_text("You give Ana")
    assert int(beto.evaluate("sessionStorage.getItem('buzzed')")) > 0
    assert beto.evaluate("isAwake")


def test_without_the_script_the_screen_is_loaded_again(opened: Open, address: str) -> None:
    keeper, screen = opened(), opened(SCREEN, java_script_enabled=False)
    session = start_night(keeper, address, NAMES, "knock-poker")
    screen.goto(f"{address}join/{code_of(keeper, session)}")
    screen.get_by_role("link", name="Table view").click()
    expect(screen.locator(".place")).to_have_count(4)
    with screen.expect_navigation(timeout=20_000):
        pass
    expect(screen.locator(".place")).to_have_count(4)
