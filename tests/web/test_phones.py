"""Everybody's own phone: codes, choosing a player, the shared draft, face-down hands, and rights."""

from __future__ import annotations

from typing import Any

import pytest
from devices import HANDS, Device, PlayedNight
from flask import Flask
from pages import Page

from companion.web.http.requests.rate_limits import too_many_tries

ANA, BETO, CARO = HANDS.values()


# ---- joining


def test_the_home_page_lists_the_nights_that_a_phone_has_joined(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    address = f'href="{night.night}"'
    assert "Nights you joined" in beto.get("/").text
    assert address in beto.get("/").text
    night.books()
    night.does("/close", do="leave")
    assert address in beto.get("/").text  # still to be looked at
    assert f'href="{night.night}/settle"' in beto.get(night.night).text  # what Beto owes, and how to pay it
    beto.open(night.links()["look"])
    assert "Nights you joined" not in beto.get("/").text  # its group is there
    night.does("{group}/links", do="renew-look")
    assert address in beto.get("/").text  # the link is replaced, the code isn't
    assert "Nights you joined" not in Device(night.app).get("/").text


# how a code is written
WRITTEN = [
    ("as-shown", lambda code: code),
    ("lower-case", str.lower),
    ("in-two-parts", lambda code: f" {code[:3]} {code[3:]} "),
    ("as-url", lambda code: f"http://192.168.178.21:8000/join/{code}"),
    ("as-url-with-slash", lambda code: f"http://192.168.178.21:8000/join/{code}/ "),
    ("hyphen", lambda code: f"{code[:3]}-{code[3:]}"),
]


@pytest.mark.parametrize("written", [row[1] for row in WRITTEN], ids=[row[0] for row in WRITTEN])
def test_a_phone_joins_by_a_typed_code(night: PlayedNight, app: Flask, written: Any) -> None:
    device, code = Device(app), written(night.code())
    assert device.get(night.night).status_code == 404
    assert len(code) <= int(device.page("/join").all("input", "maxlength")[0])
    assert device.does("/join", code=code) == f"{night.night}/me"
    assert device.get(night.night).status_code == 200
    # the code opens the night, and not its group
    assert device.get(night.group).status_code == 404
    assert night.group not in device.get(night.night).text


def test_the_code_to_scan_scales_with_its_box(night: PlayedNight) -> None:
    drawn = night.html("/people").partition('<div class="code">')[2]
    assert drawn.startswith('<svg viewBox="0 0 ')  # with a width and height alone, a narrower box cuts it off


@pytest.mark.parametrize("code", ["", "XXXXXX", "X", "CDFHJKMN" * 40, "\x00", "<script>"], ids=ascii)
def test_a_wrong_code_is_told_at_its_field(night: PlayedNight, app: Flask, code: str) -> None:
    response = Device(app).post("/join", code=code)
    page = Page(response.text)
    assert response.status_code == 200
    assert "No open night has this code" in page.errors["code"]
    assert "<script>" not in response.text


def test_a_closed_night_lets_nobody_in_and_those_inside_look_on(night: PlayedNight, app: Flask) -> None:
    code, beto = night.code(), night.joined("Beto")
    night.plays("close")
    assert "No open night has this code" in Device(app).post("/join", code=code).text
    assert "no longer valid" in Device(app).get(f"/join/{code}").text
    assert beto.get(night.night).status_code == 200
    assert beto.get(f"{night.night}/settle").status_code == 200
    assert beto.get(f"{night.night}/round").location == night.night
    night.does("/close", do="reopen")
    # with the same code: who came by it has the seat of before, and others come in again
    assert night.code() == code
    assert "Hand of Beto" in beto.get(f"{night.night}/round").text
    assert Device(app).get(f"/join/{code}").status_code == 303


def test_who_tried_too_often_is_told_how_long_to_wait_and_keeps_what_was_typed(night: PlayedNight, app: Flask) -> None:
    device, code = Device(app), night.code()
    *_, refused = (device.post("/join", code=code.lower() if at == 20 else f"CDF{at:03}") for at in range(21))
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    page = Page(refused.text)
    assert page.fields["code"] == [code.lower()]
    assert "Wait a minute" in page.text


@pytest.mark.parametrize(
    ("seconds", "told"), [(1, "a minute"), (60, "a minute"), (61, "2 minutes"), (3600, "60 minutes")]
)
def test_the_wait_is_told_in_whole_minutes(seconds: int, told: str) -> None:
    assert f"Wait {told}, " in str(too_many_tries(seconds))


def test_who_i_am_is_asked_and_kept(night: PlayedNight) -> None:
    device, me = night.guest(), f"{night.night}/me"
    assert device.get(f"{night.night}/round").location == me
    assert night.does("/round", device, do="enter") == me
    assert night.page("/me", device).all("button", "value") == list(night.players.values())
    assert {night.post("/me", device, player=wrong).status_code for wrong in ("", "0", "Ana", "999")} == {200}
    assert night.does("/me", device, player="{Beto}") == f"{night.night}/round?own=yes"
    assert [name for name in night.form("/round", device) if name.endswith("-hand")] == ["players-1-hand"]


# ---- the draft


def test_two_phones_enter_at_once(night: PlayedNight) -> None:
    ana, beto = night.joined("Ana"), night.joined("Beto")
    night.types(ana, players_0_hand=ANA)
    night.types(beto, players_1_hand=BETO)
    fields = night.types(night.keeper, players_2_hand=CARO, asked_knocker="0")["fields"]
    assert [fields[f"players-{seat}-hand"] for seat in range(3)] == [ANA, BETO, CARO]
    assert fields["asked-knocker"] == "0"
    for device in (ana, beto):
        assert night.state(device)["live"]["settled"]["headline"] == "Ana wins +6"


def test_what_was_typed_stands_in_the_form_after_a_reload(night: PlayedNight) -> None:
    night.types(night.keeper, players_0_hand=ANA, players_2_dropped="y", asked_knocker="1", dealer="0")
    page = night.page("/round").fields
    assert page["players-0-hand"] == [ANA]
    assert page["players-2-dropped"] == ["y"]
    assert (page["asked-knocker"], page["dealer"]) == (["1"], ["0"])


def test_a_draft_outlasts_a_change_of_seats(night: PlayedNight) -> None:
    night.types(night.keeper, players_0_hand=ANA, asked_knocker="0")
    ids = night.players
    night.does("/seats", order=[ids["Beto"], ids["Ana"], ids["Caro"]], do="order")
    page = night.page("/round").fields
    assert page["players-1-name"] == ["Ana"]
    assert page["players-1-hand"] == [ANA]
    assert page["asked-knocker"] == ["1"]
    # a phone that still has the old seats writes nothing into the wrong hand
    night.types(night.keeper, players_0_hand=CARO)
    assert night.page("/round").fields["players-0-hand"] == [""]


@pytest.mark.parametrize(("has_begun", "deals"), [(False, "Dani"), (True, "Caro")])
def test_who_sits_down_does_not_change_who_deals_a_hand_that_has_begun(
    night: PlayedNight, has_begun: bool, deals: str
) -> None:
    assert "Caro deals" in night.text("/round")  # the last seat deals a night's first round
    if has_begun:
        night.types(night.keeper, players_0_hand=ANA)
    night.does("/seats", do="new", newcomer="Dani")
    assert f"{deals} deals" in night.text("/round")


def test_hands_of_another_game_are_left_out_and_what_was_mistyped_stays(night: PlayedNight) -> None:
    night.types(night.keeper, players_0_hand=ANA, players_1_hand="9s Zz")

    def hands(game: str) -> list[list[str]]:
        page = night.page(f"/round?game={game}")
        return [page.fields[f"players-{seat}-hand"] for seat in range(2)]

    assert hands("domino-poker") == [[""], ["9s Zz"]]
    assert hands("dompe") == hands("knock-poker") == [[ANA], ["9s Zz"]]
    night.types(night.keeper, players_0_hand="1o 12e 10b")  # of Dompe's Spanish deck
    assert hands("knock-poker") == [[""], ["9s Zz"]]


def test_a_phone_is_told_only_what_can_be_mended_on_it(night: PlayedNight) -> None:
    beto, nonsense = night.joined("Beto"), "Xx"
    night.types(night.keeper, players_0_hand=nonsense)
    assert nonsense in night.state(night.keeper)["live"]["wrong"][0]["text"]
    assert night.state(beto)["live"]["wrong"] == []
    night.types(beto, players_1_hand="Yy")
    (wrong,) = night.state(beto)["live"]["wrong"]
    assert wrong["id"] == "players-1-hand"


MISTYPED = {
    "turned up": {"players_0_hand": "Xx", "asked_knocker": "0", "do": "show"},
    "no card": {"players_0_draws": "many"},
    "beside a hand that lies face down": {"players_0_draws": "many", "players_2_hand": CARO},
}


# what the scorekeeper mistyped of Ana's, and whether Beto's own hand is in
@pytest.mark.parametrize("mistyped", MISTYPED.values(), ids=MISTYPED)
@pytest.mark.parametrize("hand", ["", BETO], ids=["nothing", "his hand"])
def test_what_is_wrong_with_another_seat_is_told_to_the_scorekeeper_alone(
    night: PlayedNight, mistyped: dict[str, str], hand: str
) -> None:
    beto, do = night.joined("Beto"), mistyped.get("do", "")
    if hand:
        night.types(beto, players_1_hand=hand)
    night.types(night.keeper, **{**mistyped, "do": do})
    assert [wrong["id"][:10] for wrong in night.state(night.keeper)["live"]["wrong"]] == ["players-0-"]
    assert night.state(beto)["live"]["wrong"] == []
    # what is wrong with the round itself is told to everybody
    night.types(night.keeper, rules_ante="lots", do=do)
    assert [wrong["id"] for wrong in night.state(beto)["live"]["wrong"]] == ["rules-ante"]


def test_the_answer_to_a_tap_is_the_state_that_all_phones_have_then(night: PlayedNight) -> None:
    for hand in (ANA, ANA[:5], ANA[:5], ANA):  # the third changes nothing
        answered = night.types(night.keeper, players_0_hand=hand)
        assert answered == night.state(night.keeper)


def test_the_state_is_not_sent_twice(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    first = beto.get(f"{night.night}/state")
    mark = first.headers["ETag"]
    again = beto.get(f"{night.night}/state", headers={"If-None-Match": mark})
    assert (first.status_code, again.status_code, again.data) == (200, 304, b"")
    assert mark == f'W/"{first.get_json()["mark"]}"'
    night.types(night.keeper, asked_knocker="0")
    news = beto.get(f"{night.night}/state", headers={"If-None-Match": mark})
    assert news.status_code == 200
    assert news.headers["ETag"] != mark


@pytest.mark.parametrize("way", ['"', "\n", "€", "🂡", "x" * 5_000])
@pytest.mark.parametrize("known", ["*", 'W/"0"'])
def test_a_state_is_marked_whatever_way_is_asked_for(night: PlayedNight, way: str, known: str) -> None:
    for asked in ({"way": way}, {"game": way}):
        answer = night.keeper.get(f"{night.night}/state", query_string=asked, headers={"If-None-Match": known})
        assert answer.status_code == (304 if known == "*" else 404 if "game" in asked else 200)
        assert len(str(answer.headers)) < 2_000


def test_a_phone_that_says_who_it_is_gets_a_new_state(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    mark = beto.get(f"{night.night}/state").headers["ETag"]
    beto.does(f"{night.night}/me", player=night.players["Caro"])
    assert beto.get(f"{night.night}/state", headers={"If-None-Match": mark}).status_code == 200


def test_saving_reaches_every_phone(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    assert (night.state(beto)["number"], night.state(beto)["saved"]) == (1, 0)
    night.types(beto, players_1_hand=BETO)
    night.books()
    assert (night.state(beto)["number"], night.state(beto)["saved"]) == (2, 1)
    assert night.state(beto)["fields"]["players-1-hand"] == ""
    answer = night.sends(beto, players_1_hand=BETO)
    assert answer.status_code == 409
    assert answer.get_json()["problem"] == "Round 1 is saved"
    assert night.sends(beto, players_1_hand=BETO, number="2", key="another").status_code == 200


def test_closing_reaches_a_phone_with_a_link(night: PlayedNight) -> None:
    night.plays("close")
    assert night.state(night.keeper)["closed"] is True
    answer = night.sends(night.keeper, players_0_hand=ANA)
    assert answer.status_code == 409
    assert "closed" in answer.get_json()["problem"]


@pytest.mark.parametrize("number", ["", "x", "1.5", "\u00b2"], ids=ascii)
def test_a_broken_draft_form_is_400(night: PlayedNight, number: str) -> None:
    assert night.sends(night.keeper, number=number, players_0_hand=ANA).status_code == 400


# ---- face down


def test_a_phone_that_looks_at_another_game_or_way_is_answered_anew(night: PlayedNight) -> None:
    asked = ("", "?game=knock", "?way=won_by")
    assert len({night.keeper.get(f"{night.night}/state{wanted}").headers["ETag"] for wanted in asked}) == len(asked)


def test_a_round_begun_without_a_key_gets_one(night: PlayedNight) -> None:
    assert night.sends(night.keeper, key=[], players_0_hand=ANA).status_code == 200
    assert night.state(night.keeper)["key"] not in (None, "None", "")


@pytest.mark.parametrize("way", ["the last hand", "the scorekeeper"])
def test_hands_are_turned_up_when_all_are_in_or_the_scorekeeper_says_so(night: PlayedNight, way: str) -> None:
    phones = ana, beto, caro = [night.joined(name) for name in HANDS]
    night.types(beto, players_1_hand=BETO)
    night.types(ana, players_0_hand=ANA)
    assert night.types(ana, do="show")["down"] == [1]
    assert BETO not in night.html("/state", ana)
    if way == "the last hand":
        night.types(night.keeper, asked_knocker="0")
        night.types(caro, players_2_hand=CARO)
    else:
        refused = night.sends(night.keeper, do="show")
        told = "Answer first who knocked; the hands stay face down until then"
        assert (refused.status_code, refused.get_json()["problem"]) == (409, told)
        night.types(night.keeper, asked_knocker="0", do="show")
    for device in (*phones, night.keeper):
        state = night.state(device)
        assert (state["down"], state["fields"]["players-1-hand"]) == ([], BETO)
        assert way != "the last hand" or state["live"]["seats"]["1"]["reading"] == "flush, ace high, in 2nd place"


# ---- what a phone that plays may not do


def test_a_phone_that_plays_writes_only_its_own_hand(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    night.types(beto, players_0_hand=ANA, players_1_hand=BETO, players_0_dropped="y", asked_knocker="1", dealer="0")
    fields = night.state(night.keeper)["fields"]
    assert fields["players-0-hand"] == ""
    assert fields["players-0-dropped"] is False
    assert fields["asked-knocker"] in ("", "nobody")
    assert fields["dealer"] == "2"
    assert night.state(beto)["fields"]["players-1-hand"] == BETO


@pytest.mark.parametrize("do", ["save", "settle", "rules", "enter"])
def test_a_phone_that_plays_saves_no_round(night: PlayedNight, do: str) -> None:
    beto = night.joined("Beto")
    fields = night.round_fields(night.keeper, players_0_hand=ANA, players_1_hand=BETO, players_2_hand=CARO)
    answer = beto.post(f"{night.night}/round", **fields, asked_knocker="0", do=do)
    assert answer.status_code == 303
    assert night.state(night.keeper)["saved"] == 0
    # without the script, the same form enters the player's own hand
    assert night.state(beto)["fields"]["players-1-hand"] == BETO
    assert night.state(night.keeper)["fields"]["players-0-hand"] == ""
