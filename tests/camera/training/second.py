"""The network for the second look: what a corner and the face of its card say together, and each alone."""

from __future__ import annotations

import torch
from network import convolution
from torch import Tensor, nn

CORNER = (56, 48)  # height and width in pixels of a corner, upright; a rank is RANK_HEIGHT pixels high in it
RANK_HEIGHT = 16
FACE = (56, 40)  # height and width in pixels of what lies within a card's corners
CORNER_OUTPUTS, FACE_OUTPUTS = 19, 18  # whether it is a corner, 14 ranks, 4 suits; the face has no first output


class Second(nn.Module):
    """Corners and faces in 0 to 1 -> the outputs of each; they are added up."""

    def __init__(self) -> None:
        super().__init__()
        self.k1, self.k2, self.k3 = convolution(3, 20, 2), convolution(20, 36), convolution(36, 48, 2)
        self.k4, self.k5, self.k6 = convolution(48, 56), convolution(56, 72, 2), convolution(72, 72)
        self.k7 = convolution(72, 24, size=1)
        self.k8 = nn.Conv2d(24, 96, (7, 6))
        self.k9 = nn.Conv2d(96, CORNER_OUTPUTS, 1)
        self.f1, self.f2, self.f3 = convolution(3, 16, 2), convolution(16, 28, 2), convolution(28, 40)
        self.f4, self.f5 = convolution(40, 56, 2), convolution(56, 16, size=1)
        self.f6 = nn.Conv2d(16, 64, (7, 5))
        self.f7 = nn.Conv2d(64, FACE_OUTPUTS, 1)
        self.lost = nn.Dropout(0.15)

    def corner(self, pictures: Tensor) -> Tensor:
        """Give what corners say."""
        x = self.k4(self.k3(self.k2(self.k1(pictures - 0.5))))
        x = self.k7(self.k6(self.k5(x)))
        outputs: Tensor = self.k9(self.lost(torch.relu(self.k8(x))))[:, :, 0, 0]
        return outputs

    def face(self, pictures: Tensor) -> Tensor:
        """Give what faces say."""
        x = self.f5(self.f4(self.f3(self.f2(self.f1(pictures - 0.5)))))
        outputs: Tensor = self.f7(self.lost(torch.relu(self.f6(x))))[:, :, 0, 0]
        return outputs
