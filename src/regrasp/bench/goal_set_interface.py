"""The interface of a set of instructions: its own habits, and how they are hidden from a model.

A set has habits of its own; an `Interface` hides them, as a robot's driver would. It is the same
for every row and never reads a row's goal:

- BEHAVIOR: `clean(x)` stands for `not dusty(x)` and `not stained(x)`, whichever is true at the
  start (the published models are shown the start too).
- VirtualHome: the person is no argument (`sitting()`, `person_on(couch)`); `holding` is the right
  hand, a second object the left one. Each relation has a fixed set of targets, which the published
  models are given: `inside(plate, dishwasher)` is read as `on` because only `on` takes dishwashers.
  With `implied`, a machine that is turned on is also plugged in and closed where its state at the
  start says that it has a plug or a door.
- LIBERO: regions are parts with names (`wooden_cabinet_1_top_drawer`); a region that is the only
  one of its object is the object itself; regions beside an object are `left_of` and the like.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from regrasp.core.object_description import ObjectDescription, kind_endings
from regrasp.prompts.scene import SceneDescription

__all__ = [
    "LITERAL", "InstructionRow", "Interface", "implied_literals", "interface_of", "kinds_of",
    "with_parts",
]  # fmt: skip

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
LITERAL = re.compile(r"(not )?(\w+)\((.*)\)")
"""A literal as text: its sign, its predicate and its arguments."""


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
class Interface:
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
            match = LITERAL.fullmatch(text)
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


def interface_of(
    arities: Mapping[str, int], seconds: Mapping[str, set[str]], rows: Sequence[InstructionRow]
) -> Interface:
    """The forms of a set, from the predicates of all its goals."""
    forms = {p: (n, _SENTENCES.get(p, f"X is {p.replace('_', ' ')}")) for p, n in arities.items()}
    targets = {name: frozenset(names) for name, names in seconds.items()}
    if "dusty" in forms:
        forms = {p: form for p, form in forms.items() if p not in ("dusty", "stained")}
        forms["clean"] = (1, _SENTENCES["clean"])
        return Interface(forms, targets)
    if "holds_rh" in forms:
        hidden = ("holds_rh", "holds_lh", "facing", "close", "sitting", "lying")
        forms = {p: form for p, form in forms.items() if p not in hidden}
        counts = {"sitting": 0, "lying": 0}
        forms |= {p: (counts.get(p, 1), text) for p, text in _PERSON_SENTENCES.items()}
        return Interface(forms, targets)
    if any(row.parts for row in rows):
        forms = {p: form for p, form in forms.items() if p != "turned_off"}
        forms |= {name: (2, _SENTENCES[name]) for name in _BESIDE}
    return Interface(forms)


def kinds_of(objects: Iterable[str], types: Mapping[str, str]) -> dict[str, str]:
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


def implied_literals(row: InstructionRow, literals: Iterable[str]) -> list[str]:
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


def with_parts(row: InstructionRow, types: Mapping[str, str]) -> InstructionRow:
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
