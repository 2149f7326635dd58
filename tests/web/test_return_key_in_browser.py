"""Return goes to the next field on every page; in a form's last one it presses a button that is in sight, or none."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from browser import PHONE, start_night
from every_page import Site, View
from playwright.sync_api import Browser, Page, expect
from test_every_page import is_typed_into

FIELDS = "input:not([type=hidden], [type=checkbox], [type=radio], [type=file])"
# notes what would be sent, which isn't
WATCH = """() => {
  window.pressed = []
  const note = (event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    const button = event.submitter
    window.pressed.push(button && button.checkVisibility() && button.getBoundingClientRect().right > 0
      ? button.name + '=' + button.value : 'hidden')
  }
  window.addEventListener('submit', note, true)
}"""
SEEN = f"""(form) => [...form.elements]
  .filter((one) => one.matches('{FIELDS}') && one.checkVisibility({{ visibilityProperty: true }}))
  .map((one, at) => one.dataset.walked = form.dataset.walked + '.' + at)"""


def forms_of(html: str) -> list[str]:
    """Return the forms that have fields to type into; those of the same kind are alike, whatever is in them."""
    forms = []
    for form in re.findall(r"<form\b.*?</form>", html, re.DOTALL):
        typed = [tag for tag in re.findall(r"<(?:input|textarea)\b[^>]*>", form) if is_typed_into(tag)]
        names = sorted({re.sub(r"[0-9]+", "", name) for tag in typed for name in re.findall(r'\bname="([^"]+)"', tag)})
        names += re.findall(r'data-return|name="do" value="[a-z]+', form)[:1] if names else []
        forms += [" ".join(names)] if names else []
    return forms


def pages_with_fields(site: Site) -> list[View]:
    """Return views that together have every kind of form with fields."""
    known: set[str] = set()
    found = []
    for view in site.views:
        path = f"/{site.address(view)}"
        kinds = set(forms_of(site.devices[view.phone].get(path).text))
        found += [view] if kinds - known else []
        known |= kinds
    return found


def walk(page: Page) -> list[str]:
    """Press Return in every field in sight; returns what is wrong."""
    wrong = []
    page.evaluate(WATCH)
    forms = page.locator("form")
    forms.evaluate_all("(forms) => forms.forEach((form, at) => { form.dataset.walked = at })")
    for at in range(forms.count()):
        walked = forms.nth(at).evaluate(SEEN)
        for here, beyond in pairwise([*walked, None]):
            field = page.locator(f'[data-walked="{here}"]')
            if not field.is_visible():
                continue  # another player's, whose tab isn't open now
            before = page.locator(FIELDS).evaluate_all("(all) => all.map((one) => one.value)")
            field.focus()
            page.keyboard.press("Enter")
            pressed, page_url = page.evaluate("window.pressed?.splice(0)"), page.url
            name = f"{page_url} {field.get_attribute('name')}"
            if page.locator(FIELDS).evaluate_all("(all) => all.map((one) => one.value)") != before:
                wrong.append(f"{name}: something is lost")
            if "hidden" in pressed or len(pressed) > 1 or (pressed and beyond):
                wrong.append(f"{name}: {pressed}")
            is_next = page.locator(f'[data-walked="{beyond}"]:focus').count() if beyond else 0
            is_a_name = field.evaluate("(one) => one.matches('#entry .name')")  # leads to the next player's
            if beyond and not is_next and not is_a_name:
                wrong.append(f"{name}: doesn't lead on")
    return wrong


def test_return_leads_on_and_loses_nothing(site: Site, browser: Browser, site_address: str) -> None:
    views = pages_with_fields(site)
    assert len(views) > 20
    wrong = []
    for phone in {view.phone for view in views}:
        context = browser.new_context(viewport=PHONE, reduced_motion="reduce", has_touch=True, is_mobile=True)
        context.add_cookies([{"name": "session", "value": site.cookie(phone, "en", "light"), "url": site_address}])
        page = context.new_page()
        for view in (view for view in views if view.phone == phone):
            page.goto(site_address + site.address(view, unfolded=True))
            page.wait_for_load_state("networkidle")
            wrong += [f"{view.name}: {told}" for told in walk(page)]
        context.close()
    assert not wrong, "\n".join(wrong)


def test_names_of_a_single_round_are_typed_one_after_the_other(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    expect(page.locator("form.tapping")).to_be_visible()
    page.locator("#seat-0 .name").click()
    for number, name in enumerate(("Ana", "Beto", "Caro", "Dani")):
        expect(page.locator(f"#seat-{number} input.name")).to_be_focused()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    # a name is shown wherever its player is, also where nobody looks yet
    expect(page.locator("[data-dealer]")).to_have_text("Dani deals")
    expect(page.locator("#dealers label")).to_have_text(["Ana", "Beto", "Caro", "Dani"])
    expect(page.locator('#rules [value="remove-1"]')).to_have_text("Beto ×")
    # after the last one come the cards
    expect(page.locator("#problems")).to_have_count(0)
    expect(page.locator(".seat.active")).to_have_id("seat-0")
    page.keyboard.type("9s")
    expect(page.locator("[name=players-0-hand]")).to_have_value("9s")
    assert page.locator("input.name").evaluate_all("(all) => all.map((one) => one.value)") == [
        "Ana", "Beto", "Caro", "Dani",
    ]  # fmt: skip


def test_a_late_joiner_takes_two_taps_and_a_name(page: Page, address: str) -> None:
    start_night(page, address, at="/round")
    page.locator('[data-picker] [data-piece="9s"]').click()
    page.locator("#rules > summary").click()
    page.get_by_role("link", name="+ One more player").click()
    field = page.get_by_placeholder("somebody new")
    field.fill("Ana")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Ana")
    field.fill("Dani")
    page.keyboard.press("Enter")
    # back in the round, of which nothing was lost
    expect(page.locator("[data-tab]")).to_have_text([re.compile(name) for name in ("Ana", "Beto", "Caro", "Dani")])
    expect(page.locator("[name=players-0-hand]")).to_have_value("9s")


def test_somebody_new_is_added_by_return_and_in_sight(phone: Callable[..., Page], address: str) -> None:
    page = phone(viewport={"width": 320, "height": 568})
    start_night(page, address, at="/people")
    page.get_by_placeholder("somebody new").fill("Dani")
    page.keyboard.press("Enter")
    expect(page.locator("#seats")).to_contain_text("Dani")
    expect(page.locator("#seats .who", has_text="Dani")).to_be_in_viewport(ratio=1)
    expect(page.get_by_placeholder("somebody new")).to_be_in_viewport(ratio=1)


def test_a_second_tap_on_the_eraser_adds_nobody(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    more = page.locator("#seat-0").get_by_role("button", name="+ One more")
    expect(more).to_be_visible()
    page.locator('[data-picker] [data-piece="9s"]').click()
    page.locator("#seat-0 [data-erase]").click()
    expect(page.locator("[name=players-0-hand]")).to_have_value("")
    expect(more).to_be_hidden()


def test_return_bets_the_amount(phone: Callable[..., Page], address: str) -> None:
    page = phone()
    start_night(page, address, game="draw-poker", at="/round")
    page.locator("#bet_amount").fill("3")
    page.keyboard.press("Enter")
    expect(page.locator("#betting")).to_contain_text("Ana bets 3")


def test_the_button_names_the_amount_that_is_typed(phone: Callable[..., Page], address: str) -> None:
    page = phone()
    start_night(page, address, game="draw-poker", at="/round")
    bet, check = page.locator("[value=act-bet]"), page.locator("[value=act-check]")
    page.locator("#bet_amount").fill("3")
    expect(bet).to_have_text("Bet 3")
    expect(bet).to_have_class("button primary")
    expect(check).to_have_class("button")
    page.locator("#bet_amount").fill("")
    expect(bet).to_have_text("Bet")
    expect(bet).to_have_class("button")
    expect(check).to_have_class("button primary")
