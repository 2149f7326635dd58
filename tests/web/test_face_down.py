"""Nobody sees others' cards before the hands are revealed, whatever their phone requests."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from devices import HANDS, Device, PlayedNight, problem, words
from flask import Flask
from pages import Page

ANA, BETO, CARO = HANDS.values()
SHOWN = "after all were shown"


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """Beto has entered his hand on his own phone; nobody else has entered anything."""
    return PlayedNight(app, begins=has_betos_hand)


def has_betos_hand(night: PlayedNight) -> None:
    night.phones["Beto"] = night.joined("Beto")
    night.types(beto(night), players_1_hand=BETO)


def beto(night: PlayedNight) -> Device:
    return night.phones["Beto"]


def takes(night: PlayedNight, device: Device, name: str) -> Any:
    return device.post(f"{night.night}/me", player=night.players[name])


def sees(night: PlayedNight, device: Device) -> bool:
    """Return whether a phone is told any of Beto's cards, or what his hand is worth."""
    paths = ["", "/round", "/state", "/changes", "/me", *(f"/{page}?game=knock" for page in ("round", "state"))]
    told = "".join(device.get(night.night + path).text for path in paths)
    # the keys of the cards, and the example of a line, are on the page anyway
    told = re.sub(r"<noscript>.*?</noscript>|placeholder=\"[^\"]*\"", "", told, flags=re.DOTALL)
    return BETO in told or "flush, ace high" in told or "5h 3h" in told


def test_a_hand_that_lies_face_down_is_not_missing(night: PlayedNight) -> None:
    for device in (night.keeper, night.guest()):
        live = night.state(device)["live"]
        assert (live["missing"], live["seats"]["1"]["size"]) == ("Cards missing: Ana\u00a0(5) and Caro\u00a0(5)", 5)


@pytest.mark.parametrize(("hand", "size", "is_complete"), [(BETO, 5, True), ("Ah Kh", 2, False)])
def test_of_a_hand_face_down_only_its_size_is_told(night: PlayedNight, hand: str, size: int, is_complete: bool) -> None:
    night.types(beto(night), players_1_hand=hand)
    told = night.state(night.keeper)["live"]["seats"]["1"]
    assert told == {"size": size, "complete": is_complete, "reading": "", "brief": ""}


@pytest.mark.parametrize("has_script", [True, False])
def test_the_scorekeepers_own_hand_lies_face_down_among_all_hands(app: Flask, has_script: bool) -> None:
    night = PlayedNight(app)
    keeper = night.keeper
    night.does("/me", player="{Beto}")
    if has_script:
        night.types(keeper, players_1_hand=BETO, own="yes")
    else:
        form = night.page("/round?own=yes").fields
        keeper.post(f"{night.night}/round", **{**form, "players-1-hand": BETO, "do": "enter"})
    # on the page of all hands others enter theirs
    assert not sees(night, keeper)
    assert night.state(keeper)["down"] == [1]
    assert keeper.get(f"{night.night}/state?own=yes").get_json()["fields"]["players-1-hand"] == BETO
    # who types it on that page sees it there, and on the other
    night.types(keeper, players_1_hand=CARO)
    for page in ("state", "state?own=yes"):
        assert keeper.get(f"{night.night}/{page}").get_json()["fields"]["players-1-hand"] == CARO


def test_the_scorekeepers_own_decision_is_not_among_all_hands_before_its_time(app: Flask) -> None:
    night = PlayedNight(app, "guts")
    night.does("/me", player="{Ana}")
    page = night.page("/round?own=yes").fields
    known = {name: page[name][0] for name in ("mark", "number", "game")}
    assert night.post("/play", **known, own="yes", do=f"out-{night.players['Ana']}").status_code == 303
    fields = [night.keeper.get(f"{night.night}/state{own}").get_json()["fields"] for own in ("", "?own=yes")]
    assert [of_page["players-0-out"] for of_page in fields] == [False, True]


# ---- seats


