"""Train the network on rendered scenes.

    nice -n 19 python tests/camera/training/train.py --shards SHARDS --out network.pt --folded FOLDED.npz --steps 3000

Goes on from --out where it is, else begins from --folded if given; it is saved every 50 steps. With --only tiles the
whole network is trained for tiles alone: export.py stores it beside the one for cards, which stays as it is. With
--only cards a trained network learns more cards: its batch normalization stays as it is, so that it can be blended with
what it was (export.py --before).
"""

from __future__ import annotations

import argparse
import math
import random
import time
from pathlib import Path

import numpy as np
import torch
from network import (
    CARD,
    CARD_LAYERS,
    CARD_SIZE,
    CARD_STRIDE,
    CARD_UP,
    PIPS,
    RANK,
    SUIT,
    TILE,
    TILE_LAYERS,
    TILE_SIZE,
    TILE_STRIDE,
    TILE_UP,
    Network,
    begin_from_folded,
)
from numpy.typing import NDArray
from scenes import SIDE
from shards import Shards, colored, save
from torch import Tensor, nn
from torch.nn import functional

BATCH = 16
SEED = 21
MIN_SEEN = {0: (0.3, 0.25), 1: (0.4, 0.4)}  # with less of rank and suit in sight there is nothing to be found
KEEP_WITHOUT_TILES = 0.06  # of the scenes of cards: what isn't a tile has to be seen too
SURE = {0: (0.6, 0.5), 1: (0.7, 0.7)}  # with less than this neither answer is wrong


class Targets:
    """What the network should say of cards, or of tiles: where they are, where not to judge, what is surely there."""

    def __init__(self, kind: int) -> None:
        self.kind, self.stride = kind, TILE_STRIDE if kind else CARD_STRIDE
        self.grid = SIDE // self.stride
        self.heat = np.zeros((BATCH, self.grid, self.grid), np.float32)
        self.judged = np.ones_like(self.heat)
        self.rows: list[tuple[float, ...]] = []
        self.y, self.x = np.mgrid[0 : self.grid, 0 : self.grid].astype(np.float32)

    def add(self, number: int, row: NDArray[np.float32]) -> None:
        """Enter one label of a picture."""
        kind, value, suit, x, y, ux, uy, size, rank_seen, suit_seen = (float(v) for v in row[:10])
        if kind != self.kind:
            return
        least, sure, cell = MIN_SEEN[self.kind], SURE[self.kind], self.stride
        cx, cy = (x - (cell - 1) / 2) / cell, (y - (cell - 1) / 2) / cell
        distance = (self.x - cx) ** 2 + (self.y - cy) ** 2
        if rank_seen < least[0] or suit_seen < least[1]:
            return
        if rank_seen < sure[0] or suit_seen < sure[1]:
            self.judged[number][distance < max(4.0, (size / cell) ** 2)] = 0
            return
        spread = max(0.7 if kind else 1.0, size / cell * 0.28)
        np.maximum(self.heat[number], np.exp(-distance / (2 * spread * spread)), out=self.heat[number])
        column, line = round(cx), round(cy)
        if 0 <= column < self.grid and 0 <= line < self.grid:
            self.heat[number, line, column] = 1
        reach = 1 if size > 14 else 0
        for down in range(line - reach, line + reach + 1):
            for across in range(column - reach, column + reach + 1):
                if 0 <= across < self.grid and 0 <= down < self.grid:
                    self.rows.append((number, down, across, value, suit, ux, uy, math.log(size / 16)))


def turn(labels: NDArray[np.float32], quarters: int) -> NDArray[np.float32]:
    """Turn labels with their picture by quarters."""
    labels = labels.copy()
    for _ in range(quarters):
        labels[:, 3], labels[:, 4] = labels[:, 4].copy(), SIDE - 1 - labels[:, 3].copy()
        labels[:, 5], labels[:, 6] = labels[:, 6].copy(), -labels[:, 5].copy()
    return labels


def batch(shards: Shards, rng: random.Random, only_tiles: bool = False) -> tuple[Tensor, list[Targets]]:
    """Make a batch."""
    pictures, targets = np.empty((BATCH, 3, SIDE, SIDE), np.float32), [Targets(0), Targets(1)]
    for number in range(BATCH):
        picture, labels = shards.scene(rng)
        while only_tiles and not (labels[:, 0] == 1).any() and rng.random() > KEEP_WITHOUT_TILES:
            picture, labels = shards.scene(rng)
        quarters = rng.randrange(4)
        pictures[number] = colored(np.rot90(picture, quarters), rng).transpose(2, 0, 1)
        for row in turn(labels, quarters):
            for target in targets:
                target.add(number, row)
    return torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last), targets


