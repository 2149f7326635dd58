"""Phones' seats, join codes and revealed hands, in the store."""

from __future__ import annotations

from typing import Any

import pytest
from nights import PlayedNight, enter

from companion.store.groups import links
from companion.store.models import Draft, Group, db
from companion.store.night import drafts, phones
from companion.store.night.change import changes_of
from companion.store.refusals import Conflict, Refused
from companion.table.cells import GAME, TABLE, Values
from companion.table.showing import GAME_CHANGED, Late

UNNAMED = {"a phone"}


def take(night: PlayedNight, name: str, phone: str, key: str | None = None) -> int:
    return phones.take_seat(night.night, int(night.ids[name]), phone, UNNAMED, night.sent(key))


def seats(night: PlayedNight) -> dict[str, str | None]:
    return {seat.player.name: seat.phone for seat in night.night.seats}


def test_a_phone_has_one_seat_and_a_seat_one_phone(night: PlayedNight) -> None:
    take(night, "Ana", "one")
    take(night, "Beto", "two")
    with pytest.raises(Conflict, match="Another phone has Ana's seat"):
        take(night, "Ana", "two")
    with pytest.raises(Conflict, match="Ana's seat belongs to “a phone”"):
        phones.take_seat(night.night, int(night.ids["Ana"]), "two", {"the phone"}, night.sent())
    take(night, "Caro", "one")
    assert seats(night) == {"Ana": None, "Beto": "two", "Caro": "one"}
    take(night, "Ana", "two")
    assert seats(night) == {"Ana": "two", "Beto": None, "Caro": "one"}


def test_a_form_sent_twice_takes_the_seat_once(night: PlayedNight) -> None:
    session = night.night
    first = phones.take_seat(session, int(night.ids["Ana"]), "one", UNNAMED, night.sent("k"))
    assert take(night, "Ana", "one", "k2") > first
    assert phones.give_up_seat(night.public_id, int(night.ids["Ana"]), "one", night.sent("up")) == (
        phones.give_up_seat(night.public_id, int(night.ids["Ana"]), "one", night.sent("up"))
    )


def test_only_the_phone_itself_or_who_keeps_score_gives_a_seat_up(night: PlayedNight) -> None:
    ana = int(night.ids["Ana"])
    take(night, "Ana", "one")
    with pytest.raises(Conflict, match="already been given up"):
        phones.give_up_seat(night.public_id, ana, "two", night.sent())
    assert seats(night)["Ana"] == "one"
    phones.give_up_seat(night.public_id, ana, None, night.sent())
    assert seats(night)["Ana"] is None
    with pytest.raises(Conflict, match="already been given up"):
        phones.give_up_seat(night.public_id, ana, None, night.sent())


def test_who_does_not_sit_there_has_no_seat(night: PlayedNight) -> None:
    with pytest.raises(Refused, match="Only players of this group"):
        phones.take_seat(night.night, 10**6, "one", UNNAMED, night.sent())


def test_every_change_of_a_phone_is_in_the_list(night: PlayedNight) -> None:
    take(night, "Ana", "one")
    phones.give_up_seat(night.public_id, int(night.ids["Ana"]), "one", night.sent())
    phones.renew_code(night.public_id, night.sent())
    kinds = [change.kind for change in changes_of(night.night, 9)]
    assert kinds == ["code", "seat-given-up", "seat-taken"]


def test_a_deleted_group_forgets_its_phones(night: PlayedNight) -> None:
    take(night, "Ana", "one")
    group = db.session.get(Group, night.group_id)
    assert group is not None
    session = night.night
    from companion.store.groups.deleting import delete_group

    delete_group(group, "key")
    db.session.refresh(session)
    assert [(seat.phone, seat.phone_name) for seat in session.seats] == [(None, None)] * 3


# ---- codes


