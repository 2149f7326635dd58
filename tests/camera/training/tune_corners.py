"""Train the second network's corners a little longer on a processor, on what it names worst.

    python tests/camera/training/generate.py --fonts FONTS --folder COURTS --only courts --scenes 500 --first 80000
    python tests/camera/training/tune_corners.py --shards COURTS --state OUT/state.pt --weights WEIGHTS --out second.npz

Corners are cut out once, a tenth of them where the first network sees some, and drawn from this pool; faces are left.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from pathlib import Path

import numpy as np
import torch
from export import arrays_of, folded, layers, unfolded
from network import Network
from second import Second
from torch import Tensor, nn
from torch.nn import functional
from train_second import SIDES, Levels, Spots, Store, batch, corners, proposed, shaken

SEED, BATCH, AT_ONCE, RATE = 9, 160, 40, 8e-4
FEWER = 4  # of what isn't a corner, there is about a quarter in the pool of what the first network finds
FIELDS = ("image", "x", "y", "up", "size", "mark")


@torch.no_grad()
def pool(store: Store, net: Network) -> tuple[Tensor, Tensor]:
    """Cut corners out of all scenes; give them, and of each whether it is one, its rank and its suit."""
    patches, what, scenes = [], [], (store.pictures, store.labels, store.count)
    for first in range(0, scenes[2], AT_ONCE):
        part = slice(first, min(scenes[2], first + AT_ONCE))
        store.pictures, store.labels, store.count = scenes[0][part], scenes[1][part], part.stop - part.start
        quarters, side = random.randrange(4), random.choice(SIDES)
        pictures, labels = batch(store, store.count, quarters, side, colors=True)
        found = [shaken(labels, 0.9)]
        if first % (2 * AT_ONCE) == 0:
            found.append(proposed(net(pictures)[0], labels, 10))
        spots = Spots(*(torch.cat([getattr(one, name) for one in found]) for name in FIELDS), labels)
        patches.append((corners(Levels(pictures), spots) * 255).round().to(torch.uint8))
        marks = labels[spots.image, spots.mark.clamp(min=0)]
        what.append(torch.stack([(spots.mark >= 0).float(), marks[:, 1], marks[:, 2]], 1))
    return torch.cat(patches), torch.cat(what)


def tune(second: Second, patches: Tensor, what: Tensor, seconds: float) -> None:
    """Train the layers for corners; the network becomes the mean of its last states."""
    for layer in second.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.momentum = 0.02
    weights = [weight for name, weight in second.named_parameters() if name.startswith("k")]
    optimizer = torch.optim.AdamW(weights, lr=RATE, weight_decay=1e-4)
    mean = {name: value.clone() for name, value in second.state_dict().items()}
    second.train()
    start, step = time.monotonic(), 0
    while (done := (time.monotonic() - start) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 30) * (0.5 * (1 + math.cos(math.pi * done)) + 0.01)
        chosen = torch.randint(len(patches), (BATCH,))
        seen, there = patches[chosen].float() / 255, what[chosen]
        seen = (seen + torch.randn_like(seen) * 0.02 * torch.rand(BATCH, 1, 1, 1)).clamp(0, 1)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = second.corner(seen.contiguous(memory_format=torch.channels_last))
        real, named = outputs.float()[:, 0], outputs.float()[there[:, 0] > 0, 1:]
        value, suit = there[there[:, 0] > 0, 1].long(), there[there[:, 0] > 0, 2].long()
        total = functional.binary_cross_entropy_with_logits(real, there[:, 0])
        total = total + functional.cross_entropy(named[:, :14], value, label_smoothing=0.01)
        total = total + functional.cross_entropy(named[suit >= 0, 14:], suit[suit >= 0], label_smoothing=0.01)
        optimizer.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(weights, 5.0)
        optimizer.step()
        step += 1
        keep = min(0.98, 1 - 1 / (step / 3 + 1))
        for name, value in second.state_dict().items():
            if value.dtype.is_floating_point:
                mean[name].lerp_(value, 1 - keep)
        if step % 50 == 0:
            print(step, round(time.monotonic() - start), "s", round(float(total), 3), flush=True)
    mean["k9.bias"][0] -= math.log(FEWER)
    second.load_state_dict(mean)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True, help="of the first network")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=480)
    options = parser.parse_args()
    torch.manual_seed(SEED)
    random.seed(SEED)
    second = Second()
    second.load_state_dict(torch.load(options.state, map_location="cpu")["average"]["second"])
    store = Store(options.shards, 9000, torch.device("cpu"))
    store.read()
    arrays = arrays_of(options.weights)
    net = unfolded(Network(), {name: value for name, value in arrays.items() if "." in name and name.count(".") == 1})
    patches, what = pool(store, net)
    print(len(patches), "corners of", len(store.names), "shards", flush=True)
    tune(second, patches, what, options.seconds)
    np.savez_compressed(options.out, **layers(folded(second.eval()), (), "second."))


if __name__ == "__main__":
    main()
