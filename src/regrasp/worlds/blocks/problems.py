"""Block problems: the towers at the start and the goal, drawn by a seed or read from a file.

Two forms are read: PDDL problems of the four-operator blocks world (`on`, `ontable`), as PlanBench
has them, and JSON files of scenes in sentences, `FILE.json#NAME`:

    {"NAME": {"domain": "b2 is on top of b1. b1 is on the table.", "goal": "b1 should be on …"}}

The environment variable `REGRASP_BLOCK_SCENES` names such a file, for `published_problem`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Fact
from regrasp.core.file_reading import read_limited
from regrasp.core.json_text import JsonError, parse_json
from regrasp.domains.formula import And, Atom, Condition
from regrasp.domains.pddl_read import read_domain, read_problem

__all__ = [
    "MOST_BLOCKS", "SCENES_VARIABLE", "TABLE", "BlocksProblem", "draw_problem",
    "published_problem", "read_blocks_problem",
]  # fmt: skip

TABLE = "table"
MOST_BLOCKS = 20
SCENES_VARIABLE = "REGRASP_BLOCK_SCENES"
"""The environment variable with the path of published scenes in sentences."""
_PREDICATES = (
    "(on ?x ?y) (ontable ?x) (on-table ?x) (clear ?x) (holding ?x) (handempty) (arm-empty)"
)
_ON = re.compile(r"\b(\w+) (?:is|should be) on top of (\w+)\b")
_ON_TABLE = re.compile(r"\b(\w+) (?:is|should be) on the table\b")

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BlocksProblem:
    """`towers` are blocks from the bottom up; `goal` are pairs (x, y): x is on the block y.

    In place of y, `TABLE` may stand.
    """

    towers: tuple[tuple[str, ...], ...]
    goal: Pairs

    def __post_init__(self) -> None:
        blocks = self.blocks
        if len(set(blocks)) < len(blocks) or not 1 <= len(blocks) <= MOST_BLOCKS:
            raise RegraspError(
                f"give 1 to {MOST_BLOCKS} blocks, each of them once, not {', '.join(blocks)}."
            )
        for name in {one for pair in self.goal for one in pair} - {*blocks, TABLE}:
            raise UnknownNameError("block", name, blocks)

    @property
    def blocks(self) -> tuple[str, ...]:
        """All blocks."""
        return tuple(block for tower in self.towers for block in tower)

    @property
    def start(self) -> Pairs:
        """The pairs that are true at the start."""
        return tuple(
            pair for tower in self.towers for pair in zip(tower, (TABLE, *tower), strict=False)
        )

    @property
    def solved(self) -> bool:
        """Whether the goal is true at the start."""
        return set(self.goal) <= set(self.start)


def draw_problem(rng: np.random.Generator, count: int) -> BlocksProblem:
    """Towers of the blocks b1 to b`count`, and other towers of them as the goal."""
    if not 2 <= count <= MOST_BLOCKS:
        raise RegraspError(f"give 2 to {MOST_BLOCKS} blocks, not {count}.")
    names = [f"b{number}" for number in range(1, count + 1)]
    while True:
        towers, wanted = _draw_towers(rng, names), _draw_towers(rng, names)
        goal = tuple((x, y) for tower in wanted for y, x in pairwise(tower))
        problem = BlocksProblem(towers, goal)
        if goal and not problem.solved:
            return problem


def _draw_towers(rng: np.random.Generator, names: list[str]) -> tuple[tuple[str, ...], ...]:
    """A random order of the blocks, cut at random into towers."""
    order = [names[int(i)] for i in rng.permutation(len(names))]
    cuts = [0, *(i for i in range(1, len(order)) if rng.random() < 0.4), len(order)]
    return tuple(tuple(order[a:b]) for a, b in pairwise(cuts))


def read_blocks_problem(address: str) -> BlocksProblem:
    """The problem in `FILE.pddl` or `FILE.json#NAME`."""
    file, _, name = address.partition("#")
    path = Path(file)
    try:
        text = read_limited(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RegraspError(f"cannot read the blocks problem {path}: {error}.") from error
    return _of_json(text, name, file) if path.suffix == ".json" else _of_pddl(text, path.name)


def published_problem(name: str) -> BlocksProblem:
    """The scene of that name in the file that `REGRASP_BLOCK_SCENES` names."""
    path = os.environ.get(SCENES_VARIABLE)
    if not path:
        raise RegraspError(
            f"scene {name} is in a file of published scenes: set {SCENES_VARIABLE} to its path."
        )
    return read_blocks_problem(f"{path}#{name}")


def _of_pddl(text: str, file: str) -> BlocksProblem:
    named = re.search(r"\(\s*:domain\s+([^\s()]+)\s*\)", text)
    if named is None:
        raise RegraspError(f"{file} is no PDDL problem: it has no (:domain NAME).")
    domain = read_domain(f"(define (domain {named[1]}) (:predicates {_PREDICATES}))")
    problem = read_problem(text, domain, file)
    return BlocksProblem(_towers(_pairs(problem.init), file), _pairs(_facts(problem.goal, file)))


def _of_json(text: str, name: str, file: str) -> BlocksProblem:
    try:
        found: Any = parse_json(text)
        scenes = {key: one for key, one in found.items() if isinstance(one, dict)}
        if name not in scenes:
            raise UnknownNameError(f"scene of {file}", name, scenes)
        start, goal = (_said(scenes[name][part]) for part in ("domain", "goal"))
    except (JsonError, KeyError, AttributeError, TypeError) as error:
        raise RegraspError(f"{file} holds no scenes of blocks: {error}.") from error
    return BlocksProblem(_towers(start, file), goal)


def _said(text: str) -> Pairs:
    return (*_ON.findall(text), *((x, TABLE) for x in _ON_TABLE.findall(text)))


def _facts(goal: Condition, file: str) -> list[Fact]:
    parts = goal.parts if isinstance(goal, And) else (goal,)
    if not all(isinstance(part, Atom) for part in parts):
        raise RegraspError(f"{file}: the goal must be a conjunction of facts.")
    return [Fact(part.predicate, part.terms) for part in parts if isinstance(part, Atom)]


def _pairs(facts: Iterable[Fact]) -> Pairs:
    """Who is on whom; what is clear or held follows from it, or is not said."""
    on = (fact.args for fact in facts if fact.predicate == "on")
    ground = (fact.args for fact in facts if fact.predicate in ("ontable", "on-table"))
    return tuple(
        sorted([(_name(x), _name(y)) for x, y in on] + [(_name(x), TABLE) for (x,) in ground])
    )


def _name(block: str) -> str:
    return block.replace("-", "_")


def _towers(pairs: Pairs, file: str) -> tuple[tuple[str, ...], ...]:
    above = {y: x for x, y in pairs if y != TABLE}
    towers = []
    for bottom in sorted(x for x, y in pairs if y == TABLE):
        tower = [bottom]
        while tower[-1] in above and len(tower) <= len(pairs):
            tower.append(above[tower[-1]])
        towers.append(tuple(tower))
    if sum(map(len, towers)) != len({x for x, _ in pairs}):
        raise RegraspError(f"{file}: some block of the start stands on nothing.")
    return tuple(towers)