def test_a_seat_belongs_to_the_phone_that_took_it(night: PlayedNight) -> None:
    other = night.guest()
    answer = takes(night, other, "Beto")
    assert answer.status_code == 409
    assert problem(answer.text) == (
        "Another phone has Beto's seat. Give it up on that phone, or ask the scorekeeper to free it."
    )
    assert not sees(night, other)
    assert night.sends(other, players_1_hand=CARO).status_code == 200
    assert night.state(beto(night))["fields"]["players-1-hand"] == BETO


def test_a_phone_with_a_name_is_called_by_it(app: Flask) -> None:
    night, device = PlayedNight(app), Device(app)
    device.get(f"/join/{night.code()}")
    device.does("/phone", device="Tia's phone")
    takes(night, device, "Beto")
    assert problem(takes(night, night.guest(), "Beto").text).startswith("Beto's seat belongs to “Tia's phone”.")
    assert "Tia's phone" in night.page("/people").text


def test_who_gives_a_seat_up_is_in_the_list_of_changes_and_the_hand_stays_down(night: PlayedNight) -> None:
    beto(night).does(f"{night.night}/me", do="give-up")
    other = night.guest()
    assert takes(night, other, "Beto").status_code == 303
    # it was entered on another phone, and is told to nobody before the hands are turned up
    assert night.state(other)["down"] == [1]
    assert not sees(night, other)
    changes = Page(night.html("/changes")).text
    assert changes.count("Seat taken") == 2
    assert changes.count("Seat given up") == 1


def test_the_scorekeeper_frees_a_seat(night: PlayedNight) -> None:
    night.does("/phones", do=f"free-{night.players['Beto']}")
    assert beto(night).get(f"{night.night}/round").location == f"{night.night}/me"
    # nor does the scorekeeper see what lies there by taking it
    assert takes(night, night.keeper, "Beto").status_code == 303
    assert not sees(night, night.keeper)
    again = night.post("/phones", do=f"free-{night.players['Caro']}")
    assert (again.status_code, problem(again.text)) == (
        409,
        "This seat has already been given up; check who has it now",
    )


@pytest.mark.parametrize("do", ["", "free-", "free-0", "free-x", "nothing"])
def test_odd_buttons_of_phones_are_400(night: PlayedNight, do: str) -> None:
    assert night.post("/phones", do=do).status_code == 400


def test_a_phone_changes_its_seat_and_leaves_the_other_free(night: PlayedNight) -> None:
    assert takes(night, beto(night), "Caro").status_code == 303
    assert takes(night, night.guest(), "Beto").status_code == 303
    changes = Page(night.html("/changes")).text
    assert "Instead of" in changes
    # taking one's own seat again changes nothing
    before = changes.count("Seat taken")
    assert takes(night, beto(night), "Caro").status_code == 303
    assert Page(night.html("/changes")).text.count("Seat taken") == before


def test_a_seat_of_a_closed_night_is_not_taken(night: PlayedNight) -> None:
    phone = Device(night.app)
    phone.open(night.links()["play"])
    night.plays("close")
    assert "closed" in problem(takes(night, phone, "Ana").text)


# ---- looking


CAROS, CHANGED = {"players_2_hand": CARO}, "Ana changed an answer after all hands were shown"
REVERSED = " ".join(reversed(ANA.split()))
BOTH = {"players_0_hand": ANA, **CAROS}
MENDED = {"players_2_hand": "8c 8d Js 7d 4s", "players_0_draws": "3", "players_1_dropped": "y"}
# what is entered in turn, and on which phone | who is said to have gone on after all hands were shown
LATE: dict[str, tuple[list[tuple[str, dict[str, str]]], list[str]]] = {
    "dropping out to look": (
        [("Caro", CAROS), ("Ana", {"players_0_dropped": "y"}), ("Ana", {"players_0_dropped": ""})],
        [CHANGED],
    ),
    "dropping out to look, and then a hand": (
        [
            ("Caro", CAROS),
            *(("Ana", {f"players_0_{what}": now}) for what, now in (("dropped", "y"), ("dropped", ""), ("hand", ANA))),
        ],
        [CHANGED, f"Ana changed the hand {SHOWN}"],
    ),
    "any hand to look": (
        [("Caro", CAROS), ("Ana", {"players_0_hand": "2s 3s 4s 5s 7d"}), ("Ana", {"players_0_hand": ANA})],
        [f"Ana changed the hand {SHOWN}"],
    ),
    "the same hand in another order": (
        [
            ("Caro", CAROS),
            ("Ana", {"players_0_hand": ANA}),
            ("Ana", {"players_0_hand": REVERSED, "players_0_draws": ""}),
        ],
        [],
    ),
    "what was open": ([("keeper", BOTH), ("keeper", {"asked_knocker": "0", "players_0_draws": "2"})], []),
    "what the scorekeeper mends": (
        [("keeper", BOTH), ("keeper", {"asked_knocker": "0", "players_0_draws": "2"}), ("keeper", MENDED)],
        [
            "An answer of Ana was changed after all hands were shown",
            "An answer of Beto was changed after all hands were shown",
            f"Caro's hand was changed {SHOWN}",
        ],
    ),
    "another game": (
        [("keeper", BOTH), ("keeper", {"game": "domino-poker", "dealer": "0"})],
        ["The game was changed after all hands were shown"],
    ),
}


