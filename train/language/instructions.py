"""Write the lessons of the goal adapter: instructions with their goals, one JSON line each.

    python train/language/instructions.py --weights base.gguf --count 300000 --out lessons.jsonl \
        --human alfred_train.jsonl.gz --scenes alfred_scenes.json

`--human` adds sentences that people wrote (ALFRED's training split, which is not part of this
project): `--share` of all lessons. `--without` names evaluation files (JSON lines with `say`): a
lesson that says the same as one of their rows is left out, also where two people by chance wrote
the same sentence. The same seed and count give the same lines, on however many
processes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from data import vocabulary

from regrasp.embedded.abridge import shorten_messages
from regrasp.lab.language.human_instructions import HumanInstructions
from regrasp.lab.language.instruction_examples import InstructionExample, instruction, paraphrased
from regrasp.lab.language.vocabulary import TRAINING_WORDS

SHARD = 2500


def normal(text: str) -> str:
    """The words of a sentence alone, so that case and punctuation do not count."""
    return " ".join(re.findall(r"\w+", text.lower()))


def said_in(paths: Iterable[Path]) -> frozenset[str]:
    """The sentences of evaluation files."""
    rows = (json.loads(line) for path in paths for line in path.open(encoding="utf-8"))
    return frozenset(normal(row["say"]) for row in rows)


def is_said(instruction: str, said: frozenset[str]) -> bool:
    """Whether an instruction, or its first sentence (a title), is one of `said`."""
    return normal(instruction) in said or normal(instruction.partition(". ")[0]) in said


def shard(
    pool: tuple[str, ...],
    human: HumanInstructions | None,
    share: float,
    paraphrases: float,
    without: frozenset[str],
    number: int,
) -> list[str]:
    """The lines of one shard."""
    rng = random.Random(f"instructions {number}")
    words = replace(TRAINING_WORDS, pool=pool)
    lines: list[str] = []

    def drawn() -> InstructionExample:
        draw = rng.random()
        if human and draw < share:
            return human.draw(rng, words)
        later = draw - share if human else draw
        return paraphrased(rng, words) if later < paraphrases else instruction(rng, words)

    while len(lines) < SHARD:
        made = drawn()
        if is_said(made.prompt.instruction, without):
            continue
        contents = [message.content for message in shorten_messages(made.prompt.messages())]
        lines.append(json.dumps(["goal", contents, made.answer], ensure_ascii=False))
    return lines


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300_000)
    parser.add_argument("--first", type=int, default=0, help="lessons of the whole to leave out")
    parser.add_argument("--human", type=Path)
    parser.add_argument("--scenes", type=Path)
    parser.add_argument("--without", type=Path, nargs="*", default=[], help="evaluation files")
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument(
        "--paraphrases", type=float, default=0.0, help="share of frames/paraphrases"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    human = HumanInstructions.read(given.human, given.scenes) if given.human else None
    pool, without = vocabulary(given.weights), said_in(given.without)
    make = partial(shard, pool, human, given.share, given.paraphrases, without)
    first = given.first // SHARD
    with (
        given.out.open("w", encoding="utf-8") as out,
        multiprocessing.Pool(given.processes) as processes,
    ):
        for lines in processes.imap(make, range(first, first + max(1, given.count // SHARD))):
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
