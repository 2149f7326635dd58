"""The round being entered: cells from several devices merged, and when a draft is refused or gone."""

from __future__ import annotations

import pytest
from nights import PlayedNight, enter

from companion.store.models import db
from companion.store.night import drafts, play
from companion.store.night import settings as night_changes
from companion.store.night.before_round import BeforeRound
from companion.store.refusals import Conflict, Refused, Sent
from companion.table.cells import TABLE, TURNED
from companion.table.input import Typed


def put(
    night: PlayedNight, cells: dict[str, object], device: str = "one", key: str = "key", number: int = 0, **more: bool
) -> BeforeRound:
    number = number or play.next_number(night.night)
    return enter(night.public_id, key, number, {TABLE: cells}, device, **more)


def typed(night: PlayedNight) -> dict[str, list[object]]:
    """Return the cells of the table, but for the game's."""
    draft = night.night.draft
    assert draft is not None
    return {key: cell for key, cell in draft.cells.get(TABLE, {}).items() if key != "game"}


# what devices typed, one after the other, and what stands then
MERGES: list[tuple[str, list[tuple[str, dict[str, object]]], dict[str, list[object]]]] = [
    ("one", [("one", {"a": "9s"})], {"a": ["9s", "one"]}),
    ("two-cells", [("one", {"a": "9s"}), ("two", {"b": "Ks"})], {"a": ["9s", "one"], "b": ["Ks", "two"]}),
    ("the-last-one-is-right", [("one", {"a": "9s"}), ("two", {"a": "Ks"})], {"a": ["Ks", "two"]}),
    ("taken-out", [("one", {"a": "9s", "b": True}), ("one", {"a": ""})], {"a": ["", "one"], "b": [True, "one"]}),
    ("nothing-typed", [("one", {"a": "9s"}), ("two", {})], {"a": ["9s", "one"]}),
]


@pytest.mark.parametrize(("steps", "stands"), [row[1:] for row in MERGES], ids=[row[0] for row in MERGES])
def test_cells_of_several_devices(
    night: PlayedNight, steps: list[tuple[str, dict[str, object]]], stands: dict[str, list[object]]
) -> None:
    for device, cells in steps:
        put(night, cells, device)
    assert typed(night) == stands


def test_who_types_first_gets_a_session_with_the_new_draft(night: PlayedNight) -> None:
    session = put(night, {"a": "9s"}).night
    assert session.draft is not None
    assert session.draft.cells[TABLE]["a"] == ["9s", "one"]


def test_what_is_typed_fits_the_seats_of_now(night: PlayedNight) -> None:
    before = Typed("knock", night.night.player_keys("in"), {TABLE: {"a": "9s"}}, keeps=True)
    night.do("seats Ana Beto")
    drafts.enter(night.public_id, "key", 1, before, "one")
    assert typed(night) == {}


def key_of(night: PlayedNight) -> str:
    draft = night.night.draft
    assert draft is not None
    return draft.key


def test_a_round_has_one_key_which_no_phone_has_chosen(night: PlayedNight) -> None:
    put(night, {"a": "1"}, "one", key="first")
    key = key_of(night)
    put(night, {"b": "2"}, "two", key="second")
    assert key_of(night) == key
    assert key not in ("first", "second")


def test_no_other_change_uses_up_the_key_of_a_round(night: PlayedNight) -> None:
    put(night, {"a": "1"})
    key, number = key_of(night), play.next_number(night.night)
    with pytest.raises(Refused, match="This form is broken"):
        night_changes.write_note(night.public_id, "here", "", Sent(key, "phone"))
    document = night.knock("Ana", "Ana")
    assert play.save_round(night.public_id, number, document, Sent(key, "phone")) is not None
    with pytest.raises(Conflict, match="is saved"):
        put(night, {"a": "2"}, key=key)


def test_the_version_grows_only_by_what_is_new(night: PlayedNight) -> None:
    versions = [night.night.version]
    for cells in ({"a": "1"}, {"a": "1"}, {"a": "2"}, {}):
        put(night, cells)
        versions.append(night.night.version)
    assert versions == [0, 1, 1, 2, 2]


def test_hands_are_turned_up_once(night: PlayedNight) -> None:
    put(night, {"a": "1"})
    put(night, {}, shown=True)
    put(night, {"a": "2"})
    draft = night.night.draft
    assert draft is not None
    assert draft.shown
    version = night.night.version
    put(night, {}, shown=True)
    assert night.night.version == version


