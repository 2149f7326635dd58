"""Forms that are noted by their key: carried out once, however many come at once, and never with two contents."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import delete, func, select, update
from test_change import at_once, writers  # noqa: F401 - a fixture

from companion.games import all_games
from companion.store.groups import groups
from companion.store.log.sent_forms import is_new
from companion.store.models import Group, Night, Player, SentForm, SettleUp, db, now
from companion.store.money import settle_up
from companion.store.night import hand_in_play
from companion.store.night import settings as night_changes
from companion.store.refusals import Conflict, Refused, Sent
from companion.table.input import Asked

PHONES = 4
SENT = Sent("the form's key", "a phone")
Does = Callable[[PlayedNight, str], object]


# what makes a row, given the night and what the form says ("one" or "two"), and the rows
FORMS: dict[str, tuple[Does, type[Any]]] = {
    "group": (lambda night, said: groups.make_group(said, ["Ana", "Beto"], "a secret").id, Group),
    "night": (
        lambda night, said: (
            groups.start_night(
                night.group, [int(night.ids["Ana"]), int(night.ids["Beto"])], "knock", {}, SENT.key, said=said
            ).id
        ),
        Night,
    ),
    "player": (lambda night, said: groups.add_player(night.group, said, SENT.key), Player),
    "newcomer": (lambda night, said: night_changes.seat_newcomer(night.public_id, said, SENT), Player),
    "plan": (
        lambda night, said: (
            settle_up.make_plan(night.group, night.night, None, night.ids[{"one": "Ana", "two": "Beto"}[said]], SENT).id
        ),
        SettleUp,
    ),
}
EVERY_FORM = pytest.mark.parametrize(("does", "table"), FORMS.values(), ids=FORMS)


def rows_of(table: type[Any]) -> int:
    return int(db.session.scalar(select(func.count()).select_from(table)) or 0)


@EVERY_FORM
def test_a_form_is_carried_out_once(night: PlayedNight, does: Does, table: type[Any]) -> None:
    night.do("won Ana")
    before = rows_of(table)
    assert does(night, "one") == does(night, "one")
    with pytest.raises(Conflict, match="different contents") as conflict:
        does(night, "two")
    assert conflict.value.is_sent_before
    assert rows_of(table) == before + 1


@EVERY_FORM
@pytest.mark.usefixtures("writers")
def test_a_form_that_comes_several_times_at_once_is_answered_alike(
    app: Flask, night: PlayedNight, does: Does, table: type[Any]
) -> None:
    night.do("won Ana")
    before = rows_of(table)
    answers = at_once(app, PHONES, lambda at: does(night, "one"))
    assert not [answer for answer in answers if isinstance(answer, Refused)]
    assert len(set(answers)) == 1
    assert rows_of(table) == before + 1


@EVERY_FORM
@pytest.mark.usefixtures("writers")
def test_of_two_contents_at_once_one_is_told(app: Flask, night: PlayedNight, does: Does, table: type[Any]) -> None:
    night.do("won Ana")
    before = rows_of(table)
    answers = at_once(app, 2, lambda at: does(night, ("one", "two")[at]))
    assert [isinstance(answer, Conflict) for answer in answers].count(True) == 1
    assert rows_of(table) == before + 1


def test_a_form_from_before_forms_were_noted_is_answered_with_what_it_made(night: PlayedNight) -> None:
    night.do("won Ana")
    for form in ("group", "night", "plan"):
        does, table = FORMS[form]
        made, rows = does(night, "one"), rows_of(table)
        db.session.execute(delete(SentForm))
        db.session.commit()
        assert (does(night, "one"), rows_of(table)) == (made, rows)
        with pytest.raises(Conflict, match="different contents"):
            does(night, "two")
        db.session.execute(delete(SentForm))
        db.session.commit()


def test_a_name_that_is_taken_is_told_and_the_form_may_be_sent_again(night: PlayedNight) -> None:
    for _ in range(2):
        with pytest.raises(Refused, match="Two players are called"):
            night_changes.seat_newcomer(night.public_id, "ana", SENT)
    assert night_changes.seat_newcomer(night.public_id, "Dani", SENT)
    assert [seat.player.name for seat in night.night.seats] == ["Ana", "Beto", "Caro", "Dani"]


def test_a_newcomer_in_a_closed_night_is_refused_and_not_added(night: PlayedNight) -> None:
    night.do("close")
    with pytest.raises(Refused, match="closed"):
        night_changes.seat_newcomer(night.public_id, "Dani", SENT)
    assert [player.name for player in night.group.players] == ["Ana", "Beto", "Caro"]


def test_who_was_retired_comes_back_to_the_last_seat(night: PlayedNight) -> None:
    player = next(player for player in night.group.players if player.name == "Ana")
    groups.retire_player(player, True)
    night_changes.seat_newcomer(night.public_id, "ANA", SENT)
    assert [(seat.player.name, seat.state) for seat in night.night.seats][-1] == ("Ana", "in")
    assert not night.group.players[0].retired


def test_a_key_of_another_group_is_refused(night: PlayedNight) -> None:
    other = PlayedNight("Dani", "Eva")
    FORMS["night"][0](night, "one")
    with pytest.raises(Conflict, match="different contents"):
        groups.start_night(other.group, [int(other.ids["Dani"]), int(other.ids["Eva"])], "knock", {}, SENT.key)


def test_the_same_key_in_another_group_is_another_form(night: PlayedNight) -> None:
    ids = night.group_id, PlayedNight("Dani", "Eva").group_id
    assert [is_new(group, "key", "said") for group in (*ids, *ids)] == [True, True, False, False]


def test_a_hand_s_form_that_asks_for_something_else_is_told(night: PlayedNight) -> None:
    def act(said: str) -> Night:
        return hand_in_play.act(
            night.public_id, 1, "key", "phone", all_games()["knock"], Asked("game", keeps=True), [said]
        )

    assert act("one").version == act("one").version
    with pytest.raises(Conflict, match="different contents"):
        act("two")


def test_a_new_form_clears_those_of_its_group_that_are_older_than_sixty_days(night: PlayedNight) -> None:
    ids = night.group_id, PlayedNight("Dani", "Eva").group_id
    for group in ids:
        for days in (59, 61):
            assert is_new(group, f"{days} days ago", "said")
            sent = (SentForm.group_id == group) & (SentForm.key == f"{days} days ago")
            db.session.execute(update(SentForm).where(sent).values(at=now() - timedelta(days=days)))
    assert not is_new(ids[0], "61 days ago", "said")  # sent again, it isn't a new one
    assert is_new(ids[0], "today", "said")
    kept = db.session.execute(select(SentForm.group_id, SentForm.key).where(SentForm.key.contains("day")))
    assert {(group, key) for group, key in kept if group in ids} == {
        (ids[0], "59 days ago"),
        (ids[0], "today"),
        (ids[1], "59 days ago"),
        (ids[1], "61 days ago"),
    }
