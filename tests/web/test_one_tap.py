"""What a tap sends, and how often a round is read for a tap, a settlement and a save."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from devices import HANDS, Device, Night
from pages import Page
from werkzeug.test import TestResponse

from companion.contract import may_reveal_hands, read_round
from companion.web.round import document, draft_cells, live

ANA, BETO, CARO = HANDS.values()


def change(night: Night, **fields: Any) -> dict[str, Any]:
    """Return what the page's script sends: the touched fields, and their round."""
    known = {"key": "KeyOf16Letters_x", "number": "1", "game": "knock-poker", "seats": ".".join(night.players.values())}
    given = {name.replace("_", "-"): value for name, value in fields.items()}
    return known | given


def taps(night: Night, device: Device, **fields: Any) -> TestResponse:
    token = Page(device.get("/join").text).fields["csrf_token"][0]
    headers = {"Accept": "application/json", "X-CSRFToken": token}
    return device.client.post(f"{night.session}/draft", data=change(night, **fields), headers=headers)


def told(answer: TestResponse) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()["fields"]
    return found


def test_a_hand_is_sent_in_less_than_300_bytes(night: Night) -> None:
    assert len(urlencode(change(night, players_0_hand=ANA))) < 300
    assert told(taps(night, night.keeper, players_0_hand=ANA))["players-0-hand"] == ANA


def test_every_kind_of_field_arrives(night: Night) -> None:
    typed = {"dealer": "0", "asked_knocker": "1", "rules_ante": "2", "players_2_draws": "3", "players_0_dropped": "y"}
    found = told(taps(night, night.keeper, **typed))
    assert found | {"dealer": "0", "asked-knocker": "1", "rules-ante": "2", "players-2-draws": "3"} == found
    assert found["players-0-dropped"] is True
    # a box that was unticked sends nothing, and so is named; what was not touched stays
    found = told(taps(night, night.keeper, touched="players-0-dropped"))
    assert (found["players-0-dropped"], found["asked-knocker"]) == (False, "1")
    assert told(taps(night, night.keeper, asked_knocker="nobody"))["asked-knocker"] == "nobody"


def test_a_field_that_is_not_on_the_page_is_left_out(night: Night) -> None:
    before = told(taps(night, night.keeper, players_0_hand=ANA))
    odd = {"players_9_hand": CARO, "players_x_hand": CARO, "players_": "y", "rules_none": "1", "players_0_name": "Eva"}
    # of a text field that comes without its value nothing is known
    assert told(taps(night, night.keeper, **odd, touched="players-0-hand")) == before


@pytest.mark.parametrize("seats", ["", "x", "1.2", "3.2.1", "1.2.3.4"])
def test_seats_of_another_order_change_nothing(night: Night, seats: str) -> None:
    assert told(taps(night, night.keeper, seats=seats, players_0_hand=ANA))["players-0-hand"] == ""


