"""The network: finds corners of cards and halves of domino tiles, and says what they are, at every fourth pixel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

# where the outputs stand: for the corner of a card whether it is one, its rank (the joker's is the last), its suit, the
# way up, the log of the rank's height over 16 pixels
CARD, RANK, SUIT, CARD_UP, CARD_SIZE = 0, slice(1, 15), slice(15, 19), slice(19, 21), 21
# for half a tile whether it is one, its pips, the way to the other half, the log of half its width over 16 pixels
TILE, PIPS, TILE_UP, TILE_SIZE = 22, slice(23, 30), slice(30, 32), 32
OUTPUTS = 33
_PROTOTYPE = (*range(14), *range(15, 22))  # where the outputs of the prototype went, which knew no jokers and no tiles


def convolution(inputs: int, outputs: int, stride: int = 1, size: int = 3, spread: int = 1) -> nn.Sequential:
    """A convolution with batch normalization and a rectifier."""
    layer = nn.Conv2d(inputs, outputs, size, stride, spread * (size // 2), dilation=spread, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Network(nn.Module):
    """Pictures in 0 to 1 -> OUTPUTS logits for each four by four pixels."""

    def __init__(self) -> None:
        super().__init__()
        a, b, d, e, f, last = 16, 24, 36, 64, 88, 48
        self.c1, self.c2 = convolution(3, a, 2), convolution(a, b, 2)
        self.r1, self.d1, self.r2 = convolution(b, d), convolution(d, e, 2), convolution(e, e)
        self.d2, self.r3, self.r4 = convolution(e, f, 2), convolution(f, f), convolution(f, f, spread=2)
        self.u2, self.v2 = convolution(f, e, size=1), convolution(e, e)
        self.u1, self.v1 = convolution(e, d, size=1), convolution(d, last)
        self.head = nn.Conv2d(last, OUTPUTS, 1)
        nn.init.constant_(self.head.bias[[CARD, TILE]], -4.0)

    def forward(self, pictures: Tensor) -> Tensor:
        """Look at a batch of pictures."""
        fine = self.r1(self.c2(self.c1(pictures - 0.5)))
        middle = self.r2(self.d1(fine))
        coarse = self.r4(self.r3(self.d2(middle)))
        y = self.v2(functional.interpolate(self.u2(coarse), scale_factor=2.0, mode="nearest") + middle)
        y = self.v1(functional.interpolate(self.u1(y), scale_factor=2.0, mode="nearest") + fine)
        return self.head(y)


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
        if name != "head":
            assert child is getattr(net, name)
            restore(name)
    places = list(_PROTOTYPE)
    net.head.weight.data *= 0.02
    net.head.weight.data[places] = weights["headw"]
    net.head.bias.data[places] = weights["headb"]
    net.eval()
    with torch.no_grad():
        net(pictures)
    for hook in hooks:
        hook.remove()
    net.train()
