"""A group that is handed over to another place, where it is written from then on, and taken back."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from nights import PlayedNight, enter
from places import Place
from sqlalchemy import select

from companion.store.groups import chip_sets, groups, handles, links, next_night, rule_sets, seasons, tokens, turns
from companion.store.models import SettleUp, db, now
from companion.store.money import settle_up
from companion.store.night import drafts, hand_in_play, phones, play
from companion.store.night import settings as night_changes
from companion.store.portable import export_group
from companion.store.refusals import Conflict, Elsewhere, Refused

MONTH = f"{now():%Y-%m}"


def plan_next(night: PlayedNight, place: str = "") -> None:
    next_night.plan_night(night.group, next_night.Planned(now() + timedelta(days=1), 0, place), night.sent())


def plan_of(night: PlayedNight) -> SettleUp:
    return settle_up.make_plan(night.group, night.night, None, None, night.sent())


ENTRIES: dict[str, Callable[[PlayedNight], Any]] = {
    **{step: lambda n, step=step: n.do(step) for step in ("won Ana", "fix 1 won Beto", "void 1", "loan Ana Beto 5")},
    **{step: lambda n, step=step: n.do(step) for step in ("seats Ana Caro Beto", "close")},
    "draft": lambda n: enter(n.public_id, "key", 2, {}, "a phone"),
    "show": lambda n: drafts.show(n.public_id, is_keepers=True),
    "reveal": lambda n: drafts.reveal(n.public_id, "key"),
    "dealer": lambda n: hand_in_play.set_dealer(n.public_id, 2, int(n.ids["Ana"]), "a phone", n.sent(), by_lot=False),
    "seat": lambda n: phones.take_seat(n.night, int(n.ids["Ana"]), "a phone", (), n.sent()),
    "note": lambda n: night_changes.write_note(n.public_id, "Café", "a note", n.sent()),
    "night": lambda n: n.another(),
    "plan": plan_of,
    "payment": lambda n: settle_up.pay(db.session.scalars(select(SettleUp)).one().public_id, 0, 1, n.sent()),
    "player": lambda n: groups.add_player(n.group, "Eva", "a key"),
    "name": lambda n: groups.rename_player(n.group.players[0], "Anita"),
    "retired": lambda n: groups.retire_player(n.group.players[0], True),
    "chips": lambda n: chip_sets.set_chips(n.group, [chip_sets.Chip("red", 5, 10)], n.sent()),
    "rules": lambda n: rule_sets.add_set(n.group, "knock", "ours", {}),
    "other rules": lambda n: rule_sets.change_set(n.group, rule_sets.sets_of(n.group)[0].id, "ours", {}),
    "no rules": lambda n: rule_sets.delete_set(n.group, rule_sets.sets_of(n.group, "knock")[0].id),
    "season": lambda n: seasons.close_season(n.group, "Autumn", "wins", MONTH, MONTH, n.sent()),
    "season again": lambda n: seasons.reopen_season(n.group, 1, n.sent()),
    "handle": lambda n: handles.set_handle(n.group, n.group.players[0].id, "other", "cash", n.sent()),
    "next night": lambda n: plan_next(n, "upstairs"),
    "comes": lambda n: next_night.answer(n.group, n.group.players[0].id, True, n.sent()),
    "no next night": lambda n: next_night.cancel(n.group, n.sent()),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_group_that_was_handed_over_can_only_be_looked_at(here: Place, entry: str) -> None:
    with here.here() as night:
        night.do("lost Ana Beto")
        rule_sets.add_set(night.group, "knock", "Tuesdays", {})
        plan_of(night)
        plan_next(night)
    file = here.hand_over()
    with here.here() as night, pytest.raises(Elsewhere, match="kept elsewhere now, so nothing was changed here"):
        ENTRIES[entry](night)
    assert here.file() == file


def test_what_is_not_in_the_file_can_be_changed_everywhere(here: Place) -> None:
    file = here.hand_over()
    with here.here() as night:
        group = night.group
        tokens.make_token(group, "Bot", "look", "a secret", "a key")
        assert groups.open_group(links.renew(group, "keep", "old")) is not None
    assert here.file() == file


def test_a_form_sent_again_still_gets_its_answer(here: Place) -> None:
    def forms(night: PlayedNight) -> list[Any]:
        players = [player.id for player in night.group.players[:2]]
        return [
            play.save_round(night.public_id, 1, night.round("won Ana"), night.sent("round")),
            groups.start_night(night.group, players, "knock", {}, "night").id,
            (plan := settle_up.make_plan(night.group, night.night, None, None, night.sent("plan"))).id,
            settle_up.pay(plan.public_id, 0, 1, night.sent("paid")).id,
            chip_sets.set_chips(night.group, [chip_sets.Chip("red", 5, 10)], night.sent("chips")),
            rule_sets.add_set(night.group, "knock", "ours", {}).id,
            groups.add_player(night.group, "Eva", "player"),
        ]

    with here.here() as night:
        first = forms(night)
    file = here.hand_over()
    with here.here() as night:
        assert forms(night) == first
    assert here.file() == file


def test_it_is_handed_over_and_back(here: Place, there: Place) -> None:
    here.do("lost Ana Beto; won Caro")
    here.hand_over()
    with here.here() as night:
        version, since = night.night.version, night.group.handed_over_at
        turns.hand_over(night.group, night.sent())  # another phone was faster
        assert (night.night.version, night.group.turn, night.group.handed_over_at) == (version, 1, since)
    assert there.follow(here).outcome == "new"
    there.do("won Ana")
    assert b"handed_over_at" not in there.file()
    # a backup shows what was written there, and leaves it there
    taken = here.follow(there)
    assert (taken.outcome, taken.steps, taken.place) == ("continued", 1, None)
    with here.here() as night, pytest.raises(Elsewhere):
        night.do("won Ana")
    there.do("won Beto")
    back = there.hand_over()
    taken = here.take(back)
    assert (taken.outcome, taken.steps, taken.place) == ("continued", 1, "here")
    here.do("won Ana")
    # neither that file nor the first one changes anything now
    assert (here.take(back).outcome, here.take(back).place) == ("older", None)
    with there.here() as night, pytest.raises(Elsewhere):
        night.do("won Ana")
    here.hand_over()
    there.follow(here)
    there.do("won Caro")


def test_a_group_with_the_same_rounds_is_taken_back_with_its_names(here: Place, there: Place) -> None:
    here.hand_over()
    there.follow(here)
    with there.here() as night:
        groups.rename_player(night.group.players[0], "Anita")
        assert len(night.group.links) == 3
    assert there.hand_over() != here.file()
    assert (taken := here.take(there.file())).outcome == "continued"
    assert (taken.steps, taken.place) == (0, "here")
    with here.here() as night:
        assert night.group.players[0].name == "Anita"
    # the next night alone comes too
    here.hand_over()
    there.follow(here)
    with there.here() as night:
        plan_next(night, "upstairs")
        next_night.answer(night.group, night.group.players[0].id, True, night.sent())
    assert here.take(there.hand_over()).outcome == "continued"
    with here.here() as night:
        assert list(next_night.answers(night.group).values()) == [True]
        assert (planned := next_night.next_night(night.group)) is not None and planned.place == "upstairs"
    # nothing at all was changed this time
    here.hand_over()
    assert (taken := there.take(here.file())).outcome == "same"
    assert taken.place == "here"


def test_names_changed_on_both_sides_stay_a_conflict(here: Place, there: Place) -> None:
    there.follow(here)
    with here.here() as night:
        groups.rename_player(night.group.players[0], "Anna")
    with pytest.raises(Conflict, match="other names"):
        here.take(there.hand_over())


def test_it_is_written_here_all_the_same(here: Place, there: Place) -> None:
    here.do("won Ana")
    here.hand_over()
    there.follow(here)
    there.do("won Beto")
    with here.here() as night:
        turns.write_here(night.group, night.sent())
        turns.write_here(night.group, night.sent())
        assert (night.group.turn, night.group.handed_over_at) == (2, None)
    # what was written there meanwhile can still come, as nothing was written here
    assert (taken := here.take(there.file())).outcome == "continued"
    assert taken.place is None
    here.do("won Caro")
    # the other place learns from a backup that it isn't its turn any more
    assert there.take(here.file()).place == "elsewhere"
    with there.here() as night, pytest.raises(Elsewhere):
        night.do("won Ana")
    assert here.take(there.file()).place is None
    with there.here() as night:
        turns.write_here(night.group, night.sent())
        night.do("won Dani" if "Dani" in night.present() else "won Ana")
    here.do("won Beto")
    before = here.file()
    with pytest.raises(Conflict, match="went on in both places"):
        here.take(there.hand_over())
    assert here.file() == before


def test_an_older_file_with_a_higher_turn_is_taken(here: Place, there: Place) -> None:
    there.follow(here)
    file = there.hand_over()
    here.do("won Ana")
    assert (taken := here.take(file)).outcome == "older"
    assert taken.place == "here"
    assert here.take(file).place is None


def test_a_copy_and_a_backup_are_written_where_they_are_imported(here: Place, there: Place) -> None:
    file = here.hand_over()
    copy = here.take(file, is_copy=True)
    assert (copy.group.turn, copy.group.handed_over_at) == (0, None)
    restored = there.take(file)
    assert (restored.group.turn, restored.group.handed_over_at) == (1, None)


@pytest.mark.parametrize(
    ("mark", "why"),
    [
        ({"handed_over_at": "2026-11-21T19:30:00.000000Z"}, "the group: turn is missing"),
        ({"turn": 0}, "turn: 0 isn't a whole number"),
        ({"turn": True}, "turn: true isn't a whole number"),
        ({"turn": 10**9 + 1}, "isn't a whole number"),
        ({"turn": 1, "handed_over_at": "yesterday"}, "isn't a time"),
        ({"turn": 1, "handed_over_at": 5}, "isn't a time"),
    ],
    ids=str,
)
def test_a_forged_mark_changes_nothing(here: Place, mark: dict[str, Any], why: str) -> None:
    document = json.loads(file := here.file())
    document["group"] |= mark
    with pytest.raises(Refused, match=why):
        here.take(json.dumps(document).encode())
    assert here.file() == file


def test_the_highest_turn_can_be_handed_over_too(here: Place, there: Place) -> None:
    document = json.loads(here.file())
    document["group"]["turn"] = turns.MAX_TURN
    taken = there.take(json.dumps(document).encode())
    with there.here():
        turns.hand_over(taken.group, PlayedNight("Eva", "Fito").sent())
        assert json.loads(export_group(taken.group.public_id))["group"]["turn"] == turns.MAX_TURN


def test_a_save_that_read_its_group_before_is_refused(here: Place, app: Flask) -> None:
    with here.here() as night:
        read, group = night.night, night.group
        entry = night.round("won Ana")
        db.session().expire_on_commit = False
        db.session.commit()
        with app.app_context():
            turns.hand_over(night.group, night.sent())
        db.session.expire(read)  # the night is read again, its group isn't
        assert (read.version, group.handed_over_at) == (1, None)
        with pytest.raises(Elsewhere):
            play.save_round(night.public_id, 1, entry, night.sent())
