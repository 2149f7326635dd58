"""A picture is looked at at more sizes only while its hand isn't whole and sure; no spot is looked at twice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from test_hands import corner

from companion.camera import finding, network, recognition
from companion.camera.finding import Spot
from companion.camera.photograph import Photograph
from companion.engine.pieces.cards import FRENCH

BLANK = Photograph(np.zeros((200, 200, 3), np.uint8), 1.0)


@pytest.mark.parametrize(
    ("real", "size", "looks"), [(1.0, 1, 1), (0.6, 1, 2), (1.0, 2, 2)], ids=["sure", "unsure", "one is missing"]
)
def test_a_hand_that_is_whole_and_sure_is_not_looked_at_at_more_sizes(
    real: float, size: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def spots(*_: object) -> Iterator[list[Spot]]:
        for look in (1, 2):
            asked.append(look)
            yield [corner(60, 60, {"Qh": 1.0}, real=real)]

    monkeypatch.setattr(recognition, "spots", spots)
    detected = recognition._detect(BLANK, FRENCH, size, (), ((832,), (1280,)))
    assert [detection.piece.text for detection, _ in detected] == ["Qh"]
    assert len(asked) == looks


def test_no_spot_is_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = corner(50, 50, {"Qh": 1.0}), corner(150, 150, {"2c": 1.0})
    looked = []

    def look_again(_: object, candidates: list[Spot], __: object) -> list[Spot]:
        looked.append(candidates)
        return candidates

    monkeypatch.setattr(finding, "_find_at_size", lambda _, size, __: {832: [first], 1280: [second], 320: []}[size])
    monkeypatch.setattr(finding, "_look_again", look_again)
    found = list(finding.spots(BLANK, network.CARDS, 5, ((320,), (832,), (1280,), (320,))))
    assert [len(spots) for spots in found] == [0, 1, 2, 2]
    assert looked == [[first], [second]]
