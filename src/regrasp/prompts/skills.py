"""Named skills as text: one line each, with what a skill takes, needs, makes and ends.

    - place(X block, Y block or fixture): needs X is held by the robot; needs not anything is on Y;
      makes X is on Y; ends X is held by the robot                                     (one line)

The sentences are the statements of visual questions; `anything` stands for any object. The text
reads back to the same value.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from regrasp.prompts.grammar import choice, literal
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.text import one_line

__all__ = [
    "VARIABLES",
    "SkillLine",
    "argument_hint",
    "bound",
    "call_rule",
    "read_kinds",
    "write_kinds",
]

VARIABLES = ("X", "Y", "Z")
"""The variables for the arguments of a skill."""

_MARKS = ("needs not", "needs", "makes", "ends")
_VARIABLE = re.compile(rf"\b(?:{'|'.join(VARIABLES)})\b")
_LINE = re.compile(r"(?:- )?(\w+)\(([^()]*)\)(?:: (.*))?")


def write_kinds(takes: Iterable[tuple[str, ...]]) -> str:
    """The kinds that each argument takes, e.g. `X block, Y block or fixture`."""
    return ", ".join(f"{v} {' or '.join(k)}" for v, k in zip(VARIABLES, takes, strict=False))


def read_kinds(text: str) -> tuple[tuple[str, ...], ...] | None:
    """The kinds that `write_kinds` wrote, or None if the text is not of that form."""
    takes: list[tuple[str, ...]] = []
    for part in filter(None, text.split(", ")):
        variable, _, kinds = part.partition(" ")
        if len(takes) >= len(VARIABLES) or variable != VARIABLES[len(takes)] or not kinds:
            return None
        takes.append(tuple(kinds.split(" or ")))
    return tuple(takes)


@dataclass(frozen=True, slots=True)
class SkillLine:
    """A skill; `takes` has the kinds of object that each argument may be.

    The sentences use X, Y and Z for the arguments: what must be true (`needs`), what must be false
    (`bars`), what is true afterwards (`makes`), and what is false afterwards (`ends`).
    """

    name: str
    takes: tuple[tuple[str, ...], ...] = ()
    needs: tuple[str, ...] = ()
    bars: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """Name and arguments, e.g. `place(X block, Y block or fixture)`."""
        return f"{self.name}({write_kinds(self.takes)})"

    def __str__(self) -> str:
        marked = zip(_MARKS, (self.bars, self.needs, self.makes, self.ends), strict=True)
        by_mark = {mark: [f"{mark} {one}" for one in used] for mark, used in marked}
        order = ("needs", "needs not", "makes", "ends")
        facts = [fact for mark in order for fact in by_mark[mark]]
        return f"{self.head}: {'; '.join(facts)}" if facts else self.head

    @classmethod
    def read(cls, line: str) -> SkillLine | None:
        """The skill that `str` wrote, or None if the line is not of that form."""
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        takes = read_kinds(match[2])
        if takes is None:
            return None
        found: dict[str, list[str]] = {mark: [] for mark in _MARKS}
        for fact in filter(None, (match[3] or "").split("; ")):
            mark = next((m for m in _MARKS if fact.startswith(f"{m} ")), None)
            if mark is None:
                return None
            found[mark].append(fact.removeprefix(f"{mark} "))
        bars, needs, makes, ends = (tuple(found[mark]) for mark in _MARKS)
        return cls(match[1], takes, needs, bars, makes, ends)

    def choices(self, scene: SceneDescription) -> tuple[tuple[str, ...], ...]:
        """The names that each argument may be."""
        return tuple(
            tuple(thing.name for thing in scene.objects if thing.kind in kinds)
            for kinds in self.takes
        )


def argument_hint(head: str, args: Sequence[str], choices: Sequence[tuple[str, ...]]) -> str:
    """How to write a call of `head` over `choices`; "" if `args` are one of each, none twice."""
    if len(args) == len(choices) == len(set(args)) and all(map(operator.contains, choices, args)):
        return ""
    takes = "; ".join(
        f"{variable} is one of {', '.join(possible) or 'nothing here'}"
        for variable, possible in zip(VARIABLES, choices, strict=False)
    )
    return f"Write it as {head}" + (f", where {takes}." if takes else ".")


def call_rule(name: str, choices: Sequence[tuple[str, ...]]) -> str:
    """GBNF for a call of `name` over `choices`; "" where that is impossible."""
    if not choices:
        return literal(f"{name}()")
    inner = _arguments(choices)
    return f"{literal(f'{name}(')} {inner} {literal(')')}" if inner else ""


def _arguments(choices: Sequence[tuple[str, ...]], used: tuple[str, ...] = ()) -> str:
    """GBNF for one name of each of `choices`, none of them twice; "" where that is impossible."""
    names = tuple(name for name in choices[0] if name not in used)
    if len(choices) == 1:
        return choice(names) if names else ""
    later = {name for possible in choices[1:] for name in possible}
    apart = tuple(name for name in names if name not in later)
    starts = (*((name,) for name in names if name in later), apart)
    ways = ((start, _arguments(choices[1:], (*used, *start))) for start in starts if start)
    forms = [f"{choice(start)} {literal(', ')} {rest}" for start, rest in ways if rest]
    return f"({' | '.join(forms)})" if forms else ""


def bound(sentences: Iterable[str], args: tuple[str, ...]) -> Iterator[str]:
    """Sentences with their variables replaced by names."""
    names = dict(zip(VARIABLES, args, strict=False))
    for sentence in sentences:
        yield _VARIABLE.sub(lambda match: names.get(match[0], match[0]), one_line(sentence))
