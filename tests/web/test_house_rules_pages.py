"""House rules that a group keeps: made, changed and deleted on its pages, and chosen for a night and in it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from devices import WHOLE, Device, PlayedNight, problem
from flask import Flask
from pages import Page

TUESDAY: dict[str, Any] = {
    "name": "Tuesday rules",
    "rules-ante": "2",
    "rules-deck": "spanish-40",
    "rules-yuca": "y",
    "rules-equal_hands": "wild-then-suit",
    "rules-suits": "diamonds-first",
    "rules-outright_bonus": "0",
}
TOLD = ["Ante: 2", "Deck: Spanish, 40 cards", "Yuca (the 2 of coins is wild): on"]


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    return PlayedNight(app, "dompe")


def save(night: PlayedNight, **changes: str) -> str:
    return night.does("{group}/rules/new?game=dompe", **{**TUESDAY, "do": "save", **changes})


def told(html: str) -> list[str]:
    """Read what differs from the usual, in each list of it."""
    rows = re.findall(r"<div><dt>(.*?)</dt><dd>(.*?)</dd></div>", html)
    return [unescape(f"{label}: {value}") for label, value in rows]


def numbers(night: PlayedNight) -> list[str]:
    return re.findall(r'/rules/(\d+)"', night.html("{group}/rules"))


@pytest.fixture
def kept(night: PlayedNight) -> str:
    """Keep the rules of Tuesday; return their number."""
    assert save(night) == f"{night.group}/rules"
    (number,) = numbers(night)
    return number


def test_rules_are_kept_and_told_by_what_differs(night: PlayedNight) -> None:
    assert "choose them when you start a night" in night.text("{group}/rules")
    save(night)
    page = night.page("{group}/rules")
    assert "Tuesday rules" in page.text
    assert told(page.html) == TOLD
    (card,) = [link for link in page.all("a", "href") if "/card" in link]
    assert told(Device(night.app).get(card).text) == TOLD
    assert f"{night.group}/rules" in night.page("{group}/settings").all("a", "href")


def test_rules_are_renamed_changed_and_deleted(night: PlayedNight, kept: str) -> None:
    where = f"{{group}}/rules/{kept}"
    fields = night.page(where).fields
    assert (fields["name"], fields["rules-deck"]) == (["Tuesday rules"], ["spanish-40"])
    night.does(where, **{**TUESDAY, "name": "At Ana’s", "rules-ante": "1", "do": "save"})
    html = night.html("{group}/rules").replace("“Tuesday rules”", "")
    assert ("At Ana’s" in html, "Tuesday rules" in html, told(html)) == (True, False, TOLD[1:])
    # the second is sent again, as by a phone that got no answer
    assert [night.does(where, do="delete") for _ in range(2)] == [f"{night.group}/rules"] * 2
    assert numbers(night) == []
    assert night.keeper.get(night.address(where)).status_code == 404
    assert night.post(where, do="save").status_code == 404


# what is sent instead | what the page says
BAD = [
    ({"name": ""}, "need a name"),
    ({"name": "x" * 41}, "longer than 40 characters"),
    ({"name": "a\x00b"}, "can't be displayed"),
    ({"name": "TUESDAY RULES", "rules-ante": "3"}, "already"),
    ({"rules-ante": "many", "name": "Others"}, "Ante must be a whole number"),
    ({"rules-deck": "joker", "name": "Others"}, "in a Spanish deck only"),
]


@pytest.mark.parametrize(("changes", "said"), BAD)
def test_what_cannot_be_kept_is_told_and_kept_as_typed(
    night: PlayedNight, kept: str, changes: dict[str, str], said: str
) -> None:
    page = night.told("{group}/rules/new?game=dompe", **{**TUESDAY, "do": "save", **changes})
    assert said in page.text
    assert page.fields["rules-outright_bonus"] == ["0"]
    assert numbers(night) == [kept]


def test_the_number_of_sets_has_an_end(night: PlayedNight) -> None:
    for at in range(12):
        save(night, name=f"Rules {at}")
    answer = night.told("{group}/rules/new?game=dompe", **TUESDAY, do="save")
    assert "already 12 sets of house rules for Dompe" in problem(answer.html)
    # and those of another group are not found
    other = PlayedNight(night.app, "dompe", secret="another secret of a group")
    for path in (f"/rules/{numbers(night)[0]}", "/rules/new?game=canasta", "/rules/99", f"/rules/{10**30}"):
        assert other.keeper.get(other.group + path).status_code == 404, path


START = {"order": ["{Ana}", "{Beto}", "{Caro}"], "player": ["{Ana}", "{Beto}", "{Caro}"], "game": "dompe"}
START |= {"currency": "", "do": "start"}


def begin(night: PlayedNight, **choice: str) -> str:
    return night.does("{group}/tonight", **START, **choice)


def in_force(night: PlayedNight, session: str, game: str = "dompe") -> tuple[str, list[str]]:
    html = night.keeper.get(f"{session}/rules?game={game}").text
    name = re.search(r'<h2 id="in-force">(.*?)</h2>', html)
    assert name is not None
    return name[1], told(html.partition("</section>")[0])


def test_a_night_begins_with_the_chosen_rules(night: PlayedNight, kept: str) -> None:
    page = night.page("{group}")
    assert page.fields["rules-of-dompe"] == ["usual"]
    assert told(page.html) == TOLD
    begun = begin(night, **{"rules-of-dompe": kept})
    assert in_force(night, begun) == ("Tuesday rules", TOLD)
    # the next night offers them again, and can go back
    assert night.page("{group}").fields["rules-of-dompe"] == [kept]
    assert in_force(night, begin(night)) == ("Tuesday rules", TOLD)
    assert in_force(night, begin(night, **{"rules-of-dompe": "usual"})) == ("Rules in force", [])


def test_rules_of_last_time_can_be_kept_for_a_night(night: PlayedNight, kept: str) -> None:
    night.does("/rules", **night.form("/rules?game=dompe") | {"rules-ante": "7"}, do="set")
    assert night.page("{group}").fields["rules-of-dompe"] == ["last"]
    assert in_force(night, begin(night, **{"rules-of-dompe": "last"})) == ("Rules in force", ["Ante: 7"])


def test_a_night_takes_kept_rules_and_goes_back_to_the_usual(night: PlayedNight, kept: str) -> None:
    assert night.does("/rules", game="dompe", do=f"use-{kept}") == f"{night.night}/rules?game=dompe"
    assert in_force(night, night.night) == ("Tuesday rules", TOLD)
    links = night.page("/round").all("a", "href")
    assert {f"/help/dompe{card}?ante=2&deck=spanish-40&yuca=true" for card in ("", "/card")} <= set(links)
    night.does("/rules", game="dompe", do="usual")
    assert in_force(night, night.night) == ("Rules in force", [])


# a form in which rules are chosen that there are not, or not for this game
GONE = [
    ("{group}/tonight", {**START, "rules-of-dompe": "99"}),
    ("/rules", {"game": "dompe", "do": "use-99"}),
    ("/rules", {"game": "knock", "do": "use-1"}),
]


@pytest.mark.parametrize(("path", "sent"), GONE)
def test_rules_that_were_deleted_meanwhile_are_not_used(
    night: PlayedNight, kept: str, path: str, sent: dict[str, Any]
) -> None:
    assert kept == "1"
    page = night.told(path, **sent)
    assert "These house rules were deleted meanwhile; choose others" in page.text
    assert in_force(night, night.night) == ("Rules in force", [])


def test_a_night_s_rules_are_used_and_kept(night: PlayedNight) -> None:
    here = f"{night.night}/rules"
    night.keeper.does(here, **{**TUESDAY, "game": "dompe", "do": "save"})
    assert in_force(night, night.night) == ("Tuesday rules", TOLD)
    assert told(night.html("{group}/rules")) == TOLD
    # a name that is taken by other rules is told, and nothing is changed
    answer = night.keeper.post(here, **{**TUESDAY, "game": "dompe", "do": "save", "rules-ante": "5"})
    assert "already" in problem(answer.text)
    assert Page(answer.text).fields["rules-ante"] == ["5"]
    assert in_force(night, night.night) == ("Tuesday rules", TOLD)


def test_the_table_tells_what_differs(night: PlayedNight) -> None:
    said = "Ante: 2 · Deck: Spanish, 40 cards · Yuca (the 2 of coins is wild): on"
    assert said not in night.page().text
    night.does("/rules", **{**TUESDAY, "game": "dompe", "do": "set"})
    assert said in night.page().text


def test_a_round_of_a_night_is_saved_once_what_its_rules_ask_was_asked(app: Flask) -> None:
    night = PlayedNight(app)
    whole = night.round_fields(night.keeper, **{**WHOLE, "rules-draw_fee": "1"})
    asked = night.post("/round", **whole, do="save")
    assert "The house rules ask more now." in asked.text
    answered = {**whole, **{name: [""] for name in Page(asked.text).fields if name.endswith("-draws")}}
    again = night.post("/round", **{**answered, "asks": Page(asked.text).fields["asks"]}, do="save")
    assert again.status_code == 303


def test_a_wrong_rule_is_told_at_the_top_too(night: PlayedNight) -> None:
    for path in (f"{night.night}/rules?game=knock-poker", f"{night.group}/rules/new?game=knock-poker"):
        fields = night.keeper.page(path).fields
        fields = {name: value for name, value in fields.items() if name != "do"}
        html = night.keeper.client.post(path, data={**fields, "rules-ante": "2x", "name": "x", "do": "set"}).text
        assert '<a href="#rules-ante">Ante must be a whole number from 0 to 1,000, not “2x”</a>' in html, path
