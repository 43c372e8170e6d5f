"""Answer questions of a file on a GPU, in batches: greedy replies with their log-probabilities.

    python train/language/answer.py --weights base.gguf --adapter adapter.gguf \
        --questions q.jsonl --out r.jsonl

A question is a JSON line `[family, [system text, user text], reference answer]`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from examine import decode
from network import Network, read_adapter
from spelling import Spelling


def main() -> None:
    """Write one JSON line `[reply, log-probability]` for each question."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("weights", "adapter", "questions", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--rank", type=int, default=24)
    parser.add_argument("--scale", type=float, default=2.0)
    given = parser.parse_args()
    rows = [json.loads(line)[1] for line in given.questions.open(encoding="utf-8")]
    spelling = Spelling(given.weights)
    network = Network(given.weights, given.rank, given.scale, torch.bfloat16)
    read_adapter(network, given.adapter)
    network = network.to("cuda").eval()
    with torch.no_grad():
        replies = decode(network, spelling, rows, "cuda", longest=160)
    with given.out.open("w", encoding="utf-8") as out:
        for reply in replies:
            out.write(json.dumps(reply, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
