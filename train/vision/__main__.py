"""`python -m train.vision --data DIR --out DIR`: make the data, train, score, write the weights.

Pictures are made by one process a core while the network is trained on those that are there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import torch
from train.vision.data import ROOMS, STATES, Shard, make, vocabulary
from train.vision.export import export, ranges
from train.vision.store import Store
from train.vision.train import (
    Recipe,
    VisionNet,
    answers_of,
    report,
    save,
    temperature,
    train,
)

from regrasp.lab.vision.kinds import questions_in

SHARES = {
    "kitchen": 5, "cabinet": 3, "cubes": 2, "lever": 2, "sensor": 2, "household": 8, "tabletop": 2,
    "walker_room": 5, "bar": 7, "pizza": 6, "blocks": 3,
}  # fmt: skip
"""How many shards of a world there are to one of another: the harder, the more."""


def _of_worlds(text: str) -> dict[str, int]:
    """`kitchen=12,cabinet=4`; a world that is not named has no shard."""
    return {world: int(share) for world, share in (part.split("=") for part in text.split(","))}


_ENOUGH = 900  # states to begin with
_EVERY = 5  # state whose pictures say how far numbers reach


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="where shards are kept")
    parser.add_argument("--out", type=Path, required=True, help="where the weights go")
    parser.add_argument("--rounds", type=int, default=40, help="shards of 80 states in each")
    parser.add_argument(
        "--shares", type=_of_worlds, default=SHARES,
        help="kitchen=12,cabinet=4,…: a round's shards; only of these worlds, also to test on",
    )  # fmt: skip
    parser.add_argument("--first-round", type=int, default=0, help="to go on with other rooms")
    parser.add_argument("--held", type=int, default=4, help="shards a world to tune and to test on")
    parser.add_argument("--steps", type=int, default=Recipe().steps)
    parser.add_argument(
        "--seconds", type=float, default=Recipe().seconds, help="until training ends"
    )
    parser.add_argument("--rate", type=float, default=Recipe().rate)
    parser.add_argument("--start", type=Path, help="vision.pt of an earlier run to go on from")
    parser.add_argument(
        "--only-see", action="store_true", help="of --start keep how to see; learn to answer anew"
    )
    parser.add_argument("--scenes", type=int, default=Recipe().scenes)
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 1) - 1))
    parser.add_argument("--spend", action="store_true", help="remove pictures once trained on")
    parser.add_argument("--only-data", action="store_true")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.only_data:
        began, shards = time.time(), _shards(given)
        make(given.data, shards, given.processes)
        print(f"{len(shards)} shards in {time.time() - began:.0f} s", flush=True)
        return
    _score(given, *_train(given))


@contextmanager
def _made_meanwhile() -> Iterator[None]:
    """Let other processes make shards."""
    making = subprocess.Popen([sys.executable, "-m", "train.vision", *sys.argv[1:], "--only-data"])
    try:
        yield
    finally:
        making.terminate()
        making.wait()


def _shards(given: argparse.Namespace) -> list[Shard]:
    held = [Shard(s, w, n) for s in ("tune", "test") for n in range(given.held)
            for w in given.shares]  # fmt: skip
    rounds = [
        Shard("train", world, turn * share + n)
        for turn in range(given.first_round, given.first_round + given.rounds)
        for world, share in given.shares.items()
        for n in range(share)
    ]
    return [*rounds[: len(rounds) // given.rounds], *held, *rounds[len(rounds) // given.rounds :]]


def _train(given: argparse.Namespace) -> tuple[VisionNet, Store]:
    began = time.time()
    device = _device()
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    words, most = vocabulary(), sum(given.shares.values()) * given.rounds * ROOMS * STATES
    data = Store(given.data, "train", most, device, spend=given.spend)
    with _made_meanwhile(), data.growing():
        while data.count < min(_ENOUGH, most):
            time.sleep(0.5)
        waited = time.time() - began
        print(f"{waited:.0f} s for the first {data.count} states", flush=True)
        recipe = Recipe(given.steps, given.seconds - waited, given.scenes, rate=given.rate)
        net = train(
            data, words, recipe, device, given.out / "last.pt", given.start, only_see=given.only_see
        )
    print(f"{data.count} states, {data.asked} questions, {len(words.words)} words, trained in "
          f"{time.time() - began - waited:.0f} s", flush=True)  # fmt: skip
    return net, data


def _score(given: argparse.Namespace, net: VisionNet, data: Store) -> None:
    """Find a temperature, write what ships, and score it on other rooms."""
    device, words, worlds = _device(), vocabulary(), tuple(given.shares)
    held = {}
    for split in ("tune", "test"):
        held[split] = Store(given.data, split, len(worlds) * given.held * ROOMS * STATES, device)
        while held[split].take_in(1):
            pass
    heat = temperature(*answers_of(net, held["tune"]))
    keep = partial(save, net, words, given.out / "vision.pt", temperature=heat, worlds=worlds)
    keep(ranges={})  # in case of an end before the slow part
    print(f"{[one.count for one in held.values()]} states to tune and to test on", flush=True)
    found: dict[str, object] = {"states": data.count, "asked": data.asked, "temperature": heat}
    for name, split, cameras, picture in (
        ("all views", "test", None, "true"), ("words and colours trained on", "tune", None, "true"),
        ("first view", "test", (0,), "true"), ("second view", "test", (1,), "true"),
        ("black", "test", None, "black"), ("shuffled", "test", None, "shuffled"),
    ):  # fmt: skip
        if not held[split].count:
            continue
        scores, labels = answers_of(net, held[split], cameras, picture=picture)
        found[name] = report(scores, labels, held[split], heat)
        print(name, json.dumps(found[name]), flush=True)
    (given.out / "report.json").write_text(json.dumps(found, indent=1))
    some = torch.arange(0, held["tune"].count, _EVERY, device=device)
    views = held["tune"].views(some, torch.tensor((0, 1), device=device).expand(len(some), -1))
    reach = ranges(net, views.flatten(0, 1).cpu())
    keep(ranges=reach)
    export(net, words.words, questions_in(worlds), heat, reach, given.out)


def _device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


if __name__ == "__main__":
    main()
