"""Sets of instructions with their goals: how well a language model turns one into the other.

A set is a file of JSON lines with `say`, `objects` and `goal`, and where it has them `init` (facts
at the start), `init_states`, `types`, and `goal_conditions` (for every condition its alternatives).
The goal that a model writes is expanded over the objects of the row and compared with the given
literals.

A set has habits of its own; an *interface* (`_Interface`) hides them, as a robot's driver would. It
is the same for every row and never reads a row's goal:

- BEHAVIOR: `clean(x)` stands for `not dusty(x)` and `not stained(x)`, whichever is true at the
  start (the published models are shown the start too).
- VirtualHome: the person is no argument (`sitting()`, `person_on(couch)`); `holding` is the right
  hand, a second object the left one. Each relation has a fixed set of targets, which the published
  models are given: `inside(plate, dishwasher)` is read as `on` because only `on` takes dishwashers.
  With `implied`, a machine that is turned on is also plugged in and closed where its state at the
  start says that it has a plug or a door.
- LIBERO: regions are parts with names (`wooden_cabinet_1_top_drawer`); a region that is the only
  one of its object is the object itself; regions beside an object are `left_of` and the like.

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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from regrasp.core.errors import RegraspError
from regrasp.core.fact import Fact, parse_literals
from regrasp.core.file_reading import MAX_FILE_BYTES, read_limited
from regrasp.core.goal_description import GoalDescription, Selection
from regrasp.core.json_text import parse_json
from regrasp.core.object_description import ObjectDescription, kind_endings
from regrasp.planners.goal_grounding import GroundedGoal, ground
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.scene import SceneDescription

__all__ = [
    "GoalScore",
    "GoalSet",
    "InstructionRow",
    "coverage_at",
    "published_f1",
    "read_set",
    "summary",
]

_SENTENCES = {
    "on": "X is on Y", "ontop": "X is on Y", "in": "X is inside Y", "inside": "X is inside Y",
    "under": "X is under Y", "nextto": "X is beside Y", "onfloor": "X is on the floor Y",
    "touching": "X touches Y", "holding": "the robot holds X", "open": "X is open",
    "closed": "X is closed", "turned_on": "X is turned on",
    "toggled_on": "X is turned on", "plugged_in": "X is plugged in", "hot": "X is hot",
    "cold": "X is cold", "clean": "X is clean", "soaked": "X is soaked with water",
    "sliced": "X is sliced", "cooked": "X is cooked", "frozen": "X is frozen",
    "left_of": "X is to the left of Y", "right_of": "X is to the right of Y",
    "in_front_of": "X is in front of Y", "behind": "X is behind Y",
}  # fmt: skip
_PERSON_SENTENCES = {
    "holding": "the person holds X", "facing": "the person faces X",
    "close": "the person is close to X", "sitting": "the person sits", "lying": "the person lies",
    "person_on": "the person is on X", "person_in": "the person is in X",
}  # fmt: skip
_PERSON = "character"
_SAME = {"in": "on", "inside": "on"}
_LITERAL = re.compile(r"(not )?(\w+)\((.*)\)")


@dataclass(frozen=True)
class InstructionRow:
    """An instruction, the objects it may name, and the literals that it asks for.

    `parts` maps an object of the prompt to the source's names: by predicate, or "" for all.
    """

    name: str
    say: str
    kinds: Mapping[str, str]
    goal: tuple[str, ...]
    init: tuple[str, ...] = ()
    conditions: tuple[tuple[tuple[str, ...], ...], ...] = ()
    states: Mapping[str, Sequence[str]] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def scene(self) -> SceneDescription:
        """The objects as a prompt lists them."""
        return SceneDescription(tuple(ObjectDescription(n, kind=k) for n, k in self.kinds.items()))


@dataclass(frozen=True)
class _Interface:
    """How the literals of a set are offered to a model, and how its literals are read back."""

    forms: Mapping[str, tuple[int, str]]
    """Every predicate with its number of arguments and its sentence."""
    targets: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """VirtualHome: which objects can be the second argument of a relation."""

    def literals(self, row: InstructionRow, found: Iterable[str]) -> list[str]:
        """The literals of a reply as the source writes them."""
        read: list[str] = []
        held = 0
        for text in found:
            match = _LITERAL.fullmatch(text)
            assert match is not None, text
            sign, name = match[1] or "", match[2]
            args = [arg.strip() for arg in match[3].split(",") if arg.strip()]
            if name == "clean" and "dusty" in self.targets:
                read += _dirt(row, args[0], bool(sign))
                continue
            if self.targets and row.states:
                name, args = self._of_person(name, args, held)
                held += name.startswith("holds")
            if row.parts and len(args) == 2 and name in _BESIDE:
                read.append(f"{sign}{name}({args[0]}, {args[1]})")
                continue
            args = [_source_name(row, name, place, arg) for place, arg in enumerate(args)]
            read.append(f"{sign}{name}({', '.join(args)})")
        return read

    def _of_person(self, name: str, args: list[str], held: int) -> tuple[str, list[str]]:
        """VirtualHome's own relation, with the person where it has one."""
        if name == "holding":
            return ("holds_lh" if held else "holds_rh"), [_PERSON, *args]
        if name in ("facing", "close", "sitting", "lying"):
            return name, [_PERSON, *args]
        if name in ("person_on", "person_in"):
            name, args = {"person_on": "on", "person_in": "inside"}[name], [_PERSON, *args]
        if name in ("on", "inside") and len(args) == 2 and args[1] not in self.targets[name]:
            other = "inside" if name == "on" else "on"
            name = other if args[1] in self.targets[other] else name
        return name, args


