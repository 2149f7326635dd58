"""Deleting a group: what can't be found any more, what the ledger keeps, and changes made concurrently."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from nights import PlayedNight, enter
from sqlalchemy import JSON, Column, String, select, text
from sqlalchemy.exc import DBAPIError

from companion.store.audit import audit
from companion.store.groups import (
    deleting,
    groups,
    handles,
    links,
    next_night,
    reminders,
    rule_sets,
    seasons,
    tokens,
    webhooks,
)
from companion.store.log import ledger
from companion.store.models import Group, Link, Night, Player, SentForm, db, now
from companion.store.money import settle_up
from companion.store.night import phones, play, revising
from companion.store.night import settings as night_changes
from companion.store.portable import export_group, import_group
from companion.store.refusals import Gone

KEY = "key of the page that deletes"


def filled(night: PlayedNight) -> Group:
    """Give a night everything that is deleted along with it."""
    night.do("lost Ana Beto; won Ana; bank Ana bank 5; fix 1 won Ana")
    night_changes.write_note(night.public_id, "Kitchen", "Ana brought cake", night.sent())
    play.write_remark(night.public_id, 2, "Ana laughed", night.sent())
    enter(night.public_id, "key", 5, {night.ids["Ana"]: {"hand": "Ks"}}, "a phone")
    group = night.group
    groups.set_pin(group, "hash")
    plan = settle_up.make_plan(group, night.night, None, None, night.sent())
    settle_up.pay(plan.public_id, 0, 1, night.sent())
    return group


def test_nothing_leads_to_a_deleted_group(night: PlayedNight) -> None:
    group = filled(night)
    secret, code, plan = links.new_secret(), night.night.join_code, settle_up.plan_for(night.night, {})
    assert plan is not None
    addresses = group.public_id, night.public_id, plan.public_id
    secret = links.renew(group, "keep", secret)
    assert groups.open_group(secret) is group
    deleting.delete_group(group, KEY)
    assert groups.open_group(secret) is None
    assert db.session.scalar(db.select(db.func.count(Link.id))) == 0
    assert groups.all_groups() == []
    assert play.find_night(addresses[1]) is None
    assert settle_up.find_plan(addresses[2]) is None
    assert not db.session.scalar(db.select(Night).where(Night.join_code == code))
    assert group.public_id not in addresses
    assert db.session.scalars(db.select(SentForm)).all() == []
    assert deleting.was_deleted_by(KEY)
    assert not deleting.was_deleted_by("another key")


def test_its_names_are_gone_and_its_numbers_stay(night: PlayedNight) -> None:
    group = filled(night)
    before = ledger.balances(night.night)
    deleting.delete_group(group, KEY)
    session = db.session.scalars(db.select(Night)).one()
    words = [group.name, session.place, session.note, *(line.remark for line in session.lines)]
    assert [*words, *db.session.scalars(db.select(Player.name))] == [""] * (len(words) + 3)
    assert group.pin_hash is None
    assert session.draft is None
    assert ledger.balances(session) == before
    assert list(audit()) == []


def columns() -> list[Column[Any]]:
    """List all columns that can hold text."""
    kinds = (String, JSON)
    return [column for table in db.metadata.sorted_tables for column in table.columns if isinstance(column.type, kinds)]


@pytest.mark.parametrize("column", columns(), ids=str)
def test_a_column_of_texts_is_declared(column: Column[Any]) -> None:
    assert column.info.get("personal") in (True, False)


def test_what_people_typed_is_gone_from_every_column(night: PlayedNight) -> None:
    group = filled(night)
    rule_sets.add_set(group, "knock", "Typed rules", {})
    month = night.night.month
    seasons.close_season(group, "Typed season", "net", month, month, night.sent("season"))
    next_night.plan_night(group, next_night.Planned(now(), 0, "a typed place"), night.sent("next"))
    tokens.make_token(group, "A typed label", "look", "secret", "the token's form")
    webhooks.make_webhook(group, "https://typed.example.org/", webhooks.EVENTS, "salt", "the webhook's form")
    handles.set_handle(group, int(night.ids["Ana"]), "cash", "typed words", night.sent())
    phones.take_seat(night.night, int(night.ids["Ana"]), "typed-phone", (), night.sent())
    address = "https://typed-push.example.org/", "a phone's key", "a phone's secret"
    reminders.subscribe(night.night, "typed-phone", address, "https://here.example.org/", "en")
    play.move(night.public_id, 4, {**loan(night), "note": "a typed loan"}, night.sent())
    revising.correct(night.public_id, 4, {**loan(night), "note": "another typed loan"}, 1, night.sent())
    revising.undo(night.public_id, 4, 2, night.sent())
    personal = [column for column in columns() if column.info["personal"]]
    assert [str(column) for column in personal if not stored(column)] == []
    texts = {text for column in personal if column.name not in ("folded", "cells") for text in stored(column)}
    texts |= {"cake", "typed loan", "a phone"}
    deleting.delete_group(group, KEY)
    kept = {f"{column}": stored(column) for column in columns()}
    folded = kept.pop("player.folded")
    assert folded == {str(player.id) for player in group.players}
    assert {name: values for name, values in kept.items() if any(t in v for v in values for t in texts if t)} == {}
    assert {str(column): kept[str(column)] for column in personal if str(column) in kept and kept[str(column)]} == {}
    assert list(audit()) == []


def loan(night: PlayedNight) -> dict[str, Any]:
    return {"movement": "loan", "from": night.ids["Ana"], "to": night.ids["Beto"], "amount": 5, "note": ""}


def stored(column: Column[Any]) -> set[str]:
    """Return the texts in a column, JSON as it is written; neither null nor empty ones."""
    values = db.session.scalars(select(column))
    return {value if isinstance(value, str) else json.dumps(value) for value in values if value}


def test_the_ledger_goes_on_refusing_to_lose_a_line(night: PlayedNight) -> None:
    deleting.delete_group(filled(night), KEY)
    for table in ("transfer", "revision", "change", "line"):
        with pytest.raises(DBAPIError, match="What is in the ledger stays"):
            db.session.execute(text(f"DELETE FROM {table}"))
        db.session.rollback()


def test_other_groups_stay_as_they_are(night: PlayedNight) -> None:
    other = PlayedNight("Ana", "Beto", "Caro")
    other.do("won Ana")
    before = export_group(other.group.public_id)
    deleting.delete_group(filled(night), KEY)
    assert export_group(other.group.public_id) == before
    assert [group.name for group in groups.all_groups()] == ["Friday"]


def test_an_exported_file_brings_it_back(night: PlayedNight) -> None:
    group = filled(night)
    file, public_id = export_group(group.public_id), group.public_id
    deleting.delete_group(group, KEY)
    back, is_new = import_group(file, links.new_secret())
    assert is_new
    assert back.id != group.id
    assert export_group(public_id) == file
    assert list(audit()) == []


ABOUT_TO: dict[str, Callable[[PlayedNight, Group], object]] = {
    "save a round": lambda night, _: play.save_round(night.public_id, 2, night.round("rummy"), night.sent()),
    "enter a hand": lambda night, _: enter(night.public_id, "key", 2, {}, "a phone"),
    "renew a link": lambda _, group: links.renew(group, "keep", "secret"),
    "add a player": lambda _, group: groups.add_player(group, "Zoe", "another key"),
    "rename a player": lambda _, group: groups.rename_player(group.players[0], "Zoe"),
    "retire a player": lambda _, group: groups.retire_player(group.players[0], False),
    "set a PIN": lambda _, group: groups.set_pin(group, "hash"),
    "start a night": lambda _, group: groups.start_night(group, [p.id for p in group.players], "knock", {}, "key"),
    "plan payments": lambda night, group: settle_up.make_plan(group, None, None, None, night.sent()),
    "tick a payment": lambda night, _: settle_up.pay("plan", 0, 1, night.sent()),
    "delete it too": lambda _, group: deleting.delete_group(group, "another key"),
}


@pytest.mark.parametrize("change", ABOUT_TO.values(), ids=ABOUT_TO)
def test_who_was_about_to_change_it_is_told(night: PlayedNight, change: Callable[[PlayedNight, Group], object]) -> None:
    night.do("won Ana")
    group = night.group
    deleting.delete_group(group, KEY)
    with pytest.raises(Gone):
        change(night, group)
    assert (group.name, group.links, len(groups.nights_of(group, None, 99)), group.pin_hash) == ("", [], 1, None)
    assert {player.name for player in group.players} == {""}
