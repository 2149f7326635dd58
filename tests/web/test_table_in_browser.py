"""A table with phones and a screen in the room: it follows the night by itself, asks seldom, and reads aloud."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from browser import PHONE, boxes_of, code_of, drawn, enter_hand, join_night, start_night, tap_quickly, tick
from night_of_six_games import NAMES, NIGHT, SCREEN, Table, save
from playwright.sync_api import Browser, Page, Request, Route, expect
from waiting import until

A_ROUND_OF_EACH = (0, 3, 4, 7, 8, 10)  # of the hands of the night
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


def test_four_phones_and_a_screen_play_a_round_of_each_game(browser: Browser, address: str) -> None:
    """One phone is offline for the second round. One game is bet on the players' phones, one on the scorekeeper's."""
    with ExitStack() as stack:
        table = Table(browser, address, stack, tap=tap_quickly)
        assert list(table.play([NIGHT[at] for at in A_ROUND_OF_EACH], away=1)) == []
        table.close()


def test_how_often_a_page_asks(opened: Open, address: str) -> None:
    page = opened()
    page.clock.install()
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
    until(lambda: len(asked) > 3, lambda: page.clock.run_for(delays[0]))
    # nobody looks at it
    page.evaluate(
        """() => {
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.isHidden })
          window.isHidden = true
          document.dispatchEvent(new Event('visibilitychange'))
        }"""
    )
    drawn(page)
    asked.clear()
    page.clock.run_for(10 * delays[0])
    drawn(page)
    assert asked == []
    # and when somebody does again it asks at once
    with page.expect_request("**/state"):
        page.evaluate(
            """() => {
              window.setTimeout = () => 0
              window.isHidden = false
              document.dispatchEvent(new Event('visibilitychange'))
            }"""
        )


def test_a_phone_that_slept_during_a_poll_asks_again_at_once(opened: Open, address: str) -> None:
    page = opened()
    page.goto(start_night(page, address, NAMES, "knock"))
    script = page.locator('script[src*="follow.js"]').get_attribute("src")
    assert script
    page.goto(f"{address}help/")  # a page that doesn't poll by itself
    delays = page.evaluate(
        """async (script) => {
          const { keepAsking } = await import(script.replace(/follow.*/, 'pace.js'))
          const delays = []
          let slept = 0
          let answer = null
          Date.now = performance.now = () => slept // a busy computer is no slow server
          window.setTimeout = (_, delay) => delays.push(delay)
          keepAsking(() => new Promise((resolve) => { answer = resolve }))
          slept = 7_200_000
          document.dispatchEvent(new Event('visibilitychange'))
          answer({ isClosed: false })
          await new Promise(requestAnimationFrame)
          return delays
        }""",
        script,
    )
    assert len(delays) == 1
    assert delays[0] < 1000


@pytest.mark.parametrize(
    "size", [(1440, 900), (1920, 1080), (820, 1180), (844, 390)], ids=lambda size: "x".join(map(str, size))
)
def test_the_screen_is_as_high_as_the_window_and_hands_lie_level(
    opened: Open, address: str, size: tuple[int, int]
) -> None:
    screen = opened()
    session = start_night(screen, address, NAMES, "knock-poker")
    screen.goto(f"{session}/round")
    for seat, hand in enumerate(NIGHT[2].hands):
        enter_hand(screen, seat, hand)
    tick(screen, '[name=asked-knocker][value="0"]')
    save(screen)
    screen.set_viewport_size({"width": size[0], "height": size[1]})
    screen.goto(f"{session}/table")
    expect(screen.locator("#news")).to_have_attribute("data-stage", "result")
    assert screen.evaluate("document.documentElement.scrollHeight") == size[1]
    _, left, _, right = boxes_of(screen, ".place .hand")
    assert left["top"] == pytest.approx(right["top"], abs=1)
    (words,) = boxes_of(screen, ".middle")
    assert left["right"] <= words["left"] and words["right"] <= right["left"]
    for box in boxes_of(screen, ".plate"):
        assert box["left"] >= 0 and box["bottom"] <= size[1]


def test_a_result_is_read_aloud_once_and_only_where_that_was_chosen(opened: Open, address: str) -> None:
    keeper, screen = opened(), opened(SCREEN, STUB)
    session = start_night(keeper, address, NAMES, "knock-poker")
    join_night(screen, address, code_of(keeper, session), "Beto")
    screen.goto(f"{address}phone")
    screen.get_by_label("Yes", exact=True).check()
    screen.get_by_role("button", name="Save").click()
    keeper.goto(f"{session}/round")
    screen.goto(f"{session}/table")
    for seat, hand in enumerate(NIGHT[2].hands):
        enter_hand(keeper, seat, hand)
    tick(keeper, '[name=asked-knocker][value="0"]')
    save(keeper)
    expect(screen.locator("#news")).to_have_attribute("data-stage", "result")
    (text, language), *more = screen.evaluate("spoken")
    assert text.startswith("Ana wins 9. Ana's full house beats Beto's flush. ")
    assert (language, more) == ("en", [])
    with screen.expect_response(lambda answer: answer.request.resource_type == "fetch"):
        screen.reload()
    drawn(screen)
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
    for seat, hand in enumerate(NIGHT[2].hands):
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
    screen.route("**/table", in_a_second)
    screen.get_by_role("link", name="Table view").click()
    expect(screen.locator(".place")).to_have_count(4)
    with screen.expect_navigation():
        pass
    expect(screen.locator(".place")).to_have_count(4)


def in_a_second(route: Route) -> None:
    """Let a page that is loaded again after five seconds be so after one."""
    answer = route.fetch()
    assert 'http-equiv="refresh" content="5"' in answer.text()
    route.fulfill(response=answer, body=answer.text().replace('content="5"', 'content="1"'))