@dataclass(frozen=True)
class GoalSet:
    """The rows of a file, with one list of forms for all; `one_relation` counts in as on."""

    name: str
    rows: tuple[InstructionRow, ...]
    interface: _Interface
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
            read += _implied(row, read)
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
    return GoalSet(path.stem, tuple(rows), _interface(arities, seconds, rows), one, implied)


def _row(
    line: bytes, number: int, arities: dict[str, int], seconds: dict[str, set[str]]
) -> InstructionRow:
    """One line of a set; counts the arguments of each predicate, and collects its last ones."""
    row = cast("dict[str, Any]", parse_json(line))
    say, objects, goal = row["say"], row["objects"], _literals(row["goal"])
    conditions = [[_literals(a) for a in c] for c in row.get("goal_conditions", ())]
    for literal in (*goal, *(x for c in conditions for a in c for x in a)):
        match = _LITERAL.fullmatch(literal)
        if match is None:
            raise RegraspError(f"{literal!r} is no literal")
        args = [arg.strip() for arg in match[3].split(",")]
        arities[match[2]] = len(args)
        seconds.setdefault(match[2], set()).add(args[-1])
    init = () if "libero_object" in str(row.get("id")) else tuple(row.get("init") or ())
    made = InstructionRow(
        str(row.get("id", number)),
        say,
        _kinds(objects, row.get("types") or {}),
        goal,
        init,
        tuple(map(tuple, conditions)),
        row.get("init_states") or {},
    )
    return _with_parts(made, row.get("types") or {})


def _interface(
    arities: Mapping[str, int], seconds: Mapping[str, set[str]], rows: Sequence[InstructionRow]
) -> _Interface:
    """The forms of a set, from the predicates of all its goals."""
    forms = {p: (n, _SENTENCES.get(p, f"X is {p.replace('_', ' ')}")) for p, n in arities.items()}
    targets = {name: frozenset(names) for name, names in seconds.items()}
    if "dusty" in forms:
        forms = {p: form for p, form in forms.items() if p not in ("dusty", "stained")}
        forms["clean"] = (1, _SENTENCES["clean"])
        return _Interface(forms, targets)
    if "holds_rh" in forms:
        hidden = ("holds_rh", "holds_lh", "facing", "close", "sitting", "lying")
        forms = {p: form for p, form in forms.items() if p not in hidden}
        counts = {"sitting": 0, "lying": 0}
        forms |= {p: (counts.get(p, 1), text) for p, text in _PERSON_SENTENCES.items()}
        return _Interface(forms, targets)
    if any(row.parts for row in rows):
        forms = {p: form for p, form in forms.items() if p != "turned_off"}
        forms |= {name: (2, _SENTENCES[name]) for name in _BESIDE}
    return _Interface(forms)


