"""What is done in a hand from several phones: once by its key, and not after the round."""

from __future__ import annotations

from typing import Any

import pytest
from nights import Night

from companion.store import drafts, hand_in_play, night_changes, play
from companion.store.change import changes_of
from companion.store.hand_in_play import Action, act, set_dealer
from companion.store.models import PlaySession
from companion.store.refusals import Conflict, Refused, Sent


def sets(**cells: Any) -> Action:
    return lambda _session, _before: cells


def put(night: Night, action: Action, key: str = "key", number: int | None = None) -> PlaySession:
    number = play.next_number(night.session) if number is None else number
    return act(night.public_id, number, key, "phone", action)


def cells(night: Night) -> dict[str, Any]:
    found = drafts.values_of(night.session.draft)
    return {cell: value for cell, value in found.items() if cell != "done"}


def test_what_is_done_is_in_the_draft_and_counts_the_version_on(night: Night) -> None:
    before = night.session.version
    put(night, sets(a="1"), "one")
    put(night, sets(b="2"), "two")
    assert (cells(night), night.session.version) == ({"a": "1", "b": "2"}, before + 2)


def test_a_form_acts_once(night: Night) -> None:
    put(night, sets(a="1"), "one")
    put(night, sets(a="2"), "one")
    assert cells(night) == {"a": "1"}


def test_what_is_refused_changes_nothing(night: Night) -> None:
    def refuses(_session: PlaySession, _cells: drafts.Cells) -> drafts.Cells:
        raise Refused(hand_in_play.Message("no"))

    with pytest.raises(Refused):
        put(night, refuses)
    assert night.session.draft is None


def test_an_action_for_a_round_that_is_saved_is_refused(night: Night) -> None:
    number = play.next_number(night.session)
    night.save(night.knock("Ana", "Ana"))
    with pytest.raises(Conflict):
        put(night, sets(a="1"), number=number)


def test_a_closed_night_is_not_played(night: Night) -> None:
    night_changes.close(night.public_id, False, Sent("close", "phone"))
    with pytest.raises(Refused):
        put(night, sets(a="1"))


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
