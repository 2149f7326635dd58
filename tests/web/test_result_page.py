"""A result's page: what is to be handed over or paid, each fact once, and the phone's choice of view."""

from __future__ import annotations

import re
from html import unescape

import pytest
from browser import PHONE, play_example
from devices import PlayedNight
from flask.testing import FlaskClient
from pages import as_posted, opened, send
from playwright.sync_api import Browser, Page, expect
from sample_rounds import ROUNDS, WITH_HANDS, changed


def listed(html: str, way: str) -> list[str]:
    """Return the sentences in one of the lists."""
    found = re.search(rf'<ul class="payments by-{way}".*?</ul>', html, re.DOTALL)
    if found is None:
        return []
    lines = re.findall(r"<li[^>]*>(.*?)</li>", re.sub(r'<span class="pair">.*</span>\n', "", found[0]), re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", "", line)).split()) for line in lines]


def test_a_table_with_chips_is_told_what_to_hand_over_and_one_that_keeps_score_what_to_pay(night: PlayedNight) -> None:
    html = night.keeper.get(night.books(players_2_hand="", players_2_dropped="y")).text
    assert listed(html, "chips")[:2] == ["Beto gives Ana 2", "Ana takes 3 from the pot"]
    assert listed(html, "score") == [
        "Beto pays Ana 3 1 of it already paid if you use chips",
        "Caro pays Ana 2 already paid if you use chips",
    ]


def test_what_goes_into_the_next_pot_is_put_into_it(client: FlaskClient) -> None:
    page = send(client, "knock", as_posted(client, ROUNDS["knock"]))
    assert any("into the pot" in line for line in listed(page.html, "chips")), listed(page.html, "chips")


def test_the_chips_tell_what_was_paid_before(client: FlaskClient) -> None:
    page = send(client, "knock-poker", as_posted(client, ROUNDS["knock-poker"]))
    assert listed(page.html, "chips")[-2:] == [
        "Caro gave Ana 1 already paid",
        "Ana: 1, Beto: 1, Caro: 1 already in the pot",
    ]


def test_a_result_says_how_many_pieces_each_exchanged(client: FlaskClient) -> None:
    played = changed("draw-poker", {"round.exchanged": {"Ana": 3, "Beto": 0}})
    html = send(client, "draw-poker", as_posted(client, played)).html
    assert set(re.findall(r"exchanged: \d", html)) == {"exchanged: 3", "exchanged: 0"}


def test_who_paid_before_is_in_the_list_of_those_who_pay(night: PlayedNight) -> None:
    dropped = {f"players_{seat}_hand": "" for seat in (1, 2)} | {f"players_{seat}_dropped": "y" for seat in (1, 2)}
    page = opened(night.keeper, night.books(**dropped))
    assert listed(page.html, "chips")[-3:-1] == ["Beto gave Ana 1 already paid", "Caro gave Ana 1 already paid"]


@pytest.mark.parametrize(("buy_in", "first"), [("", "score"), ("20", "chips")])
def test_c_12_with_stacks_what_is_handed_over_comes_first_else_who_pays_whom(
    night: PlayedNight, buy_in: str, first: str
) -> None:
    night.plays(f"buy-in {buy_in}") if buy_in else None
    line = night.books()
    assert night.keeper.page(line).moves == first
    # what was chosen for this night holds for its next results, whatever this phone shows of single rounds
    other = {"chips": "score", "score": "chips"}[first]
    night.keeper.client.set_cookie("moves", other)
    assert night.keeper.page(line).moves == first
    night.does("/payments-by", moves=other)
    assert night.keeper.page(line).moves == night.keeper.page(night.books()).moves == other


@pytest.mark.parametrize(("kept", "shown"), [("", "score"), ("chips", "chips"), ("anything", "score")])
def test_c_12_a_phone_remembers_its_choice_for_single_rounds(client: FlaskClient, kept: str, shown: str) -> None:
    client.set_cookie("moves", kept)
    assert send(client, "knock-poker", as_posted(client, ROUNDS["knock-poker"])).moves == shown


@pytest.mark.parametrize("game", WITH_HANDS)
def test_no_hand_is_drawn_twice(client: FlaskClient, game: str) -> None:
    page = send(client, game, as_posted(client, ROUNDS[game]))
    result = page.html[page.html.index('class="result') : page.html.index('id="entry"')]
    result = re.sub(r'<div class="stands">.*?</ul></div>', "", result, flags=re.DOTALL)
    drawn = re.findall(r'<li class="piece.*?<span class="unseen">(.*?)</span>', result, re.DOTALL)
    held = [len(hand.split()) for hand in ROUNDS[game]["round"]["hands"].values()]
    assert len(drawn) in (sum(held), sum(held) - min(held))


def test_a_result_of_four_fits_and_keeps_the_choice(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page: Page = context.new_page()
    page.goto(f"{address}settle/knock-poker")
    play_example(page)
    expect(page.locator(".by-score")).to_be_visible()
    expect(page.locator(".by-chips")).to_be_hidden()
    assert page.evaluate("document.querySelector('.why').getBoundingClientRect().bottom + scrollY") <= 1.6 * 844
    page.locator(".segments label", has_text="Chips on the table").tap()
    expect(page.locator(".by-chips")).to_be_visible()
    expect(page.locator(".by-score")).to_be_hidden()
    page.get_by_role("button", name="Change").tap()
    expect(page.locator("[data-picker]")).to_be_visible()
    expect(page.locator("#seat-0 .slot .face")).to_have_count(5)
    page.locator("[data-settle]").tap()
    expect(page.locator(".by-chips")).to_be_visible()
    context.close()


def test_hands_turn_over_when_a_round_was_just_settled_the_best_one_last(night: PlayedNight) -> None:
    line = night.books()
    html = night.keeper.get(line).text
    assert "turning" in html
    assert "turning" not in night.keeper.get(line.partition("?")[0]).text
    # one after the other from the lowest hand; the winner's stands at the top
    assert re.findall(r'<li class="turn-(\d)"', html) == ["2", "1", "0"]
    assert 'class="winner turn-2"' in html


@pytest.mark.parametrize("game", WITH_HANDS)
def test_change_opens_the_entry_as_it_was(client: FlaskClient, game: str) -> None:
    sent = as_posted(client, ROUNDS[game])
    settled = client.post(f"/settle/{game}", data={**sent, "do": "settle"}).text
    assert 'name="do" value="change"' in settled and "styles/entry.css" not in settled
    entry = send(client, game, sent, do="change")
    assert "styles/entry.css" in entry.html and 'class="result' not in entry.html
    assert {name: entry.fields[name] for name in sent if name.endswith("-hand")} == {
        name: value for name, value in sent.items() if name.endswith("-hand")
    }


def test_change_opens_the_entry_of_a_night(night: PlayedNight) -> None:
    form = night.round_fields(night.keeper) | {"asked-knocker": ["0"], "do": ["change"]}
    html = night.post("/round", **form).text
    assert "styles/entry.css" in html and 'class="result' not in html
