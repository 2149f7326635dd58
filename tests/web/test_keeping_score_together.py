"""A phone at the table that keeps score beside the scorekeeper's, and players who come back by themselves."""

from __future__ import annotations

import re

import pytest
from devices import HANDS, Device, PlayedNight
from flask import Flask

PAGES = (
    "",
    "/rounds",
    "/money",
    "/people",
    "/round",
    "/round?own=yes",
    "/rules",
    "/cost",
    "/close",
    "/changes",
    "/end",
)


@pytest.fixture
def beto(night: PlayedNight) -> Device:
    """Return the phone of a player who is allowed to keep score."""
    beto = night.joined("Beto")
    night.does("/phones", do="keeper-{Beto}")
    return beto


def statuses(night: PlayedNight, by: Device) -> list[int]:
    return [by.get(night.night + page).status_code for page in ("/rules", "/close")]


def test_a_phone_that_may_keep_score_does_all_of_it(night: PlayedNight, beto: Device) -> None:
    assert statuses(night, beto) == [200] * 2
    night.keeper = beto
    night.plays("round, loan 5, void 1, new Dani, left Caro, close, reopen")
    assert "Beto" in night.text("/people") and "Keep score" not in night.text("/money")


def test_the_group_stays_the_scorekeepers(night: PlayedNight, beto: Device) -> None:
    assert [beto.get(night.group + page).status_code for page in ("", "/settings", "/export/group.json")] == [404] * 3
    assert beto.post(f"{night.group}/links", do="renew-keep").status_code == 404


def test_no_page_of_its_night_leads_a_phone_to_what_it_may_not_see(night: PlayedNight, beto: Device) -> None:
    night.plays("round, loan 5, settle")
    found = {page: beto.get(night.night + page) for page in PAGES}
    links = {
        link.partition("#")[0]
        for answer in found.values()
        for link in re.findall(r'(?:href|action|formaction)="(/[^"]*)"', answer.text.replace("&amp;", "&"))
    }
    asked = {link: beto.get(link).status_code for link in sorted(links) if "/static/" not in link}
    assert len(asked) > 20
    assert {link for link, status in asked.items() if status in (403, 404)} == set()


