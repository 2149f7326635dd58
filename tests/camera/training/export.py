"""Fold batch normalization into the convolutions and write the network as a file of half floats.

    python tests/camera/training/export.py --network cards.npz --tiles tiles.npz --second cards.npz \
        --out companion/camera/weights-4.npz --reference tests/camera/reference.json

Cards are found with the layers of --network, tiles with those of --tiles; either may be such a file, as train_second.py
writes them, and --second is. With --before each
weight for cards but the joker's lies between that file's and the network's: --share of the way. The reference
holds what PyTorch makes of the stored weights, for the test that NumPy makes the same of them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from network import CARD_LAYERS, RANK, TILE_LAYERS, Network
from numpy.typing import NDArray
from second import CORNER, FACE, Second
from torch import nn

Arrays = dict[str, NDArray[np.float16]]
JOKER = RANK.stop - 1


def folded(net: nn.Module) -> Arrays:
    """Give the weights and biases of each layer as they are applied once training is over."""
    arrays = {}
    for name, child in net.named_children():
        if isinstance(child, nn.Sequential):
            layer, norm = child[0], child[1]
            gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            arrays[f"{name}.weight"] = layer.weight * gain[:, None, None, None]
            arrays[f"{name}.bias"] = norm.bias - norm.running_mean * gain
        elif isinstance(child, nn.Conv2d | nn.Linear):
            arrays[f"{name}.weight"], arrays[f"{name}.bias"] = child.weight, child.bias
    return {name: value.detach().numpy().astype(np.float16) for name, value in arrays.items()}


def layers(arrays: Arrays, without: tuple[str, ...], prefix: str = "") -> Arrays:
    """Leave layers out; the names of the others begin with a prefix."""
    return {prefix + name: array for name, array in arrays.items() if name.partition(".")[0] not in without}


def arrays_of(file: Path, prefix: str = "") -> Arrays:
    """Give the folded weights of a checkpoint, or those of one network in an exported file."""
    if file.suffix == ".npz":
        with np.load(file) as stored:
            return {n.removeprefix(prefix): stored[n] for n in stored.files if n.startswith(prefix)}
    net = Network()
    net.load_state_dict(torch.load(file))
    return folded(net)


def blended(before: Arrays, after: Arrays, share: float) -> Arrays:
    """Go a share of the way from one network's weights to another's; what the first never learned is taken whole."""
    arrays = {}
    for name, array in after.items():
        old = before[name].astype(np.float32)
        arrays[name] = (old + share * (array.astype(np.float32) - old)).astype(np.float16)
        if name.startswith("head."):
            arrays[name][JOKER] = array[JOKER]
    return arrays


def unfolded(net: nn.Module, arrays: Arrays) -> nn.Module:
    """Put folded weights back into a network; layers that aren't there stay as they are."""
    for name, child in net.named_children():
        if f"{name}.weight" not in arrays:
            continue
        layer = child[0] if isinstance(child, nn.Sequential) else child
        if not isinstance(layer, nn.Conv2d | nn.Linear):
            continue
        weight, bias = (torch.from_numpy(arrays[f"{name}.{part}"].astype(np.float32)) for part in ("weight", "bias"))
        layer.weight.data = weight
        if isinstance(child, nn.Sequential):
            norm = child[1]
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
            norm.weight.data.fill_(1)
            norm.bias.data = bias
        else:
            layer.bias.data = bias
    return net.eval()


def noise(high: int, wide: int) -> torch.Tensor:
    """Give two pictures of noise."""
    pictures = np.random.default_rng(1).integers(0, 256, (2, high, wide, 3), dtype=np.uint8)
    return torch.from_numpy(pictures.transpose(0, 3, 1, 2).astype(np.float32) / 255)


def reference(cards: Arrays, tiles: Arrays, second: Arrays) -> dict[str, list[list[float]]]:
    """Give some outputs of PyTorch for two pictures of noise: of the networks for cards and tiles, and the second."""
    again = unfolded(Second(), second)
    with torch.no_grad():
        pixels = noise(240, 176)
        looked = {"corners": again.corner(noise(*CORNER)), "faces": again.face(noise(*FACE))}
        seen = unfolded(Network(), cards)(pixels)[0], unfolded(Network(), tiles)(pixels)[1]
        both = (outputs.numpy().transpose(1, 0, 2, 3) for outputs in seen)
    return {
        what: [[round(float(v), 5) for v in row] for row in outputs[:, :, ::7, ::5].reshape(len(outputs), -1)]
        for what, outputs in zip(("cards", "tiles"), both, strict=True)
    } | {what: [[round(float(v), 5) for v in row] for row in outputs.T] for what, outputs in looked.items()}


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--tiles", type=Path, required=True)
    parser.add_argument("--second", type=Path, required=True)
    parser.add_argument("--before", type=Path, help="an earlier network for cards")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reference", type=Path)
    options = parser.parse_args()
    others = ("tiles", "second", *TILE_LAYERS)
    cards = layers(arrays_of(options.network), others)
    if options.before:
        cards = blended(layers(arrays_of(options.before), others), cards, options.share)
    tiles = layers(arrays_of(options.tiles, "tiles."), CARD_LAYERS)
    second = arrays_of(options.second, "second.")
    np.savez_compressed(options.out, **cards, **layers(tiles, (), "tiles."), **layers(second, (), "second."))
    if options.reference:
        options.reference.write_text(json.dumps(reference(cards, tiles, second)) + "\n")
    print(options.out, options.out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
