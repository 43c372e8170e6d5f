"""`python -m train.vision.export EYES.pt DIR`: the graphs that ship, from trained weights.

What sees becomes a graph of 8-bit numbers, three times as fast; what answers stays in floats. How
far the numbers of each tensor reach was measured on pictures (`ranges`) and is kept in EYES.pt, so
that the same file always gives the same graphs.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from train.vision.data import load
from train.vision.graph import Array, Eighth, Graph, Range
from train.vision.network import GRID, HEADS, WIDTH, Ask, Block, Residual, See
from train.vision.train import VisionNet

from regrasp.embedded.vision.answers import ANSWERS
from regrasp.embedded.vision.known import KnownQuestions
from regrasp.embedded.vision.network import FIRST, TWO_HANDS, weights_files
from regrasp.embedded.vision.picture import EDGE
from regrasp.lab.vision.kinds import questions_in
from regrasp.lab.vision.pictured import FIRST_WORLDS

_HALF = GRID // 2
_EACH = WIDTH // HEADS  # numbers of a head
_EVERY = 3  # picture of the shards says how far numbers reach
_SAMPLE = 4_000  # numbers out of those of 16 pictures
Ranges = dict[str, Range]


def main() -> None:
    """Write what ships."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="vision.pt")
    parser.add_argument("out", type=Path, help="the folder to write into")
    parser.add_argument("--measure", type=Path, help="ranges anew, by the shards in this folder")
    parser.add_argument("--name", default=FIRST, help=f"how the files begin: {FIRST}, {TWO_HANDS}")
    parser.add_argument("--least", type=float, help="a confidence below which it says unknown")
    parser.add_argument("--leave-out", help="questions that it is not to answer: filled,capped")
    given = parser.parse_args()
    kept = torch.load(given.weights, map_location="cpu", weights_only=True)
    net = VisionNet(len(kept["words"]) + 2).eval()
    net.load_state_dict(kept["weights"])
    if given.measure:
        some = load(sorted(given.measure.glob("*.npz")))
        pictures = torch.from_numpy(some.pictures[some.has][::_EVERY]).permute(0, 3, 1, 2)
        kept["ranges"] = ranges(net, pictures)
    if given.least is not None:
        kept["least"] = given.least
    if given.leave_out is not None:
        kept["left_out"] = tuple(given.leave_out.split(","))
    if given.measure or given.least is not None or given.leave_out is not None:
        torch.save(kept, given.weights)
    known = questions_in(kept.get("worlds", FIRST_WORLDS)).without(kept.get("left_out", ()))
    export(
        net, kept["words"], known, kept["temperature"], kept["ranges"], given.out,
        name=given.name, least=kept.get("least"),
    )  # fmt: skip


@torch.no_grad()
def ranges(net: VisionNet, pictures: Tensor) -> Ranges:
    """From where to where 8 bits should reach, into and out of each part of See, by `pictures`.

    Of a norm it is what comes out before scale and shift.
    """
    found: dict[str, list[Tensor]] = {}
    any_ = torch.Generator().manual_seed(0)

    def note(name: str, x: Tensor) -> None:
        flat = x.flatten()
        some = flat[torch.randint(len(flat), (_SAMPLE,), generator=any_)]
        found.setdefault(name, []).append(some)

    def watch(name: str, part: nn.Module) -> Any:
        def after(_: nn.Module, given: tuple[Tensor, ...], out: Any) -> None:
            note(f"to {name}", given[0])
            if isinstance(part, nn.LayerNorm):
                note(name, F.layer_norm(given[0], part.normalized_shape, eps=part.eps))
            elif isinstance(out, Tensor):
                note(name, out)

        return part.register_forward_hook(after)

    net = net.cpu().float().eval()
    hooks = [watch(name, part) for name, part in net.see.named_modules() if name]
    for some in pictures.split(16):
        net.see(some.float())
    for hook in hooks:
        hook.remove()
    return {name: _reach(torch.cat(some).numpy()) for name, some in found.items()}


