"""The pages and the API of a group that was handed over to another place, and taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from devices import HANDS, Device, PlayedNight, dispose, words
from flask import Flask
from programs import Program, token_of
from sample_rounds import ROUNDS
from test_portable_pages import server, upload
from test_tokens import forms, posted

SINCE = "Score has been kept elsewhere since"
REFUSED = "This group was handed over: score is kept elsewhere now, so nothing was changed here"
# what the group's file doesn't have, or is no entry
LOCAL = {"groups.new", "groups.renew", "groups.change_tokens", "groups.change_webhooks", "demo.make", "turns.turn"}
LOCAL |= {"import_export.upload", "phone_settings.phone", "phones.by_typed_code"}
LOCAL |= {"delete_group.delete", "single_round.settle", "reminders.choose"}
LOCAL |= {"photo.of_single_round", "photo.of_next_round", "photo.of_correction"}


@pytest.fixture
def table(new_instance: Callable[[], Path]) -> Iterator[Device]:
    """Return the phone that keeps score on another server."""
    app = server(new_instance())
    yield Device(app)
    dispose(app)


def hand_over(night: PlayedNight, by: Device | None = None) -> None:
    keeper = by or night.keeper
    keeper.does(f"{night.group}/hand-over", do="hand-over")


def file_of(night: PlayedNight, by: Device | None = None) -> bytes:
    return (by or night.keeper).get(f"{night.group}/export/group.json").data


def test_a_group_is_handed_over_and_back(night: PlayedNight, table: Device) -> None:
    night.books()
    assert night.page("{group}/settings").all("a", "href").count(f"{night.group}/hand-over") == 1
    told = night.text("{group}/hand-over")
    assert "Score is kept here now" in told
    assert "A round is just being entered" not in told
    night.types(night.keeper, players_0_hand="9s 9h", number="2")
    assert "A round is just being entered. It isn't in the file" in night.text("{group}/hand-over")
    hand_over(night)
    for page in ("", "/rounds", "/money", "/people", "{group}", "{group}/hand-over"):
        assert SINCE in night.text(page), page
    assert "Keep score here anyway" in night.text("{group}/hand-over")
    assert f"{night.group}/hand-over" in night.page("{group}").all("a", "href")
    assert "tonight" not in night.html("{group}")
    assert "Plan the next night" not in night.text("{group}")
    assert night.page().all("button", "value") == night.page("", night.guest("look")).all("button", "value")
    # what would only be refused isn't offered
    for page in ("/round", "/lines/1/correct", "/rules", "/cost", "/lines/1/void"):
        answer = night.keeper.get(night.address(page))
        assert (answer.status_code, REFUSED in words(answer.text)) == (409, True), page
        assert "Score is kept elsewhere" in answer.text
        assert ">Try again" not in answer.text  # which would say the same
    assert upload(table.client, file_of(night)).status_code == 303
    assert SINCE not in table.get(night.group).text
    table.does(f"{night.night}/note", place="Café", note="")
    hand_over(night, table)
    back = upload(night.keeper.client, file_of(night, table))
    told = words(back.text)
    assert "1 step was added" in told
    assert "From now on score is kept here." in told
    night.books()
    assert SINCE in table.get(night.group).text
    # nothing was written here before it is handed over again
    night.does("{group}/hand-over", do="hand-over")
    taken = words(upload(table.client, file_of(night)).text)
    assert "From now on score is kept here." in taken


def test_a_backup_leaves_it_where_it_is(night: PlayedNight, table: Device) -> None:
    hand_over(night)
    upload(table.client, file_of(night))
    table.does(f"{night.night}/note", place="Café", note="")
    told = words(upload(night.keeper.client, file_of(night, table)).text)
    assert "Score is kept elsewhere, so here you can only look." in told
    # the other place is lost
    night.does("{group}/hand-over", do="write-here")
    assert SINCE not in night.text()
    night.books()
    told = words(upload(table.client, file_of(night)).text)
    assert "Score is kept elsewhere, so here you can only look." in told
    assert table.post(f"{night.night}/note", place="Bar", note="").status_code == 200


def test_names_alone_come_back(night: PlayedNight, table: Device) -> None:
    hand_over(night)
    upload(table.client, file_of(night))
    table.does(f"{night.group}/players", do="add", name="Dani")
    hand_over(night, table)
    told = words(upload(night.keeper.client, file_of(night, table)).text)
    assert "The group goes on here as in the file." in told
    assert "step" not in told
    assert "Dani" in night.html("{group}/people")


def test_no_form_changes_a_group_that_was_handed_over(night: PlayedNight, app: Flask) -> None:
    night.books()
    night.does("{group}/rules/new?game=knock", **{"name": "Tuesday rules", "rules-ante": "1", "do": "save"})
    night.does("/settle")
    table = forms(night, night.plan())
    night.types(night.keeper, players_0_hand="9s 9h", number="2")
    hand_over(night)
    with_stacks = table["night.count"][0].removesuffix("/count")
    other = next(path for path in night.keeper.page(with_stacks).all("a", "href") if path.startswith("/g/"))
    night.keeper.does(f"{other}/hand-over", do="hand-over")
    before = file_of(night)
    token = night.keeper.page("/join").fields["csrf_token"][0]
    for name, (path, fields) in table.items():
        if name in LOCAL:
            continue
        answer = posted(night.keeper, path, fields, f"elsewhere {name}", csrf_token=token)
        assert answer.status_code in (200, 409, 422), (name, answer.status_code)
        text = answer.get_json()["problem"] if answer.is_json else words(answer.text)
        assert REFUSED in text, name
        assert file_of(night) == before, name


def test_phones_see_that_it_was_handed_over(night: PlayedNight) -> None:
    phone = night.joined("Beto")
    version = night.state(phone)["version"]
    hand_over(night)
    assert night.state(phone)["version"] > version
    assert SINCE in night.text("", phone)
    assert night.sends(phone, players_1_hand="9s 9h").get_json()["problem"].startswith(REFUSED)
    assert phone.get(f"{night.night}/round").status_code == 409
    guest = night.guest("look")
    assert SINCE in night.text("{group}", guest)
    assert f"{night.group}/hand-over" not in night.html("{group}", guest)
    assert night.post("{group}/hand-over", guest, do="write-here").status_code == 403


def test_a_form_sent_again_leads_to_its_round(night: PlayedNight) -> None:
    fields = night.round_fields(night.keeper, **{f"players-{at}-hand": hand for at, hand in enumerate(HANDS.values())})
    sent = {**fields, "asked-knocker": "0", "key": "the same"}
    line = night.keeper.does(f"{night.night}/round", **sent, do="save")
    hand_over(night)
    assert night.keeper.does(f"{night.night}/round", **sent, do="save") == line


def test_programs_are_told(night: PlayedNight) -> None:
    night.books()
    night.does("/settle")
    program = Program(night.app, token_of(night, "keep"))
    here: dict[str, Any] = {"night": night.night.rpartition("/")[2]}
    program.call("one_round", number=1, **here)
    assert program.call("group")["handed_over_at"] is None
    hand_over(night)
    before = file_of(night)
    assert program.call("group")["handed_over_at"].startswith("20")
    round = {key: value for key, value in ROUNDS["knock-poker"].items() if key not in ("stake", "rules", "pot")}
    loan = {"movement": "loan", "from": "Ana", "to": "Beto", "amount": 5}
    calls: list[tuple[str, Any, dict[str, Any]]] = [
        ("open_night", {"game": "knock", "players": ["Ana", "Beto"]}, {}),
        ("save_round", round, here),
        ("correct_round", round, {**here, "number": 1}),
        ("void_round", None, {**here, "number": 1}),
        ("book_movement", loan, here),
        ("close_night", {"split": False}, here),
    ]
    for operation, body, given in calls:
        problem = program.refused(operation, body, **given)
        assert (problem["type"], problem["status"]) == ("/api/v1/problems/written-elsewhere", 409), operation
        assert "can only be read here" in problem["detail"]
    assert file_of(night) == before
    assert {name for name, (method, *_) in program.operations.items() if method != "get"} >= {
        name for name, *_ in calls
    }
    assert program.call("night", **here)["id"] == here["night"]


def test_a_demo_is_not_handed_over(app: Flask) -> None:
    phone = Device(app)
    phone.does("/demo", secret="secret-of-the-demo")
    group = next(path for path in phone.page("/").all("a", "href") if path.startswith("/g/"))
    assert phone.get(f"{group}/hand-over").status_code == 404


def test_a_button_that_is_none_does_nothing(night: PlayedNight) -> None:
    night.does("{group}/hand-over", do="something")
    assert SINCE not in night.text()
