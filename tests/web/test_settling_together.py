"""Several phones settle one night: each page follows the others' ticks, and a payment ticked twice is no mistake."""

from __future__ import annotations

import re
from typing import Any

import pytest
from devices import PlayedNight, words
from flask import Flask

TWICE = "It was already marked paid on another phone."


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """A closed night: Beto and Caro each owe Ana 1 for a round."""
    return PlayedNight(app).plays("round, close")


# the button that two phones press, the page it is on, where the second is led, and what that says
BUTTONS = [
    ("pay-0", "end", "{night}/end?already=paid#already", TWICE),
    ("pay-0", "night", "{night}/money?already=paid#already", TWICE),
    ("pay-0", "", "{night}/settle?already=paid", TWICE),
    ("unpay-0", "end", "{night}/end?already=undone#already", "It was already undone on another phone."),
]


@pytest.mark.parametrize(("do", "back", "to", "told"), BUTTONS)
def test_what_another_phone_did_already_is_told_calmly(
    night: PlayedNight, do: str, back: str, to: str, told: str
) -> None:
    plan = night.plan()
    sent: dict[str, Any] = {"amount-0": night.page("/end").fields["amount-0"], "back": back}
    if do == "unpay-0":
        night.does(plan, do="pay-0", **sent)
    night.does(plan, do=do, **sent)
    address = night.does(plan, do=do, **sent)
    assert address == to.format(night=night.night)
    html = night.html(address.removeprefix(night.night).partition("#")[0])
    assert told in words(html) and 'role="alert"' not in html
    assert ('aria-pressed="true"' in night.html("/end")) == (do == "pay-0")
    assert told not in night.text("/end")
    assert night.text("/end?already=odd").count("already") == 0


def test_it_is_told_on_the_groups_page_and_to_a_leaver_too(app: Flask) -> None:
    night = PlayedNight(app).plays("round")
    night.does("{group}/settle")
    plan = night.plan("{group}/settle")
    sent: dict[str, Any] = {"amount-0": night.page("{group}/settle").fields["amount-0"]}
    night.does(plan, do="pay-0", **sent)
    assert night.does(plan, do="pay-0", **sent).endswith("/settle?already=paid")
    assert TWICE in night.text("{group}/settle?already=paid")
    night.plays("round, settle")
    plan, more = night.plan(), {"leaves": night.players["Beto"]}
    sent = {"amount-0": night.page("/settle").fields["amount-0"]}
    night.does(plan, do="pay-0", **sent, **more)
    assert TWICE in night.text(night.does(plan, do="pay-0", **sent, **more).removeprefix(night.night))


def test_at_the_end_payments_come_first_and_ones_own_before_the_others(night: PlayedNight) -> None:
    caro = night.plays("reopen").joined("Caro")
    night.plays("close")
    told = words(night.html("/end", caro))
    places = [told.index(text) for text in ("Who pays whom", "Caro pays Ana", "Beto pays Ana", "Best hand")]
    assert places == sorted(places)
    others = words(night.html("/end"))
    assert others.index("Beto pays Ana") < others.index("Caro pays Ana")
    assert re.findall(r'name="do" value="([^"]+)"', night.html("/end", caro)) == ["pay-1"]
