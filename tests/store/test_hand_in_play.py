"""What is done in a hand from several phones: once by its key, and not after the round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from nights import Night

from companion.games import all_games
from companion.store import night_changes, play
from companion.store.change import changes_of
from companion.store.drafts import round_in
from companion.store.hand_in_play import act, set_dealer
from companion.store.models import PlaySession
from companion.store.refusals import Conflict, Refused, Sent
from companion.table.actions import Asked
from companion.table.cells import TABLE
from companion.table.hand import HandInPlay
from companion.table.sight import see

KNOCK = all_games()["knock"]


def put(night: Night, asked: Asked, key: str = "key", number: int | None = None) -> PlaySession:
    number = play.next_number(night.session) if number is None else number
    mark = HandInPlay(round_in(night.session, KNOCK, None)).mark
    return act(night.public_id, number, key, "phone", KNOCK, replace(asked, mark=mark), [asked.do])


def knocks(night: Night) -> Asked:
    return Asked("knocks", night.ids["Ana"], keeps=True)


def cells(night: Night) -> dict[str, Any]:
    found = see(night.session.draft.cells, None, is_shown=False).cells[TABLE] if night.session.draft else {}
    return {cell: value for cell, value in found.items() if cell != "done"}


def test_what_is_done_is_in_the_draft_and_counts_the_version_on(night: Night) -> None:
    before = night.session.version
    put(night, Asked("game", keeps=True), "one")
    put(night, knocks(night), "two")
    order = ".".join(night.ids[name] for name in ("Ana", "Beto", "Caro"))
    assert cells(night) == {"game": "knock", "knocker": night.ids["Ana"], "order": order}
    assert night.session.version == before + 2


def test_a_form_acts_once(night: Night) -> None:
    put(night, knocks(night), "one")
    version = night.session.version
    put(night, knocks(night), "one")
    assert night.session.version == version


def test_what_is_refused_changes_nothing(night: Night) -> None:
    with pytest.raises(Refused):
        put(night, Asked("unknock", night.ids["Ana"], keeps=True))
    assert night.session.draft is None


def test_an_action_for_a_round_that_is_saved_is_refused(night: Night) -> None:
    number = play.next_number(night.session)
    night.save(night.knock("Ana", "Ana"))
    with pytest.raises(Conflict):
        put(night, knocks(night), number=number)


def test_a_closed_night_is_not_played(night: Night) -> None:
    night_changes.close(night.public_id, False, Sent("close", "phone"))
    with pytest.raises(Refused):
        put(night, knocks(night))


def deals(night: Night, player: int, key: str, *, by_lot: bool = False) -> None:
    set_dealer(night.public_id, play.next_number(night.session), player, "phone", Sent(key, "phone"), by_lot=by_lot)


def test_a_lot_is_drawn_once_and_a_dealer_set_at_any_time(night: Night) -> None:
    ana, beto, _ = (seat.player_id for seat in night.session.seats)
    deals(night, ana, "one", by_lot=True)
    with pytest.raises(Conflict):
        deals(night, beto, "two", by_lot=True)
    deals(night, beto, "one", by_lot=True)  # sent again, it is drawn again, but the first lot stays
    assert cells(night) == {"dealer": str(ana), "lot": str(ana)}
    deals(night, beto, "three")
    with pytest.raises(Conflict, match="different contents"):
        deals(night, beto, "one")
    assert cells(night) == {"dealer": str(beto), "lot": ""}
    kinds = [(change.kind, change.content["by_lot"]) for change in changes_of(night.session, 2)]
    assert kinds == [("dealer", False), ("dealer", True)]


def test_who_does_not_play_cannot_deal(night: Night) -> None:
    with pytest.raises(Refused):
        deals(night, 0, "one")
