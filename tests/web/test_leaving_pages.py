"""A player who leaves: what they owe and why, ticked off at once on one page; the others' plan follows."""

from __future__ import annotations

import re

import pytest
from devices import Device, PlayedNight, problem
from flask import Flask
from werkzeug.test import TestResponse


def leave(night: PlayedNight, by: Device | None = None, name: str = "Caro") -> str:
    """Return the page of a player who leaves, in words."""
    return night.text(f"/leave?player={night.players[name]}", by).replace("\u2060", "")


def buttons(night: PlayedNight, by: Device | None = None) -> dict[str, tuple[str, dict[str, str]]]:
    """Return Caro's buttons that pay or open a payment: by value, where they lead and what is sent with them."""
    found = {}
    html = night.html(f"/leave?player={night.players['Caro']}", by)
    for form in re.findall(r"<form.*?</form>", html, re.DOTALL):
        action = re.search(r'action="([^"]+)"', form)
        assert action is not None
        fields = dict(re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', form))
        more = {name: value for name, value in fields.items() if name not in ("csrf_token", "key")}
        for do in re.findall(r'name="do" value="([^"]+)"', form):
            found[do] = action[1], more
    return found


def taps(night: PlayedNight, start: str, by: Device | None = None) -> TestResponse:
    """Tap the first of Caro's buttons whose value begins with `start`."""
    do, (path, fields) = next((do, more) for do, more in buttons(night, by).items() if do.startswith(start))
    return (by or night.keeper).post(path, **fields, do=do)


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """A night in yen: Caro owes Ana 3 for a round and Beto 7 for a pizza, the latter apart."""
    return PlayedNight(app, begins=has_a_round_and_a_pizza, currency="JPY", stake="1")


def has_a_round_and_a_pizza(night: PlayedNight) -> None:
    night.books()
    night.does("/cost", what="Pizza", payer="{Beto}", for_=night.players["Caro"], amount="7", apart="y")


def test_who_leaves_ticks_what_is_owed_and_the_plan_of_the_others_follows(night: PlayedNight) -> None:
    assert "Leave" in night.text("/people")
    told = leave(night)
    assert "Caro owes ¥3 Caro owes ¥7 −¥3 from rounds" in told
    assert told.count("Caro pays") == 2
    refused = night.post("/leave", player="{Caro}", do="left")
    assert problem(refused.text) == "Tick what is paid, or settle with the others later"
    for owed in ("Caro owes ¥7", "Caro owes nothing"):
        answer = taps(night, "pay")
        assert answer.status_code == 303, problem(answer.text)
        assert owed in leave(night)
    assert leave(night).count("Caro pays") == 2
    assert night.does("/leave", player="{Caro}", do="left").endswith("/people")
    assert "Caro has left" in night.text("/people")
    assert "Caro owes" not in night.text("/people")
    assert "Beto pays Ana ¥3" in night.text("/money")
    assert taps(night, "unpay").status_code == 303  # it wasn't paid after all
    assert "Caro owes ¥7" in night.text("/people")
    night.does("/close", do="leave")
    told = night.text("/end")
    assert ["Beto pays Ana ¥3" in told, "Caro pays Beto ¥7" in told] == [True, True], told
    answer = night.keeper.get(f"{night.night}/leave?player={night.players['Caro']}")
    assert answer.location.endswith("/money")


@pytest.mark.parametrize(("do", "told"), [("later", "Caro has left"), ("out", "Caro sits out")])
def test_who_settles_later_still_owes_it(night: PlayedNight, do: str, told: str) -> None:
    night.does("/leave", player="{Caro}", do=do)
    assert told in night.text("/people")
    assert ("Caro owes ¥3" in night.text("/people")) == (do == "later")
    assert "Caro owes ¥3" in leave(night)


def test_the_own_phone_sees_its_payments_ticks_them_and_leaves(night: PlayedNight) -> None:
    caro, beto, looker = night.joined("Caro"), night.joined("Beto"), night.guest("look")
    assert "I'm leaving" in night.text("/people", caro)
    assert "You owe ¥3 You owe ¥7" in night.text("/leave", caro)
    night.does("/paid-by", player="{Ana}", kind="cash", text="not a coin")
    opened = taps(night, "open", caro)
    assert "not a coin" in caro.get(opened.location).text
    fields = {name: values[0] for name, values in caro.page(opened.location).fields.items()}
    plan = opened.location.partition("?")[0].rpartition("/")[0]
    for device in (beto, looker):
        assert device.post(plan, **{**fields, "do": "pay-0"}).status_code == 403
        assert device.get(f"{night.night}/leave?player={night.players['Caro']}").status_code == 403
        assert night.post("/leave", device, player="{Caro}", do="later").status_code == 403
    assert caro.does(plan, **{**fields, "do": "pay-0", "how": "cash"}).endswith(f"leave?player={night.players['Caro']}")
    assert "You owe ¥3" not in night.text("/leave", caro)
    ana = night.joined("Ana")
    ana.does(plan, do="unpay-0", **{"amount-0": "1"})  # she hasn't got it
    assert "You owe ¥3" in night.text("/leave", caro)
    assert caro.does(f"{night.night}/leave", do="later") == night.night
    assert "Caro has left" in night.text("/people")
    assert "You left the table. You owe ¥3. You owe ¥7 for shared costs." in night.text("", caro)
    ana.does(plan, do="pay-0", how="cash", **{"amount-0": "2"})
    assert "You left the table. You owe ¥1. You owe ¥7 for shared costs." in night.text("", caro)


@pytest.mark.parametrize("do", ["pay-/{Caro}/{Ana}/4", "pay-EUR/{Caro}/{Beto}/7", "pay-", "open-x/y"])
def test_a_payment_that_has_changed_is_not_ticked(night: PlayedNight, do: str) -> None:
    answer = night.post("/leave", player="{Caro}", do=do)
    assert answer.status_code == 409
    assert "has changed meanwhile" in answer.text
    assert "Caro owes ¥3 Caro owes ¥7" in leave(night)


def test_other_buttons_and_players_are_refused(night: PlayedNight) -> None:
    assert night.post("/leave", player="{Caro}", do="fly").status_code == 400
    assert night.post("/leave", player="99", do="later").status_code == 403
    assert night.post("/leave", do="later").status_code == 400


def test_after_more_rounds_only_the_rest_is_owed(night: PlayedNight) -> None:
    taps(night, "pay-/")
    night.books()
    told = leave(night)
    assert "Caro owes ¥3 Caro owes ¥7" in told
    assert "−¥6 from rounds +¥3 paid or planned before" in told
    night.does("/settle")  # a plan of all serves as well
    assert leave(night).count("Caro pays") == 2
    assert taps(night, "pay-").status_code == 303