@pytest.mark.parametrize("what", LATE)
def test_who_goes_on_after_all_were_shown_is_told(night: PlayedNight, what: str) -> None:
    entered, late = LATE[what]
    phones = {"keeper": night.keeper, "Ana": night.joined("Ana"), "Caro": night.joined("Caro"), "Beto": beto(night)}
    night.types(night.keeper, asked_knocker="1")
    for name, fields in entered:
        assert not sees(night, phones["Ana"]) or night.state(night.keeper)["down"] == []
        night.types(phones[name], **fields)
    for device in phones.values():
        state = night.state(device)
        assert (state["down"], sorted(state["late"])) == ([], late)
    assert all(sentence in words(night.html("/round")) for sentence in late)


def test_hands_of_another_game_lie_face_down_again(night: PlayedNight) -> None:
    night.types(night.keeper, **BOTH)
    night.types(night.keeper, game="domino-poker", dealer="0")
    night.types(beto(night), game="domino-poker", players_1_hand="6-6 5-5 4-4 3-3 2-2")
    assert night.state(night.keeper)["down"] == [1]


def test_hands_that_are_not_whole_turn_nothing_up(night: PlayedNight) -> None:
    night.types(night.keeper, players_0_hand=ANA)
    caro = night.joined("Caro")
    for typed in ("8c 8d Js 7d", "8c 8d Js 7d x", "Xx", "8c 8c 8c 8c 8c"):
        night.types(caro, players_2_hand=typed)
        assert not sees(night, caro), typed


def test_typing_over_a_hand_is_told_unless_it_was_cleared(night: PlayedNight) -> None:
    fields = night.round_fields(night.keeper, players_1_hand=ANA)
    told = "Beto entered a hand on their own phone; what you type here replaces it."
    assert told in night.post("/round", **fields, do="settle").text
    night.types(beto(night), players_1_hand="")
    assert told not in night.post("/round", **fields, do="settle").text
    assert night.state(night.keeper)["down"] == []


def test_a_hand_is_not_moved_to_a_player_whose_hand_lies_face_down(night: PlayedNight) -> None:
    fields = night.round_fields(night.keeper, players_0_hand=ANA)
    moved = night.post("/round", **fields, do="move-0-2").text
    assert ('value="move-2-0"' in moved, "move-2-1" in moved) == (True, False)
    assert "cards face down: 5" in moved
    assert BETO not in moved


def test_typing_over_a_hand_of_another_game_is_not_told(night: PlayedNight) -> None:
    fields = night.round_fields(night.keeper, game="domino-poker", players_1_hand="6-6 5-5 4-4 3-3 2-2")
    page = night.post("/round", **fields, do="settle").text
    assert "what you type here replaces it" not in page


def test_a_page_of_other_seats_takes_nobody_s_hand(night: PlayedNight) -> None:
    fields, ids = night.round_fields(night.keeper, players_0_hand=ANA, asked_knocker="0"), night.players
    night.does("/seats", order=[ids[name] for name in ("Ana", "Caro", "Beto")], do="order")
    page = night.post("/round", **fields, do="settle")
    assert set(Page(page.text).errors) == {"players-1-hand", "players-2-hand"}


