"""Small things that a table stumbles over: numbers that disagree, answers nobody gave, mistakes told in one place."""

from __future__ import annotations

import re

import pytest
from browser import answer, cards_of, enter_hand, has_script, play_example, start_night, tap_cards
from devices import PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import Markup
from pages import Page, as_posted, opened
from playwright.sync_api import Browser, ViewportSize, expect
from playwright.sync_api import Page as BrowserPage
from sample_rounds import changed

from companion.games import all_games
from companion.store.log import replay
from companion.web.round.form.document import names_by_key
from companion.web.round.form.fields import RoundForm
from companion.web.text.labels import MOVEMENTS, monogram, places
from companion.web.text.language import dotted


def sent(client: FlaskClient, fields: dict[str, list[str]], do: str, game: str = "knock-poker") -> str:
    return client.post(f"/settle/{game}", data={**fields, "do": do}).text


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """Give a night with a round, a loan, and another round: lines 1 and 3."""
    return PlayedNight(app, begins="round, loan 2, round")


# a page | its title
TITLES = [
    ("/lines/3", "Round 2"),
    ("/lines/2", "Loan"),
    ("/lines/3/correct", "Fix round 2"),
    ("/lines/3/void", "Void round 2?"),
    ("/round", "Round 3"),
]


@pytest.mark.parametrize(("path", "title"), TITLES)
def test_rounds_have_the_same_number_in_titles(night: PlayedNight, path: str, title: str) -> None:
    assert re.findall(r"<h1[^>]*>(.*?)</h1>", night.html(path)) == [title]


def test_a_loan_is_not_corrected_like_a_round(night: PlayedNight) -> None:
    assert night.keeper.get(f"{night.night}/lines/2/correct").status_code == 404


def test_rounds_have_the_same_number_everywhere(night: PlayedNight) -> None:
    assert "Round 3" in night.text()
    assert re.findall(r'class="number">(\d+)<', night.html("/rounds")) == ["2", "1"]
    assert re.findall(r'<th scope="row">(\d*)\s', night.html("/print")) == ["1", "", "2"]
    assert ("Round 2" in night.text("/changes"), "Round 3" in night.text("/changes")) == (True, False)
    # correcting the first round leaves the same number
    fields = night.form("/lines/1/correct", asked_knocker="1")
    assert "Fix round 1" in night.post("/lines/1/correct", **fields, do="settle").text


def test_a_player_keeps_one_colour_whatever_seat_they_have(night: PlayedNight) -> None:
    ana, beto, caro = night.players.values()
    night.does("/seats", order=[caro, beto, ana], do="out-" + beto)
    night.does("/seats", newcomer="Ada", do="new", order=[caro, beto, ana])
    chips = {"C": "2", "An": "0", "Ad": "3"}
    for path in ("", "/round", "/rounds", "/money", "/people", "/table", "/lines/1", "/me"):
        shown = re.findall(r'class="player player-(\d) [^>]*>(\w+)<', night.keeper.get(night.night + path).text)
        assert {letters: number for number, letters in shown if letters != "B"}.items() <= chips.items(), path
        assert set(shown) & {(number, letters) for letters, number in chips.items()}, path


def test_a_card_in_two_hands_is_named_as_people_do_and_marked_at_both(client: FlaskClient) -> None:
    fields = as_posted(client, changed("knock-poker", {"round.hands.Beto": "9h Kh 8h 5h 3h"}))
    page = Page(sent(client, fields, "settle"))
    for hand in ("players-0-hand", "players-1-hand"):
        assert page.errors[hand].startswith("9♥ is in")
    assert page.texts["problems"].count("9♥") == 1


def test_nobody_is_not_chosen_while_the_page_asks_who_did(client: FlaskClient) -> None:
    for game, key in (("knock-poker", "knocker"), ("dompe", "caller")):
        html = client.get(f"/settle/{game}").text
        assert not re.search(rf'name="asked-{key}" value="\w+" checked', html)
    # and what must be answered does not stand behind the gear
    html = client.get("/settle/knock-poker").text
    assert html.index('value="nobody"') > html.index("</details>", html.index('id="rules"'))


def test_house_rules_close_their_panel_and_say_so(client: FlaskClient) -> None:
    fields = opened(client, "/settle/knock-poker").fields
    closed = sent(client, fields, "rules")
    assert "The house rules apply to this round." in closed
    assert not re.search(r'id="rules" open', closed)
    # a deck that redraws the keys leaves it open, as there may be more to choose
    assert re.search(r'id="rules" open', sent(client, fields, "rules-on"))
    assert re.search(r'id="rules" open', sent(client, {**fields, "rules-ante": ["many"]}, "settle"))


# ---- in the browser