def _kinds(objects: Iterable[str], types: Mapping[str, str]) -> dict[str, str]:
    """The kind of every object; the person of VirtualHome is not one of them."""
    listed = [name.replace("-", "_") for name in objects if name != _PERSON]
    numbered = any(re.search(r"_\d+$", name) for name in listed)
    return {
        name: types.get(name) or (re.sub(r"_\d+$", "", name) if numbered else name)
        for name in listed
    }


# ---- BEHAVIOR and VirtualHome --------------------------------------------------------------------


def _dirt(row: InstructionRow, name: str, negated: bool) -> list[str]:
    """What `clean(name)` means: without the dust and stains that it has at the start."""
    dirty = [p for p in ("dusty", "stained") if f"{p}({name})" in row.init] or ["stained"]
    return [f"{'' if negated else 'not '}{p}({name})" for p in dirty]


def _implied(row: InstructionRow, literals: Iterable[str]) -> list[str]:
    """A machine that is turned on is plugged in and closed, if it has a plug and a door."""
    added = []
    for text in literals:
        if match := re.fullmatch(r"turned_on\((\w+)\)", text):
            states = set(row.states.get(match[1], ()))
            added += [f"plugged_in({match[1]})"] if states & {"PLUGGED_IN", "PLUGGED_OUT"} else []
            added += [f"closed({match[1]})"] if states & {"OPEN", "CLOSED"} else []
    return added


# ---- LIBERO: regions -----------------------------------------------------------------------------

_BESIDE = ("left_of", "right_of", "in_front_of", "behind")
_SIDES = {"left": "left_of", "right": "right_of", "front": "in_front_of", "back": "behind"}
_REGION = re.compile(r"(.+_\d+)_(?:(\w+)_)?(region|side)")
_PART_WORDS = {"cabinet": "drawer", "shelf": "shelf", "caddy": "compartment"}


def _with_parts(row: InstructionRow, types: Mapping[str, str]) -> InstructionRow:
    """The row with its regions as parts that have words for names."""
    regions = {
        name: m for name in row.kinds if name not in types and (m := _REGION.fullmatch(name))
    }
    if not types:
        return row
    owned = Counter(m[1] for name, m in regions.items() if m[3] == "region")
    kinds = {name: kind for name, kind in row.kinds.items() if name not in regions}
    parts: dict[str, dict[str, str]] = {}
    for name, match in regions.items():
        owner, words = match[1], re.sub(r"_?(?:contain|heating|cook)$", "", match[2] or "")
        if match[3] == "side":
            parts.setdefault(owner, {})["on"] = name
        elif owned[owner] == 1:
            parts.setdefault(owner, {})["in"] = name
            if not any(m[1] == owner and m[3] == "side" for m in regions.values()):
                parts[owner]["on"] = name
        else:
            word = next((w for k, w in _PART_WORDS.items() if k in owner), "side")
            called = f"{owner}_{words}_{word}"
            kinds[called] = word
            parts[called] = {"": name}
    goal = tuple(_beside(literal, row) for literal in row.goal)
    goal = tuple(re.sub(r"^turned_off", "not turned_on", literal) for literal in goal)
    return InstructionRow(
        row.name, row.say, kinds, goal, row.init, row.conditions, row.states, parts
    )


def _source_name(row: InstructionRow, predicate: str, place: int, name: str) -> str:
    """The name that the source uses for an object or part as this argument."""
    names = row.parts.get(name, {})
    if "" in names:
        return names[""]
    return names.get(predicate, name) if place else name


def _beside(literal: str, row: InstructionRow) -> str:
    """`on(plate_1, main_table_stove_front_region)` is `in_front_of(plate_1, flat_stove_1)`."""
    match = re.fullmatch(r"on\((\w+), (\w+)_(left|right|front|back)_region\)", literal)
    if match is None or f"{match[2]}_{match[3]}_region" in row.kinds:
        return literal
    for name in row.kinds:
        if kind_endings(name)[0] in match[2].split("_")[-1:]:
            return f"{_SIDES[match[3]]}({match[1]}, {name})"
    return literal


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