def test_an_unfinished_hand_that_is_not_needed_does_not_hold_up_the_round(night: PlayedNight) -> None:
    night.types(beto(night), players_1_hand="Ah Kh")
    fields = night.round_fields(night.keeper, way="won_by", asked_knocker="0", **{"players-0-won_by": "y"})
    assert "Ana wins" in night.post("/round", **fields, do="settle").text
    assert night.state(night.keeper)["down"] == [1]
    assert "Ana wins" in night.keeper.get(night.does("/round", **fields, do="save")).text


@pytest.mark.parametrize("do", ["settle", "save"])
def test_whose_unfinished_hand_holds_up_the_round_is_told(night: PlayedNight, do: str) -> None:
    night.types(beto(night), players_1_hand="Ah Kh")
    fields = night.round_fields(night.keeper, players_0_hand=ANA, players_2_hand=CARO, asked_knocker="0")
    page = Page(night.post("/round", **fields, do=do).text)
    assert page.errors == {}
    assert (
        "Wait for the hand of Beto, which is being entered on another phone, or type it here" in page.texts["problems"]
    )


def test_a_cleared_hand_of_somebody_who_dropped_holds_nothing_up(night: PlayedNight) -> None:
    night.types(night.keeper, asked_knocker="0")
    night.types(beto(night), players_1_hand="", players_1_dropped="y")
    night.types(night.joined("Caro"), players_2_hand=CARO)
    ana = night.joined("Ana")
    night.types(ana, players_0_hand=ANA)
    assert night.state(ana)["fields"]["players-2-hand"] == CARO


def test_a_forged_list_of_seats_writes_and_shows_nothing(night: PlayedNight) -> None:
    ana, order = night.joined("Ana"), list(night.players.values())
    for seats in (order[::-1], order[:1] * 3, [order[1], order[0], order[2]], [], ["x"]):
        answer = night.sends(ana, seat=seats, players_1_hand=CARO, players_0_hand=ANA)
        assert BETO not in answer.text
    assert night.state(beto(night))["fields"]["players-1-hand"] == BETO
    assert night.state(ana)["fields"]["players-0-hand"] == ""
    assert night.sends(night.keeper, players_3_hand=CARO).status_code == 200


def test_a_phone_whose_cookies_were_cleared_is_another_phone(night: PlayedNight) -> None:
    again = night.guest()
    assert again.get(f"{night.night}/round").location == f"{night.night}/me"
    assert takes(night, again, "Beto").status_code == 409
    mark = beto(night).get(f"{night.night}/state").headers["ETag"]
    assert again.get(f"{night.night}/state", headers={"If-None-Match": mark}).status_code == 200


@pytest.mark.parametrize(("game", "open", "told"), [("knock-poker", "", "2"), ("dompe", "nobody", "0")])
def test_hands_lie_face_down_until_it_is_known_who_knocked(app: Flask, game: str, open: str, told: str) -> None:
    night = PlayedNight(app, game)
    asked = "asked-caller" if game == "dompe" else "asked-knocker"
    for seat, (name, hand) in enumerate(HANDS.items()):
        night.types(night.joined(name), game=game, **{f"players-{seat}-hand": hand})
    night.types(night.keeper, game=game, **{asked: open})
    assert night.state(night.keeper)["down"] == [0, 1, 2]
    # also if the scorekeeper asks for the result
    assert ANA not in night.post("/round", **night.form("/round"), do="settle").text
    assert night.state(night.keeper)["down"] == [0, 1, 2]
    night.types(night.keeper, game=game, **{asked: told})
    assert night.state(night.keeper)["down"] == []


def test_the_scorekeeper_shows_now_from_the_rail(night: PlayedNight) -> None:
    caro = night.joined("Caro")
    night.types(caro, **CAROS)
    night.types(night.keeper, asked_knocker="1")
    assert "Show now without the hand of Ana" in night.text("")
    assert "The scorekeeper can show now." in night.state(caro)["rail"]
    assert "Only the scorekeeper can do that" in night.presses("show-", caro, status=422).text
    for _ in range(2):  # the second time it makes no difference
        night.presses("show-")
        assert night.state(night.keeper)["down"] == []
    assert "Ana&#39;s hand is missing" in night.state(caro)["rail"]


