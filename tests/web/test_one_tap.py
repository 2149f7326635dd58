"""What a tap sends, and how often a round is read for a tap, a settlement and a save."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from devices import HANDS, Device, PlayedNight
from pages import Page
from werkzeug.test import TestResponse

from companion.contract import may_reveal_hands, read_round
from companion.web.round.draft import draft_cells
from companion.web.round.form import document, live

ANA, BETO, CARO = HANDS.values()


def change(night: PlayedNight, **fields: Any) -> dict[str, Any]:
    """Return what the page's script sends: the touched fields, and their round."""
    known = {"key": "KeyOf16Letters_x", "number": "1", "game": "knock-poker", "seats": ".".join(night.players.values())}
    given = {name.replace("_", "-"): value for name, value in fields.items()}
    return known | given


def taps(night: PlayedNight, device: Device, **fields: Any) -> TestResponse:
    token = Page(device.get("/join").text).fields["csrf_token"][0]
    headers = {"Accept": "application/json", "X-CSRFToken": token}
    return device.client.post(f"{night.night}/draft", data=change(night, **fields), headers=headers)


def told(answer: TestResponse) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()["fields"]
    return found


def test_a_hand_is_sent_in_less_than_300_bytes(night: PlayedNight) -> None:
    assert len(urlencode(change(night, players_0_hand=ANA))) < 300
    assert told(taps(night, night.keeper, players_0_hand=ANA))["players-0-hand"] == ANA


def test_every_kind_of_field_arrives(night: PlayedNight) -> None:
    typed = {"dealer": "0", "asked_knocker": "1", "rules_ante": "2", "players_2_draws": "3", "players_0_dropped": "y"}
    found = told(taps(night, night.keeper, **typed))
    assert found | {"dealer": "0", "asked-knocker": "1", "rules-ante": "2", "players-2-draws": "3"} == found
    assert found["players-0-dropped"] is True
    # a box that was unticked sends nothing, and so is named; what was not touched stays
    found = told(taps(night, night.keeper, touched="players-0-dropped"))
    assert (found["players-0-dropped"], found["asked-knocker"]) == (False, "1")
    assert told(taps(night, night.keeper, asked_knocker="nobody"))["asked-knocker"] == "nobody"


def test_a_field_that_is_not_on_the_page_is_left_out(night: PlayedNight) -> None:
    before = told(taps(night, night.keeper, players_0_hand=ANA))
    odd = {"players_9_hand": CARO, "players_x_hand": CARO, "players_": "y", "rules_none": "1", "players_0_name": "Eva"}
    # of a text field that comes without its value nothing is known
    assert told(taps(night, night.keeper, **odd, touched="players-0-hand")) == before


@pytest.mark.parametrize("seats", ["", "x", "1.2", "3.2.1", "1.2.3.4"])
def test_seats_of_another_order_change_nothing(night: PlayedNight, seats: str) -> None:
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


def test_a_tap_makes_one_form_and_reads_the_round_once(night: PlayedNight, reads: list[str]) -> None:
    taps(night, night.keeper, players_0_hand=ANA)
    assert reads == ["form", "live"]


def test_beside_a_hand_that_lies_face_down_the_rest_is_read_once_too(night: PlayedNight, reads: list[str]) -> None:
    taps(night, night.joined("Beto"), players_1_hand=BETO)
    reads.clear()
    taps(night, night.keeper, players_0_hand=ANA)
    assert reads == ["form", "live"]


@pytest.mark.parametrize("do", ["settle", "save"])
def test_a_round_is_read_without_and_with_the_hands_that_lay_face_down(
    night: PlayedNight, reads: list[str], do: str
) -> None:
    taps(night, night.joined("Beto"), players_1_hand=BETO)
    fields = night.round_fields(night.keeper, players_0_hand=ANA, players_2_hand=CARO, asked_knocker="0")
    reads.clear()
    answer = night.post("/round", **fields, do=do)
    assert answer.status_code == (200 if do == "settle" else 303)
    assert reads == ["read", "read"]


def bets(*acts: str) -> dict[str, Any]:
    """Return bets: "Ana bet 2"."""
    words = [act.split() for act in acts]
    return {"bets": [{"player": name, "action": do, **({"amount": int(n[0])} if n else {})} for name, do, *n in words]}


KNOCKED, OUTRIGHT = {"knocker": "Ana"}, {"shown_by": "Ana"}
POINTS, BOTH_POINTS = {"knocker": "Ana", "points": {"Ana": 3}}, {"knocker": "Ana", "points": {"Ana": 3, "Beto": 5}}
# the game | what was said | the cards of each player | whether all are in, and also if the scorekeeper asks
REVEALED: list[tuple[str, dict[str, Any], str, bool, bool]] = [
    # every hand that must be shown is whole
    ("knock-poker", KNOCKED, "5 5 5", True, True),
    ("knock-poker", KNOCKED, "5 5 0", False, False),
    ("knock-poker", KNOCKED, "5 5 4", False, False),
    ("knock-poker", KNOCKED, "5 5 6", False, False),
    ("knock-poker", {**KNOCKED, "dropped": ["Caro"]}, "5 5 0", True, True),
    ("knock-poker", {**KNOCKED, "won_by": ["Ana"]}, "5 0 0", False, False),
    # an outright win has six cards, or five if asked
    ("dompe", OUTRIGHT, "4 0 0", False, False),
    ("dompe", OUTRIGHT, "5 0 0", False, True),
    ("dompe", OUTRIGHT, "6 0 0", True, True),
    ("dompe", OUTRIGHT, "7 0 0", False, False),
    # points stand for a hand unless one was begun
    ("knock-rummy", BOTH_POINTS, "0 0", True, True),
    ("knock-rummy", POINTS, "0 10", True, True),
    ("knock-rummy", POINTS, "0 9", False, False),
    ("knock-rummy", POINTS, "1 10", False, False),
    ("knock-rummy", POINTS, "11 10", False, False),
    ("knock-rummy", POINTS, "0 0", False, False),
    # no hand is in before the betting is over
    ("draw-poker", bets(), "5 5 5", False, False),
    ("draw-poker", bets("Ana bet 2", "Beto call"), "5 5 5", False, False),
    ("draw-poker", bets("Ana check", "Beto check", "Caro check"), "5 5 5", False, False),  # before the exchange only
    ("draw-poker", bets("Beto check"), "5 5 5", False, False),  # not the one in turn
    ("draw-poker", bets("Ana fold", "Beto fold"), "5 5 5", True, True),
    ("draw-poker", {"paid": dict.fromkeys(HANDS, 3)}, "5 5 5", True, True),
]


@pytest.mark.parametrize(("game", "said", "cards", "is_in", "if_asked"), REVEALED)
def test_when_all_hands_are_in(game: str, said: dict[str, Any], cards: str, is_in: bool, if_asked: bool) -> None:
    sizes = {name: int(size) for name, size in zip(HANDS, cards.split(), strict=False) if size != "0"}
    players = list(HANDS)[: len(cards.split())]
    dealer = "Caro" if game == "draw-poker" else "Ana"
    # the cards themselves make no difference
    for hands in ({}, HANDS) if cards == "5 5 5" else ({},):
        entered = read_round({"game": game, "players": players, "dealer": dealer, "round": {**said, "hands": hands}})
        assert [may_reveal_hands(entered, sizes, is_asked=is_asked) for is_asked in (False, True)] == [is_in, if_asked]


def test_nothing_is_in_of_what_is_no_round() -> None:
    assert not may_reveal_hands(read_round([]), {})
