"""`python -m train.vision.distil EYES.pt OUT.pt --data DIR`: learn to look roughly.

The ninth run's network looked from every place of 14 x 14 at every other. Here one that looks at
means of 2 x 2 of them, which takes a quarter of the time, learns to find what that one finds. Only
what looks at the whole is trained; no question is asked. Minutes on a CPU.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor
from train.vision.data import Shard, load, make
from train.vision.network import See
from train.vision.train import SEED, VisionNet

from regrasp.lab.vision.pictured import PICTURED_WORLDS

_BATCH = 16
_RATE = 1e-3


def main() -> None:
    """Make pictures, teach, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="vision.pt")
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--data", type=Path, required=True, help="where pictures are kept")
    parser.add_argument("--shards", type=int, default=3, help="of 80 states, of each world")
    parser.add_argument("--first", type=int, default=90_000, help="the number of the first shard")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    numbers = range(given.first, given.first + given.shards)
    make(given.data, [Shard("train", world, n) for n in numbers for world in PICTURED_WORLDS],
         given.processes)  # fmt: skip
    kept = torch.load(given.weights, map_location="cpu", weights_only=True)
    net = VisionNet(len(kept["words"]) + 2).eval()
    net.load_state_dict(kept["weights"])
    some = load(sorted(given.data.glob("train-*.npz")))
    pictures = torch.from_numpy(some.pictures[some.has]).permute(0, 3, 1, 2)
    teach(net.see, *lessons(net.see, pictures), given.steps)
    kept["weights"] = net.state_dict()
    kept.pop("ranges", None)
    torch.save(kept, given.out)


@torch.no_grad()
def lessons(see: See, pictures: Tensor) -> tuple[Tensor, Tensor]:
    """What comes to the look at the whole, and what a look at every place makes of it."""
    parts = [see.before_whole(see.fine_of(some.float())) for some in pictures.split(_BATCH)]
    given, found = torch.cat(parts), []
    for block in see.whole:
        block.rough = False
    for some in given.split(_BATCH):
        found.append(_looked(see, some))
    for block in see.whole:
        block.rough = True
    return given, torch.cat(found)


def teach(see: See, given: Tensor, wanted: Tensor, steps: int) -> None:
    """Fit the look at the whole; what it still misses is told on the way."""
    torch.manual_seed(SEED)
    learner = torch.optim.AdamW(see.whole.parameters(), lr=_RATE, weight_decay=0.0)
    size = wanted.var().item()
    order, shown = torch.randperm(len(given)), 0.0
    for step in range(steps):
        at = step * _BATCH % (len(given) - _BATCH)
        if at < _BATCH:
            order = torch.randperm(len(given))
        cooled = 0.5 * (1 + math.cos(math.pi * step / steps))
        for group in learner.param_groups:
            group["lr"] = _RATE * cooled * min(1.0, (step + 1) / 100)
        some = order[at : at + _BATCH]
        loss = F.mse_loss(_looked(see, given[some]), wanted[some]) / size
        learner.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(see.whole.parameters(), 1.0)
        learner.step()
        shown = loss.item() if step == 0 else 0.98 * shown + 0.02 * loss.item()
        if step % 100 == 0:
            print(f"step {step}: {shown:.5f} of the variance is missed", flush=True)


def _looked(see: See, x: Tensor) -> Tensor:
    for block in see.whole:
        x = block(x)
    return x


if __name__ == "__main__":
    main()
