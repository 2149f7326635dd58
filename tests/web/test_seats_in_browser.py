"""The felt of a night: however many are seated and whatever lies in the pot, nothing covers or goes beyond it."""

from __future__ import annotations

import pytest
from browser import start_night
from playwright.sync_api import Page

PLAYERS = (
    "Maximiliana",
    "Ana",
    "Guadalupe",
    "José Ángel",
    "Ñ",
    "Xóchitl",
    "Fer",
    "Montserrat",
    "Eva",
    "Hugo",
    "Luz",
    "Sol",
)
# the most that a seat can say: a name, a stack, and a long gain or loss
FILLED = """document.querySelector('.oval').classList.add('in-money')
  document.querySelectorAll('.plate').forEach((plate) => {
    plate.querySelectorAll(':scope > :not(.who)').forEach((one) => { one.remove() })
    plate.insertAdjacentHTML('beforeend', '<b>1,500.00</b> <small>−1,245.00</small>')
  })
  document.querySelector('.plan').insertAdjacentHTML('beforeend', '<p class="pot"><b>$1,250.00</b> en el bote</p>')"""
WITH_STACKS = """document.querySelectorAll('.tab:has(> .who)').forEach((tab) =>
  tab.insertAdjacentHTML('beforeend', '<small class="stack">59</small>'))"""
COVERED = """() => {
  const words = document.createRange()
  words.selectNodeContents(document.querySelector('.plan .pot'))
  const seats = [...document.querySelectorAll('.oval > li')]
  const boxes = seats.map((seat) =>
    [...seat.querySelectorAll('.player, .plate')].map((one) => one.getBoundingClientRect()))
  const all = [...boxes, [words.getBoundingClientRect()]]
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  const isCovered = (one, at) => all.slice(0, at).some((other) => one.some((a) => other.some((b) => meet(a, b))))
  const isOut = (one) => one.some((box) => box.left < 0 || box.right > innerWidth)
  return [seats.length, all.flatMap((one, at) => isCovered(one, at) || isOut(one) ? [at] : [])]
}"""


@pytest.mark.parametrize("number", [6, 7, 8, 10, 12])
def test_no_seat_on_the_felt_covers_another(page: Page, address: str, number: int) -> None:
    night = start_night(page, address, PLAYERS[:number])
    for width, height in ((320, 568), (360, 640), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(night)
        page.evaluate(FILLED)
        assert page.evaluate(COVERED) == [number, []], (width, height)


def test_a_large_pot_leaves_the_page_as_wide_as_the_phone(page: Page, address: str) -> None:
    night = start_night(page, address, PLAYERS[:5])
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 640})
        page.goto(night)
        page.locator("#at-table .pot b").evaluate("(pot) => { pot.textContent = 'MX$7,422.50' }")
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_tab_of_the_bets_is_whole_beside_the_own_hand(page: Page, address: str) -> None:
    night = start_night(page, address, PLAYERS[:4], game="domino-poker")
    page.goto(f"{night}/me")
    page.get_by_role("button", name=PLAYERS[0]).click()
    page.wait_for_url("**/round?own=yes")
    for width, height in ((320, 568), (360, 640), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{night}/round")
        assert page.locator(".tab.own").is_visible()
        page.evaluate(WITH_STACKS)
        tab = page.locator(".tab.bets").evaluate("(tab) => [tab.clientWidth, tab.querySelector('b').scrollWidth]")
        assert tab[0] > tab[1] > 0, (width, tab)