def loss(output: Tensor, targets: Targets) -> tuple[Tensor, list[float]]:
    """Give the loss of cards or tiles; and its parts: places, rank or pips, suit, way up, size, and the share right."""
    is_tile = targets.kind == 1
    found = torch.sigmoid(output[:, TILE if is_tile else CARD]).clamp(1e-4, 1 - 1e-4)
    wanted, judged = torch.from_numpy(targets.heat), torch.from_numpy(targets.judged)
    here = (wanted == 1).float()
    missed = here * (1 - found) ** 2 * found.log()
    focal = missed + (1 - here) * (1 - wanted) ** 4 * found**2 * (1 - found).log() * judged
    parts = [-focal.sum() / here.sum().clamp(min=1)]
    right = float("nan")
    if targets.rows:
        rows = torch.tensor(targets.rows, dtype=torch.float32)
        at = output[rows[:, 0].long(), :, rows[:, 1].long(), rows[:, 2].long()]
        value, suit = rows[:, 3].long(), rows[:, 4].long()
        guess = at[:, PIPS if is_tile else RANK]
        right = float((guess.argmax(1) == value).float().mean())
        parts.append(functional.cross_entropy(guess, value, label_smoothing=0.02))
        if (suit >= 0).any():
            parts.append(functional.cross_entropy(at[suit >= 0][:, SUIT], suit[suit >= 0], label_smoothing=0.02))
        parts.append(functional.smooth_l1_loss(at[:, TILE_UP if is_tile else CARD_UP], rows[:, 5:7]))
        parts.append(0.5 * functional.smooth_l1_loss(at[:, TILE_SIZE if is_tile else CARD_SIZE], rows[:, 7]))
    total = torch.stack(parts).sum()
    return total, [parts[0].item(), total.item(), right]


def step_loss(net: Network, shards: Shards, rng: random.Random, only: str | None) -> tuple[Tensor, NDArray[np.float64]]:
    """Make a batch and give its loss."""
    pictures, (cards, tiles) = batch(shards, rng, only == "tiles")
    with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time where the processor knows it
        fine, middle, y = net.trunk(pictures)
        card_output = None if only == "tiles" else net.cards(fine, y)
        tile_output = None if only == "cards" else net.tiles(middle, y)
    outputs = ((tile_output, tiles), (card_output, cards))
    losses = [loss(output.float(), targets) for output, targets in outputs if output is not None]
    return torch.stack([total for total, _ in losses]).sum(), np.concatenate([seen for _, seen in losses])


def learn_jokers(net: Network) -> None:
    """Let the joker begin as an unlikely rank like any other, if it can't be read yet; keep the normalization."""
    weight, bias, joker = net.head.weight.data, net.head.bias.data, RANK.stop - 1
    if bias[joker] < -8:
        weight[joker], bias[joker] = weight[RANK][:-1].mean(0), bias[RANK][:-1].mean() - 1
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eval()


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
    if options.only == "cards":
        learn_jokers(net)
    kept = {"tiles": CARD_LAYERS, "cards": TILE_LAYERS, None: ()}[options.only]
    for name, child in net.named_children():
        child.requires_grad_(name not in kept)
    average = {name: value.clone() for name, value in net.state_dict().items()}
    optimizer = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=options.rate, weight_decay=1e-4)
    start, step, mean = time.process_time(), 0, np.zeros(3 if options.only else 6)
    while step < options.steps:
        done = step / options.steps
        rate = options.rate * min(1, (step + 1) / 100) * (0.5 * (1 + math.cos(math.pi * done)) + 0.01)
        for group in optimizer.param_groups:
            group["lr"] = rate
        total, parts = step_loss(net, shards, rng, options.only)
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
        if step % 25 == 0:
            shards.refresh()
            print(step, int(time.process_time() - start), "s", np.round(mean, 3), flush=True)
        if step % 50 == 0:
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
    parser.add_argument("--only", choices=["tiles", "cards"])
    parser.add_argument("--round", type=int, default=0, help="another round draws other scenes")
    parser.add_argument("--threads", type=int, default=2)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