def test_a_reload_brings_back_what_was_mended(page: BrowserPage, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    page.locator("[data-type]").tap()
    page.fill("[name=players-0-hand]", "9s 9h 9d 4c Xx")
    page.locator("[data-settle]").tap()
    expect(page.locator("#problems")).to_be_visible()
    page.fill("[name=players-0-hand]", "9s 9h 9d 4c 4d")
    page.reload()
    assert cards_of(page, 0) == "9s 9h 9d 4c 4d"
    expect(page.locator("#problems")).to_have_count(0)


def test_a_reload_keeps_more_seats_and_another_deck(page: BrowserPage, address: str) -> None:
    page.goto(f"{address}settle/dompe")
    page.locator('button[value="add"]').locator("visible=true").tap()
    expect(page.locator("[data-seat]")).to_have_count(5)
    page.locator("#rules > summary").tap()
    page.select_option("[name=rules-deck]", "spanish-40")
    expect(page.locator("[data-picker] [data-piece]")).to_have_count(40)
    page.reload()
    expect(page.locator("[data-seat]")).to_have_count(5)
    expect(page.locator("[data-picker] [data-piece]")).to_have_count(40)


def test_back_to_an_answer_shows_the_round(page: BrowserPage, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    play_example(page)
    assert has_script(page)  # which makes the answer a page that the browser may ask for again
    page.goto(f"{address}help/")
    page.go_back()
    expect(page.locator("#entry")).to_have_count(1)
    assert cards_of(page, 0) == "9s 9h 9d 4c 4d"
    page.go_forward()
    expect(page.locator("h1")).to_have_text("Rules")


def test_another_dealer_is_told_where_none_was(page: BrowserPage, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    page.evaluate("document.querySelector('[data-dealer]').textContent = ''")
    page.locator("#rules > summary").tap()
    page.locator("#dealers label").nth(1).tap()
    expect(page.locator("[data-dealer]")).to_have_text("Player 2 deals")


def test_nobody_knocked_is_one_tap(page: BrowserPage, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    answer(page, 0, "knocked")
    page.locator(".nobody").tap()
    expect(page.locator("[name=asked-knocker]:checked")).to_have_value("nobody")
    enter_hand(page, 0, "9s 9h 9d 4c 4d")


@pytest.mark.parametrize("in_night", [False, True], ids=["single", "night"])
def test_what_is_missing_follows_the_way_at_once(page: BrowserPage, address: str, in_night: bool) -> None:
    where = f"{start_night(page, address, ('Ana', 'Beto'), 'knock-poker')}/round" if in_night else ""
    page.goto(where or f"{address}settle/knock-poker")
    missing = page.locator("[data-missing]")
    page.locator('[data-tab="0"]').tap()
    nothing_yet = "Cards missing" if in_night else "Player 4 deals"
    expect(missing).to_contain_text(nothing_yet)
    page.locator("[data-way]").first.tap()
    expect(missing).to_have_text("Tap who won")
    page.locator('[data-tab="0"]').tap()
    expect(missing).to_contain_text(nothing_yet)


def test_what_lies_under_the_house_rules_cannot_be_reached(page: BrowserPage, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    expect(page.locator("[data-settle]")).to_be_visible()
    page.locator("#rules > summary").tap()
    expect(page.locator("[data-settle]")).to_be_hidden()
    page.locator("#rules > summary").tap()
    expect(page.locator("[data-settle]")).to_be_visible()


def test_who_folded_is_not_asked_what_was_exchanged(page: BrowserPage, address: str) -> None:
    page.goto(f"{address}settle/draw-poker")
    page.locator("#betting [value=act-fold]").tap()
    expect(page.locator("#seat-0")).to_have_attribute("data-out", "")
    exchanged = [page.locator(f"#seat-{seat} .amount", has_text="exchanged") for seat in (0, 1)]
    expect(exchanged[0]).to_have_css("display", "none")
    expect(exchanged[1]).not_to_have_css("display", "none")


def test_a_phone_on_its_side_has_all_in_its_place(browser: Browser, address: str) -> None:
    size: ViewportSize = {"width": 844, "height": 390}
    page = browser.new_context(viewport=size, has_touch=True, is_mobile=True).new_page()
    night = start_night(page, address, ("Ana", "Beto", "Caro", "Dani"), "knock")
    edges = "one => ['left', 'top', 'right', 'bottom'].map((edge) => one.getBoundingClientRect()[edge])"
    page.goto(f"{night}/round")
    for way in page.locator("[data-way]").all():
        way.tap()
        expect(way).to_have_attribute("aria-current", "true")
        ana, beto, caro, _ = (page.locator(f"#seat-{number}").evaluate(edges) for number in range(4))
        # two beside each other, then the next two; the bar at the bottom, from edge to edge
        assert ana[1] == beto[1] < caro[1] and ana[0] == caro[0] < beto[0]
        left, _, right, bottom = page.locator(".docked").evaluate(edges)
        assert (left, right, bottom) == (0, 844, 390)
    page.goto(f"{night}/table")
    cut = """() => {
      const side = document.querySelector('.side').getBoundingClientRect()
      return [...document.querySelectorAll('.join :is(b, svg)')].map((part) => {
        const { right, bottom } = part.getBoundingClientRect()
        return right >= side.right || bottom >= side.bottom || part.scrollWidth > part.clientWidth
      })
    }"""
    assert page.evaluate(cut) == [False, False]  # in one go, because the view draws itself anew when something is new
    page.context.close()


@pytest.mark.parametrize(
    ("sums", "told"),
    [
        ([9, 4, 1, 0], [1, 2, 3, 4]),
        ([9, 4, 4, 0], [1, 2, 2, 4]),
        ([3, 3, 3, -9], [1, 1, 1, 4]),
        ([5, -1, -1, -1, -2], [1, 2, 2, 2, 5]),
        ([0], [1]),
        ([], []),
    ],
)
def test_equal_sums_share_a_place(sums: list[int], told: list[int]) -> None:
    assert places(sums) == told


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        (("Ana", "Beto"), "Ana · Beto"),
        (("Ana", "", None, "Beto"), "Ana · Beto"),
        (("A & B", Markup("<b>C</b>")), "A &amp; B · <b>C</b>"),
        (("Ana",), "Ana"),
        ((), ""),
    ],
)
def test_parts_are_joined_with_dots(parts: tuple[str, ...], told: str) -> None:
    assert re.sub("</?(span|i)[^>]*>", "", dotted(parts)) == told


def test_a_refused_movement_lists_what_is_to_fix(night: PlayedNight) -> None:
    page = night.told("/move", movement="loan", from_="{Ana}", to="{Ana}", amount="1.5", note="").html
    assert "2 things to fix" in page
    assert re.findall(r'<a href="#(to|amount)">', page) == ["to", "amount"]


# the names as typed, and what stands for each in sentences about the rest of the round
STAND_INS = [
    (["Ana", "Beto"], ["Ana", "Beto"]),
    (["", "Beto"], ["Player 1", "Beto"]),
    (["Ana", "", "Player 2"], ["Ana", "Player 2 *", "Player 2"]),
    (["Ana", "Player 2", "player 2"], ["Ana", "Player 2", "Player 3"]),
]


@pytest.mark.parametrize(("names", "found"), STAND_INS)
def test_a_wrong_name_is_replaced_by_one_that_nobody_has(app: Flask, names: list[str], found: list[str]) -> None:
    with app.test_request_context("/"):
        form = RoundForm(all_games()["knock"])
        for name in names:
            form.add_seat(name)
        assert list(names_by_key(form).values()) == found


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (["Ana", "Beto", "Caro"], "A B C"),
        (["Ana", "Alba", "Caro"], "An Al C"),
        (["María", "Mario", "Marta", "Mara"], "Ma Mr Mt M2"),
        (["Ana", "Ana Luz"], "An AL"),
        (["Juan", "Juan Carlos", "Juana"], "Ju JC Ja"),
        (["Player 1", "Player 2", "Paula"], "P1 P2 Pa"),
        (["A", "Ab", "AB c"], "A Ab AC"),
        (["", ""], "? ?"),
        # a family, a flag, a flag of tags, a skin tone, an accent of its own and a vowel sign are parts of one letter
        (
            ["👨\u200d👩\u200d👧 Fam", "🇲🇽 Luz", "🏴\U000e0067\U000e0062\U000e007f", "👍🏽", "e\u0301lan", "कि"],
            "👨\u200d👩\u200d👧 🇲🇽 🏴\U000e0067\U000e0062\U000e007f 👍🏽 É कि",
        ),
        (["🇲🇽 Luz", "🇲🇽 Sol", "🇲🇺 Ada"], "🇲🇽L 🇲🇽S 🇲🇺"),
        (["👍🏽Ana", "👍🏽Bo", "👍Ana"], "👍🏽a 👍🏽b 👍"),
    ],
)
def test_the_letters_on_chips_differ(names: list[str], letters: str) -> None:
    assert [monogram(name, names) for name in names] == letters.split()


def test_whatever_a_line_may_be_has_a_name() -> None:
    assert {*MOVEMENTS} == {*replay.MOVEMENTS}


def test_three_or_five_play_without_opening_the_settings(page: BrowserPage, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    page.locator("#seat-0").get_by_role("button", name="Not playing").tap()
    expect(page.locator("[data-seat]")).to_have_count(3)
    for seats in (4, 5):
        page.get_by_role("button", name="+ One more").locator("visible=true").tap()
        expect(page.locator("[data-seat]")).to_have_count(seats)
    tap_cards(page, "9s")
    expect(page.get_by_role("button", name="+ One more").locator("visible=true")).to_have_count(0)
