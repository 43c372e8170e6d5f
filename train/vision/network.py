"""The network: pictures once into a map of features, then each question reads from that map.

A picture (3, 224, 224) becomes 28 x 28 places of WIDTH numbers by convolutions, with a look at the
whole picture in between: from 14 x 14 places at 7 x 7, since that is for the rough. The words of a
question look at each other and, four times, at the places of all pictures given: where "red cube"
is, and what is there. The place in front of the first word collects the answer. Several views are
simply more places to look at.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from regrasp.embedded.vision.words import LONGEST

WIDTH = 128
HEADS = 4
LAYERS = 4
GRID = 28


def _conv(
    inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1
) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    )


class Residual(nn.Module):
    """A narrow 3 x 3 convolution beside a straight way through."""

    def __init__(self, width: int, narrow: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(width, narrow, 1), nn.ReLU(), _conv(narrow, narrow, 3), nn.ReLU(),
            _conv(narrow, width, 1),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.body(x))


def _heads(x: Tensor) -> Tensor:
    """(B, N, WIDTH) as (B, HEADS, N, WIDTH / HEADS)."""
    return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)


def _read(query: Tensor, keys: Tensor, values: Tensor, hide: Tensor | None = None) -> Tensor:
    """What `query` (B, N, WIDTH) finds at keys and values (B, HEADS, M, WIDTH / HEADS).

    `hide` (B, 1, 1, M) is True for what is not to be read.
    """
    bias = None
    if hide is not None:
        bias = torch.zeros_like(hide, dtype=query.dtype).masked_fill(hide, -1e4)
    found = F.scaled_dot_product_attention(_heads(query), keys, values, attn_mask=bias)
    return found.transpose(1, 2).flatten(2)


def _rougher(x: Tensor) -> Tensor:
    """(B, N, WIDTH) of a square of N places as the means of 2 x 2 of them."""
    edge = int(x.shape[1] ** 0.5) // 2
    return x.unflatten(1, (edge, 2, edge, 2)).mean((2, 4)).flatten(1, 2)


class Block(nn.Module):
    """Places, or words, look at each other, places `rough`ly; then each thinks for itself."""

    def __init__(self, *, rough: bool = False) -> None:
        super().__init__()
        self.rough = rough
        self.look, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.think = nn.Sequential(
            nn.Linear(WIDTH, 2 * WIDTH), nn.ReLU(), nn.Linear(2 * WIDTH, WIDTH)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))

    def forward(self, x: Tensor, hide: Tensor | None = None) -> Tensor:
        q, k, v = self.look(self.norms[0](x)).chunk(3, dim=-1)
        if self.rough:
            k, v = _rougher(k), _rougher(v)
        x = x + self.out(_read(q, _heads(k), _heads(v), hide))
        return x + self.think(self.norms[1](x))


class See(nn.Module):
    """Pictures (N, 3, 224, 224) of numbers 0..255 into what questions read from.

    That is keys and values (N, HEADS, M, WIDTH / HEADS) of M places.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            nn.Conv2d(3, 48, 6, 4, 1, bias=False), nn.BatchNorm2d(48), nn.ReLU(), Residual(48, 32),
            _conv(48, WIDTH, 3, 2), nn.ReLU(),
        )  # fmt: skip
        self.coarse = nn.Sequential(_conv(WIDTH, WIDTH, 3, 2, groups=WIDTH), _conv(WIDTH, WIDTH, 1))
        self.whole_at = nn.Parameter(0.02 * torch.randn(1, (GRID // 2) ** 2, WIDTH))
        self.whole = nn.ModuleList(Block(rough=True) for _ in range(2))
        self.join = nn.Sequential(Residual(WIDTH, 64), Residual(WIDTH, 64))
        self.at = nn.Parameter(0.02 * torch.randn(1, GRID * GRID, WIDTH))
        self.norm = nn.LayerNorm(WIDTH)
        # No bias: to keys it would make no difference, and of values `Layer.out` has one.
        self.memory = nn.Linear(WIDTH, 2 * WIDTH, bias=False)

    def fine_of(self, pictures: Tensor) -> Tensor:
        """What is where, from close by: (N, WIDTH, GRID, GRID)."""
        found: Tensor = self.fine((pictures - 127.5) / 64.0)
        return found

    def before_whole(self, x: Tensor) -> Tensor:
        """What comes to the look at the whole: (N, (GRID / 2) ** 2, WIDTH)."""
        return self.coarse(x).flatten(2).transpose(1, 2) + self.whole_at

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        x = self.fine_of(pictures)
        w = self.before_whole(x)
        for block in self.whole:
            w = block(w)
        w = w.transpose(1, 2).unflatten(2, (GRID // 2, GRID // 2))
        x = self.join(x + F.interpolate(w, scale_factor=2.0, mode="nearest"))
        places = self.norm(x.flatten(2).transpose(1, 2) + self.at)
        keys, values = self.memory(places).chunk(2, dim=-1)
        return _heads(keys), _heads(values)


class Layer(nn.Module):
    """Words look at the places, then at each other."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.query = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WIDTH)
        self.out, self.words = nn.Linear(WIDTH, WIDTH), Block()

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, hide: Tensor) -> Tensor:
        """`x` (S * Q, T, WIDTH) of S scenes with Q questions of T words."""
        scenes, (all_q, words, _) = keys.shape[0], x.shape
        query = self.query(self.norm(x)).reshape(scenes, -1, WIDTH)
        x = x + self.out(_read(query, keys, values)).reshape(all_q, words, WIDTH)
        return self.words(x, hide)


class Ask(nn.Module):
    """Questions (S, Q, T) and what S scenes give to read from, into (S, Q, answers)."""

    def __init__(self, words: int, answers: int) -> None:
        super().__init__()
        self.word = nn.Embedding(words, WIDTH, padding_idx=0)
        self.order = nn.Parameter(0.02 * torch.randn(1, LONGEST, WIDTH))
        self.first = Block()
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.answer = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, answers)

    def forward(self, keys: Tensor, values: Tensor, questions: Tensor) -> Tensor:
        scenes, _, words = questions.shape
        each = questions.flatten(0, 1)
        hide = (each == 0)[:, None, None, :]
        x = self.first(self.word(each) + self.order[:, :words], hide)
        for layer in self.layers:
            x = layer(x, keys, values, hide)
        return self.answer(self.norm(x[:, 0])).unflatten(0, (scenes, -1))
