"""Sums of rounds: a round's result for its players, and that sums of sums are sums of all rounds."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_rounds import RESULTS, ROUNDS

from companion.contract.naming import renamed
from companion.store.history.tallies import Part, Played, Summary, Sums, Versus, parts_of
from companion.store.log.replay import settled

IDS = {"Ana": "1", "Beto": "2", "Caro": "3"}
# game: who knocked (or called), who left, whose hand is the rarest and how rare
HANDS = {
    "knock-poker": ("1", "3", "1", (2_344, 2_598_960)),
    "dompe": ("2", "", "3", None),
    "domino-poker": ("", "3", "1", (1, 15_504)),
    "draw-poker": ("", "3", "2", (4, 2_598_960)),
    "knock": ("1", "", "3", None),
    "knock-rummy": ("1", "", "1", None),
    "five-card-draw": ("", "3", "2", None),
    "straight-poker": ("", "2", "3", None),
    "guts": ("", "3", "2", None),
    "whisky-poker": ("1", "", "2", None),
    "gin-rummy": ("1", "", "1", None),
    "thirty-one": ("1", "", "2", None),
    "any-game": ("", "", "", None),
}


@pytest.mark.parametrize("game", ROUNDS)
def test_a_round_for_its_players(game: str) -> None:
    parts = parts_of(settled(renamed(ROUNDS[game], IDS)))
    winner, nets, _, _ = RESULTS[game]
    assert [part.player_id for part in parts] == [*range(1, 1 + len(ROUNDS[game]["players"]))]
    assert [part.net for part in parts] == nets
    assert [str(part.player_id) for part in parts if part.won] == [IDS[winner]]
    knocked, left, rarest, rarity = HANDS[game]
    assert "".join(str(part.player_id) for part in parts if part.knocked) == knocked
    assert "".join(str(part.player_id) for part in parts if part.has_left) == left
    shown = [part for part in parts if part.hand_of is not None]
    if not rarest:  # a game without hands
        assert shown == []
        return
    assert {str(part.player_id) for part in shown} == set("123"[: len(parts)]) - set(left)
    best = min(shown, key=lambda part: (part.hand_at_least or 0) * 10**12 // (part.hand_of or 1))
    assert str(best.player_id) == rarest
    assert rarity in (None, (best.hand_at_least, best.hand_of))


PARTS = st.lists(
    st.builds(
        Part,
        player_id=st.just(1),
        net=st.integers(-9, 9),
        won=st.booleans(),
        knocked=st.booleans(),
        has_left=st.booleans(),
        hand_at_least=st.none() | st.integers(1, 9),
        hand_of=st.sampled_from([10, 20]),
    ).map(lambda part: part if part.hand_at_least else Part(1, part.net, part.won, part.knocked, part.has_left)),
    max_size=12,
)


def summed(parts: list[Part], first: int = 0) -> Summary:
    return sum((Summary.of(part, first + at) for at, part in enumerate(parts)), Summary())


@given(PARTS, st.integers(0, 12))
def test_sums_of_sums_are_sums_of_rounds(parts: list[Part], cut: int) -> None:
    assert summed(parts[:cut]) + summed(parts[cut:], min(cut, len(parts))) == summed(parts)


@given(PARTS)
def test_a_sum_against_the_plain_definitions(parts: list[Part]) -> None:
    summary = summed(parts)
    runs = [(won, len(list(run))) for won, run in groupby(part.won for part in parts)]
    assert summary.streak_best == max((length for won, length in runs if won), default=0)
    assert summary.rounds == len(parts)
    assert summary.net == sum(part.net for part in parts)
    assert summary.good_knocks == sum(part.knocked and part.won for part in parts)
    assert summary.biggest_win == max([0, *(part.net for part in parts)])
    assert summary.biggest_loss == min([0, *(part.net for part in parts)])
    hands = [(20 * p.hand_at_least // p.hand_of, at) for at, p in enumerate(parts) if p.hand_at_least and p.hand_of]
    assert summary.best_line_id == (min(hands)[1] if hands else None)


@given(PARTS.filter(bool), st.data())
def test_a_round_that_was_saved_late_is_put_in_its_place(parts: list[Part], data: st.DataObject) -> None:
    games = data.draw(st.lists(st.sampled_from("ab"), min_size=len(parts), max_size=len(parts)))
    lines = data.draw(st.permutations(range(len(parts))))
    rounds = [
        Played(line, 1, 1, at, game, "2026-11", "", (part,))
        for at, (line, game, part) in enumerate(zip(lines, games, parts, strict=True))
    ]
    late = data.draw(st.sampled_from(rounds))
    sums = Sums.of(one for one in rounds if one is not late)
    sums.add(late)
    sums.recompute_streaks(late, [(1, one.game, one.line_id, one.parts[0].won) for one in rounds])
    assert sums == Sums.of(rounds)


def test_one_against_the_other() -> None:
    nets = [(5, -3), (0, 0), (-2, 4)]
    versus = sum(
        (Versus.of(Part(1, a, True, False, False), Part(2, b, False, False, False)) for a, b in nets), Versus()
    )
    assert versus == Versus(rounds=3, better=1, worse=1, difference=2)
    assert -versus == Versus(rounds=3, better=1, worse=1, difference=-2)