def test_a_draft_without_a_note_of_whose_hands_turned_over_has_shown_them_all(night: PlayedNight) -> None:
    put(night, {"a": "1"})
    put(night, {}, shown=True)
    draft = night.night.draft
    assert draft is not None
    assert TURNED in draft.cells[TABLE]
    # one that another version has begun
    draft.cells = {TABLE: {key: cell for key, cell in draft.cells[TABLE].items() if key != TURNED}}
    db.session.commit()
    ana = night.night.player_keys()[0]
    enter(night.public_id, "key", play.next_number(night.night), {ana: {"hand": "9s"}}, "one")
    assert night.night.draft is not None
    assert (night.night.draft.cells[ana]["hand"], TURNED in night.night.draft.cells[TABLE]) == (["9s", "one"], False)


@pytest.mark.parametrize("is_shown", [True, False])
def test_phones_read_again_once_hands_are_turned_up(night: PlayedNight, is_shown: bool) -> None:
    put(night, {"a": "9s"})
    version, key = night.night.version, key_of(night)
    for _ in range(2):
        drafts.reveal(night.public_id, key if is_shown else "another key")
        db.session.expire_all()
        assert night.night.draft is not None
        assert (night.night.draft.shown, night.night.version - version) == (is_shown, int(is_shown))


def test_another_session_has_a_draft_of_its_own(night: PlayedNight) -> None:
    other = PlayedNight("Ana", "Beto")
    put(night, {"a": "1"})
    assert other.night.draft is None
    put(other, {"a": "2"})
    assert (typed(night), typed(other)) == ({"a": ["1", "one"]}, {"a": ["2", "one"]})


def test_another_movement_leaves_the_draft(night: PlayedNight) -> None:
    put(night, {"a": "1"})
    night.do("loan Ana Beto 5")
    assert typed(night) == {"a": ["1", "one"]}
    # the phones opened their page before the loan was booked as line 1
    put(night, {"b": "2"}, "two", "key", 1)
    assert set(typed(night)) == {"a", "b"}


def test_a_phone_that_was_away_hears_which_round_was_saved(night: PlayedNight) -> None:
    put(night, {"a": "1"})
    night.do("won Ana")
    with pytest.raises(Conflict) as refused:
        put(night, {"b": "2"}, "two", "another key", 1)
    assert refused.value.line == 1
    assert night.night.draft is None


def test_an_old_page_writes_nothing_into_the_next_rounds_draft(night: PlayedNight) -> None:
    night.do("won Ana")
    put(night, {"a": "1"}, key="next")
    with pytest.raises(Conflict) as refused:
        put(night, {"b": "2"}, "two", "old", 1)
    assert refused.value.line == 1
    assert typed(night) == {"a": ["1", "one"]}


def test_a_key_that_saved_a_round_begins_no_other(night: PlayedNight) -> None:
    night.save(night.round("won Ana"), key="key")
    with pytest.raises(Conflict) as refused:
        put(night, {"a": "1"}, "one", "key", 2)
    assert refused.value.line == 1


def test_a_key_of_a_change_that_is_no_line(night: PlayedNight) -> None:
    night_changes.set_rules(night.public_id, "knock", {}, night.sent("key"))
    with pytest.raises(Conflict) as refused:
        put(night, {"a": "1"}, "one", "key", 1)
    assert refused.value.line == 1


def test_a_closed_session_takes_nothing(night: PlayedNight) -> None:
    night.do("won Ana; close")
    with pytest.raises(Refused, match="closed"):
        put(night, {"a": "1"})
    assert night.night.draft is None


# cells, and whether they fit
SIZES: list[tuple[str, dict[str, object], bool]] = [
    ("most-cells", {str(at): "" for at in range(drafts.MAX_CELLS - 1)}, True),
    ("too-many-cells", {str(at): "" for at in range(drafts.MAX_CELLS)}, False),
    ("longest-value", {"a": "x" * drafts.MAX_VALUE_LENGTH}, True),
    ("too-long-a-value", {"a": "x" * (drafts.MAX_VALUE_LENGTH + 1)}, False),
]


def test_many_requests_together_store_no_more_than_one_may(night: PlayedNight) -> None:
    half = drafts.MAX_CELLS // 2
    put(night, {str(at): "" for at in range(half)})
    put(night, {str(at): "" for at in range(half, drafts.MAX_CELLS - 1)})  # one is the game's
    with pytest.raises(Refused, match="type less"):
        put(night, {"one more": ""})
    put(night, {"0": "another value"})
    assert len(typed(night)) == drafts.MAX_CELLS - 1


@pytest.mark.parametrize(("cells", "fits"), [row[1:] for row in SIZES], ids=[row[0] for row in SIZES])
def test_a_draft_is_no_place_to_store_things(night: PlayedNight, cells: dict[str, object], fits: bool) -> None:
    put(night, {"z": "as it was"}) if not fits else None
    before = night.night.version
    if fits:
        put(night, cells)
        assert len(typed(night)) == len(cells)
        return
    with pytest.raises(Refused, match="type less"):
        put(night, cells)
    assert typed(night) == {"z": ["as it was", "one"]}
    assert night.night.version == before