def test_nobody_turns_hands_up_while_others_bet(app: Flask) -> None:
    night = PlayedNight(app, "draw-poker")
    night.types(night.joined("Beto"), game="draw-poker", players_1_hand=BETO)
    answer = night.sends(night.keeper, game="draw-poker", do="show")
    assert (answer.status_code, answer.get_json()["problem"]) == (
        409,
        "The betting isn't over; the hands stay face down until then",
    )
    assert night.post("/play", number="1", game="draw-poker", do="show-").status_code == 422
    night.types(night.keeper, game="draw-poker", bets="fold; fold")
    night.types(night.keeper, game="draw-poker", do="show")
    assert night.state(night.keeper)["down"] == []


def test_where_nothing_was_entered_there_is_nothing_to_show(app: Flask) -> None:
    night = PlayedNight(app, "knock")
    assert night.post("/play", number="1", game="knock", do="show-").status_code == 303
    assert night.state(night.keeper)["key"] is None


def test_a_player_without_the_script_turns_them_up_by_the_last_hand(night: PlayedNight) -> None:
    night.types(night.keeper, asked_knocker="1")
    night.types(night.joined("Caro"), players_2_hand=CARO)
    ana = night.joined("Ana")
    fields = {**night.round_fields(ana), "players-0-hand": [ANA]}
    ana.does(f"{night.night}/round", **fields, do="enter")
    assert night.state(ana)["fields"]["players-1-hand"] == BETO
    ana.does(f"{night.night}/round", **{**fields, "players-0-hand": ["2s 3s 4s 5s 7d"]}, do="enter")
    assert night.state(beto(night))["late"] == [f"Ana changed the hand {SHOWN}"]


@pytest.mark.parametrize(
    ("order", "do"), [("Caro Ana Beto", "order"), ("Ana Beto Caro", "out-Beto"), ("Ana Caro Beto", "out-Beto")]
)
def test_a_hand_is_not_entered_with_a_page_of_other_seats(night: PlayedNight, order: str, do: str) -> None:
    caro, ids = night.joined("Caro"), night.players
    night.types(caro, players_2_hand=CARO)
    fields = {**night.round_fields(caro), "players-0-hand": [ANA], "players-1-hand": [ANA]}
    pressed = "-".join(ids.get(word, word) for word in do.split("-"))
    night.does("/seats", order=[ids[name] for name in order.split()], do=pressed)
    caro.does(f"{night.night}/round", **fields, do="enter")
    hands = night.state(caro)["fields"]
    assert [hand for name, hand in hands.items() if name.endswith("-hand") and hand] == [CARO]


# ---- who keeps score


def test_the_scorekeeper_is_told_nothing_that_depends_on_a_hand_face_down(night: PlayedNight) -> None:
    # a card that Beto holds: that it is in two hands would tell whose it is
    fields = night.round_fields(night.keeper, players_0_hand="Ah 9s 9h 9d 4c", asked_knocker="0")
    page = Page(night.post("/round", **fields, do="settle").text)
    assert set(page.errors) == {"players-2-hand"}
    assert "Beto" not in page.texts["problems"]


def test_a_scorekeeper_who_plays_is_told_what_is_wrong_anywhere(night: PlayedNight) -> None:
    night.does("/me", player=night.players["Ana"])
    live = night.types(night.keeper, players_2_hand="Xx")["live"]
    assert [problem["id"] for problem in live["wrong"]] == ["players-2-hand"]


def test_settling_turns_the_hands_up_for_everybody(night: PlayedNight) -> None:
    hands = {"players_0_hand": "2s 3s 4s 5s 6d", "players_2_hand": CARO, "asked_knocker": "0"}
    fields = night.round_fields(night.keeper, **hands)
    assert "Flush, ace high" in night.post("/round", **fields, do="settle").text
    assert night.state(night.guest())["down"] == []
    # without the page's script as well as with it
    changed = {**fields, "players-0-hand": ANA}
    page = night.post("/round", **changed, do="settle").text
    told = f"Ana's hand was changed {SHOWN}"
    assert told in page.replace("&#39;", "'")
    assert night.state(beto(night))["late"] == [told]