def _reach(some: Array) -> Range:
    """The range over which 8 bits are nearest to `some`: few are cut off, the others get finer."""
    low, high = min(float(some.min()), 0.0), max(float(some.max()), 0.0)

    def off(within: Range) -> float:
        scale = max(within[1] - within[0], 1e-9) / 255
        near = np.clip(np.rint((some - within[0]) / scale), 0, 255) * scale + within[0]
        return float(((near - some) ** 2).mean())

    shares = np.linspace(0.1, 1.0, 37)
    wider = [(low * a, high * b) for b in shares for a in (shares[::2] if low else (1.0,))]
    best = min(wider, key=off)
    return float(best[0]), float(best[1])


def export(
    net: VisionNet,
    vocabulary: Iterable[str],
    known: KnownQuestions,
    heat: float,
    reach: Ranges,
    folder: Path,
    *,
    name: str = FIRST,
    least: float | None = None,
) -> None:
    """Write the three graphs and the JSON of the network `name`."""
    folder.mkdir(parents=True, exist_ok=True)
    see_file, read_file, ask_file, about_file = (folder / file for file in weights_files(name))
    net = net.cpu().float().eval()
    places = np.zeros((0, HEADS, GRID * GRID, _EACH), np.float32)
    written = _See(net.see, reach).graph
    written.save(
        see_file,
        {"pictures": np.zeros((0, EDGE, EDGE, 3), np.uint8)},
        {"keys": places, "values": places},
    )
    question, there = np.zeros((1, 0), np.int64), np.zeros((0, 0), np.int32)
    words = np.zeros((0, 0, WIDTH), np.float32)
    _read(net.ask).save(read_file, {"question": question, "there": there}, {"words": words})
    seen = np.zeros((1, HEADS, 0, _EACH), np.float32)
    _ask(net.ask, _array(net.see.norm.bias) @ _array(net.see.memory.weight)[WIDTH:].T).save(
        ask_file,
        {"keys": seen, "values": seen, "words": words, "there": there},
        {"answers": np.zeros((0, len(ANSWERS)), np.float32)},
    )
    about = {
        "words": tuple(vocabulary), "answers": ANSWERS, "known": known.as_dict(),
        "temperature": heat,
    }  # fmt: skip
    if least is not None:
        about["least"] = least
    about_file.write_text(json.dumps(about) + "\n")


