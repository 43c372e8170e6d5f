"""Sets of instructions with their goals: how well a language model turns one into the other.

A set is a file of JSON lines with `say`, `objects` and `goal`, and where it has them `init` (facts
at the start), `init_states`, `types`, and `goal_conditions` (for every condition its alternatives).
The goal that a model writes is expanded over the objects of the row and compared with the given
literals. `goal_set_interface` says what each published set has of its own.

Published F1 on VirtualHome counts state, relation and action goals. We write no action goals, so
compare with state and relation goals alone. `published_f1` computes them from the published
precision P and recall R and the numbers N of goals in our file (318 states, 278 relations):
hits = R N, written = hits / P, F1 = 2 sum(hits) / (sum(written) + sum(N)).

| model | all three | state and relation |
|---|---|---|
| o1-preview | 42.7 | 43.9 |
| GPT-4o | 36.5 | 38.1 |
| Claude 3.5 Sonnet | 33.0 | 38.4 |
| Llama 3 70B | 26.9 | 31.9 |
| GPT-3.5-turbo | 22.7 | 22.0 |
| Llama 3 8B | 22.6 | 25.1 |
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from regrasp.bench.goal_set_interface import (
    LITERAL,
    InstructionRow,
    Interface,
    implied_literals,
    interface_of,
    kinds_of,
    with_parts,
)
from regrasp.core.errors import RegraspError
from regrasp.core.fact import Fact, parse_literals
from regrasp.core.file_reading import MAX_FILE_BYTES, read_limited
from regrasp.core.goal_description import GoalDescription, Selection
from regrasp.core.json_text import parse_json
from regrasp.planners.goal_grounding import GroundedGoal, ground
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.parsing import Declined, ParseError

__all__ = [
    "GoalScore",
    "GoalSet",
    "InstructionRow",
    "coverage_at",
    "published_f1",
    "read_set",
    "summary",
]

_SAME = {"in": "on", "inside": "on"}


@dataclass(frozen=True)
class GoalSet:
    """The rows of a file, with one list of forms for all; `one_relation` counts in as on."""

    name: str
    rows: tuple[InstructionRow, ...]
    interface: Interface
    one_relation: bool = False
    implied: bool = False

    def prompt(self, row: InstructionRow) -> GoalPrompt:
        """The question to a model."""
        kinds = tuple(dict.fromkeys(row.kinds.values()))
        forms = tuple(
            GoalForm(name, (kinds,) * count, sentence)
            for name, (count, sentence) in self.interface.forms.items()
        )
        return GoalPrompt(row.say, row.scene, forms)

    def score(
        self, row: InstructionRow, reply: GoalDescription | Declined | ParseError
    ) -> GoalScore:
        """Compare a reply with the goal of its row.

        A reply that fits no object, or several where one is meant, counts as declined: a robot
        would ask back. To decline is right where the row has no goal.
        """
        found = self._expanded(row, reply) if isinstance(reply, GoalDescription) else None
        if found is None:
            wanted = self._wanted(row, frozenset()).total()
            return GoalScore(wanted == 0, 0, 0, wanted, True)
        wanted_literals = self._wanted(row, frozenset(found))
        right = (found & wanted_literals).total()
        exact = found == wanted_literals
        return GoalScore(exact, right, found.total(), wanted_literals.total(), False)

    def _normal(self, literal: str) -> str:
        """The literal with numbers of instances left out where the set names kinds."""
        text = re.sub(r"#\d+", "", literal)
        if self.one_relation:
            name, _, rest = text.partition("(")
            text = f"{_SAME.get(name, name)}({rest}"
        text = text.replace(" ", "")
        return re.sub(r"^not(?=\w+\()", "not ", text) if literal.startswith("not ") else text

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
        if self.one_relation:
            for clause in reply.clauses:  # objects stand for kinds: "2 pen" are two of them
                number = math.prod(a.count for a in clause.args if isinstance(a, Selection))
                args = [a.kind if isinstance(a, Selection) else a.lstrip("?") for a in clause.args]
                literal = f"{'' if clause.positive else 'not '}{clause.predicate}({','.join(args)})"
                counted[self._normal(literal)] += number
            return counted
        grounded = ground(reply, _RowScene(row), lambda _: None)
        if not isinstance(grounded, GroundedGoal):
            return None
        literals: dict[str, None] = {}
        for stage in grounded.stages:
            binding = stage.witness(lambda _: True, dict(row.kinds)) or {}
            literals |= dict.fromkeys(map(str, stage.bind(binding).literals))
        read = self.interface.literals(row, literals)
        if self.implied:
            read += implied_literals(row, read)
        return Counter(dict.fromkeys(map(self._normal, read), 1))


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
        return None  # no file says where its objects stand


def read_set(path: Path, implied: bool = False) -> GoalSet:
    """Read a file of JSON lines; see the module for `implied`."""
    rows, arities = [], dict[str, int]()
    seconds: dict[str, set[str]] = {}
    try:
        lines = read_limited(path, MAX_FILE_BYTES).splitlines()
    except FileNotFoundError as error:
        raise RegraspError(f"cannot read {path}: {error.strerror}.") from error
    for number, line in enumerate(lines, 1):
        try:
            rows.append(_row(line, number, arities, seconds))
        except (RegraspError, KeyError, TypeError, AttributeError) as error:
            raise RegraspError(
                f"{path}:{number}: not a row with say, objects and goal ({error})."
            ) from error
    one = any("#" in literal for row in rows for literal in row.goal)
    return GoalSet(path.stem, tuple(rows), interface_of(arities, seconds, rows), one, implied)


def _row(
    line: bytes, number: int, arities: dict[str, int], seconds: dict[str, set[str]]
) -> InstructionRow:
    """One line of a set; counts the arguments of each predicate, and collects its last ones."""
    row = cast("dict[str, Any]", parse_json(line))
    say, objects, goal = row["say"], row["objects"], _literals(row["goal"])
    conditions = [[_literals(a) for a in c] for c in row.get("goal_conditions", ())]
    for literal in (*goal, *(x for c in conditions for a in c for x in a)):
        match = LITERAL.fullmatch(literal)
        if match is None:
            raise RegraspError(f"{literal!r} is no literal")
        args = [arg.strip() for arg in match[3].split(",")]
        arities[match[2]] = len(args)
        seconds.setdefault(match[2], set()).add(args[-1])
    init = () if "libero_object" in str(row.get("id")) else tuple(row.get("init") or ())
    made = InstructionRow(
        str(row.get("id", number)),
        say,
        kinds_of(objects, row.get("types") or {}),
        goal,
        init,
        tuple(map(tuple, conditions)),
        row.get("init_states") or {},
    )
    return with_parts(made, row.get("types") or {})


def _literals(texts: Iterable[str]) -> tuple[str, ...]:
    """`not(dusty(shelf))` is written `not dusty(shelf)`."""
    return tuple(re.sub(r"^not\((.*)\)$", r"not \1", text) for text in texts)


# ---- figures -------------------------------------------------------------------------------------


def summary(scores: Iterable[GoalScore]) -> dict[str, float]:
    """Rates over a set: exact, declined, wrong (answered, not exact), and F1 of all literals."""
    listed = list(scores)
    right, written, wanted = (
        sum(getattr(s, f) for s in listed) for f in ("right", "written", "wanted")
    )
    return {
        "n": len(listed),
        "exact": sum(s.exact for s in listed) / len(listed),
        "declined": sum(s.declined for s in listed) / len(listed),
        "wrong": sum(not s.exact and not s.declined for s in listed) / len(listed),
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


def published_f1(rates: Iterable[tuple[float, float, int]]) -> float:
    """F1 over several kinds of goal from (precision, recall, number of goals) of each."""
    hits = written = wanted = 0.0
    for precision, recall, number in rates:
        hits += recall * number
        written += recall * number / precision if precision else 0.0
        wanted += number
    return 2 * hits / (written + wanted)
