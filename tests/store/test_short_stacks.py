"""Chips that a player was too short to hand over: they count in the balances, but don't lie on the table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nights import PlayedNight

from companion.store.audit import audit
from companion.store.models import db
from companion.store.money.short import Missed, missed
from companion.store.money.stacks import stacks_of
from companion.store.night import chips
from companion.store.refusals import Refused

# Caro has 12 and owes Ana 21 after the round; Knock: everybody antes 1, who knocks and loses matches the pot (KN-3)
SHORT = "buy-in 12; rummy"
ON_TABLE = [
    ("nobody-is-short", "buy-in 21; rummy", "Ana 50, Beto 13, Caro 0", ""),
    ("one-player-is-owed", SHORT, "Ana 32, Beto 4, Caro 0", "Caro Ana 9"),
    ("the-pot-is-owed", "buy-in 3; lost Ana Beto", "Ana 0, Beto 5, Caro 2, pot 2", "Ana pot 1"),
    ("a-rebuy-hands-it-over", SHORT + "; rebuy Caro 10", "Ana 41, Beto 4, Caro 1", ""),
    ("a-rebuy-that-is-too-small", SHORT + "; rebuy Caro 5", "Ana 37, Beto 4, Caro 0", "Caro Ana 4"),
    ("others-play-on", SHORT + "; rebuy Beto 10; seats Ana Beto Caro=out; lost Beto Ana",
     "Ana 33, Beto 11, Caro 0, pot 2", "Caro Ana 9"),
    ("debts-hand-over-nothing", SHORT + "; loan Ana Caro 5; side-bet Ana Caro 5", "Ana 32, Beto 4, Caro 0",
     "Caro Ana 9"),
    ("who-left-stays-short", SHORT + "; seats Ana Beto", "Ana 32, Beto 4, Caro 0", "Caro Ana 9"),
    ("two-are-short", "buy-in 5; rummy", "Ana 15, Beto 0, Caro 0", "Beto Ana 3, Caro Ana 16"),
    ("a-voided-round", SHORT + "; void 1", "Ana 12, Beto 12, Caro 12", ""),
]  # fmt: skip


def on_table(night: PlayedNight) -> str:
    found = stacks_of(night.night)
    assert found is not None
    names = {**night.names, "pot": "pot"}
    return ", ".join(f"{names[key]} {units}" for key, units in found.on_table.items())


@pytest.mark.parametrize(("steps", "there", "owed"), [row[1:] for row in ON_TABLE], ids=[row[0] for row in ON_TABLE])
def test_chips_that_do_not_exist_lie_nowhere(night: PlayedNight, steps: str, there: str, owed: str) -> None:
    night.do(steps)
    assert on_table(night) == there
    found = stacks_of(night.night)
    assert found is not None
    names = {**night.names, "pot": "pot"}
    assert ", ".join(f"{names[giver]} {names[taker]} {units}" for giver, taker, units in found.missed) == owed
    assert list(audit()) == []


COUNTS = [
    ("as-it-should", "Ana=32 Beto=4 Caro=0", "", None),
    # the table had Caro pay Beto's part later: it knows better who lacks them
    ("another-lacks-them", "Ana=36 Beto=0 Caro=0", "", None),
    ("both-lack-some", "Ana=33 Beto=3 Caro=0", "", None),
    ("one-has-too-many", "Ana=30 Beto=6 Caro=0", "Ana -2, Beto 2", "Ana 39, Beto 6, Caro -9, pot 0"),
    ("the-short-one-has-chips", "Ana=32 Beto=2 Caro=2", "Ana -9, Beto -2, Caro 11", "Ana 32, Beto 2, Caro 2, pot 0"),
    ("one-is-missing", "Ana=31 Beto=4 Caro=0", "Ana -1", "1 missing on the table"),
    ("too-many", "Ana=41 Beto=4 Caro=0", "Ana 9", "9 too many on the table"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "told", "after"), [row[1:] for row in COUNTS], ids=[row[0] for row in COUNTS])
def test_a_count_that_only_lacks_what_was_never_handed_over_is_right(
    night: PlayedNight, given: str, told: str, after: str | None
) -> None:
    night.do(SHORT)
    counted = {night.ids[name]: int(units) for name, units in (one.split("=") for one in given.split())}
    rows = chips.compare(night.night, counted)
    differing = [row for row in rows if row.difference]
    assert ", ".join(f"{night.names[row.account]} {row.difference}" for row in differing) == told
    if after is not None and "," not in after:
        with pytest.raises(Refused, match=after):
            chips.book_count(night.public_id, 2, counted, night.sent())
        return
    chips.book_count(night.public_id, 2, counted, night.sent())
    db.session.expire_all()
    assert night.stacks() == (after or "Ana 41, Beto 4, Caro -9, pot 0")
    assert not any(row.difference for row in chips.compare(night.night, counted))
    assert list(audit()) == []


def test_who_left_is_not_asked_to_buy_chips(night: PlayedNight) -> None:
    night.do(SHORT)
    for steps, out in (("seats Ana Beto Caro=out", [night.ids["Caro"]]), ("seats Ana Beto", [])):
        night.do(steps)
        found = stacks_of(night.night)
        assert found is not None
        assert found.out == out


def test_players_who_owe_each_other_owe_the_rest() -> None:
    assert missed({"a": -4, "b": 4}, [("a", "b", 9), ("b", "a", 5)]) == (Missed("a", "b", 4),)


MOVE = st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(1, 40)).filter(lambda m: m[0] != m[1])


@given(held=st.lists(st.integers(0, 30), min_size=4, max_size=4), moves=st.lists(MOVE, max_size=12))
def test_only_chips_that_exist_lie_on_the_table(held: list[int], moves: list[tuple[str, str, int]]) -> None:
    stacks = dict(zip("abcd", held, strict=True))
    for giver, taker, units in moves:
        stacks[giver] -= units
        stacks[taker] += units
    owed = missed(stacks, moves)
    there = dict(stacks)
    for giver, taker, units in owed:
        there[giver] += units
        there[taker] -= units
    assert sum(there.values()) == sum(held)
    assert min(there.values()) >= 0
    if min(stacks.values()) >= 0:
        assert there == stacks