def test_a_form_that_is_too_old_turns_nothing_up(night: PlayedNight) -> None:
    hands = {"players_0_hand": ANA, "players_2_hand": CARO, "asked_knocker": "0"}
    fields = {**night.round_fields(night.keeper, **hands), "number": "x"}
    page = night.post("/round", **fields, do="settle").text
    assert problem(page) == "This form is broken; open it again"
    assert "flush, ace high" not in page
    assert night.state(night.guest())["down"] == [1]


def test_a_card_in_two_hands_is_told_once_all_are_in(night: PlayedNight) -> None:
    fields = night.round_fields(night.keeper, players_0_hand="Ah 9s 9h 9d 4c", players_2_hand=CARO, asked_knocker="0")
    page = Page(night.post("/round", **fields, do="settle").text)
    assert "A♥ is in Beto's hand and in Ana's" in page.texts["problems"]
    # on every phone, with the hands
    state = night.state(beto(night))
    assert (state["down"], state["fields"]["players-0-hand"]) == ([], "Ah 9s 9h 9d 4c")


def test_whether_the_hand_of_who_called_qualifies_is_not_told(app: Flask) -> None:
    night = PlayedNight(app, "dompe")
    phone, told = night.joined("Beto"), []
    night.types(night.joined("Caro"), game="dompe", players_2_hand="8c 8d")
    for hand in ("7c 7d 7h 2s 3d", "2c 4d 6h 8s Td"):
        night.types(phone, game="dompe", players_1_hand=hand)
        fields = night.round_fields(night.keeper, players_0_hand="9s Th Js Qs 2d", asked_caller="1")
        told.append(Page(night.post("/round", **fields, do="settle").text).texts["problems"])
    assert told[0] == told[1]
    assert "Wait for the hand of Caro, which" in told[0]


@pytest.mark.parametrize("hand", ["Jk Kh 8h 5h 3h", "Ah Kh 8h 5h 3h"])
def test_a_joker_counts_as_a_card_whatever_game_is_asked_about(app: Flask, hand: str) -> None:
    night = PlayedNight(app, "dompe")
    night.types(night.joined("Beto"), game="dompe", players_1_hand=hand)
    for game in ("dompe", "knock-poker", "knock", "draw-poker"):
        state = night.keeper.get(f"{night.night}/state?game={game}").get_json()
        assert state["live"]["seats"] == {"1": {"size": 5, "complete": True, "reading": "", "brief": ""}}
        assert state["live"]["missing"].endswith("missing: Ana\u00a0(5) and Caro\u00a0(5)")


@pytest.mark.parametrize("hand", ["1c 2c 3c 4c 5c", "1o 9o 8e 12b 11e"])
def test_spanish_cards_are_of_another_game_whatever_their_suit(app: Flask, hand: str) -> None:
    night = PlayedNight(app, "dompe")
    night.types(night.keeper, game="dompe", rules_deck="spanish-48")
    night.types(night.joined("Beto"), game="dompe", players_1_hand=hand)
    for game, down in (("dompe", [1]), ("knock-poker", [])):
        assert night.keeper.get(f"{night.night}/state?game={game}").get_json()["down"] == down
    # nor does another deck tell which of the cards are in it
    for deck in ("spanish-40", "plain", "spanish-48"):
        state = night.types(night.keeper, game="dompe", rules_deck=deck)
        size = {"size": 5, "complete": True, "reading": "", "brief": ""}
        assert state["live"]["seats"].get("1") == (None if deck == "plain" else size)


def test_the_five_cards_of_an_outright_win_are_turned_up_when_the_scorekeeper_asks(app: Flask) -> None:
    night = PlayedNight(app, "dompe")
    phone = night.joined("Beto")
    night.types(night.keeper, game="dompe", **{"asked-shown_by": "1"})
    # it may still get a sixth card
    assert night.types(phone, game="dompe", players_1_hand="5s 5h 5d 5c Jk")["live"]["missing"] == ""
    assert night.state(night.keeper)["down"] == [1]
    fields = night.round_fields(night.keeper)
    assert "Beto shows an outright win" in night.post("/round", **fields, do="settle").text
    assert night.state(night.joined("Ana"))["down"] == []