def test_the_own_hand_stays_the_page_of_a_phone_that_begins_to_keep_score(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    page = beto.does(f"{night.night}/me", player=night.players["Beto"])
    fields = night.page(page, beto).fields
    assert fields["own"] == ["yes"] * 3
    night.does("/phones", do="keeper-{Beto}")
    assert night.page(page, beto).fields["own"] == ["yes"] * 3
    assert "players-0-hand" not in night.page(page, beto).fields
    # what another phone has face down stays so
    night.types(night.joined("Ana"), players_0_hand=HANDS["Ana"])
    for path in ("/round", "/round?own=yes", "/state", "/state?own=yes"):
        assert HANDS["Ana"] not in beto.get(night.night + path).text


ENDS = [
    ("/phones", "player-{Beto}", 403),
    ("/phones", "free-{Beto}", 403),
    ("/phones", "renew", 404),
    ("{group}/links", "renew-play", 404),
    ("{group}/links", "renew-look", 200),
]


@pytest.mark.parametrize(("path", "do", "left"), ENDS, ids=[f"{row[0]} {row[1]}" for row in ENDS])
def test_how_it_ends(night: PlayedNight, beto: Device, path: str, do: str, left: int) -> None:
    night.does(path, do=do)
    assert statuses(night, beto) == [left] * 2


def test_the_phone_that_makes_a_new_code_goes_on_with_it(night: PlayedNight, beto: Device) -> None:
    caro = night.joined("Caro")
    night.does("/phones", beto, do="renew")
    assert (statuses(night, beto), statuses(night, caro)) == ([200] * 2, [404] * 2)
    assert caro.joins(night.code()).get(night.night).status_code == 200


def test_a_page_of_all_hands_learns_that_its_phone_keeps_score_no_longer(night: PlayedNight, beto: Device) -> None:
    told = [beto.get(f"{night.night}/state{own}").get_json()["own"] for own in ("", "?own=yes")]
    night.does("/phones", do="player-{Beto}")
    told.append(night.state(beto)["own"])
    assert told == [False, True, True]


def test_an_old_tab_of_a_closed_night_leads_to_it(night: PlayedNight) -> None:
    beto, viewer = night.joined("Beto"), night.guest("look")
    assert viewer.get(f"{night.night}/round").status_code == 403
    night.plays("round, close")
    for device in (beto, viewer):
        assert device.get(f"{night.night}/round?own=yes").location == night.night


def test_who_joins_again_keeps_score_again(night: PlayedNight, beto: Device) -> None:
    night.does("/phones", do="renew")
    assert statuses(night, beto.joins(night.code())) == [200] * 2


def test_it_goes_with_the_phone_and_not_with_the_seat(night: PlayedNight, beto: Device) -> None:
    beto.does(f"{night.night}/me", player=night.players["Caro"])
    other = night.joined("Beto")
    assert (statuses(night, beto), statuses(night, other)) == ([200] * 2, [403] * 2)
    beto.does(f"{night.night}/me", do="give-up")
    assert statuses(night, night.joined("Caro")) == statuses(night, beto) == [403] * 2


def test_a_phone_with_the_player_link_keeps_score_too(night: PlayedNight) -> None:
    beto = night.guest("play")
    beto.does(f"{night.night}/me", player=night.players["Beto"])
    night.does("/phones", do="keeper-{Beto}")
    assert statuses(night, beto) == [200] * 2
    assert beto.get(f"{night.group}/settings").status_code == 403


def test_players_cant_let_themselves(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    assert night.post("/phones", beto, do="keeper-{Beto}").status_code == 403
    assert statuses(night, beto) == [403] * 2


def test_only_a_phone_at_a_seat_can_keep_score(night: PlayedNight) -> None:
    refused = night.post("/phones", do="keeper-{Beto}")
    assert (refused.status_code, "has already been given up" in refused.text) == (409, True)
    assert night.post("/phones", do="keeper-999").status_code == 400


def test_the_list_of_changes_says_who_keeps_score(night: PlayedNight, beto: Device) -> None:
    night.does("/phones", do="player-{Beto}")
    night.does("/phones", do="keeper-{Beto}")
    assert [words[-3:] for words in _told(night)] == [["Keeps", "score", answer] for answer in ("yes", "no", "yes")]


def _told(night: PlayedNight) -> list[list[str]]:
    found = re.findall(r"<b>Scorekeeper</b>.*?</dl>", night.html("/changes"), re.DOTALL)
    return [re.sub(r"<[^>]+>", " ", one).split() for one in found]


def test_a_closed_night_can_still_be_settled_by_who_kept_its_score(night: PlayedNight, beto: Device) -> None:
    night.plays("round, close")
    assert beto.get(f"{night.night}/settle").status_code == 200
    assert night.does("/settle", beto).startswith("/plans/") or night.plan("/settle")
    night.does("/close", beto, do="reopen")


def test_who_leaves_last_of_the_scorekeepers_is_asked_who_goes_on(night: PlayedNight) -> None:
    question = "Who keeps score when you have gone?"
    night.does("/me", player="{Ana}")
    leave = f"/leave?player={night.players['Ana']}"
    asked = [question in night.text(leave)]
    beto = night.joined("Beto")
    asked.append(question in night.text(leave))
    asked.append(question in night.text(f"/leave?player={night.players['Beto']}", beto))
    night.does("/phones", do="keeper-{Beto}")
    asked.append(question in night.text(leave))
    assert asked == [False, True, False, False]


# ---- coming back


@pytest.mark.parametrize("gone", ["left", "out"])
def test_who_was_away_comes_back_alone(night: PlayedNight, gone: str) -> None:
    beto = night.joined("Beto")
    night.plays(f"{gone} Beto")
    assert "Back in" in night.text("/people", beto) and "I'm leaving" not in night.text("/people", beto)
    assert night.does("/me", beto, player="{Beto}") == f"{night.night}/round?own=yes"
    assert "I'm leaving" in night.text("/people", beto)
    assert night.page("/round").fields["seat"] == list(night.players.values())


def test_who_comes_back_with_another_phone_is_told_what_that_does(night: PlayedNight) -> None:
    night.plays("left Beto, out Caro")
    guest = night.guest()
    assert "Beto B has left · back in" in night.text("/me", guest)
    assert "Caro C sits out · back in" in night.text("/me", guest)
    night.does("/me", guest, player="{Beto}")
    assert "Beto has left" not in night.text("/people")


def test_who_comes_back_changes_no_dealer(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    night.does("/play", do="dealer-{Ana}", number="1", game="knock-poker")
    night.plays("round, left Beto")
    ana, _beto, caro = night.players.values()
    night.types(night.keeper, number="2", seat=[ana, caro], players_0_hand=HANDS["Ana"])
    before = night.text("")
    night.does("/me", beto, player="{Beto}")
    assert ("Caro deals" in before, "Caro deals" in night.text("")) == (True, True)


def test_who_comes_back_once_the_cards_are_dealt_waits_for_the_next_hand(app: Flask) -> None:
    night = PlayedNight(app, "knock-rummy")
    beto = night.joined("Beto")
    night.plays("left Beto")
    mark = night.page("").fields["mark"][0]
    night.does("/play", do="dealt-{Ana}", number="1", game="knock-rummy", mark=mark)
    ana, _beto, caro = night.players.values()
    for _ in range(2):
        assert night.page("/round").fields["seat"] == [ana, caro]
        night.does("/me", beto, player="{Beto}")
    night.plays("new Dani")
    assert night.page("/round").fields["seat"] == [ana, caro]
    assert "You aren't in this round" in night.text("", beto)


def test_an_ante_takes_chips(app: Flask) -> None:
    night = PlayedNight(app, "guts", **{"buy-in": "5"})
    night.does("/move", movement="pot", amount="5", from_="{Beto}", to="pot")
    mark = night.page("").fields["mark"][0]
    dealt = {"do": "dealt-{Ana}", "number": "2", "game": "guts", "mark": mark}
    assert night.post("/play", **dealt).status_code == 303  # nobody antes: the pot isn't empty
    night = PlayedNight(app, "knock", **{"buy-in": "5"})
    night.does("/move", movement="pot", amount="5", from_="{Beto}", to="pot")
    refused = night.post("/play", **{**dealt, "game": "knock", "mark": night.page("").fields["mark"][0]})
    assert (refused.status_code, "Beto has no chips left: record a rebuy first" in refused.text) == (422, True)
    night.plays("rebuy Beto 5")
    assert (
        night.post(
            "/play", **{**dealt, "number": "3", "game": "knock", "mark": night.page("").fields["mark"][0]}
        ).status_code
        == 303
    )
