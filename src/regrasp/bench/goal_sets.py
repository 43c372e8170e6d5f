"""Sets of instructions with their goals: how well a language model turns one into the other.

A set is a file of JSON lines with `say`, `objects` and `goal`, and where it has them `init` (facts
at the start), `types`, and `goal_conditions` (for every condition its alternatives). The goal that
a model writes is expanded over the objects of the row and compared with the given literals.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from regrasp.core.errors import RegraspError
from regrasp.core.fact import Fact, Literal, parse_literals
from regrasp.core.goal_description import GoalDescription, Selection
from regrasp.core.object_description import ObjectDescription
from regrasp.planners.goal_grounding import GroundedGoal, ground
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.scene import SceneDescription

__all__ = ["GoalScore", "GoalSet", "InstructionRow", "coverage_at", "read_set", "summary"]

_SENTENCES = {
    "on": "X is on Y", "ontop": "X is on Y", "in": "X is inside Y", "inside": "X is inside Y",
    "under": "X is under Y", "nextto": "X is beside Y", "onfloor": "X is on the floor Y",
    "touching": "X touches Y", "holding": "the robot holds X", "open": "X is open",
    "closed": "X is closed", "turned_on": "X is turned on", "turned_off": "X is turned off",
    "toggled_on": "X is turned on", "plugged_in": "X is plugged in", "hot": "X is hot",
    "cold": "X is cold", "clean": "X is clean", "dusty": "X is dusty", "stained": "X is stained",
    "soaked": "X is soaked with water", "sliced": "X is sliced", "cooked": "X is cooked",
    "frozen": "X is frozen", "holds_rh": "X holds Y in the right hand",
    "holds_lh": "X holds Y in the left hand", "facing": "X faces Y", "close": "X is close to Y",
    "sitting": "X sits", "lying": "X lies",
}  # fmt: skip
_SAME = {"in": "on", "inside": "on"}


@dataclass(frozen=True)
class InstructionRow:
    """An instruction, the objects it may name, and the literals that it asks for."""

    name: str
    say: str
    kinds: Mapping[str, str]
    goal: tuple[str, ...]
    init: tuple[str, ...] = ()
    conditions: tuple[tuple[tuple[str, ...], ...], ...] = ()

    @cached_property
    def scene(self) -> SceneDescription:
        """The objects as a prompt lists them."""
        return SceneDescription(tuple(ObjectDescription(n, kind=k) for n, k in self.kinds.items()))


@dataclass(frozen=True)
class GoalSet:
    """The rows of a file, with one list of forms for all; `one_relation` counts in as on."""

    name: str
    rows: tuple[InstructionRow, ...]
    arities: Mapping[str, int]
    one_relation: bool = False

    def prompt(self, row: InstructionRow) -> GoalPrompt:
        """The question to a model."""
        kinds = tuple(dict.fromkeys(row.kinds.values()))
        forms = tuple(
            GoalForm(p, (kinds,) * n, _SENTENCES.get(p, f"X is {p.replace('_', ' ')}"))
            for p, n in self.arities.items()
        )
        return GoalPrompt(row.say, row.scene, forms)

    def score(
        self, row: InstructionRow, reply: GoalDescription | Declined | ParseError
    ) -> GoalScore:
        """Compare a reply with the goal of its row."""
        if not isinstance(reply, GoalDescription):
            return GoalScore(False, 0, 0, sum(self._wanted(row, frozenset()).values()), True)
        found = self._expanded(row, reply)
        if found is None:
            return GoalScore(False, 0, 0, sum(self._wanted(row, frozenset()).values()), True)
        wanted = self._wanted(row, frozenset(found))
        right = sum((found & wanted).values())
        return GoalScore(found == wanted, right, sum(found.values()), sum(wanted.values()), False)

    def _normal(self, literal: str) -> str:
        """The literal with numbers of instances left out where the set names kinds."""
        text = re.sub(r"#\d+", "", literal)
        if self.one_relation:
            name, _, rest = text.partition("(")
            text = f"{_SAME.get(name, name)}({rest}"
        return text.replace(" ", "")

    def _wanted(self, row: InstructionRow, found: frozenset[str]) -> Counter[str]:
        """The literals of the goal; of alternatives, those that agree best with `found`."""
        if not row.conditions:
            return Counter(map(self._normal, row.goal))
        best: Counter[str] = Counter()
        for alternatives in row.conditions:
            chosen = max(alternatives, key=lambda one: sum(self._normal(x) in found for x in one))
            best |= Counter(dict.fromkeys(map(self._normal, chosen), 1))
        return best

    def _expanded(self, row: InstructionRow, reply: GoalDescription) -> Counter[str] | None:
        """The literals of a reply over the row's objects; None if it fits no objects."""
        counted: Counter[str] = Counter()
        if any("#" in literal for literal in row.goal) or self.one_relation:
            for clause in reply.clauses:  # objects stand for kinds: "2 pen" are two of them
                number = math.prod(a.count for a in clause.args if isinstance(a, Selection))
                args = [a.kind if isinstance(a, Selection) else a.lstrip("?") for a in clause.args]
                literal = f"{'' if clause.positive else 'not '}{clause.predicate}({','.join(args)})"
                counted[self._normal(literal)] += number
            return counted
        grounded = ground(reply, _RowScene(row), lambda _: None)
        if not isinstance(grounded, GroundedGoal):
            return None
        for stage in grounded.stages:
            kinds = dict(row.kinds)
            binding = stage.witness(lambda _: True, kinds) or {}
            positive = [one for one in stage.bind(binding).literals]
            counted |= Counter(dict.fromkeys((self._normal(str(one)) for one in positive), 1))
        return counted


