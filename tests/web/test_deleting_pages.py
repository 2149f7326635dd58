"""Deleting a group over the pages: permission, PIN, a form sent twice, and every address afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from devices import Device, PlayedNight, problem
from flask import Flask
from pages import Page
from test_access import answers

from companion.store.groups.deleting import delete_group
from companion.store.models import Group

HOME = "/?deleted=yes"


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    return PlayedNight(app, begins="round")


def phones(night: PlayedNight) -> Iterator[Device]:
    """Return a phone with each kind of access: the scorekeeper's, with the other links, with the code."""
    yield night.keeper
    for access in ("play", "look"):
        device = Device(night.app)
        device.open(night.links()[access])
        yield device
    yield night.joined("Ana")


def test_no_phone_finds_anything_of_a_deleted_group(night: PlayedNight) -> None:
    let_in, links, code = list(phones(night)), night.links(), night.code()
    assert night.does("{group}/delete") == HOME
    assert "The group has been deleted" in night.keeper.page(HOME).text
    nowhere = Device(night.app).get("/g/nothing").text
    for device in (*let_in, Device(night.app)):
        found = answers(device, night)
        assert {name: answer.status_code for name, answer in found.items()} == dict.fromkeys(found, 404)
        assert not any("Friday" in answer.text or "Ana" in answer.text for answer in found.values())
        assert [device.open(secret) for secret in links.values()] == [404] * 3
        assert "no longer valid" in device.get(f"/join/{code}").text
        assert night.group not in device.page("/").all("a", "href")
    assert Device(night.app).get(night.group).text == nowhere


def test_the_page_before_says_what_goes_and_offers_the_file(night: PlayedNight) -> None:
    page = night.page("{group}/delete")
    assert f"{night.group}/export/group.json" in page.all("a", "href")
    assert "Ana, Beto and Caro" in page.text
    assert f"{night.group}/delete" in night.page("{group}/settings").all("a", "href")
    assert night.keeper.get(night.group).status_code == 200


def test_a_form_sent_twice_leads_to_the_same_page(night: PlayedNight) -> None:
    where = f"{night.group}/delete"
    assert night.keeper.does(where, key="one key") == HOME
    assert night.keeper.does(where, key="one key") == HOME
    assert night.keeper.post(where, key="another").status_code == 404


def test_a_form_sent_twice_at_once_leads_to_the_same_page(night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    where = f"{night.group}/delete"
    token = night.keeper.page(where).fields["csrf_token"][0]

    def deleted_meanwhile(group: Group, _pin: str | None) -> None:
        delete_group(group, "one key")

    monkeypatch.setattr("companion.web.groups.deleting.must_know_pin", deleted_meanwhile)
    answer = night.keeper.client.post(where, data={"csrf_token": token, "key": "one key"})
    assert (answer.status_code, answer.location) == (303, HOME)


def test_the_pin_guards_it(night: PlayedNight) -> None:
    night.does("{group}/players", do="pin", **{"new-pin": "4711"})
    where = f"{night.group}/delete"
    assert "pin" in night.keeper.page(where).fields
    assert problem(night.keeper.post(where).text) == "Enter the group's PIN for this"
    refused = Page(night.keeper.post(where, pin="4712").text)
    assert refused.texts["problems"].strip() == "That isn't the group's PIN; try again"
    assert refused.marked == ["pin-now"]
    assert refused.texts["problems"] in refused.texts["form"]
    assert night.keeper.does(where, pin="4711") == HOME


def test_who_is_about_to_save_finds_nothing(night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    """The group is deleted between finding the night and writing to it."""
    keeper = night.keeper
    token = Page(keeper.get(f"{night.night}/people").text).fields["csrf_token"][0]

    def deleted_meanwhile(group: Group, _pin: str | None) -> None:
        delete_group(group, "key of another phone")

    monkeypatch.setattr("companion.web.night.money.closing.must_know_pin", deleted_meanwhile)
    answer = keeper.client.post(f"{night.night}/close", data={"csrf_token": token, "key": "key", "do": "leave"})
    assert answer.status_code == 404