# ---- how often a round is read


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record each form that is built and each reading of one, by purpose."""
    noted: list[str] = []

    def note(module: Any, name: str, what: str) -> None:
        made: Callable[..., Any] = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, **named: (noted.append(what), made(*given, **named))[1])

    note(draft_cells, "new_form", "form")
    note(live, "progress", "live")
    note(document, "read_round", "read")
    return noted


def test_a_tap_makes_one_form_and_reads_the_round_once(night: Night, reads: list[str]) -> None:
    taps(night, night.keeper, players_0_hand=ANA)
    assert reads == ["form", "live"]


def test_beside_a_hand_that_lies_face_down_the_rest_is_read_once_too(night: Night, reads: list[str]) -> None:
    taps(night, night.joined("Beto"), players_1_hand=BETO)
    reads.clear()
    taps(night, night.keeper, players_0_hand=ANA)
    assert reads == ["form", "live"]


@pytest.mark.parametrize("do", ["settle", "save"])
def test_a_round_is_read_without_and_with_the_hands_that_lay_face_down(night: Night, reads: list[str], do: str) -> None:
    taps(night, night.joined("Beto"), players_1_hand=BETO)
    fields = night.round_fields(night.keeper, players_0_hand=ANA, players_2_hand=CARO, asked_knocker="0")
    reads.clear()
    answer = night.post("/round", **fields, do=do)
    assert answer.status_code == (200 if do == "settle" else 303)
    assert reads == ["read", "read"]


def sizes(said: dict[str, Any]) -> dict[str, int]:
    """Return how many cards the hands of a document have."""
    return {player: len(hand.split()) for player, hand in said["hands"].items()}


ROUNDS: dict[str, tuple[dict[str, Any], bool]] = {
    "all": ({"hands": HANDS}, True),
    "one is missing": ({"hands": {"Ana": ANA, "Beto": BETO}}, False),
    "one is not whole": ({"hands": {**HANDS, "Caro": "8c 8d Js 7d"}}, False),
    "one is too large": ({"hands": {**HANDS, "Caro": f"{CARO} 2c"}}, False),
    "one has dropped": ({"hands": {"Ana": ANA, "Beto": BETO}, "dropped": ["Caro"]}, True),
    "one is told by who won": ({"hands": {"Ana": ANA}, "won_by": ["Ana"]}, False),
}


@pytest.mark.parametrize(("said", "is_in"), ROUNDS.values(), ids=ROUNDS)
def test_all_are_in_when_every_hand_that_must_be_shown_is_whole(said: dict[str, Any], is_in: bool) -> None:
    round = {"game": "knock-poker", "players": list(HANDS), "dealer": "Ana", "round": {"knocker": "Ana", **said}}
    assert may_reveal_hands(read_round(round), sizes(said)) is is_in
    # the cards themselves make no difference
    hidden = {**round, "round": {**round["round"], "hands": {}}}  # type: ignore[dict-item]
    assert may_reveal_hands(read_round(hidden), sizes(said)) is is_in


OUTRIGHT = {
    "four": (4, False, False),
    "five, which may be all or not": (5, False, True),
    "six": (6, True, True),
    "seven": (7, False, False),
}


@pytest.mark.parametrize(("size", "is_in", "if_asked"), OUTRIGHT.values(), ids=OUTRIGHT)
def test_an_outright_win_is_in_with_six_cards_or_with_five_if_asked(size: int, is_in: bool, if_asked: bool) -> None:
    entered = read_round({"game": "dompe", "players": list(HANDS), "dealer": "Ana", "round": {"shown_by": "Ana"}})
    found = [may_reveal_hands(entered, {"Ana": size}, is_asked=is_asked) for is_asked in (False, True)]
    assert found == [is_in, if_asked]


POINTS: dict[str, tuple[dict[str, int], dict[str, int], bool]] = {
    "of all": ({"Ana": 3, "Beto": 5}, {}, True),
    "of one, and a hand": ({"Ana": 3}, {"Beto": 10}, True),
    "of one, and part of a hand": ({"Ana": 3}, {"Beto": 9}, False),
    "of one who also has part of a hand": ({"Ana": 3}, {"Ana": 1, "Beto": 10}, False),
    "of one who also has too large a hand": ({"Ana": 3}, {"Ana": 11, "Beto": 10}, False),
    "of one": ({"Ana": 3}, {}, False),
}


@pytest.mark.parametrize(("points", "hands", "is_in"), POINTS.values(), ids=POINTS)
def test_points_stand_for_a_hand_unless_one_was_begun(
    points: dict[str, int], hands: dict[str, int], is_in: bool
) -> None:
    said = {"knocker": "Ana", "points": points}
    entered = read_round({"game": "knock-rummy", "players": ["Ana", "Beto"], "dealer": "Ana", "round": said})
    assert may_reveal_hands(entered, hands) is is_in


BETS: dict[str, tuple[dict[str, Any], bool]] = {
    "no bet yet": ({"bets": []}, False),
    "Caro has to answer": ({"bets": [("Ana", "bet", 2), ("Beto", "call")]}, False),
    "before the exchange only": ({"bets": [("Ana", "check"), ("Beto", "check"), ("Caro", "check")]}, False),
    "not the one in turn": ({"bets": [("Beto", "check")]}, False),
    "all but one folded": ({"bets": [("Ana", "fold"), ("Beto", "fold")]}, True),
    "sums": ({"paid": {"Ana": 3, "Beto": 3, "Caro": 3}}, True),
}


@pytest.mark.parametrize(("said", "is_in"), BETS.values(), ids=BETS)
def test_no_hand_is_in_before_the_betting_is_over(said: dict[str, Any], is_in: bool) -> None:
    acts = [dict(zip(("player", "action", "amount"), act, strict=False)) for act in said.get("bets", ())]
    hands = {"Ana": "2s 2h 9d 4c 7d", "Beto": "3s 3h 8d 4h 7c", "Caro": "5s 5h Jd Qc Kd"}
    told = {"hands": hands, **said, **({"bets": acts} if "bets" in said else {})}
    entered = read_round({"game": "draw-poker", "players": list(HANDS), "dealer": "Caro", "round": told})
    assert may_reveal_hands(entered, sizes(told)) is is_in


def test_nothing_is_in_of_what_is_no_round() -> None:
    assert not may_reveal_hands(read_round([]), {})
