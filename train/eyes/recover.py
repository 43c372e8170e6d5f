"""`python -m train.eyes.recover EYES.pt`: weights to train on from, out of the graphs that ship.

An exported graph has the scale and shift of each norm multiplied into the convolution before it.
Here a norm gets back a mean and a variance, from some pictures, and the scale and shift by which it
then changes nothing: the network answers as the graphs do, and can be trained.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from train.eyes.data import Shard, make_shard, vocabulary
from train.eyes.network import WIDTH
from train.eyes.train import Eyes, save, seen_otherwise

from regrasp.models.seeing.network import WEIGHTS
from regrasp.models.seeing.words import Vocabulary
from regrasp.worlds import GALLERY_WORLDS

_BATCH = 40


def main() -> None:
    """Write the file, having made a shard of every world to find means and variances from."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="a folder with the graphs")
    given = parser.parse_args()
    words = Vocabulary(tuple(json.loads((given.weights / "eyes.json").read_text())["words"]))
    net = recovered(given.weights, words)
    shards = [make_shard(Shard("tune", world, 0)) for world in GALLERY_WORLDS]
    views = torch.from_numpy(np.concatenate([shard.pictures[:, :2] for shard in shards]))
    any_order = torch.randperm(len(views), generator=torch.Generator().manual_seed(0))
    settle(net, views.permute(0, 1, 4, 2, 3)[any_order].float())
    save(net, words, given.out)
    known = set(words.words)
    print(f"{given.out}: new words would be {sorted(set(vocabulary().words) - known)}")


def recovered(folder: Path, words: Vocabulary) -> Eyes:
    """The network of the graphs in `folder`; its norms do nothing but shift."""
    net = Eyes(words.size).eval()
    for part in (net.see, net.ask):
        graph = onnx.load(folder / f"eyes-{'see' if part is net.see else 'ask'}.onnx").graph
        held = {one.name: torch.tensor(numpy_helper.to_array(one)) for one in graph.initializer}
        named = {name: held[name] for name in part.state_dict() if name in held}
        part.load_state_dict(part.state_dict() | named)
        products = [[held[x] for x in node.input if x in held] for node in graph.node
                    if node.op_type == "MatMul"]  # fmt: skip
        own = {id(net.see.memory), id(net.ask.answer)}  # not products by one matrix, or named
        linear = [m for m in part.modules() if isinstance(m, nn.Linear) and id(m) not in own]
        fixed = [product[0] for product in products if product]
        for layer, weight in zip(linear, fixed, strict=part is net.ask):
            _put(layer.weight, weight.T)
        if part is net.see:
            values = [held[n.input[0]] for n in graph.node
                      if n.op_type == "Reshape" and n.input[0] in held]  # fmt: skip
            _put(net.see.memory.weight, torch.cat([fixed[len(linear)], values[0]]))
        convolutions = [n for n in graph.node if n.op_type == "Conv"]
        for (plain, norm), node in zip(_normed(part), convolutions, strict=True):
            _put(plain.weight, held[node.input[1]])
            _put(norm.weight, torch.ones_like(norm.weight))
            _put(norm.bias, held[node.input[2]])
            assert norm.running_var is not None
            norm.running_var.fill_(1.0 - norm.eps)
    return net


def settle(net: Eyes, views: Tensor) -> None:
    """Give the norms means and variances of `views` (S, V, 3, EDGE, EDGE); answers stay."""
    generator, found = torch.Generator().manual_seed(0), {}
    pairs = _normed(net.see)

    def note(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        x = given[0].double()
        one = torch.stack([x.mean((0, 2, 3)), (x**2).mean((0, 2, 3))])
        found.setdefault(norm, []).append(one)

    hooks = [norm.register_forward_pre_hook(note) for _, norm in pairs]
    with torch.no_grad():
        for some in views.split(_BATCH):
            net.see(seen_otherwise(some, generator).flatten(0, 1))
    for hook in hooks:
        hook.remove()
    for _, norm in pairs:
        mean, square = torch.stack(found[norm]).mean(0)
        variance = (square - mean**2).clamp(min=0.0)
        assert norm.running_mean is not None and norm.running_var is not None
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        _put(norm.weight, (variance + norm.eps).sqrt())
        _put(norm.bias, norm.bias + mean)


def _normed(part: nn.Module) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    plain = [m for m in part.modules() if isinstance(m, nn.Conv2d)]
    return list(zip(plain, (m for m in part.modules() if isinstance(m, nn.BatchNorm2d)),
                    strict=True))  # fmt: skip


def _put(into: Tensor, values: Tensor) -> None:
    assert into.shape == values.shape, f"{into.shape} of {WIDTH} for {values.shape}"
    with torch.no_grad():
        into.copy_(values)


if __name__ == "__main__":
    main()
