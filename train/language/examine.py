"""Sit the whole exam on a GPU, in batches, free and under the grammars; write replies and grades.

    python train/language/examine.py --weights base.gguf --adapter adapter.gguf --out replies.jsonl

Decoding is greedy. What keeps to its grammar freely is said under it too, so only replies that
differ from the reference, which keeps to it, are asked for again with the grammar held. There a
line of free text may be of any length: counting its characters is what makes a grammar slow.
`report.py` makes the tables of the card out of the file.
"""

# ruff: noqa: PLC0415  -- the processes that make and grade questions need no PyTorch

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from regrasp.embedded.abridge import shorten_messages
from regrasp.lab.language.evaluation_set import PARTS, questions
from regrasp.lab.language.question import LanguageExample

if TYPE_CHECKING:
    from network import Network
    from spelling import Spelling
    from torch import Tensor
    from xgrammar import GrammarMatcher

SHARD = 25
"""Questions of a family that one draw of dice makes."""

Shard = tuple[str, int, tuple[str, ...]]
"""A part of the evaluation, a seed, and the families that are asked for; none means all."""
Said = tuple[str, float]
"""A reply and its log-probability in nats."""


def drawn(shard: Shard) -> Iterator[LanguageExample]:
    """The questions of a shard."""
    part, seed, families = shard
    return questions(part, SHARD, seed, families)


def asked(shard: Shard) -> list[tuple[list[str], str, str]]:
    """Of every question of a shard: its texts (the system's, then user and assistant by turns),
    the reference answer, and the grammar, "" where there is none.
    """
    made = []
    for question in drawn(shard):
        texts = [message.content for message in shorten_messages(question.messages)]
        grammar = re.sub(r"\{1,\d{3}\}", "+", question.prompt.grammar() or "")
        made.append((texts, question.answer, grammar))
    return made


def graded(task: tuple[Shard, list[Said], list[Said]]) -> list[str]:
    """The lines of a shard: its questions made again, the replies to them graded."""
    shard, free, held = task
    part = shard[0]
    lines = []
    for question, (freely, _), (reply, logprob) in zip(drawn(shard), free, held, strict=True):
        grade = question.grade(reply)
        alone = grade if freely == reply else question.grade(freely)
        row = {
            "part": part, "family": question.family, "room": question.room,
            "parsed": grade.parsed, "right": grade.right, "exact": grade.exact,
            "parsed_freely": alone.parsed, "right_freely": alone.right,
            "probability": math.exp(logprob), "reply": reply, "answer": question.answer,
            "freely": "" if freely == reply else freely,
            "user": shorten_messages(question.messages)[1].content if not grade.right else "",
        }  # fmt: skip
        lines.append(json.dumps(row, ensure_ascii=False))
    return lines


def decode(
    network: Network,
    spelling: Spelling,
    rows: list[list[str]],
    device: str,
    matchers: list[GrammarMatcher] | None = None,
    batch: int = 768,
    longest: int = 256,
) -> list[Said]:
    """Greedy replies to `rows` of texts by turns, each with its log-probability in nats.

    With `matchers`, one for each row, no token is said that its grammar does not allow.
    """
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
        said: list[list[int]] = [[] for _ in chosen]
        odds, done = [0.0] * len(chosen), [False] * len(chosen)
        at, empty = positions[:, -1:] + 1, ~empty
        for _ in range(longest):
            logits = network.logits(hidden).log_softmax(-1)
            if matchers is not None:
                _hold(
                    logits, [None if d else matchers[i] for i, d in zip(chosen, done, strict=True)]
                )
            best, following = logits.max(-1)
            values, next_ids = best.tolist(), following.tolist()
            for row in range(len(chosen)):
                if not done[row]:
                    odds[row] += values[row]
                    said[row].append(next_ids[row])
                    done[row] = next_ids[row] == spelling.END
                    if matchers is not None:
                        matchers[chosen[row]].accept_token(next_ids[row])
            if all(done):
                break
            empty = torch.cat((empty, torch.ones_like(empty[:, :1])), 1)
            hidden = network(following[:, None], at, empty[:, None, None, :], cache)[:, -1]
            at = at + 1
        for row, i in enumerate(chosen):
            found[i] = (spelling.text(said[row]), odds[row])
    return found


