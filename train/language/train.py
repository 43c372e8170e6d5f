"""Teach the adapter: next-token loss on the answers alone, for a given number of seconds.

    python train/language/train.py --weights base.gguf --lessons lessons.jsonl --out adapter.gguf

loss = sum_q n_q^-1/2 sum_t -log p(answer_t | question, answer_<t), so that an answer of one word
and a plan of eighty tokens both count. Lessons of like length share a batch; attention is causal,
so padding on the right needs no mask. A GPU is assumed unless --device says otherwise.
"""

from __future__ import annotations

import argparse
import json
import math
import queue
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from network import Network, read_adapter, write_adapter
from spelling import Spelling


def load(path: Path, spelling: Spelling) -> list[tuple[np.ndarray, int]]:
    """Every lesson as its tokens and where the answer begins."""
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    told = [spelling.turns(contents) for _, contents, _ in rows]
    turns = iter(spelling.many([turn for one in told for turn in one]))
    answers = spelling.many([f"{answer}\n" for _, _, answer in rows])
    lessons = []
    for (_, contents, _), one, answer in zip(rows, told, answers, strict=True):
        asked = spelling.asked_ids(contents[0], [next(turns) for _ in one])
        ids = [*asked, *answer, spelling.END]
        lessons.append((np.array(ids, dtype=np.int64), len(asked)))
    return lessons


def batches(
    lessons: list[tuple[np.ndarray, int]], tokens: int, rng: random.Random
) -> Iterator[list[tuple[np.ndarray, int]]]:
    """Batches of like length, of at most `tokens` padded tokens, without end."""
    while True:
        order = list(range(len(lessons)))
        rng.shuffle(order)
        for start in range(0, len(order), 20_000):
            chunk = sorted(order[start : start + 20_000], key=lambda i: len(lessons[i][0]))
            made: list[list[tuple[np.ndarray, int]]] = [[]]
            for i in chunk:
                if len(lessons[i][0]) * (len(made[-1]) + 1) > tokens:
                    made.append([])
                made[-1].append(lessons[i])
            rng.shuffle(made)
            yield from (batch for batch in made if batch)


def padded(batch: list[tuple[np.ndarray, int]]) -> tuple[torch.Tensor, ...]:
    """Tokens (batch, length), and the flat places, targets and weights of what is learnt."""
    length = max(len(ids) for ids, _ in batch)
    tokens = np.zeros((len(batch), length), dtype=np.int64)
    places, targets, weights = [], [], []
    for row, (ids, start) in enumerate(batch):
        tokens[row, : len(ids)] = ids
        places.append(row * length + np.arange(start - 1, len(ids) - 1))
        targets.append(ids[start:])
        weights.append(np.full(len(ids) - start, (len(ids) - start) ** -0.5, dtype=np.float32))
    joined = (np.concatenate(part) for part in (places, targets, weights))
    return (torch.from_numpy(tokens), *(torch.from_numpy(part) for part in joined))


def main() -> None:
    """Train, and write the adapter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="an adapter of an earlier run to go on from")
    parser.add_argument("--seconds", type=float, default=420.0)
    parser.add_argument("--rank", type=int, default=24)
    parser.add_argument("--scale", type=float, default=2.0)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--tokens", type=int, default=49_152)
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    torch.manual_seed(0)
    spelling = Spelling(given.weights)
    lessons = load(given.lessons, spelling)
    print(len(lessons), "lessons,", sum(len(ids) for ids, _ in lessons), "tokens", flush=True)
    dtype = torch.bfloat16 if given.device == "cuda" else torch.float32
    network = Network(given.weights, given.rank, given.scale, dtype)
    if given.start is not None:
        read_adapter(network, given.start)
    network = network.to(given.device)
    taught = list(network.parameters())
    optimiser = torch.optim.AdamW(taught, lr=given.rate, betas=(0.9, 0.99), weight_decay=0.0)
    ready: queue.Queue[tuple[torch.Tensor, ...]] = queue.Queue(16)

    def fill() -> None:
        for batch in batches(lessons, given.tokens, random.Random(0)):
            ready.put(padded(batch))

    threading.Thread(target=fill, daemon=True).start()
    began, step, seen, mean = time.monotonic(), 0, 0, 0.0
    while (share := (time.monotonic() - began) / given.seconds) < 1.0:
        warm = min(1.0, (step + 1) / 100)
        for group in optimiser.param_groups:
            group["lr"] = given.rate * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * share)))
        parts = [part.to(given.device, non_blocking=True) for part in ready.get()]
        tokens, places, targets, weights = parts
        hidden = network(tokens).flatten(0, 1)[places]
        losses = F.cross_entropy(network.logits(hidden), targets, reduction="none")
        loss = (losses * weights).sum() / weights.sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(taught, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        step, seen = step + 1, seen + len(tokens)
        if step % 100 == 0 or step < 3:
            mean = loss.item()
            print(f"step {step} lessons {seen} loss {mean:.4f} at {share:.3f}", flush=True)
    print(f"{step} steps, {seen} lessons, last loss {mean:.4f}", flush=True)
    write_adapter(network, given.out, given.rank, given.scale)


if __name__ == "__main__":
    main()
