"""Write the lessons: one JSON line a question, as the embedded model will be asked it.

    python train/language/data.py --weights base.gguf --count 300000 --out build/lessons.jsonl

The same seed and count give the same lines, on however many processes. What is asked is abridged
exactly as `embedded` does it, so the model never sees in training what it will not see at work.
Many names are words of the model's own vocabulary, but for those of the exam. Of the library, only
NumPy and Pillow are needed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from regrasp.embedded.abridge import shorten_messages
from regrasp.lab.language.generator import ExampleGenerator
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.lab.language.skill_worlds import SkillFamily
from regrasp.lab.language.vocabulary import pool_of

SHARES = {
    "plan": 12, "replan": 14, "new_plan": 12, "step_needed": 12, "questions": 9, "completed": 8,
    "motion_plan": 9, "rewards": 7, "reward_step": 4, "primary_step": 3, "reasons": 8,
    "wrong_names": 5, "rewrite_names": 12, "question_type": 2, "is_vision": 2, "relocation": 3,
    "skill_plan": 90, "constraints": 9, "goal": 40,
}  # fmt: skip
"""How much of the lessons each family gets: the more, the harder it is."""

CRAFTS = (
    *(SkillFamily.TABLE,) * 3, SkillFamily.STORE, SkillFamily.STORE, SkillFamily.ROAM,
    SkillFamily.ROAM, SkillFamily.WALK,
)  # fmt: skip
"""How often each kind of robot is met: from those that store and those that roam the exam combines
one that does both."""

SHARD = 2500
"""Lessons that one draw of dice makes."""


def vocabulary(weights: Path) -> tuple[str, ...]:
    """What the tokens of a model spell, as far as it can name things."""
    import gguf  # noqa: PLC0415  -- who only asks for the shares need not have it

    tokens = gguf.GGUFReader(str(weights)).fields["tokenizer.ggml.tokens"].contents()
    return pool_of(token.removeprefix("Ġ") for token in tokens)


def shard(pool: tuple[str, ...], shares: Mapping[str, int], number: int) -> list[str]:
    """The lines of one shard."""
    quota = {f: SHARD * share // sum(shares.values()) for f, share in shares.items()}
    dice = random.Random(f"lessons {number}")
    teacher = ExampleGenerator(
        dice, TRAINING_TYPES, spoilt=0.08, unread=0.03, crafts=CRAFTS, pool=pool
    )
    lines = []
    for question in teacher.questions(quota):
        contents = [message.content for message in shorten_messages(question.messages)]
        line = [question.family, contents, question.answer]
        lines.append(json.dumps(line, ensure_ascii=False))
    return lines


def named_share(text: str) -> tuple[str, int]:
    """Read `goal=181`."""
    family, _, number = text.partition("=")
    if family not in SHARES or not number.isdigit():
        known = ", ".join(SHARES)
        raise argparse.ArgumentTypeError(f"write FAMILY=NUMBER, the family one of {known}")
    return family, int(number)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300_000)
    parser.add_argument("--first", type=int, default=0, help="lessons of the whole to leave out")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument(
        "--share",
        type=named_share,
        action="append",
        default=[],
        metavar="FAMILY=NUMBER",
        help="another share of a family; goal=181 makes 45%% of the lessons goals",
    )
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    shares = {**SHARES, **dict(given.share)}
    given.out.parent.mkdir(parents=True, exist_ok=True)
    first = given.first // SHARD
    shards = range(first, first + max(1, given.count // SHARD))
    with (
        given.out.open("w", encoding="utf-8") as out,
        multiprocessing.Pool(given.processes) as processes,
    ):
        for lines in processes.imap(partial(shard, vocabulary(given.weights), shares), shards):
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
