"""What lies between a card's corners decides where the corners can't."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from companion.camera import faces, hands
from companion.camera.finding import Spot

WIDE, HIGH, RANK = 220, 308, 30.0
PIPS = {
    "6": [(x, y) for x in (0, 1) for y in (0, 0.5, 1)],
    "9": [*((x, y) for x in (0, 1) for y in (0, 1 / 3, 2 / 3, 1)), (0.5, 0.5)],
}
NAMES = [rank + suit for rank in hands.RANKS for suit in hands.SUITS] + ["Jk"]


def picture(rank: str | None) -> NDArray[np.uint8]:
    """A card with diamonds, or with nothing, in the middle of a green table."""
    card = Image.new("RGB", (WIDE, HIGH), (248, 246, 240))
    diamond = Image.new("L", (36, 40))
    for y in range(40):
        half = round(18 * (1 - abs(y - 19.5) / 20))
        diamond.paste(255, (18 - half, y, 18 + half, y + 1))
    for x, y in PIPS[rank] if rank else []:
        at = round((0.3 + 0.4 * x) * WIDE) - 18, round((0.18 + 0.64 * y) * HIGH) - 20
        card.paste((200, 25, 35), at, diamond)
    table = Image.new("RGB", (640, 480), (30, 85, 55))
    table.paste(card, (210, 86))
    return np.asarray(table)


def find(both: bool) -> hands.Find:
    """Corners that are as much a six as a nine of diamonds."""
    chances = np.full(53, 1e-4, np.float32)
    chances[[NAMES.index("6d"), NAMES.index("9d")]] = 0.5
    chances /= chances.sum()
    x, y = 0.11 * WIDE, 0.045 * HIGH + RANK
    upper = Spot(210 + x, 86 + y, (0.0, -1.0), RANK, 1.0, chances)
    lower = Spot(210 + WIDE - x, 86 + HIGH - y, (0.0, 1.0), RANK, 1.0, chances)
    return hands.Find((upper, lower) if both else (upper,), 1.0, chances)


@pytest.mark.parametrize("both", [True, False], ids=["two corners", "one corner"])
@pytest.mark.parametrize("rank", PIPS)
def test_pips_decide_between_two_ranks(rank: str, both: bool) -> None:
    (seen,) = faces.with_faces(picture(rank), [find(both)])
    assert NAMES[int(seen.chances.argmax())] == rank + "d"
    assert seen.chances.sum() == pytest.approx(1, abs=1e-3)


def test_a_card_without_pips_is_what_its_corners_say() -> None:
    (seen,) = faces.with_faces(picture(None), [find(both=False)])
    assert NAMES[int(seen.chances.argmax())] in ("6d", "9d")


def test_without_cards_there_are_no_faces() -> None:
    assert faces.with_faces(picture(None), []) == []
