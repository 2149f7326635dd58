"""Train the network on rendered scenes.

    nice -n 19 python tests/camera/training/train.py --shards SHARDS --out network.pt --steps 3000

Goes on from --out where it is, else begins from --folded if given; it is saved every 100 steps.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from pathlib import Path

import numpy as np
import torch
from network import CARD, CARD_SIZE, CARD_UP, PIPS, RANK, SUIT, TILE, TILE_SIZE, TILE_UP, Network, begin_from_folded
from numpy.typing import NDArray
from scenes import SIDE
from shards import Shards, colored, save
from torch import Tensor
from torch.nn import functional

BATCH = 16
GRID = SIDE // 4
SEED = 21
_Y, _X = np.mgrid[0:GRID, 0:GRID].astype(np.float32)


class Targets:
    """What the network should say: two maps of places, where not to judge, and rows for the places that are sure."""

    def __init__(self) -> None:
        self.heat = np.zeros((BATCH, 2, GRID, GRID), np.float32)
        self.judged = np.ones((BATCH, 2, GRID, GRID), np.float32)
        self.rows: list[tuple[float, ...]] = []

    def add(self, number: int, row: NDArray[np.float32]) -> None:
        """Enter one label of a picture."""
        kind, value, suit, x, y, ux, uy, size, rank_seen, suit_seen = (float(v) for v in row)
        kind = int(kind)
        cx, cy = (x - 1.5) / 4, (y - 1.5) / 4
        distance = (_X - cx) ** 2 + (_Y - cy) ** 2
        least, sure = ((0.3, 0.25), (0.6, 0.5)) if kind == 0 else ((0.4, 0.4), (0.7, 0.7))
        if rank_seen < least[0] or suit_seen < least[1]:
            return
        if rank_seen < sure[0] or suit_seen < sure[1]:
            self.judged[number, kind][distance < max(4.0, (size / 4) ** 2)] = 0
            return
        spread = max(1.0, size / 4 * 0.28)
        heat = self.heat[number, kind]
        np.maximum(heat, np.exp(-distance / (2 * spread * spread)), out=heat)
        column, line = round(cx), round(cy)
        if 0 <= column < GRID and 0 <= line < GRID:
            heat[line, column] = 1
        reach = 1 if size > 14 else 0
        for down in range(line - reach, line + reach + 1):
            for across in range(column - reach, column + reach + 1):
                if 0 <= across < GRID and 0 <= down < GRID:
                    self.rows.append((number, down, across, kind, value, suit, ux, uy, math.log(size / 16)))


def turn(labels: NDArray[np.float32], quarters: int) -> NDArray[np.float32]:
    """Turn labels with their picture by quarters."""
    labels = labels.copy()
    for _ in range(quarters):
        labels[:, 3], labels[:, 4] = labels[:, 4].copy(), SIDE - 1 - labels[:, 3].copy()
        labels[:, 5], labels[:, 6] = labels[:, 6].copy(), -labels[:, 5].copy()
    return labels


def batch(shards: Shards, rng: random.Random) -> tuple[Tensor, Targets, Tensor]:
    """Make a batch."""
    pictures, targets = np.empty((BATCH, 3, SIDE, SIDE), np.float32), Targets()
    for number in range(BATCH):
        picture, labels = shards.scene(rng)
        quarters = rng.randrange(4)
        pictures[number] = colored(np.rot90(picture, quarters), rng).transpose(2, 0, 1)
        for row in turn(labels, quarters):
            targets.add(number, row)
    rows = torch.tensor(targets.rows or [(0, 0, 0, 0, 0, 0, 0, 1, 0)], dtype=torch.float32)
    return torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last), targets, rows


def loss(output: Tensor, targets: Targets, rows: Tensor) -> tuple[Tensor, NDArray[np.float64]]:
    """Give the loss; and its parts: cards, tiles, rank, suit, pips, ways up and sizes, then right ranks and pips."""
    found = torch.sigmoid(output[:, [CARD, TILE]]).clamp(1e-4, 1 - 1e-4)
    wanted, judged = torch.from_numpy(targets.heat), torch.from_numpy(targets.judged)
    here = (wanted == 1).float()
    missed = here * (1 - found) ** 2 * found.log()
    focal = missed + (1 - here) * (1 - wanted) ** 4 * found**2 * (1 - found).log() * judged
    places = -focal.sum((0, 2, 3)) / here.sum((0, 2, 3)).clamp(min=1)
    at = output[rows[:, 0].long(), :, rows[:, 1].long(), rows[:, 2].long()]
    card, tile, value, suit = rows[:, 3] == 0, rows[:, 3] == 1, rows[:, 4].long(), rows[:, 5].long()
    none = torch.zeros(())
    parts = [*places]
    for which, answers, wanted_value in ((card, RANK, value), (card & (suit >= 0), SUIT, suit), (tile, PIPS, value)):
        guess = at[which][:, answers]
        parts.append(functional.cross_entropy(guess, wanted_value[which], label_smoothing=0.02) if len(guess) else none)
    for which, up, size in ((card, CARD_UP, CARD_SIZE), (tile, TILE_UP, TILE_SIZE)):
        parts.append(functional.smooth_l1_loss(at[which][:, up], rows[which][:, 6:8]) if which.any() else none)
        parts.append(0.5 * functional.smooth_l1_loss(at[which][:, size], rows[which][:, 8]) if which.any() else none)
    right = [
        float((at[which][:, answers].argmax(1) == value[which]).float().mean())
        for which, answers in ((card, RANK), (tile, PIPS))
    ]
    total = torch.stack(parts).sum()
    return total, np.array([*(part.item() for part in parts), *right])


def train(options: argparse.Namespace) -> None:
    """Train for a number of steps."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(SEED)
    rng = random.Random(SEED + options.round)
    shards, net = Shards(options.shards), Network()
    if options.out.exists():
        net.load_state_dict(torch.load(options.out))
    elif options.folded:
        begin_from_folded(net, options.folded, torch.cat([batch(shards, rng)[0] for _ in range(6)]))
    net = net.to(memory_format=torch.channels_last).train()
    average = {name: value.clone() for name, value in net.state_dict().items()}
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-4)
    start, step, mean = time.process_time(), 0, np.zeros(11)
    while step < options.steps:
        done = step / options.steps
        rate = options.rate * min(1, (step + 1) / 100) * (0.5 * (1 + math.cos(math.pi * done)) + 0.01)
        for group in optimizer.param_groups:
            group["lr"] = rate
        pictures, targets, rows = batch(shards, rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            output = net(pictures)
        total, parts = loss(output.float(), targets, rows)
        optimizer.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        step += 1
        keep = min(0.995, 1 - 1 / (step / 4 + 1))
        for name, value in net.state_dict().items():
            if value.dtype.is_floating_point:
                average[name].mul_(keep).add_(value, alpha=1 - keep)
            else:
                average[name].copy_(value)
        mean = parts if step == 1 else 0.98 * mean + 0.02 * np.where(np.isnan(parts), mean, parts)
        if step % 50 == 0:
            shards.refresh()
            print(step, int(time.process_time() - start), "s", np.round(mean, 3), flush=True)
        if step % 100 == 0:
            save(average, options.out)
    save(average, options.out)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folded", type=Path)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--rate", type=float, default=8e-4)
    parser.add_argument("--round", type=int, default=0, help="another round draws other scenes")
    parser.add_argument("--threads", type=int, default=2)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
