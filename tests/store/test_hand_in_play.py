"""What is done in a hand from several phones: once by its key, and not after the round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from nights import PlayedNight

from companion.games import all_games
from companion.store.models import Night
from companion.store.night import play
from companion.store.night import settings as night_changes
from companion.store.night.before_round import BeforeRound
from companion.store.night.change import changes_of
from companion.store.night.drafts import round_in
from companion.store.night.hand_in_play import act, set_dealer
from companion.store.refusals import Conflict, Refused, Sent
from companion.table.cells import TABLE
from companion.table.hand import HandInPlay
from companion.table.input import Asked
from companion.table.sight import see

KNOCK = all_games()["knock"]


def put(night: PlayedNight, asked: Asked, key: str = "key", number: int | None = None) -> Night:
    number = play.next_number(night.night) if number is None else number
    mark = HandInPlay(round_in(night.night, KNOCK, None)).mark
    return act(night.public_id, number, key, "phone", KNOCK, replace(asked, mark=mark), [asked.do])


def knocks(night: PlayedNight) -> Asked:
    return Asked("knocks", night.ids["Ana"], keeps=True)


def cells(night: PlayedNight) -> dict[str, Any]:
    found = see(night.night.draft.cells, None, is_shown=False).cells[TABLE] if night.night.draft else {}
    return {cell: value for cell, value in found.items() if cell != "done"}


def test_what_is_done_is_in_the_draft_and_counts_the_version_on(night: PlayedNight) -> None:
    before = night.night.version
    put(night, Asked("game", keeps=True), "one")
    put(night, knocks(night), "two")
    order = ".".join(night.ids[name] for name in ("Ana", "Beto", "Caro"))
    assert cells(night) == {"game": "knock", "knocker": night.ids["Ana"], "order": order}
    assert night.night.version == before + 2


def test_a_form_acts_once(night: PlayedNight) -> None:
    put(night, knocks(night), "one")
    version = night.night.version
    put(night, knocks(night), "one")
    assert night.night.version == version


def test_what_is_refused_changes_nothing(night: PlayedNight) -> None:
    with pytest.raises(Refused):
        put(night, Asked("unknock", night.ids["Ana"], keeps=True))
    assert night.night.draft is None


def test_an_action_for_a_round_that_is_saved_is_refused(night: PlayedNight) -> None:
    number = play.next_number(night.night)
    night.save(night.knock("Ana", "Ana"))
    with pytest.raises(Conflict):
        put(night, knocks(night), number=number)


def test_a_closed_night_is_not_played(night: PlayedNight) -> None:
    night_changes.close(night.public_id, False, Sent("close", "phone"))
    with pytest.raises(Refused):
        put(night, knocks(night))


def deals(night: PlayedNight, player: int, key: str, *, by_lot: bool = False) -> None:
    set_dealer(night.public_id, play.next_number(night.night), player, "phone", Sent(key, "phone"), by_lot=by_lot)


def test_a_lot_is_drawn_once_and_a_dealer_set_at_any_time(night: PlayedNight) -> None:
    ana, beto, _ = (seat.player_id for seat in night.night.seats)
    deals(night, ana, "one", by_lot=True)
    with pytest.raises(Conflict):
        deals(night, beto, "two", by_lot=True)
    deals(night, beto, "one", by_lot=True)  # sent again, it is drawn again, but the first lot stays
    assert cells(night) == {"dealer": str(ana), "lot": str(ana)}
    deals(night, beto, "three")
    with pytest.raises(Conflict, match="different contents"):
        deals(night, beto, "one")
    assert cells(night) == {"dealer": str(beto), "lot": ""}
    kinds = [(change.kind, change.content["by_lot"]) for change in changes_of(night.night, 2)]
    assert kinds == [("dealer", False), ("dealer", True)]


def test_who_does_not_play_cannot_deal(night: PlayedNight) -> None:
    with pytest.raises(Refused):
        deals(night, 0, "one")


# what is done to the last round, and who would deal next if nothing of the next hand were entered; a round that Caro
# dealt is voided, one that nobody dealt is taken back
REVISED = [("void 1", "Caro"), ("void 1; undo 1", "Ana"), ("undo 1", "Caro"), ("fix 1 won Beto", "Ana")]


@pytest.mark.parametrize(("steps", "dealer"), REVISED, ids=[steps for steps, _ in REVISED])
@pytest.mark.parametrize("is_dealt", [True, False], ids=["dealt", "not dealt"])
def test_c_8_a_hand_in_play_keeps_its_dealer(night: PlayedNight, steps: str, dealer: str, is_dealt: bool) -> None:
    night.save(night.knock("Ana", "Ana"))
    assert BeforeRound(night.night).dealer == night.ids["Ana"]
    put(night, knocks(night) if is_dealt else Asked("game", keeps=True))
    night.do(steps)
    assert round_in(night.night, KNOCK, None).dealer == night.ids["Ana" if is_dealt else dealer]


def test_a_dealer_set_before_the_hand_keeps_dealing_it(night: PlayedNight) -> None:
    night.save(night.knock("Ana", "Ana"))
    deals(night, int(night.ids["Beto"]), "one")
    put(night, knocks(night))
    night.do("void 1")
    assert round_in(night.night, KNOCK, None).dealer == night.ids["Beto"]
