"""The next night of a group in its file: when and where, and who comes."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from databases import EmptyDatabase, opened
from flask import Flask
from nights import PlayedNight

from companion.store.groups import next_night
from companion.store.models import now
from companion.store.portable import export_group, import_group
from companion.store.refusals import Refused


def planned(night: PlayedNight) -> None:
    """Plan a night to which Ana comes and Beto doesn't."""
    at = (now() + timedelta(days=3)).replace(microsecond=0)
    next_night.plan_night(night.group, next_night.Planned(at, -21_600, "at Beto's", "01:00"), night.sent("next"))
    ana, beto = night.group.players[:2]
    for _ in range(2):  # sent twice
        next_night.answer(night.group, ana.id, True, night.sent("ana"))
    next_night.answer(night.group, beto.id, False, night.sent("beto"))


def group_of(content: bytes) -> Any:
    return json.loads(content)["group"]


def test_the_next_night_and_who_comes_move_with_the_group(app: Flask, made_database: EmptyDatabase) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do("won Ana")
    public_id, before = night.group.public_id, export_group(night.group.public_id)
    assert "next_night" not in group_of(before) and "coming" not in group_of(before)["players"][0]
    planned(night)
    content = export_group(public_id)
    for elsewhere in opened(made_database("sqlite")):
        with elsewhere.app_context():
            group, _ = import_group(content, "a secret")
            found = next_night.next_night(group)
            assert found is not None and (found.place, found.last_round) == ("at Beto's", "01:00")
            assert list(next_night.answers(group).values()) == [True, False]
            assert export_group(public_id) == content
            copy, _ = import_group(content, "another secret", is_copy=True)
            again = next_night.next_night(copy)
            assert again is not None and again.public_id != found.public_id  # a calendar tells the two apart
            assert again.at == found.at


def test_what_no_group_could_have_planned_is_refused(app: Flask) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do("won Ana")
    planned(night)
    content = export_group(night.group.public_id)
    for spoil, said in (
        (lambda group: group["next_night"].append(group["next_night"][0]), "planned night 2: a group plans one night"),
        (lambda group: group.pop("next_night"), "player 1, answer 1: a player answers once, for a planned night"),
        (lambda group: group["players"][1]["coming"].append({"comes": True}), "player 2, answer 2: a player answers"),
        (lambda group: group["next_night"][0].update(utc_offset=10**9), "planned night 1, utc_offset"),
        (lambda group: group["next_night"][0].update(last_round="25:00"), "planned night 1, last_round"),
        (lambda group: group["players"][0]["coming"][0].update(comes=1), "player 1, answer 1, comes"),
    ):
        document = json.loads(content)
        spoil(document["group"])
        with pytest.raises(Refused, match=said):
            import_group(json.dumps(document).encode(), "a secret")