class _See:
    """The graph of `See`, channels last. A ReLU is where a range begins at nought."""

    def __init__(self, see: See, reach: Ranges) -> None:
        self.graph, self.reach = Graph(), reach
        x = self._residual(self._first(see), see.fine[3], "fine.3")
        x = self._convolved(x, see.fine[4], "fine.5", stride=2)
        around = self._rough(self._whole(see, x))
        x = self.graph.summed(x, around, reach["to join.0"])
        for i, part in enumerate(see.join):
            x = self._residual(x, part, f"join.{i}")
        self._memory(see, x)

    def _first(self, see: See) -> Eighth:
        """(pixel - 127.5) / 64, as the network takes it: zero is 128, and the bias has the half."""
        weight, bias = _folded(see.fine[0], see.fine[1])
        bias = bias + weight.sum((1, 2, 3)) * 0.5 / 64
        pixels = self.graph.as_eighth("pictures", 1 / 64, 128)
        return self.graph.convolved(pixels, weight, bias, self.reach["fine.2"], stride=4, pad=1)

    def _convolved(self, x: Eighth, part: nn.Sequential, name: str, stride: int = 1) -> Eighth:
        return self.graph.convolved(x, *_folded(*part), self.reach[name], stride=stride)

    def _residual(self, x: Eighth, part: Residual, name: str) -> Eighth:
        y = x
        for at, after in ((0, 1), (2, 3), (4, 4)):
            y = self._convolved(y, part.body[at], f"{name}.body.{after}")
        return self.graph.summed(x, y, self.reach[name])

    def _whole(self, see: See, x: Eighth) -> str:
        """The look at the whole picture, as floats (N, 14 * 14, WIDTH)."""
        y = self._convolved(x, see.coarse[0], "coarse.0", stride=2)
        flat = self.graph.reshape(y.name, -1, _HALF * _HALF, WIDTH)
        weight, bias = _folded(*see.coarse[1])
        w = self.graph.multiplied(Eighth(flat, y.scale, *y.how), weight[:, :, 0, 0].T, bias)
        w = self.graph.add("Add", w, self.graph.constant(_array(see.whole_at)))
        for i, block in enumerate(see.whole):
            w = self._block(w, block, f"whole.{i}")
        return w

    def _block(self, w: str, block: Block, name: str) -> str:
        graph, reach = self.graph, self.reach
        weight, bias = _after(block.norms[0], block.look)
        there = self._normed(w)
        rough = graph.reshape(there, -1, _HALF // 2, 2, _HALF // 2, 2, WIDTH)
        rough = graph.add("ReduceMean", rough, axes=[2, 4], keepdims=0)
        rough = graph.reshape(rough, -1, (_HALF // 2) ** 2, WIDTH)
        from_, to = (graph.rounded(one, reach[f"{name}.norms.0"]) for one in (there, rough))
        qkv = [
            graph.multiplied(one, weight[:, part], bias[part])
            for one, part in zip((from_, to, to), _thirds(), strict=True)
        ]
        found = graph.add("MultiHeadAttention", *qkv, num_heads=HEADS)
        found_8 = graph.rounded(found, reach[f"to {name}.out"])
        w = graph.add("Add", w, graph.multiplied(found_8, *_linear(block.out)))
        normed = graph.rounded(self._normed(w), reach[f"{name}.norms.1"])
        thought = graph.multiplied(normed, *_after(block.norms[1], block.think[0]))
        thought_8 = graph.rounded(thought, reach[f"{name}.think.1"])
        return graph.add("Add", w, graph.multiplied(thought_8, *_linear(block.think[2])))

    def _rough(self, w: str) -> Eighth:
        """`w` at 28 x 28, each number four times."""
        graph, w_8 = self.graph, self.graph.rounded(w, self.reach["whole.1"])
        x = graph.reshape(w_8.name, -1, _HALF, 1, _HALF, 1, WIDTH)
        x = graph.add("Expand", x, graph.constant((1, _HALF, 2, _HALF, 2, WIDTH), np.int64))
        return Eighth(graph.reshape(x, -1, GRID, GRID, WIDTH), w_8.scale, *w_8.how)

    def _memory(self, see: See, x: Eighth) -> None:
        """Keys and values. The shift of the norm is left out: see `_ask`."""
        graph = self.graph
        places = graph.reshape(graph.add("DequantizeLinear", x.name, *x.how), -1, GRID**2, WIDTH)
        places = self._normed(graph.add("Add", places, graph.constant(_array(see.at))))
        normed = graph.rounded(places, self.reach["norm"])
        each = graph.add("Unsqueeze", normed.name, graph.constant([1], np.int64))
        weight, _ = _after(see.norm, see.memory)
        by_head = weight.reshape(WIDTH, 2, HEADS, _EACH).transpose(1, 2, 0, 3)
        for name, part in zip(("keys", "values"), by_head, strict=True):
            graph.multiplied(Eighth(each, normed.scale, *normed.how), part, name=name)

    def _normed(self, x: str) -> str:
        """A norm without scale and shift, three times as fast as onnxruntime's own."""
        graph = self.graph
        x = graph.add("Sub", x, graph.add("ReduceMean", x, axes=[-1]))
        power = graph.add("ReduceSumSquare", x, axes=[-1])
        power = graph.add("Mul", power, graph.constant(1 / WIDTH))
        power = graph.add("Sqrt", graph.add("Add", power, graph.constant(1e-5)))
        return graph.add("Mul", x, graph.add("Reciprocal", power))


class _Words:
    """A graph of words (questions, words, WIDTH) in floats; those count that are `there`."""

    def __init__(self) -> None:
        self.graph = Graph()
        wide = self.graph.constant([WIDTH], np.int64)
        self.shape = self.graph.add("Concat", self.graph.add("Shape", "there"), wide, axis=0)

    def linear(self, x: str, weight: Array, bias: Array) -> str:
        return self.graph.add("Gemm", x, self.graph.constant(weight), self.graph.constant(bias))

    def normed(self, x: str, norm: nn.LayerNorm) -> str:
        scale, shift = (self.graph.constant(_array(one)) for one in (norm.weight, norm.bias))
        return self.graph.add("LayerNormalization", x, scale, shift, epsilon=norm.eps)

    def first_of(self, x: str) -> str:
        """Of each question the first word alone."""
        nth, x = self.graph.constant(0, np.int64), self.graph.add("Reshape", x, self.shape)
        return self.graph.add("Gather", x, nth, axis=1)

    def block(self, x: str, part: Block, *, last: bool = False) -> str:
        """`x` (all words, WIDTH) through `part`.

        Of the `last` block only the first word is wanted, which looks at all of them.
        """
        graph = self.graph
        looks = self.linear(self.normed(x, part.norms[0]), *_linear(part.look))
        parts = graph.split("Split", looks, graph.constant([WIDTH] * 3, np.int64), axis=1)
        q, k, v = (graph.add("Reshape", one, self.shape) for one in parts)
        if last:
            q, x = graph.reshape(self.first_of(parts[0]), -1, 1, WIDTH), self.first_of(x)
        found = graph.add("MultiHeadAttention", q, k, v, "", "there", num_heads=HEADS)
        x = graph.add("Add", x, self.linear(graph.reshape(found, -1, WIDTH), *_linear(part.out)))
        thought = self.linear(self.normed(x, part.norms[1]), *_linear(part.think[0]))
        thought = self.linear(graph.add("Relu", thought), *_linear(part.think[2]))
        return graph.add("Add", x, thought)


def _read(ask: Ask) -> Graph:
    """The graph of how a question (1, words) is read, before anything is seen."""
    words = _Words()
    graph = words.graph
    x = graph.add("Gather", graph.constant(_array(ask.word.weight)), "question")
    nought, length = graph.constant([0], np.int64), graph.add("Shape", "question", start=1)
    order = graph.add("Slice", graph.constant(_array(ask.order)[0]), nought, length, nought)
    x = graph.reshape(graph.add("Add", x, order), -1, WIDTH)
    graph.add("Reshape", words.block(x, ask.first), words.shape, name="words")
    return graph


def _ask(ask: Ask, shift: Array) -> Graph:
    """The graph of how what was read is answered from what is seen.

    Values come without `shift`, which is the same for all places: what reads them adds it. Keys
    come without theirs, which makes no difference to what is read.
    """
    words = _Words()
    graph = words.graph
    x = graph.reshape("words", -1, WIDTH)
    for layer in ask.layers:
        query = words.linear(words.normed(x, layer.norm), *_linear(layer.query))
        query = graph.reshape(query, 1, -1, WIDTH)
        found = graph.add("MultiHeadAttention", query, "keys", "values", num_heads=HEADS)
        weight, bias = _linear(layer.out)
        found = words.linear(graph.reshape(found, -1, WIDTH), weight, bias + shift @ weight)
        x = words.block(graph.add("Add", x, found), layer.words, last=layer is ask.layers[-1])
    words.linear(words.normed(x, ask.norm), *_linear(ask.answer))
    graph.nodes[-1].output[0] = "answers"
    return graph


def _array(x: Tensor) -> Array:
    return x.detach().numpy().astype(np.float32)


def _folded(conv: nn.Conv2d, norm: nn.BatchNorm2d) -> tuple[Array, Array]:
    """Weight and bias of a convolution together with the norm behind it."""
    assert norm.running_mean is not None and norm.running_var is not None
    gain = norm.weight / (norm.running_var + norm.eps).sqrt()
    weight, bias = conv.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain
    return _array(weight), _array(bias)


def _linear(part: nn.Linear) -> tuple[Array, Array]:
    """Weight (inputs, outputs) and bias."""
    return _array(part.weight).T, _array(part.bias)


def _after(norm: nn.LayerNorm, part: nn.Linear) -> tuple[Array, Array]:
    """`_linear` with scale and shift of the norm before it."""
    weight = _array(part.weight).T
    bias = _array(norm.bias) @ weight
    if part.bias is not None:
        bias = bias + _array(part.bias)
    return _array(norm.weight)[:, None] * weight, bias


def _thirds() -> tuple[slice, ...]:
    return tuple(slice(n * WIDTH, (n + 1) * WIDTH) for n in range(3))


if __name__ == "__main__":
    main()