def test_a_code_that_is_taken_is_not_given_again(night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = night.night.join_code
    drawn = iter([taken, taken, "CDFHJK"])
    monkeypatch.setattr(links, "new_join_code", lambda: next(drawn))
    phones.renew_code(night.public_id, night.sent())
    assert night.night.join_code == "CDFHJK"


# ---- hands that are turned up


def draft_of(night: PlayedNight) -> Draft:
    draft = night.night.draft
    assert draft is not None
    return draft


def enters(night: PlayedNight, cells: Values, **more: Any) -> None:
    """Enter cells on the scorekeeper's phone; owners are players by name, or the table."""
    game = cells.get(TABLE, {}).get(GAME, "knock")
    owned = {night.ids.get(owner, owner): asked for owner, asked in cells.items()}
    enter(night.public_id, "key", 1, owned, "one", game=game, **more)


def test_hands_are_turned_up_once(night: PlayedNight) -> None:
    drafts.reveal(night.public_id, "key")  # nothing was entered yet
    enters(night, {TABLE: {"a": "1"}})
    drafts.reveal(night.public_id, "another round's")
    assert not draft_of(night).shown
    key = draft_of(night).key
    drafts.reveal(night.public_id, key)
    version = night.night.version
    drafts.reveal(night.public_id, key)
    assert (draft_of(night).shown, night.night.version) == (True, version)


def late(night: PlayedNight) -> Late:
    names = {key: name for name, key in night.ids.items()}
    return [[what, names[whose]] for what, whose in draft_of(night).late]


# what was there when the hands were revealed, what is typed after that, and which of it everyone is told
LATE: dict[str, tuple[Values, Values, Late]] = {
    "a hand": ({"Ana": {"hand": "9s"}}, {"Ana": {"hand": "Ks"}}, [["hand", "Ana"]]),
    "a new hand": ({}, {"Ana": {"hand": "Ks"}}, [["hand", "Ana"]]),
    "a hand in another order": ({"Ana": {"hand": "9s Kd"}}, {"Ana": {"hand": "KD, 9s"}}, []),
    "another amount": ({"Ana": {"paid": "2"}}, {"Ana": {"paid": "3"}}, [["answers", "Ana"]]),
    "the first amount": ({}, {"Ana": {"paid": "3"}}, []),
    "a tick": ({"Ana": {"dropped": False}}, {"Ana": {"dropped": True}}, [["answers", "Ana"]]),
    "no tick": ({}, {"Ana": {"dropped": False}}, []),
    "a house rule": ({"rules": {"ante": "1"}}, {"rules": {"ante": "2"}}, []),
    "the first game": ({}, {"table": {"game": "knock"}}, []),
    "two at once": (
        {"Ana": {"hand": "9s"}, "Beto": {"paid": "1"}},
        {"Ana": {"hand": "Ks"}, "Beto": {"paid": "2"}},
        [["hand", "Ana"], ["answers", "Beto"]],
    ),
}


@pytest.mark.parametrize(("before", "typed", "told"), LATE.values(), ids=LATE)
def test_what_looking_could_have_influenced_is_told(
    night: PlayedNight, before: Values, typed: Values, told: Late
) -> None:
    enters(night, before)
    enters(night, {}, shown=True)
    assert draft_of(night).late == []
    enters(night, typed)
    assert (late(night), draft_of(night).shown) == (told, True)


def test_what_is_typed_on_the_players_own_phone_is_told_as_such(night: PlayedNight) -> None:
    take(night, "Ana", "one")
    enters(night, {}, shown=True)
    enters(night, {"Ana": {"hand": "9s", "draws": "1"}})
    assert late(night) == [["own-hand", "Ana"], ["own-answers", "Ana"]]


def test_the_same_is_told_once_and_stays(night: PlayedNight) -> None:
    enters(night, {}, shown=True)
    for typed in ({"Ana": {"hand": "9s"}}, {"Ana": {"hand": "Ks"}}, {"rules": {"ante": "2"}}):
        enters(night, typed)
    assert late(night) == [["hand", "Ana"]]


def test_another_game_turns_them_down_again(night: PlayedNight) -> None:
    enters(night, {TABLE: {GAME: "knock"}}, shown=True)
    enters(night, {TABLE: {GAME: "dompe"}})
    assert (draft_of(night).late, draft_of(night).shown) == ([[GAME_CHANGED, ""]], False)
