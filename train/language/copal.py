"""Write the lessons of the CoPAL adapter: interpreter, specifier and commander, one JSON line each.

    python train/language/copal.py --weights base.gguf --count 300000 --out lessons.jsonl

`--without` names files with texts of an evaluation, one on each line or JSON lines with `say`: a
lesson of which the request or the saying is one of them is left out. The same seed and count give
the same lines, on however many processes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from data import vocabulary
from instructions import normal

from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.generators import GENERATORS
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.repairs import sent_back
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.models.abridge import shorten_messages
from regrasp.prompts.interpret import InterpretPrompt
from regrasp.prompts.specify import SpecifyPrompt

SHARES = {"interpret": 28, "specify": 34, "commands": 38}
"""How much of the lessons each family gets."""

SHARD = 1000
"""Lessons that one draw of dice makes."""

UNREAD = 0.02
"""How many lessons come after a reply that could not be read."""


def said_in(paths: Iterable[Path]) -> frozenset[str]:
    """The sentences of evaluation files."""
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    return frozenset(
        normal(json.loads(line)["say"] if line.startswith("{") else line) for line in lines
    ) - {""}


def is_said(question: LanguageExample, said: frozenset[str]) -> bool:
    """Whether a lesson has a sentence of the evaluation."""
    prompt = question.prompt if said else None
    if isinstance(prompt, InterpretPrompt):
        return normal(prompt.says) in said
    return isinstance(prompt, SpecifyPrompt) and normal(prompt.request) in said


def shard(pool: tuple[str, ...], without: frozenset[str], number: int) -> list[str]:
    """The lines of one shard."""
    rng = random.Random(f"copal {number}")
    source = ExampleSource(rng, TRAINING_TYPES, pool=pool)
    families = rng.choices([*SHARES], [*SHARES.values()], k=SHARD)
    lines: list[str] = []
    for family in families:
        made = GENERATORS[family](source)
        while is_said(made, without):
            made = GENERATORS[family](source)
        if rng.random() < UNREAD:
            made = sent_back(made, rng) or made
        contents = [message.content for message in shorten_messages(made.messages)]
        lines.append(json.dumps([family, contents, made.answer], ensure_ascii=False))
    return lines


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300_000)
    parser.add_argument("--first", type=int, default=0, help="lessons of the whole to leave out")
    parser.add_argument("--without", type=Path, nargs="*", default=[], help="evaluation files")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    make = partial(shard, vocabulary(given.weights), said_in(given.without))
    first = given.first // SHARD
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with (
        given.out.open("w", encoding="utf-8") as out,
        multiprocessing.Pool(given.processes) as processes,
    ):
        for lines in processes.imap(make, range(first, first + max(1, given.count // SHARD))):
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