def _hold(logits: Tensor, matchers: list[GrammarMatcher | None]) -> None:
    """Leave only what the grammar of each row allows next; None allows everything."""
    import xgrammar

    mask = xgrammar.allocate_token_bitmask(*logits.shape)
    for row, matcher in enumerate(matchers):
        if matcher is not None:
            matcher.fill_next_token_bitmask(mask, row)
    xgrammar.apply_token_bitmask_inplace(logits, mask.to(logits.device))


def matchers_of(grammars: list[str], given: argparse.Namespace) -> list[GrammarMatcher]:
    """What follows each grammar token by token."""
    import gguf
    import xgrammar

    fields = gguf.GGUFReader(str(given.weights)).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    kind, end = xgrammar.VocabType.BYTE_LEVEL, 2
    known = xgrammar.TokenizerInfo(tokens, kind, vocab_size=len(tokens), stop_token_ids=[end])
    compiler = xgrammar.GrammarCompiler(known, max_threads=1)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        compiled = list(threads.map(compiler.compile_grammar, grammars))
    return [xgrammar.GrammarMatcher(one) for one in compiled]


def replies_to(
    made: list[tuple[list[str], str, str]], given: argparse.Namespace
) -> tuple[list[Said], list[Said]]:
    """What the model says to every question, freely and held to the grammar."""
    import torch
    from network import Network, read_adapter
    from spelling import Spelling

    spelling = Spelling(given.weights)
    dtype = torch.bfloat16 if given.device == "cuda" else torch.float32
    network = Network(given.weights, 24, 2.0, dtype)
    if given.adapter is not None:
        read_adapter(network, given.adapter)
    network = network.to(given.device).eval()
    began = time.monotonic()
    with torch.no_grad():
        longest = given.longest
        rows = [texts for texts, _, _ in made]
        free = decode(network, spelling, rows, given.device, longest=longest)
        print("freely in", round(time.monotonic() - began), "s", flush=True)
        again = [
            i
            for i, (_, answer, grammar) in enumerate(made)
            if grammar and not given.freely and free[i][0].strip() != answer.strip()
        ]
        matchers = matchers_of([made[i][2] for i in again], given) if again else []
        print(len(again), "grammars at", round(time.monotonic() - began), "s", flush=True)
        rows = [made[i][0] for i in again]
        found = decode(network, spelling, rows, given.device, matchers, longest=longest)
    held = free.copy()
    for i, said in zip(again, found, strict=True):
        held[i] = said
    return free, held


def main() -> None:
    """Ask everything, grade everything; replies that are in OUT.raw already are not asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, help="Without one, the base model is examined.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shards", type=int, default=20, help=f"{SHARD} of a family in each.")
    parser.add_argument("--parts", nargs="*", default=PARTS)
    parser.add_argument("--families", nargs="*", default=[], help="Without any, all of them.")
    parser.add_argument("--freely", action="store_true", help="Without grammars, so no xgrammar.")
    parser.add_argument("--longest", type=int, default=256, help="Tokens of an answer.")
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    families = tuple(given.families)
    shards = [(part, seed, families) for part in given.parts for seed in range(given.shards)]
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        began = time.monotonic()
        made = pool.map(asked, shards, 1)
        print(sum(map(len, made)), "questions in", round(time.monotonic() - began), "s", flush=True)
        raw = given.out.with_suffix(".raw")  # what was said, before anything can go wrong
        if not raw.exists():
            raw.write_text(json.dumps(replies_to([one for found in made for one in found], given)))
        free, held = json.loads(raw.read_text())
        print("decoded at", round(time.monotonic() - began), "s", flush=True)
        tasks, start = [], 0
        for shard, found in zip(shards, made, strict=True):
            end = start + len(found)
            tasks.append((shard, free[start:end], held[start:end]))
            start = end
        with given.out.open("w", encoding="utf-8") as out:
            for lines in pool.map(graded, tasks, 1):
                out.write("\n".join(lines) + "\n")
    print("graded at", round(time.monotonic() - began), "s", flush=True)
    print_scores(given.out)


def print_scores(replies: Path) -> None:
    """Of every part and family: how many replies are right, and how many are the reference."""
    rows = [json.loads(line) for line in replies.open(encoding="utf-8")]
    for part, family in sorted({(row["part"], row["family"]) for row in rows}):
        mine = [row for row in rows if (row["part"], row["family"]) == (part, family)]
        shares = (f"{key} {sum(row[key] for row in mine) / len(mine):.1%}"
                  for key in ("parsed", "right", "exact", "right_freely"))  # fmt: skip
        print(f"{part} {family} ({len(mine)}): {', '.join(shares)}", flush=True)


if __name__ == "__main__":
    main()
