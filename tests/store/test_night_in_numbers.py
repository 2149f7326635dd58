"""A night's statistics: balances, payments, the biggest pot and the turning point, by hand for small nights."""

from __future__ import annotations

import pytest
from nights import PlayedNight

from companion.store.log.replay import Move
from companion.store.night.reading import NightLine, sums_of
from companion.store.night.reading import NightSums as Story


def line(number: int, moves: str, *, is_round: bool = True) -> NightLine:
    """Make a line from "a>pot 1, pot>b 2"; "a>b 5 loan" is one of another reason."""
    written = (move.replace(">", " ").split() for move in moves.split(","))
    found = (Move(giver, taker, int(amount), *(reason or ["pot"]), "C-2") for giver, taker, amount, *reason in written)
    return NightLine(number, "knock" if is_round else None, tuple(found))


def story(*lines: NightLine) -> Story:
    return Story(("a", "b", "c"), lines)


ANTES = "a>pot 1, b>pot 1, c>pot 1"


def test_balances_begin_at_nothing_and_go_on_line_by_line() -> None:
    found = story(line(1, f"{ANTES}, pot>a 3"), line(3, "a>b 5", is_round=False))
    assert found.balances == {"a": [0, 2, -3], "b": [0, -1, 4], "c": [0, -1, -1]}


# lines, who paid whom in all
PAYMENTS = [
    ("one-round", [line(1, f"{ANTES}, pot>a 3")], {("b", "a"): 1, ("c", "a"): 1}),
    ("added-up", [line(1, "b>a 4"), line(2, "b>a 3")], {("b", "a"): 7}),
    ("set-off", [line(1, "b>a 4"), line(2, "a>b 1")], {("b", "a"): 3}),
    ("even", [line(1, "b>a 4"), line(2, "a>b 4")], {}),
    ("highest-first", [line(1, "b>a 4"), line(2, "c>b 5")], {("c", "b"): 5, ("b", "a"): 4}),
    ("fewest-in-a-round", [line(1, "b>a 4, c>b 4")], {("c", "a"): 4}),
    ("loans-as-they-were", [line(1, "b>a 4, c>b 4", is_round=False)], {("b", "a"): 4, ("c", "b"): 4}),
    ("left-in-the-pot", [line(1, f"{ANTES}, pot>a 2")], {("b", "a"): 1, ("c", "pot"): 1}),
    ("nothing", [], {}),
]


@pytest.mark.parametrize(("lines", "payments"), [row[1:] for row in PAYMENTS], ids=[row[0] for row in PAYMENTS])
def test_who_paid_whom(lines: list[NightLine], payments: dict[tuple[str, str], int]) -> None:
    assert list(story(*lines).payments.items()) == list(payments.items())


def test_the_biggest_pot() -> None:
    small, big, as_big = (
        line(n, f"{ANTES}, pot>{who} {units}") for n, who, units in ((1, "a", 3), (2, "b", 9), (3, "c", 9))
    )
    split = line(4, "pot>a 20", is_round=False)
    assert story(small, big, as_big, split).biggest_pot == big
    assert story(line(1, "b>a 4")).biggest_pot is None


def test_what_is_owed_back_is_a_balance_but_no_result() -> None:
    found = story(line(1, "a>b 5 loan, a>bank 2 buy-in", is_round=False), line(2, "a>b 1 side-bet", is_round=False))
    assert found.balances == {"a": [0, -7, -8], "b": [0, 5, 6], "c": [0, 0, 0]}
    assert found.results == {"a": [0, 0, -1], "b": [0, 0, 1], "c": [0, 0, 0]}
    assert found.turning_point == (found.lines[1], "b")
    assert story(found.lines[0]).turning_point is None


# what a, b and c have after each line, the line of the turning point and who leads
TURNS = [
    ("from-the-first", [(3, 0, -3), (4, 0, -4)], (1, "a")),
    ("overtakes", [(3, 0, -3), (3, 4, -7), (3, 9, -12)], (2, "b")),
    ("level-is-not-ahead", [(3, 0, -3), (3, 3, -6), (4, 3, -7)], (3, "a")),
    ("shared-at-the-end", [(3, 0, -3), (3, 3, -6)], None),
    ("nobody-won", [(0, -1, -1)], None),
]


@pytest.mark.parametrize(("after", "turn"), [row[1:] for row in TURNS], ids=[row[0] for row in TURNS])
def test_the_turning_round(after: list[tuple[int, ...]], turn: tuple[int, str] | None) -> None:
    lines, before = [], (0, 0, 0)
    for number, now in enumerate(after, 1):
        moves = [f"bank>{who} {new - old}" for who, old, new in zip("abc", before, now, strict=True) if new > old]
        moves += [f"{who}>bank {old - new}" for who, old, new in zip("abc", before, now, strict=True) if new < old]
        lines.append(line(number, ", ".join(moves)))
        before = (now[0], now[1], now[2])
    found = story(*lines).turning_point
    assert (found and (found[0].number, found[1])) == turn


def test_a_night_as_it_is_kept(night: PlayedNight) -> None:
    night.do("lost Ana Beto; won Ana; loan Ana Beto 1; void 2")
    found = sums_of(night.night)
    ids = [night.ids[name] for name in ("Ana", "Beto", "Caro")]
    assert found.players == tuple(ids)
    assert [(one.number, one.is_round) for one in found.lines] == [(1, True), (3, False)]
    # Ana knocks, loses and matches the pot of 3, which Beto takes (KN-3)
    assert found.balances == dict(zip(ids, ([0, -4, -5], [0, 2, 3], [0, -1, -1]), strict=True))
