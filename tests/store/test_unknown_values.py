"""A word that the app doesn't know is refused wherever it stands in a file, with the night, the line and the field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from databases import EmptyDatabase, opened
from flask import Flask
from nights import PlayedNight, eventful
from sample_rounds import ROUNDS

from companion.store.groups import rule_sets
from companion.store.money.stacks import stacks_of
from companion.store.night import chips, hand_in_play, phones, play
from companion.store.night import settings as night_changes
from companion.store.portable import export_group
from companion.store.portable.format.checks import MUST_CONTAIN
from companion.store.portable.format.misfits import NOUNS
from companion.store.portable.group_file import read
from companion.store.refusals import Refused

UNKNOWN = "zzz?"  # no key of a game: one that isn't installed may stand in a file
Path = tuple[Any, ...]
# where any text may stand: what people typed, and names for rows
FREE = {"called", "name", "place", "note", "remark", "device", "key", "id"}
# where keys are words as well: of games, of house rules, and of players
OF_WORDS = {"rules", "stakes", "was", "hands"}
# what is wrong with these shows in what refers to them, or in what the rules say
ELSEWHERE = {"reason", "rule", "players", "game"}


def play_everything_else(night: PlayedNight) -> None:
    """Make every kind of change and movement that an eventful group lacks, and play a round of every game."""
    rule_sets.add_set(night.group, "dompe", "Tuesday", {"ante": 2})
    night.another(currency="EUR", buy_in=1000)
    id, ana, caro, stakes = night.public_id, int(night.ids["Ana"]), int(night.ids["Caro"]), {"all": 20, "dompe": 2}
    night_changes.set_rules(id, "knock", {"ante": 1}, night.sent())
    night_changes.set_stakes(id, stakes, {}, night.sent())
    night_changes.set_stakes(id, {}, stakes, night.sent())
    night_changes.set_dealers_choice(id, True, night.sent())
    night_changes.set_payments_by(id, "chips", night.sent())
    hand_in_play.set_dealer(id, 1, ana, "a phone", night.sent(), by_lot=True)
    phones.take_seat(night.night, ana, "phone", (), night.sent())
    phones.let_keep_score(id, ana, True, night.sent())
    phones.take_seat(night.night, caro, "phone", (), night.sent())
    phones.give_up_seat(id, caro, None, night.sent())
    phones.renew_code(id, night.sent())
    for document in ROUNDS.values():
        night.save(night.named(document))
    night.do("side-bet Ana Caro 2; loan Beto Ana 3; rebuy Caro 20; buy-in 1100")
    stacks = stacks_of(night.night)
    assert stacks is not None
    moved = {str(ana): 1, str(caro): -1}
    counted = {key: units + moved.get(key, 0) for key, units in stacks.on_table.items()}
    chips.book_count(id, play.next_number(night.night), counted, night.sent())
    night.do("close; reopen")


def places_of_words(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths to all texts but free ones, and to the keys that are words, as (…, key, None)."""
    if isinstance(value, str) and FREE.isdisjoint(path[-1:]):
        yield path
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from places_of_words(one, (*path, at))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from [(*path, key, None)] * (path[-1:] != () and path[-1] in OF_WORDS)
            yield from places_of_words(one, (*path, key))


def kind_of(group: Any, path: Path) -> Path:
    """Return a place without numbers, with the kind of the change, movement or round in which it stands."""
    at, kinds = group, []
    for key in path[:-1]:
        at = at[key]
        kinds += [at.get(what) for what in ("kind", "movement", "game")] if isinstance(at, dict) else []
    return (*(key for key in path if not isinstance(key, int)), *filter(None, kinds))


def put(group: Any, path: Path) -> None:
    *before, last = path[:-1] if path[-1] is None else path
    for key in before:
        group = group[key]
    if path[-1] is None:
        group[UNKNOWN] = group.pop(last)
    else:
        group[last] = UNKNOWN


def row_of(path: Path) -> str:
    """Return how a sentence begins that tells the row in which a place is."""
    end = next((at for at, key in enumerate(path) if key in ("document", "content")), len(path))
    rows = (f", {NOUNS[path[at - 1]]} {path[at] + 1}" for at in range(end) if isinstance(path[at], int))
    return f"the group{''.join(rows)}"


@pytest.fixture(scope="module")
def everything(made_database: EmptyDatabase) -> dict[str, Any]:
    for app in opened(made_database("sqlite")):
        with app.app_context():
            night = eventful()
            play_everything_else(night)
            found: dict[str, Any] = json.loads(export_group(night.group.public_id))
            return found
    raise AssertionError


@pytest.mark.thorough
def test_a_word_that_nobody_knows_is_refused_wherever_it_stands(sqlite: Flask, everything: dict[str, Any]) -> None:
    written = json.dumps(everything)
    places = {kind_of(everything["group"], path): path for path in places_of_words(everything["group"], ())}
    kinds = {change["kind"] for night in everything["group"]["nights"] for change in night["changes"]}
    assert kinds == set(MUST_CONTAIN)
    assert len(places) > 150
    for path in places.values():
        document = json.loads(written)
        put(document["group"], path)
        try:
            read(json.dumps(document).encode())
            said = "nothing"
        except Refused as refused:
            said = str(refused)
        assert said.startswith("the group, "), (path, said)
        assert ELSEWHERE.intersection(path[-2:]) or (said.startswith(row_of(path)) and UNKNOWN in said), (path, said)