@dataclass(frozen=True, slots=True)
class GoalScore:
    """Literals that are right, written and wanted, and whether the whole goal is exact."""

    exact: bool
    right: int
    written: int
    wanted: int
    declined: bool


@dataclass(frozen=True)
class _RowScene:
    """What a row says about its objects."""

    row: InstructionRow

    @cached_property
    def facts(self) -> frozenset[Fact]:
        return frozenset(one.fact for one in parse_literals(*self.row.init) if one.positive)

    def kinds(self) -> dict[str, str]:
        return dict(self.row.kinds)

    def movable(self) -> frozenset[str]:
        return frozenset(fact.args[0] for fact in self.facts if len(fact.args) == 2) or frozenset(
            self.row.kinds
        )

    def has(self, name: str, word: str) -> bool | None:
        return word in name.split("_") or any(fact == Fact(word, (name,)) for fact in self.facts)

    def related(self, relation: str, name: str, other: str) -> bool | None:
        names = {"on": ("on", "ontop", "onfloor"), "in": ("in", "inside")}.get(relation, ())
        return any(Fact(p, (name, other)) in self.facts for p in names)

    def extreme(self, word: str, names: Sequence[str]) -> str | None:
        return names[0] if names else None


def read_set(path: Path) -> GoalSet:
    """Read a file of JSON lines."""
    rows, arities = [], dict[str, int]()
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            row: dict[str, Any] = json.loads(line)
            say, objects, goal = row["say"], row["objects"], _literals(row["goal"])
            conditions = [[_literals(a) for a in c] for c in row.get("goal_conditions", ())]
        except (json.JSONDecodeError, KeyError) as error:
            raise RegraspError(
                f"{path}:{number}: not a row with say, objects and goal ({error})."
            ) from None
        types = row.get("types") or {}
        numbered = any(re.search(r"_\d+$", name) for name in objects)
        kinds = {
            name: types.get(name) or (re.sub(r"_\d+$", "", name) if numbered else name)
            for name in objects
        }
        for literal in (*goal, *(x for c in conditions for a in c for x in a)):
            match = re.fullmatch(r"(?:not )?(\w+)\((.*)\)", literal)
            if match is None:
                raise RegraspError(f"{path}:{number}: {literal!r} is no literal.")
            arities[match[1]] = len(match[2].split(","))
        rows.append(
            InstructionRow(
                str(row.get("id", number)),
                say,
                kinds,
                tuple(goal),
                tuple(row.get("init") or ()),
                tuple(map(tuple, conditions)),
            )  # fmt: skip
        )
    one = any("#" in literal for row in rows for literal in row.goal)
    return GoalSet(path.stem, tuple(rows), arities, one_relation=one)


def _literals(texts: Iterable[str]) -> tuple[str, ...]:
    """`not(dusty(shelf))` is written `not dusty(shelf)`."""
    return tuple(re.sub(r"^not\((.*)\)$", r"not \1", text) for text in texts)


def summary(scores: Iterable[GoalScore]) -> dict[str, float]:
    """Rates over a set: exact, declined, wrong, and F1 of all literals together."""
    listed = list(scores)
    right, written, wanted = (
        sum(getattr(s, f) for s in listed) for f in ("right", "written", "wanted")
    )
    return {
        "n": len(listed),
        "exact": sum(s.exact for s in listed) / len(listed),
        "declined": sum(s.declined for s in listed) / len(listed),
        "f1": 2 * right / (written + wanted) if written + wanted else 0.0,
    }


def coverage_at(precision: float, scored: Iterable[tuple[float, bool]]) -> float:
    """The largest share that can be answered, the surest first, at this share of right answers."""
    ranked = sorted(scored, reverse=True)
    best, right = 0.0, 0
    for count, (_, ok) in enumerate(ranked, 1):
        right += ok
        if right / count >= precision:
            best = count / len(ranked)
    return best
