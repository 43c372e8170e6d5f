"""Sentences that people wrote, with their goals, as questions: ALFRED's training split.

The file is not part of this project (train/language/README.md says what it is): every row has
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

from regrasp.lab.language.human_wording import says_goal
from regrasp.lab.language.instruction_examples import InstructionExample
from regrasp.lab.language.instruction_worlds import world_of
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.goal import DeclineReason, GoalPrompt

__all__ = ["HumanInstructions"]

_CONCEPTS = {"in": "inside"}
_STEPS = {
    "PickupObject": "holding", "PutObject": "on", "SliceObject": "sliced", "CoolObject": "cold",
    "HeatObject": "hot", "CleanObject": "clean", "ToggleObject": "turned_on",
}  # fmt: skip
"""The concept of each action of a step."""
_HOLD_OUT = 25
_ALIKE = (
    {"cup", "mug"}, {"pan", "pot"}, {"sofa", "arm_chair", "chair", "ottoman"},
    {"cloth", "hand_towel", "towel"},
    {"sink", "sink_basin"}, {"bathtub", "bathtub_basin"}, {"bowl", "plate"}, {"pen", "pencil"},
    {"drawer", "cabinet", "dresser", "shelf"}, {"knife", "butter_knife"}, {"box", "crate"},
    {"desk", "dining_table", "side_table", "coffee_table", "counter_top", "tv_stand"},
    {"spoon", "ladle"},
    {"desk_lamp", "floor_lamp"}, {"soap_bar", "soap_bottle"},
)  # fmt: skip
"""Objects that people take for each other."""
_ORDER = re.compile(r"\b(?:then|after|afterwards|before)\b")
_FACT = re.compile(r"(\w+)\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class HumanInstructions:
    """Rows of the file, the objects of every scene, and what a thing is in, not on."""

    rows: Sequence[Mapping[str, Any]]
    scenes: Mapping[str, Sequence[str]]
    containers: frozenset[str]

    @classmethod
    def read(cls, rows: Path, scenes: Path, *, held_out: bool = False) -> HumanInstructions:
        """Read both files; `rows` is gzipped JSON lines.

        Every twenty-fifth scene is held out of the lessons: the confidence is fitted on those.
        """
        with gzip.open(rows, "rt", encoding="utf-8") as file:
            every = [json.loads(line) for line in file]
        names = sorted({row["scene"] for row in every})
        apart = set(names[::_HOLD_OUT])
        found = [row for row in every if (row["scene"] in apart) is held_out]
        goals = (_parsed(fact) for row in every for fact in row["goal"])
        containers = frozenset(args[1] for concept, args in goals if concept == "inside")
        return cls(found, json.loads(scenes.read_text("utf-8")), containers)

    def draw(self, rng: random.Random, words: Words) -> InstructionExample:
        """A sentence that says its goal."""
        while True:
            if made := self._drawn(rng, words):
                return made

    def _drawn(self, rng: random.Random, words: Words) -> InstructionExample | None:
        """A sentence for a whole task, or all its steps, or a sentence for one step."""
        row = rng.choice(self.rows)
        draw = rng.random()
        if draw < 0.74:
            facts = [_parsed(fact) for fact in row["goal"]]
            if draw > 0.65:
                return self._asked(_procedure(row, rng), facts, row, rng, words)
            if len(facts) > 1 and _ORDER.search(row["say"].lower()):
                return None  # the record has no stages
            return self._asked(row["say"], facts, row, rng, words)
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
        concept = _STEPS[verb]
        if concept == "holding" and " and " in said:
            return None  # "the pan and the knife": the record has one of them
        if concept == "on":
            concept, args = "inside" if args[1] in self.containers else "on", args[:2]
        else:
            args = args[:1]
        return self._asked(said, [(concept, args)], row, rng, words)

    def _lacking(
        self,
        said: str,
        gone: str,
        row: Mapping[str, Any],
        facts: Sequence[tuple[str, Sequence[str]]],
        rng: random.Random,
        words: Words,
    ) -> InstructionExample:
        """The same sentence in a scene without an object that it names, nor one like it."""
        alike = {
            name
            for name in self.scenes[row["scene"]]
            if set(name.split("_")) & set(gone.split("_"))
        }
        alike |= set().union(*(like for like in _ALIKE if gone in like))
        names = [name for name in self.scenes[row["scene"]] if name not in alike]
        rng.shuffle(names)
        world = world_of(
            names[: rng.choice((3, 6, 10, 20, 30))], {concept for concept, _ in facts}, rng, words
        )
        prompt = GoalPrompt(" ".join(said.split()), world.scene, world.forms)
        reply = f"Cannot: {DeclineReason.MISSING}: {gone.replace('_', ' ')}"
        return InstructionExample(prompt, reply, "people")

    def _asked(
        self,
        said: str,
        facts: Sequence[tuple[str, Sequence[str]]],
        row: Mapping[str, Any],
        rng: random.Random,
        words: Words,
    ) -> InstructionExample | None:
        """The question, or None where the words leave out a part of the goal."""
        if not says_goal(said, facts):
            return None
        needed = {arg.split("#")[0] for _, args in facts for arg in args}
        others = [name for name in self.scenes[row["scene"]] if name not in needed]
        if rng.random() < 0.6:  # "the table" in a room with one table
            rivals = set().union(*(like for like in _ALIKE if like & needed))
            others = [name for name in others if name not in rivals]
        lacking = [n for n in sorted(needed) if f" {n.replace('_', ' ')} " in _spaced(said)]
        if lacking and rng.random() < 0.07:
            return self._lacking(said, rng.choice(lacking), row, facts, rng, words)
        chosen = rng.sample(others, min(len(others), rng.choice((3, 6, 10, 20, 30, 40))))
        end = "_1" if rng.random() < 0.15 else ""
        concepts = {concept for concept, _ in facts}
        world = world_of((f"{n}{end}" for n in (*sorted(needed), *chosen)), concepts, rng, words)
        counted = Counter(
            (concept, tuple(arg.split("#")[0] for arg in args)) for concept, args in facts
        )
        if end and max(counted.values()) > 1:
            return None  # two of what there is one of
        lines = []
        for (concept, names), count in counted.items():
            args = [f"{name}{end}" for name in names]
            first = f"{count} {args[0]}" if count > 1 else args[0]
            lines.append(f"{world.predicates[concept]}({', '.join((first, *args[1:]))})")
        prompt = GoalPrompt(" ".join(said.split()), world.scene, world.forms)
        return InstructionExample(prompt, "Goal:\n" + "\n".join(lines), "people")


def _spaced(text: str) -> str:
    return f" {re.sub(r'[^a-z]+', ' ', text.lower())} "


def _procedure(row: Mapping[str, Any], rng: random.Random) -> str:
    """All steps of a task as one text, mostly after its goal sentence."""
    steps = [" ".join(step.split()).rstrip(".") for step in row["steps"] if step.strip()]
    if rng.random() < 0.6:
        body = ". ".join(steps) + "."
    else:
        body = ", ".join(step[:1].lower() + step[1:] for step in steps)
    return f"{row['say'].rstrip('. ')}. {body}" if rng.random() < 0.8 else body


def _parsed(fact: str) -> tuple[str, list[str]]:
    match = _FACT.fullmatch(fact)
    assert match is not None, fact
    return _CONCEPTS.get(match[1], match[1]), [arg.strip() for arg in match[2].split(",")]
