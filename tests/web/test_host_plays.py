"""The phone that keeps score has a seat as well: its own hand on a page of its own, and the scorekeeper's beside it."""

from __future__ import annotations

import re

from devices import HANDS, PlayedNight, words
from flask import Flask
from pages import Page


def seated(night: PlayedNight) -> PlayedNight:
    """Let the scorekeeper's phone take Ana's seat."""
    assert "I play too" in night.text("")
    answer = night.post("/me", player=night.players["Ana"])
    assert (answer.status_code, answer.location.partition("?")[2]) == (303, "own=yes")
    return night


def test_the_host_sees_the_own_hand_as_players_do(night: PlayedNight) -> None:
    own = seated(night).page("/round?own=yes")
    beto = night.joined("Beto").page(f"{night.night}/round")
    assert own.fields["own"] == beto.fields["own"] == ["yes"] * 3
    for page, seat in ((own, 0), (beto, 1)):
        hands = [name for name in page.fields if name.startswith("players-") and name.endswith("-hand")]
        assert hands == [f"players-{seat}-hand"]
    assert "The scorekeeper's page" in own.html.replace("&#39;", "'")
    keeper = night.page("/round")
    # the other view is one labelled tap away on each of them, and on nobody else's phone
    others = {"own": "All hands", "keeper": "My hand"}
    links = {"own": re.findall(r'<a class="tab way"[^>]*>(.*?)</a>', own.html, re.DOTALL)}
    links["keeper"] = re.findall(r'<a class="tab way own" href="[^"#]*own=yes">(.*?)</a>', keeper.html, re.DOTALL)
    assert {page: [others[page] in words(link) for link in found] for page, found in links.items()} == {
        "own": [True],
        "keeper": [True],
    }
    assert "All hands" not in beto.text
    assert "own" not in keeper.fields and "players-2-hand" in keeper.fields
    assert "My hand" in night.text("") and "I play too" not in night.text("")


def test_the_hosts_hand_is_face_down_for_others_and_the_others_for_the_host(night: PlayedNight) -> None:
    beto = seated(night).joined("Beto")
    night.types(beto, players_1_hand=HANDS["Beto"])
    fields = night.form("/round?own=yes") | {"players-0-hand": HANDS["Ana"]}
    answer = night.post("/round?own=yes", **fields, do="hand")
    assert answer.status_code == 303 and "own=yes" in answer.location
    assert night.page("/round?own=yes").fields["players-0-hand"] == [HANDS["Ana"]]
    assert HANDS["Beto"] not in night.html("/round?own=yes")
    assert HANDS["Ana"] not in beto.get(f"{night.night}/round").text
    assert night.state(beto)["down"] == [0]


def test_on_the_own_page_nothing_bets_for_others(app: Flask) -> None:
    night = seated(PlayedNight(app, "domino-poker"))
    pages = ("/round?own=yes", "?own=yes", "")  # the second is where the first one's script gets the table from
    assert ["amount" in night.page(page).fields for page in pages] == [True, True, True]
    night.presses("check-{Ana}", page="/round?own=yes")
    assert ["amount" in night.page(page).fields for page in pages] == [False, False, True]
    assert "Act for Beto" in night.text("/round?own=yes")


def test_a_round_that_was_saved_is_told_to_the_host_who_goes_on_to_the_next(night: PlayedNight) -> None:
    line = seated(night).books().partition("?")[0]
    page = night.keeper.page(f"{line}?since=0")
    assert "data-result" in page.html and "/round?own=yes" in page.html
    saved = night.keeper.page(line).html
    assert "data-result" not in saved and "/round?own=yes" in saved


def test_without_a_seat_own_makes_no_difference(night: PlayedNight) -> None:
    page = Page(night.html("/round?own=yes"))
    assert "own" not in page.fields and "players-2-hand" in page.fields


def test_the_host_gives_up_the_seat_like_everybody(night: PlayedNight) -> None:
    seated(night)
    assert "change player or give up this seat" in night.text("/people").lower()
    night.does("/me", do="give-up")
    assert "I play too" in night.text("")


def test_whoever_keeps_score_may_take_a_seat_before_anybody_has_joined(night: PlayedNight) -> None:
    ways = [night.page(page).html.count(f'href="{night.night}/me"') for page in ("", "/people")]
    assert ways == [1, 1]
    beto = night.joined("Beto")
    people = night.text("/people")
    # once somebody has, a panel asks, and both phones see who
    assert "Do you play too?" in people and people.count("I play too") == 1
    assert "on their own phone" in people and "on their own phone" in words(beto.get(f"{night.night}/people").text)
    night.post("/me", player=night.players["Ana"])
    assert "I play too" not in night.text("/people")


def test_one_phone_in_the_middle_has_the_same_taps_before_and_after_others_join(app: Flask) -> None:
    for game in ("knock-poker", "domino-poker"):
        night = PlayedNight(app, game)

        def taps(night: PlayedNight = night) -> list[str]:
            rail = night.html("").partition('id="rail"')[2]
            return re.findall(r'data-place="(\w+)"|form="plays" name="do" value="(\w+)-', rail)

        before = taps()
        assert len(before) == 2 and ("hands", "") in before
        night.joined("Beto")
        assert taps() == before


def test_players_are_told_who_keeps_score_by_name(night: PlayedNight) -> None:
    beto = seated(night).joined("Beto")
    night.types(beto, players_1_hand=HANDS["Beto"])
    fields = night.form("/round?own=yes") | {"players-0-hand": HANDS["Ana"], "players-2-hand": HANDS["Caro"]}
    assert night.post("/round?own=yes", **fields, do="hand").status_code == 303
    night.types(night.keeper, players_2_hand=HANDS["Caro"], asked_knocker="0")
    assert "Ana settles the round" in night.text("/round", beto)
