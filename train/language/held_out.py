"""Measure an adapter on frames of the larger model that no lesson has, with nouns that none has.

    python train/language/held_out.py ask --out q.jsonl
    python train/language/answer.py --questions q.jsonl --out r.jsonl ...
    python train/language/held_out.py score --replies r.jsonl

Both commands make the same 600 instructions. A reply is right if it has the clauses of the true
goal, or declines for the same reason.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from regrasp.core.goal_description import ClauseMode, GoalDescription
from regrasp.embedded.abridge import shorten_messages
from regrasp.lab.language.grading import grade
from regrasp.lab.language.instruction_examples import InstructionExample, paraphrased
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS

COUNT = 600


def questions(count: int = COUNT) -> list[InstructionExample]:
    """The same instructions each time, none of them twice."""
    rng = random.Random("held out")
    found: dict[str, InstructionExample] = {}
    while len(found) < count:
        made = paraphrased(rng, HELD_OUT_WORDS, apart=True)
        found.setdefault(made.prompt.instruction, made)
    return list(found.values())


def write_questions(asked: Iterable[InstructionExample], out: Path) -> None:
    """A file for answer.py."""
    rows = (
        ["goal", [m.content for m in shorten_messages(one.prompt.messages())], one.answer]
        for one in asked
    )
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    out.write_text(text + "\n", "utf-8")


def kind_of(asked: InstructionExample) -> str:
    """A row of the table."""
    goal = asked.prompt.parse(asked.answer)
    if not isinstance(goal, GoalDescription):
        return "declined: " + goal.why.partition(":")[0]
    if not asked.prompt.instruction.isascii():
        return "goal, letters beyond ASCII"
    if any(clause.mode is ClauseMode.ASK for clause in goal.clauses):
        return "goal: question"
    return "goal: one clause" if len(goal.clauses) == 1 else "goal: several clauses"


def score(asked: Sequence[InstructionExample], replies: Iterable[str]) -> Counter[tuple[str, bool]]:
    """How many replies are right, by kind."""
    return Counter(
        (kind_of(one), grade(one.prompt, reply, one.answer).right)
        for one, reply in zip(asked, replies, strict=True)
    )


def main() -> None:
    """Write questions, or score replies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("ask", "score"))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--replies", type=Path)
    given = parser.parse_args()
    asked = questions()
    if given.step == "ask":
        write_questions(asked, given.out)
        return
    found = score(asked, [json.loads(line)[0] for line in given.replies.open(encoding="utf-8")])
    for kind in sorted({kind for kind, _ in found}):
        right, wrong = found[kind, True], found[kind, False]
        print(f"{kind}: {right} of {right + wrong}")
    right = sum(count for (_, is_right), count in found.items() if is_right)
    print(f"all: {right} of {found.total()}")


if __name__ == "__main__":
    main()
