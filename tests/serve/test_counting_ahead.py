"""The rarities that the first round of a game needs are counted in advance."""

from __future__ import annotations

import pytest
from waiting import MAX_SECONDS

from companion.contract.catalogue import example_round
from companion.engine import counting
from companion.games import all_games
from companion.serve.counting_ahead import count_ahead


def test_examples_need_no_further_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    count_ahead(after=0).join(MAX_SECONDS)

    def counted(*_of: object) -> None:
        raise AssertionError("these hands have not been counted")

    for name in ("patterns", "combinations"):
        monkeypatch.setattr(counting, name, counted)
    for game in all_games().values():
        for example in game.examples:
            dealt = example_round(game, example)
            rarities = game.rarities(dealt.options, game.settle(dealt))
            assert set(rarities) == {hand.player for hand in game.settle(dealt).hands}
