"""Write the lessons of the CoPAL adapter: interpreter, specifier and commander, one JSON line each.

    python train/language/copal.py --weights base.gguf --count 300000 --out lessons.jsonl

`--without` names files of an evaluation: texts, one on each line or JSON lines with `say`, or a
`.json` of recipes, each with lists of what goes in. A lesson of which the request or the saying is
one of the texts, or of which the recipe has the name or the content of one, is left out. The same
seed and count give the same lines, on however many processes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from data import vocabulary
from instructions import normal

from regrasp.embedded.abridge import shorten_messages
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.generators import GENERATORS
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.repairs import sent_back
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.prompts.interpret import InterpretPrompt
from regrasp.prompts.specify import SpecifyPrompt

SHARES = {"interpret": 28, "specify": 34, "commands": 38}
"""How much of the lessons each family gets."""

SHARD = 1000
"""Lessons that one draw of dice makes."""

_INGREDIENT = re.compile(r"[\d.]+ ml (\w+)(, optional)?")

UNREAD = 0.02
"""How many lessons come after a reply that could not be read."""


@dataclass(frozen=True)
class Evaluated:
    """What an evaluation has: sentences, names of recipes, and what goes into each."""

    sentences: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    contents: frozenset[frozenset[str]] = frozenset()

    @classmethod
    def read(cls, paths: Iterable[Path]) -> Evaluated:
        """Read evaluation files."""
        texts = {path: path.read_text(encoding="utf-8") for path in paths}
        lines = (
            line for p, text in texts.items() if p.suffix != ".json" for line in text.split("\n")
        )
        said = (json.loads(line)["say"] if line.startswith("{") else line for line in lines)
        recipes = [
            (normal(re.sub(r"^[\d. ]+", "", name).replace("_", " ")), one)
            for p, text in texts.items()
            if p.suffix == ".json"
            for name, one in json.loads(text).items()
        ]
        return cls(
            frozenset(map(normal, said)) - {""},
            frozenset(name for name, _ in recipes),
            frozenset(frozenset(itertools.chain(*one.values())) for _, one in recipes),
        )

    def has(self, question: LanguageExample) -> bool:
        """Whether a lesson has a sentence or a recipe of the evaluation."""
        if not self.sentences and not self.names:
            return False
        prompt = question.prompt
        if isinstance(prompt, InterpretPrompt):
            return normal(prompt.says) in self.sentences
        if not isinstance(prompt, SpecifyPrompt):
            return False
        used = [m for line in prompt.recipe if (m := _INGREDIENT.match(line))]
        needed = frozenset(m[1] for m in used if not m[2])
        every = frozenset(m[1] for m in used)
        return (
            normal(prompt.request) in self.sentences
            or normal(prompt.recipe_name) in self.names
            or bool({needed, every} & self.contents)
        )


def shard(pool: tuple[str, ...], without: Evaluated, number: int) -> list[str]:
    """The lines of one shard."""
    rng = random.Random(f"copal {number}")
    source = ExampleSource(rng, TRAINING_TYPES, pool=pool)
    families = rng.choices([*SHARES], [*SHARES.values()], k=SHARD)
    lines: list[str] = []
    for family in families:
        made = GENERATORS[family](source)
        while without.has(made):
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
    make = partial(shard, vocabulary(given.weights), Evaluated.read(given.without))
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
