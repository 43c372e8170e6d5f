"""Sentences that people wrote, with their goals, as questions: ALFRED's training split.

The file is not part of this project (train/language/README says where to get it): every row has
`say`, `goal`, `scene`, and the sentences and actions of its steps; a second file lists the objects
of every scene.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regrasp.lab.language.instruction_examples import Instruction
from regrasp.lab.language.instruction_worlds import world_of
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.goal import GoalPrompt

__all__ = ["HumanInstructions"]

_CONCEPTS = {"in": "inside"}
_STEPS = {
    "PickupObject": ("holding",), "PutObject": ("on",), "SliceObject": ("sliced",),
    "CoolObject": ("cold",), "HeatObject": ("hot",), "CleanObject": ("clean",),
    "ToggleObject": ("turned_on",),
}  # fmt: skip
_FACT = re.compile(r"(\w+)\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class HumanInstructions:
    """Rows of the file, and the objects of every scene."""

    rows: Sequence[Mapping[str, Any]]
    scenes: Mapping[str, Sequence[str]]

    @classmethod
    def read(cls, rows: Path, scenes: Path) -> HumanInstructions:
        """Read both files; `rows` is gzipped JSON lines."""
        with gzip.open(rows, "rt", encoding="utf-8") as file:
            found = [json.loads(line) for line in file]
        return cls(found, json.loads(scenes.read_text("utf-8")))

    def draw(self, rng: random.Random, words: Words) -> Instruction | None:
        """A sentence for a whole task, or for one step of it."""
        row = rng.choice(self.rows)
        if rng.random() < 0.7:
            return self._asked(row["say"], [_parsed(fact) for fact in row["goal"]], row, rng, words)
        steps = [
            (said, action)
            for said, action in zip(row["steps"], row["actions"], strict=False)
            if action[0] in _STEPS and len(said.split()) < 14
        ]
        if not steps:
            return None
        said, (verb, *things) = rng.choice(steps)
        names = {re.sub(r"_", "", name): name for name in self.scenes[row["scene"]]}
        if any(thing not in names for thing in things):
            return None
        args = [names[thing] for thing in things]
        concept = _STEPS[verb][0]
        return self._asked(said, [(concept, args[: 2 if concept == "on" else 1])], row, rng, words)

    def _asked(
        self,
        said: str,
        facts: Sequence[tuple[str, Sequence[str]]],
        row: Mapping[str, Any],
        rng: random.Random,
        words: Words,
    ) -> Instruction | None:
        needed = {arg.split("#")[0] for _, args in facts for arg in args}
        others = [name for name in self.scenes[row["scene"]] if name not in needed]
        chosen = rng.sample(others, min(len(others), rng.choice((3, 6, 10, 20, 30, 40))))
        world = world_of((*needed, *chosen), {concept for concept, _ in facts}, rng, words)
        counted = Counter(
            (concept, tuple(arg.split("#")[0] for arg in args)) for concept, args in facts
        )
        lines = []
        for (concept, args), count in counted.items():
            first = f"{count} {args[0]}" if count > 1 else args[0]
            lines.append(f"{world.predicates[concept]}({', '.join((first, *args[1:]))})")
        prompt = GoalPrompt(" ".join(said.split()), world.scene, world.forms)
        return Instruction(prompt, "Goal:\n" + "\n".join(lines))


def _parsed(fact: str) -> tuple[str, list[str]]:
    match = _FACT.fullmatch(fact)
    assert match is not None, fact
    return _CONCEPTS.get(match[1], match[1]), [arg.strip() for arg in match[2].split(",")]
