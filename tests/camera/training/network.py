"""The network: finds corners of cards and halves of domino tiles, and says what they are, at every fourth pixel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

# where the outputs for cards stand, one for each four pixels: whether there is a corner, its rank (the joker's is the
# last), its suit, the way up, the log of the rank's height over 16 pixels
CARD, RANK, SUIT, CARD_UP, CARD_SIZE = 0, slice(1, 15), slice(15, 19), slice(19, 21), 21
# those for tiles, one for each eight pixels: whether there is half a tile, its pips, the way to the other half, the log
# of half its width over 16 pixels
TILE, PIPS, TILE_UP, TILE_SIZE = 0, slice(1, 8), slice(8, 10), 10
CARD_OUTPUTS, TILE_OUTPUTS = 22, 11
CARD_STRIDE, TILE_STRIDE = 4, 8
_PROTOTYPE = (*range(14), *range(15, 22))  # where the outputs of the prototype went, which knew no jokers


def convolution(inputs: int, outputs: int, stride: int = 1, size: int = 3, spread: int = 1) -> nn.Sequential:
    """A convolution with batch normalization and a rectifier."""
    layer = nn.Conv2d(inputs, outputs, size, stride, spread * (size // 2), dilation=spread, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Network(nn.Module):
    """Pictures in 0 to 1 -> CARD_OUTPUTS for each four by four pixels, TILE_OUTPUTS for each eight by eight."""

    def __init__(self) -> None:
        super().__init__()
        a, b, d, e, f, last = 16, 24, 36, 64, 88, 48
        self.c1, self.c2 = convolution(3, a, 2), convolution(a, b, 2)
        self.r1, self.d1, self.r2 = convolution(b, d), convolution(d, e, 2), convolution(e, e)
        self.d2, self.r3, self.r4 = convolution(e, f, 2), convolution(f, f), convolution(f, f, spread=2)
        self.u2, self.v2 = convolution(f, e, size=1), convolution(e, e)
        self.u1, self.v1 = convolution(e, d, size=1), convolution(d, last)
        self.head = nn.Conv2d(last, CARD_OUTPUTS, 1)
        self.t1, self.t2 = convolution(2 * e, e), convolution(e, e)
        self.tile = nn.Conv2d(e, TILE_OUTPUTS, 1)
        for layer in (self.head, self.tile):
            layer.weight.data *= 0.1
            layer.bias.data.zero_()
            layer.bias.data[0] = -4.0

    def trunk(self, pictures: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Give the features at a quarter, and two kinds at an eighth of the size."""
        fine = self.r1(self.c2(self.c1(pictures - 0.5)))
        middle = self.r2(self.d1(fine))
        coarse = self.r4(self.r3(self.d2(middle)))
        y = self.v2(functional.interpolate(self.u2(coarse), scale_factor=2.0, mode="nearest") + middle)
        return fine, middle, y

    def cards(self, fine: Tensor, y: Tensor) -> Tensor:
        """Give the outputs for cards."""
        return self.head(self.v1(functional.interpolate(self.u1(y), scale_factor=2.0, mode="nearest") + fine))

    def tiles(self, middle: Tensor, y: Tensor) -> Tensor:
        """Give the outputs for tiles."""
        return self.tile(self.t2(self.t1(torch.cat([middle, y], 1))))

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """Look at a batch of pictures."""
        fine, middle, y = self.trunk(pictures)
        return self.cards(fine, y), self.tiles(middle, y)


CARD_LAYERS = ("u1", "v1", "head")  # these alone read cards
TILE_LAYERS = ("t1", "t2", "tile")  # and these tiles


def begin_from_folded(net: Network, file: Path, pictures: Tensor) -> None:
    """Take over weights whose batch normalization was folded in, and put it back with the statistics of pictures."""
    with np.load(file) as folded:
        weights = {name: torch.from_numpy(folded[name].astype(np.float32)) for name in folded.files}
    hooks = []

    def restore(name: str) -> None:
        layer, norm = getattr(net, name)[0], getattr(net, name)[1]
        layer.weight.data.copy_(weights[f"{name}w"])

        def measure(_: nn.Module, __: tuple[Tensor], result: Tensor) -> None:
            variance, mean = torch.var_mean(result, (0, 2, 3))
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.data.copy_(torch.sqrt(variance + norm.eps))
            norm.bias.data.copy_(weights[f"{name}b"] + mean)

        hooks.append(layer.register_forward_hook(measure))

    for name, child in net.named_children():
        if f"{name}w" in weights and isinstance(child, nn.Sequential):
            restore(name)
    places = list(_PROTOTYPE)
    net.head.weight.data[places] = weights["headw"]
    net.head.bias.data[places] = weights["headb"]
    net.head.weight.data[RANK.stop - 1] = 0.0  # no joker is seen until it is trained
    net.head.bias.data[RANK.stop - 1] = -9.0
    net.eval()
    with torch.no_grad():
        net(pictures)
    for hook in hooks:
        hook.remove()
    net.train()
