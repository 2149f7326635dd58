"""The cards of a table become hands: by the gaps between them, in the order of the seats."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from companion.camera import read_table
from companion.camera.finding import Spot
from companion.camera.groups import by_seat, group_into_hands
from companion.camera.hands import Find
from companion.camera.outlines import Outline, gap, outlines
from companion.engine.pieces.cards import FRENCH_WITH_JOKER

SAMPLES = Path(__file__).with_name("samples")


def row(x: float, y: float, cards: int = 5, step: float = 1.1, turn: float = 0.0) -> list[Outline]:
    """A row of cards of width 70 and height 100 round a point, turned by so many degrees."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    along = [70 * step * (at - (cards - 1) / 2) for at in range(cards)]
    return [Outline(x + c * a, y + s * a, (s, -c), 35, 50) for a in along]


def four(reach: float = 300) -> list[Outline]:
    """Four hands of five round a table, each turned to its player: bottom, left, top, right."""
    return [*row(0, reach), *row(-reach, 0, turn=90), *row(0, -reach, turn=180), *row(reach, 0, turn=270)]


GAPS = {
    "beside": (Outline(80, 0, (0, -1), 35, 50), 1 / 7),
    "overlapping": (Outline(30, 0, (0, -1), 35, 50), 0),
    "on top": (Outline(0, 0, (1, 0), 20, 20), 0),
    "below": (Outline(0, 140, (0, -1), 35, 50), 40 / 70),
    "across": (Outline(120, 0, (1, 0), 35, 50), 0.5),
}


@pytest.mark.parametrize(("other", "widths"), GAPS.values(), ids=GAPS)
def test_gaps_are_in_widths_of_a_card(other: Outline, widths: float) -> None:
    assert gap(Outline(0, 0, (0, -1), 35, 50), other) == pytest.approx(widths)
    assert gap(other, Outline(0, 0, (0, -1), 35, 50)) == pytest.approx(widths)


def test_four_hands_of_five_are_four_groups_clockwise_from_the_bottom() -> None:
    pieces = four()
    groups = by_seat(group_into_hands(pieces, [5] * 4), pieces)
    assert [sorted(group) for group in groups] == [list(range(n, n + 5)) for n in (0, 5, 10, 15)]


@pytest.mark.parametrize("step", [0.2, 0.6, 1.1, 1.4])
@pytest.mark.parametrize("turn", [0, 20, 90])
def test_three_hands_of_seven_at_any_angle(step: float, turn: float) -> None:
    pieces = [*row(0, 500, 7, step, turn), *row(-900, -300, 7, step, turn), *row(900, -300, 7, step, -turn)]
    groups = by_seat(group_into_hands(pieces, [7] * 3), pieces)
    assert [sorted(group) for group in groups] == [list(range(n, n + 7)) for n in (0, 7, 14)]


@pytest.mark.parametrize("hands", [2, 3, 5, 6])
def test_there_may_be_more_or_fewer_hands_than_players(hands: int) -> None:
    assert len(group_into_hands(four(), [5] * hands)) == 4


def test_a_hand_without_gaps_is_one_however_many_are_expected() -> None:
    assert group_into_hands(row(0, 0), [5] * 4) == [[0, 1, 2, 3, 4]]
    assert group_into_hands(row(0, 0, 1), [5] * 4) == [[0]]


def test_a_card_that_was_not_read_does_not_split_its_hand_when_the_number_of_hands_is_known() -> None:
    pieces = [piece for at, piece in enumerate(four(400)) if at != 2]
    assert sorted(map(len, group_into_hands(pieces, [5] * 4))) == [4, 5, 5, 5]


# a hand spread in four, as far apart as hands are, beside two that lie close
SPREAD = [Outline(x, y, (0, -1), 35, 50) for x, y in [(0, 0), (150, 0), (0, 180), (150, 180)]]
CLOSE = [*row(-600, 0, 4), *row(-600, 600, 4)]


@pytest.mark.parametrize(
    ("pieces", "sizes", "hands"),
    [
        ([*SPREAD, *CLOSE], [4] * 3, [4, 4, 4]),
        ([*SPREAD[1:], *CLOSE], [4] * 3, [3, 4, 4]),
        ([*SPREAD, *CLOSE], [3] * 3, [4, 4, 4]),
        ([*SPREAD, *CLOSE], [9] * 2, [1, 1, 1, 1, 4, 4]),
        ([*SPREAD, *CLOSE], [2] * 6, [2] * 6),
        ([*four(), *(Outline(x, 900, (0, -1), 35, 50) for x in range(0, 1800, 200))], [5] * 4, [*[1] * 9, *[5] * 4]),
    ],
    ids=["whole", "one not read", "one too many", "no sizes fit", "many small hands", "too many parts"],
)
def test_parts_of_hands_are_combined_if_the_sizes_fit(
    pieces: list[Outline], sizes: list[int], hands: list[int]
) -> None:
    groups = group_into_hands(pieces, sizes)
    assert sorted(map(len, groups)) == hands
    assert sorted(at for group in groups for at in group) == list(range(len(pieces)))


# where the gaps between hands tell nothing
LAID = {
    "rows that touch": ([row(0, 100 * at) for at in range(4)], [5] * 4),
    "rows that overlap": ([row(0, 80 * at, step=0.4) for at in range(3)], [5] * 3),
    "side by side": ([row(at * 400, 0) for at in range(3)], [5] * 3),
    "across": ([row(0, 0), row(-265, 0, 2, 0.5), row(230, 0, 3, 0.4, turn=90)], [5, 3, 2]),
}


