"""The rendered shards to train from, and what training loops share."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


class Shards:
    """The scenes rendered so far; looks for new shards now and then."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pictures: list[NDArray[np.uint8]] = []
        self.labels: list[NDArray[np.float32]] = []
        self.names: set[str] = set()
        self.refresh()

    def refresh(self) -> None:
        """Open the shards that were finished in the meantime."""
        for file in sorted(self.folder.glob("labels_*.npy")):
            if file.name not in self.names:
                self.names.add(file.name)
                self.labels.append(np.load(file))
                self.pictures.append(np.load(file.with_name(file.name.replace("labels", "pictures")), mmap_mode="r"))

    def scene(self, rng: random.Random) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Choose a scene: its picture, and its rows that are filled."""
        shard = rng.randrange(len(self.labels))
        row = rng.randrange(len(self.labels[shard]))
        labels = self.labels[shard][row]
        return self.pictures[shard][row], labels[labels[:, 0] >= 0]


def colored(picture: NDArray[np.uint8], rng: random.Random) -> NDArray[np.float32]:
    """Change light and colour a little."""
    gain = np.array([rng.uniform(0.85, 1.18) for _ in range(3)], np.float32) * rng.uniform(0.75, 1.25)
    plain = picture.astype(np.float32) / 255
    if rng.random() < 0.2:
        middle = plain.mean()
        plain = middle + (plain - middle) * rng.uniform(0.5, 1.3)
    return np.clip(plain * gain, 0, 1)


def save(weights: dict[str, Tensor], file: Path) -> None:
    """Write a checkpoint whole or not at all."""
    torch.save({name: value.contiguous() for name, value in weights.items()}, f"{file}.new")
    os.replace(f"{file}.new", file)
