"""The forward pass in NumPy equals the trained network's, whose outputs were stored with the weights."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.camera import network

REFERENCE = json.loads(Path(__file__).with_name("reference.json").read_text())
CLOSE = 1e-3


def noise() -> np.random.Generator:
    return np.random.default_rng(1)


def test_outputs_equal_those_of_the_trained_network() -> None:
    features = network.features(noise().integers(0, 256, (2, 240, 176, 3), dtype=np.uint8))
    outputs = network.output(features, (0, network.TILE_PLACE[1]))[:, :, ::13, ::11]
    assert np.abs(outputs.reshape(len(outputs), -1) - REFERENCE).max() < CLOSE


@pytest.mark.parametrize("high", [16, 160, 176, 336, 640])
def test_strips_do_not_show(high: int, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = noise().integers(0, 256, (high, 48, 3), dtype=np.uint8)
    in_strips = network.features([picture])
    monkeypatch.setattr(network, "_STRIP", 1000)
    assert np.abs(in_strips - network.features([picture])).max() < CLOSE


def test_weights_are_small() -> None:
    assert network.WEIGHTS.stat().st_size <= 1_500_000