@pytest.mark.parametrize(("hands", "sizes"), LAID.values(), ids=LAID)
@pytest.mark.parametrize("unread", [None, 0])
def test_hands_that_touch_are_cut_by_their_sizes(
    hands: list[list[Outline]], sizes: list[int], unread: int | None
) -> None:
    laid = [(at, piece) for at, hand in enumerate(hands) for piece in hand]
    order = sorted(range(len(laid)), key=lambda at: at * 7 % len(laid))  # as they are found: not hand by hand
    pieces = [laid[at] for at in order if at != unread]
    groups = group_into_hands([piece for _, piece in pieces], sizes)
    assert sorted(sorted({pieces[at][0] for at in group}) for group in groups) == [[at] for at in range(len(hands))]


def test_pieces_are_exchanged_where_the_closest_belong_to_two_hands() -> None:
    pieces = [Outline(70 * x, 0, (0, -1), 35, 50) for x in (0, 1, 1.9, 3.1)]
    assert sorted(map(sorted, group_into_hands(pieces, [2, 2]))) == [[0, 1], [2, 3]]


def test_a_piece_too_many_joins_a_hand_that_is_cut() -> None:
    pieces = [*row(0, 0), *row(0, 100), Outline(300, 50, (0, -1), 35, 50)]
    assert sorted(map(len, group_into_hands(pieces, [5, 5]))) == [5, 6]
    # two strangers more than there are hands: nothing is cut
    strangers = [Outline(2000 + 500 * at, 0, (0, -1), 35, 50) for at in range(3)]
    assert sorted(map(len, group_into_hands([*row(0, 0), *row(0, 100), *strangers], [5, 5]))) == [1, 1, 1, 10]


@pytest.mark.parametrize(
    ("middles", "order"),
    [
        ([(0, 0), (500, 20), (-500, 0)], [2, 0, 1]),
        ([(0, 0), (20, 500), (0, -500)], [1, 0, 2]),
        ([(300, 300), (-300, 300), (300, -300), (-300, -300)], [1, 3, 2, 0]),
        ([(300, -100), (0, 300), (-300, -100)], [1, 2, 0]),
        ([], []),
    ],
    ids=["a row", "a column", "a square", "a triangle", "nothing"],
)
def test_hands_are_in_the_order_of_the_seats(middles: list[tuple[float, float]], order: list[int]) -> None:
    pieces = [Outline(x, y, (0, -1), 35, 50) for x, y in middles]
    assert by_seat([[at] for at in range(len(pieces))], pieces) == [[at] for at in order]


def corner(x: float, y: float, up: tuple[float, float]) -> Spot:
    import numpy as np

    return Spot(x, y, up, 10.0, 1.0, np.ones(53, np.float32) / 53)


def find(*spots: Spot) -> Find:
    return Find(spots, 1.0, spots[0].chances)


def test_a_card_of_which_one_corner_is_seen_is_as_large_as_the_others() -> None:
    pairs = [find(corner(x, 0, (0, -1)), corner(x + 44, 63, (0, 1))) for x in (0, 80, 160)]
    *whole, single = outlines([*pairs, find(corner(240, 0, (0, -1)))], tiles=False)
    assert whole[0].half_height == pytest.approx(single.half_height)
    assert (single.x - 240, single.y) == pytest.approx((22, 31.5), abs=4)
    # a pair that is much larger than the others is of two cards
    odd = outlines([*pairs, find(corner(0, 300, (0, -1)), corner(80, 430, (0, 1)))], tiles=False)[-1]
    assert odd.half_height == pytest.approx(single.half_height)


def test_a_tile_spans_both_halves() -> None:
    (tile,) = outlines([find(corner(0, 0, (0, 1)), corner(0, 40, (0, -1)))], tiles=True)
    assert (tile.x, tile.y, tile.half_width, tile.half_height) == (0, 20, 20, 40)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.thorough] * (at > 0))
        for at, name in enumerate(sorted(json.loads((SAMPLES / "tables.json").read_text())))
    ],
)
def test_rendered_tables_are_read_hand_by_hand(name: str) -> None:
    there = json.loads((SAMPLES / "tables.json").read_text())[name]["hands"]
    hands = [{FRENCH_WITH_JOKER.spellings[card] for card in hand} for hand in there]
    groups = read_table(SAMPLES / "tables" / name, FRENCH_WITH_JOKER, [len(hand) for hand in hands])
    assert len(groups) == len(hands)
    read = [[r.piece for r in group.readings] for group in groups]
    assert all(len(hand & set(group)) >= len(hand) - 1 for hand, group in zip(hands, read, strict=True))
    every = [piece for group in read for piece in group]
    assert len(every) == len(set(every))
    for group in groups:
        x, y, w, h = group.box
        assert all(
            x <= a + c / 2 <= x + w and y <= b + d / 2 <= y + h for a, b, c, d in (r.box for r in group.readings)
        )


@pytest.mark.thorough
def test_cards_held_elsewhere_are_not_read_again() -> None:
    name, entry = next(iter(sorted(json.loads((SAMPLES / "tables.json").read_text()).items())))
    held = FRENCH_WITH_JOKER.spellings[entry["hands"][0][0]]
    sizes = [len(hand) for hand in entry["hands"]]
    groups = read_table(SAMPLES / "tables" / name, FRENCH_WITH_JOKER, sizes, [held])
    assert held not in [r.piece for group in groups for r in group.readings]


@pytest.mark.thorough
def test_an_empty_table_has_no_hands() -> None:
    import io

    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (640, 480), (30, 90, 60)).save(file, "PNG")
    assert read_table(file.getvalue(), FRENCH_WITH_JOKER, [5, 5]) == []
