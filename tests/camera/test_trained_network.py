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


@pytest.mark.parametrize("task", [network.CARDS, network.TILES], ids=["cards", "tiles"])
def test_outputs_equal_those_of_the_trained_network(task: network.Task) -> None:
    features = network.features(noise().integers(0, 256, (2, 240, 176, 3), dtype=np.uint8), task)
    outputs = network.output(features, task, (0, task.place[1]))[:, :, ::7, ::5]
    stored = REFERENCE["tiles" if task is network.TILES else "cards"]
    assert np.abs(outputs.reshape(len(outputs), -1) - stored).max() < CLOSE


@pytest.mark.parametrize("what", ["corners", "faces"])
def test_outputs_of_the_second_look_equal_those_of_the_trained_network(what: str) -> None:
    corners = what == "corners"
    pictures = noise().integers(0, 256, (2, *(network.CORNER if corners else network.FACE), 3), dtype=np.uint8)
    if corners:
        there, named = network.corners(list(pictures))
        outputs = np.concatenate([there[None], named])
    else:
        outputs = network.faces(list(pictures))
    assert np.abs(outputs - REFERENCE[what]).max() < CLOSE


@pytest.mark.parametrize("high", [16, 160, 176, 336, 640])
def test_results_do_not_depend_on_the_strips(high: int, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = noise().integers(0, 256, (high, 48, 3), dtype=np.uint8)
    in_strips = network.features([picture], network.CARDS)
    monkeypatch.setattr(network, "_STRIP", 1000)
    assert np.abs(in_strips - network.features([picture], network.CARDS)).max() < CLOSE


def test_weights_are_small() -> None:
    assert network.WEIGHTS.stat().st_size <= 2_000_000


@pytest.mark.parametrize("task", [network.CARDS, network.TILES])
@pytest.mark.parametrize("least", [0.0, 1e-4, 1.0])
def test_what_is_found_has_the_features_of_its_places(task: network.Task, least: float) -> None:
    picture = noise().integers(0, 256, (336, 176, 3), dtype=np.uint8)
    features = network.features([picture], task)[:, 0]
    chances, found = network.find(picture, task, least)
    there = network.chance(network.output(features, task, network.THERE)[0])
    assert np.abs(chances - there).max() < CLOSE
    assert np.array_equal(found, features[:, chances > least])
