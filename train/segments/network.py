"""A small U-Net: colour, depth and height above the floor to the kind of thing in each pixel."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

CHANNELS = 6
"""Red, green, blue, depth, whether depth was measured, height above the floor."""


class Conv(nn.Module):
    """A convolution of 3 × 3 with batch norm and ReLU; the norm is folded in when it ships."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.norm(self.conv(x)))

    def folded(self) -> tuple[Tensor, Tensor]:
        """Weights and bias of one convolution that does the same."""
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        return (
            self.conv.weight * scale[:, None, None, None],
            self.norm.bias - self.norm.running_mean * scale,
        )


class SegmentNet(nn.Module):
    """Pictures (n, 6, 120, 160) to logits (n, kinds, 120, 160)."""

    def __init__(self, kinds: int) -> None:
        super().__init__()
        self.first = Conv(CHANNELS, 16)
        self.down = nn.ModuleList([Conv(16, 32, 2), Conv(32, 64, 2), Conv(64, 96, 2)])
        self.more = nn.ModuleList([Conv(32, 32), Conv(64, 64), Conv(96, 96)])
        self.deep = Conv(96, 96)
        self.up = nn.ModuleList([Conv(96 + 64, 64), Conv(64 + 32, 32), Conv(32 + 16, 24)])
        self.head = nn.Conv2d(24, kinds, 1)

    def forward(self, x: Tensor) -> Tensor:
        kept = [self.first(x)]
        for down, more in zip(self.down, self.more, strict=True):
            kept.append(more(down(kept[-1])))
        x = self.deep(kept.pop())
        for up in self.up:
            x = F.interpolate(x, scale_factor=2, mode="nearest")
            x = up(torch.cat([x, kept.pop()], 1))
        return self.head(x)
