"""Sit the whole exam on a GPU, in batches, without a grammar; write every reply and its grade.

    python train/tongue/examine.py --weights base.gguf --adapter adapter.gguf --out replies.jsonl

Decoding is greedy. A grammar can only help, so parse rates here are lower bounds of those at work.
`report.py` makes the tables of the card out of the file.
"""

# ruff: noqa: PLC0415  -- the processes that make and grade questions need no PyTorch

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import time
from pathlib import Path

from regrasp.models.abridge import abridge
from regrasp.tongue.exam import PARTS, questions

SHARD = 25
"""Questions of a family that one draw of dice makes."""

Shard = tuple[str, int]


def asked(shard: Shard) -> list[list[str]]:
    """The texts of every question of a shard: the system's, then user and assistant by turns."""
    made = (abridge(question.messages) for question in questions(shard[0], SHARD, shard[1]))
    return [[message.content for message in messages] for messages in made]


def graded(task: tuple[Shard, list[tuple[str, float]]]) -> list[str]:
    """The lines of a shard: its questions made again, the replies to them graded."""
    (part, seed), replies = task
    lines = []
    for question, (reply, logprob) in zip(questions(part, SHARD, seed), replies, strict=True):
        grade = question.grade(reply)
        row = {
            "part": part, "family": question.family, "room": question.room,
            "parsed": grade.parsed, "right": grade.right, "exact": grade.exact,
            "probability": math.exp(logprob), "reply": reply, "answer": question.answer,
            "user": abridge(question.messages)[1].content if not grade.right else "",
        }  # fmt: skip
        lines.append(json.dumps(row, ensure_ascii=False))
    return lines


def decode(network, spelling, rows, device, batch=768, longest=256):  # type: ignore[no-untyped-def]
    """Greedy replies to `rows` of texts by turns, each with its log-probability in nats."""
    import torch

    ids = [spelling.asked(contents) for contents in rows]
    order = sorted(range(len(ids)), key=lambda i: (rows[i][0], -len(ids[i])))  # alike in length
    found: list[tuple[str, float]] = [("", 0.0)] * len(ids)
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        width = max(len(ids[i]) for i in chosen)
        tokens = torch.zeros(len(chosen), width, dtype=torch.long)
        empty = torch.ones(len(chosen), width, dtype=torch.bool)
        for row, i in enumerate(chosen):
            tokens[row, width - len(ids[i]) :] = torch.tensor(ids[i])
            empty[row, width - len(ids[i]) :] = False
        tokens, empty = tokens.to(device), empty.to(device)
        positions = ((~empty).cumsum(1) - 1).clamp(min=0)
        square = torch.ones(width, width, dtype=torch.bool, device=device).tril()
        mask = square[None] & ~empty[:, None, :]
        mask |= torch.eye(width, dtype=torch.bool, device=device)[None]
        cache: list[tuple[torch.Tensor, torch.Tensor]] = []
        hidden = network(tokens, positions, mask[:, None], cache)[:, -1]
        said = [[] for _ in chosen]  # type: list[list[int]]
        odds, done = [0.0] * len(chosen), [False] * len(chosen)
        at, empty = positions[:, -1:] + 1, ~empty
        for _ in range(longest):
            logits = network.logits(hidden).log_softmax(-1)
            best, following = logits.max(-1)
            values, next_ids = best.tolist(), following.tolist()
            for row in range(len(chosen)):
                if not done[row]:
                    odds[row] += values[row]
                    said[row].append(next_ids[row])
                    done[row] = next_ids[row] == spelling.END
            if all(done):
                break
            empty = torch.cat((empty, torch.ones_like(empty[:, :1])), 1)
            hidden = network(following[:, None], at, empty[:, None, None, :], cache)[:, -1]
            at = at + 1
        for row, i in enumerate(chosen):
            found[i] = (spelling.text(said[row]), odds[row])
    return found


def replies_to(made: list[list[list[str]]], given: argparse.Namespace) -> list[tuple[str, float]]:
    """What the model says to every question of every shard."""
    import torch
    from network import Network, read_adapter
    from spelling import Spelling

    spelling = Spelling(given.weights)
    dtype = torch.bfloat16 if given.device == "cuda" else torch.float32
    network = Network(given.weights, 24, 2.0, dtype)
    if given.adapter is not None:
        read_adapter(network, given.adapter)
    network = network.to(given.device).eval()
    rows = [contents for shard in made for contents in shard]
    with torch.no_grad():
        found: list[tuple[str, float]] = decode(network, spelling, rows, given.device)
    return found


def main() -> None:
    """Ask everything, grade everything; replies that are in OUT.raw already are not asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, help="Without one, the base model is examined.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shards", type=int, default=20, help=f"{SHARD} of a family in each.")
    parser.add_argument("--parts", nargs="*", default=PARTS)
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    shards = [(part, seed) for part in given.parts for seed in range(given.shards)]
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        began = time.monotonic()
        made = pool.map(asked, shards, 1)
        print(sum(map(len, made)), "questions in", round(time.monotonic() - began), "s", flush=True)
        raw = given.out.with_suffix(".raw")  # what was said, before anything can go wrong
        if not raw.exists():
            raw.write_text(json.dumps(replies_to(made, given)))
        replies = json.loads(raw.read_text())
        print("decoded at", round(time.monotonic() - began), "s", flush=True)
        tasks, start = [], 0
        for shard, found in zip(shards, made, strict=True):
            tasks.append((shard, replies[start : start + len(found)]))
            start += len(found)
        with given.out.open("w", encoding="utf-8") as out:
            for lines in pool.map(graded, tasks, 1):
                out.write("\n".join(lines) + "\n")
    print("graded at", round(time.monotonic() - began), "s", flush=True)


if __name__ == "__main__":
    main()
