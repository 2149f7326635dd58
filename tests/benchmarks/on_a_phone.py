"""Measures what a tap on a card costs on a phone: bytes, and milliseconds until it is drawn and until it is confirmed.

Run it with `python -m tests.benchmarks.on_a_phone` from the top of the repository; it prints a Markdown table. It needs
Chromium, which slows down its network and its processor by itself, and the app's default server.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from browser import HANDS, PHONE, chromium, open_seat, start_night
from playwright.sync_api import Browser, CDPSession, Request

from .serving import COMMAND, served

# milliseconds after a tap: when the browser has drawn the card, and when the page has shown the server's answer
_TAP = """card => new Promise((done) => {
  const key = document.querySelector(`[data-picker] [data-piece="${card}"][aria-pressed=false]`)
  const hand = document.querySelector('[name=players-0-hand]')
  const { fetch } = window
  const began = performance.now()
  const since = () => performance.now() - began
  let drawn = null
  let isAnswered = false // a poll's answer may come before
  window.fetch = async (url, ...given) => {
    const response = await fetch(url, ...given)
    isAnswered ||= url.endsWith('/draft')
    return response
  }
  const look = () => {
    if (!hand.value.endsWith(card)) requestAnimationFrame(look)
    else requestAnimationFrame(() => setTimeout(() => { drawn = since() }))
  }
  document.addEventListener('applied', function confirm() {
    if (!isAnswered) return
    document.removeEventListener('applied', confirm)
    window.fetch = fetch
    done([drawn, since()])
  })
  key.click()
  look()
})"""


@dataclass(frozen=True)
class Condition:
    """How slow the phone is.

    `latency`: milliseconds until a response begins. `throughput`: bytes a second each way, -1 for all there are.
    `processor`: how many times as long it takes.
    """

    what: str
    latency: int = 0
    throughput: int = -1
    processor: int = 1

    def apply(self, devtools: CDPSession) -> None:
        both = {"downloadThroughput": self.throughput, "uploadThroughput": self.throughput}
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", {"offline": False, "latency": self.latency, **both})
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": self.processor})


# slow 3G as the browser's developer tools have it
CONDITIONS = (
    Condition("this computer"),
    Condition("processor 6 times slower", processor=6),
    Condition("slow 3G", 2_000, 50_000),
    Condition("slow 3G, processor 6 times slower", 2_000, 50_000, 6),
)


@dataclass(frozen=True)
class Cost:
    """Times in milliseconds and sizes in bytes, headers included; of a tap, the medians."""

    opened: float
    page: int
    requests: int
    drawn: float
    confirmed: float
    sent: float
    received: float

    def row(self, what: str) -> str:
        page = f"{self.opened:,.0f} | {self.page / 1000:.1f} in {self.requests}"
        tap = f"{self.drawn:.0f} | {self.confirmed:,.0f} | {self.sent:,.0f} | {self.received:,.0f}"
        return f"| {what} | {page} | {tap} |"


def _bytes(request: Request) -> tuple[int, int]:
    sizes = request.sizes()
    sent = sizes["requestHeadersSize"] + sizes["requestBodySize"]
    return sent, sizes["responseHeadersSize"] + sizes["responseBodySize"]


def measure(browser: Browser, address: str, condition: Condition, cards: str) -> Cost:
    """Open a night's round on a phone that was never there before, and tap these cards."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    night = start_night(page, address, list(HANDS), "knock-poker")
    condition.apply(context.new_cdp_session(page))
    asked: list[Request] = []
    page.on("requestfinished", lambda request: asked.append(request))
    page.set_default_timeout(120_000)
    page.goto(f"{night}/round")
    opened = page.wait_for_function("performance.getEntriesByType('navigation')[0].loadEventEnd").json_value()
    size, requests = sum(_bytes(request)[1] for request in asked), len(asked)
    open_seat(page, 0)
    times, sizes = [], []
    for card in cards.split():
        with page.expect_request_finished(lambda request: request.url.endswith("/draft")) as sent:
            times.append(page.evaluate(_TAP, card))
        sizes.append(_bytes(sent.value))
    context.close()
    drawn, confirmed = (median(column) for column in zip(*times, strict=True))
    out, back = (median(column) for column in zip(*sizes, strict=True))
    return Cost(opened, size, requests, drawn, confirmed, out, back)


def main() -> None:
    print("| phone | page opened, ms | kB, requests | card drawn, ms | confirmed, ms | bytes sent | bytes received |")
    print("|---|---|---|---|---|---|---|")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(served(COMMAND, COMPANION_INSTANCE=folder))
        browser = stack.enter_context(chromium())
        for condition in CONDITIONS:
            cost = measure(browser, f"http://127.0.0.1:{server.port}/", condition, HANDS["Ana"])
            print(cost.row(condition.what), flush=True)


if __name__ == "__main__":
    main()