def test_what_is_no_card_is_not_counted_and_stays_unseen(night: PlayedNight) -> None:
    night.types(beto(night), players_1_hand="Zz Yy")
    state = night.state(night.keeper)
    assert (state["down"], state["fields"]["players-1-hand"]) == ([], "")
    assert "Zz Yy" not in night.html("/round")  # "Zz" alone may stand in a token


# ---- the key of the round


def test_no_player_makes_a_save_fail_by_using_up_its_key(night: PlayedNight) -> None:
    # one that the phone chose when it began the round, and the one that all phones were told
    caro = night.joined("Caro")
    shared = night.state(caro)["key"]
    for key in ("the draft's key", shared):
        caro.post(f"{night.night}/me", do="give-up", key=key)
        caro.post(f"{night.night}/me", player=night.players["Caro"])
    hands = {"players_0_hand": ANA, "players_2_hand": CARO, "asked_knocker": "0", "key": shared}
    fields = night.round_fields(night.keeper, **hands)
    assert night.post("/round", **fields, do="save").status_code == 303


DOMPE_HANDS = {"Ana": "7c 7d 7h 2s 3d", "Beto": "8s 8h 8d Kc 3c", "Caro": "9s 9h 9d 4c 5c"}


def test_do_6_an_outright_win_turns_up_no_other_hand(app: Flask) -> None:
    night = PlayedNight(app, "dompe")
    phones = {name: night.joined(name) for name in ("Beto", "Caro")}
    for seat, (name, phone) in enumerate(phones.items(), start=1):
        night.types(phone, game="dompe", **{f"players_{seat}_hand": DOMPE_HANDS[name]})
    claim = {"asked-shown_by": "0", "players-0-hand": DOMPE_HANDS["Ana"]}
    night.types(night.keeper, game="dompe", **claim)
    html = night.post("/round", **night.round_fields(night.keeper) | claim, do="settle").text
    assert "isn&#39;t an outright win" in html
    for device in (night.keeper, *phones.values()):
        seen = json.dumps(night.state(device)) + device.get(night.address("/round")).text
        others = [hand for name, hand in DOMPE_HANDS.items() if device is not phones.get(name, night.keeper)]
        assert not any(hand in seen for hand in others)


def test_a_hand_that_was_not_turned_over_stays_down_though_an_answer_changes(night: PlayedNight) -> None:
    ana, caro = night.joined("Ana"), night.joined("Caro")
    night.types(ana, players_0_hand=ANA)
    night.types(night.keeper, asked_knocker="1", players_1_hand=BETO)
    night.types(ana, players_0_dropped="y")
    night.types(caro, players_2_hand=CARO)
    night.types(night.keeper, players_0_dropped="")
    for device in (night.keeper, caro):
        assert ANA not in json.dumps(night.state(device)) + device.get(night.address("/round")).text
    assert "An answer of Ana was changed after all hands were shown" in night.state(caro)["late"]


def test_do_6_a_player_shows_a_winning_hand_of_six_cards_on_the_own_phone(app: Flask) -> None:
    night = PlayedNight(app, "dompe")
    won, caro = night.joined("Beto"), night.joined("Caro")
    night.types(caro, game="dompe", players_2_hand=DOMPE_HANDS["Caro"])
    assert "I show a winning hand" in night.text("", won)
    night.presses("outright-{Beto}", won)
    assert won.get(f"{night.night}/round").text.count('data-cards="6"') == 1
    assert "data-cards" not in caro.get(f"{night.night}/round").text
    assert "Beto shows a winning hand" in night.text("")
    night.types(won, game="dompe", players_1_hand="Ah Kh 9h 8h 5h 3h")
    state = night.state(night.keeper)
    assert (state["live"]["missing"], state["live"]["settled"]["headline"]) == ("", "Beto wins +2")
    fields = night.round_fields(night.keeper)
    assert fields["players-1-hand"] == ["Ah Kh 9h 8h 5h 3h"]
    line = night.keeper.does(f"{night.night}/round", **fields, do="save")
    told = night.keeper.get(line).text
    assert "six-card flush" in told
    assert not any(hand in told for hand in (DOMPE_HANDS["Caro"], "9h 9d"))
