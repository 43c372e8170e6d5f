"""What a grammar allows next, after the beginning of a text.

It reads the GBNF that our prompts write: rules, alternatives, literals, classes of characters, and
the repetitions `?`, `*`, `+` and `{m,n}`. It follows all readings of a text side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from regrasp.core.errors import RegraspError

__all__ = ["GrammarPrefix"]

_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<class>\[(?:[^\]\\]|\\.)*\])'
    r"|(?P<times>[?*+]|\{\d+(?:,\d*)?\})|(?P<rule>[a-z][\w-]*)|(?P<mark>[()|]))"
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class _Class:
    """One character of a class."""

    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Rule:
    """Another rule."""

    name: str


_Element: TypeAlias = str | _Class | _Rule
_Sequence: TypeAlias = tuple[_Element, ...]
_Stack: TypeAlias = "tuple[_Sequence, int, int, _Stack] | None"
"""A sequence, the place in it, the place in its literal, and what follows it."""


@dataclass(slots=True)
class _Rules:
    """The alternatives of every rule; groups and repetitions become rules of their own."""

    rules: dict[str, list[_Sequence]] = field(default_factory=dict)

    def read(self, grammar: str) -> None:
        for line in grammar.strip().splitlines():
            name, mark, body = line.partition(" ::= ")
            tokens = list(_tokens(body))
            if not mark:
                raise RegraspError(f"no rule of a grammar: {line[:60]!r}; write NAME ::= BODY.")
            self.rules[name] = self._alternatives(tokens)
            if tokens:
                raise RegraspError(f"a ) too many in the rule {name} of a grammar.")
        used = {
            one.name
            for rule in self.rules.values()
            for sequence in rule
            for one in sequence
            if isinstance(one, _Rule)
        }
        if missing := sorted({"root", *used} - set(self.rules)):
            raise RegraspError(f"a grammar has no rule {missing[0]}; write {missing[0]} ::= BODY.")

    def _alternatives(self, tokens: list[tuple[str, str]]) -> list[_Sequence]:
        """Up to the end or a closing parenthesis; takes them from `tokens`."""
        found: list[list[_Element]] = [[]]
        while tokens and tokens[0] != ("mark", ")"):
            kind, value = tokens.pop(0)
            if kind == "text":
                text = re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), value[1:-1])
                found[-1].append(text)
            elif kind == "class":
                found[-1].append(_Class(re.compile(value)))
            elif kind == "rule":
                found[-1].append(_Rule(value))
            elif kind == "times":
                if not found[-1]:
                    raise RegraspError(f"nothing stands before {value} in a grammar.")
                found[-1].append(self._repeated(found[-1].pop(), value))
            elif value == "|":
                found.append([])
            else:
                group = self._alternatives(tokens)
                if not tokens:
                    raise RegraspError("a ( of a grammar is not closed.")
                tokens.pop(0)
                found[-1].append(self._named(group))
        return [tuple(one for one in sequence if one != "") for sequence in found]

    def _named(self, alternatives: list[_Sequence]) -> _Rule:
        """A rule of its own."""
        name = f" {len(self.rules)}"
        self.rules[name] = alternatives
        return _Rule(name)

    def _repeated(self, one: _Element, times: str) -> _Rule:
        bounds = {"?": "0,1", "*": "0,", "+": "1,"}.get(times, times.strip("{}"))
        least, comma, most = bounds.partition(",")
        if comma and not most:
            more = self._named([()])
            self.rules[more.name].append((one, more))
        else:
            more = self._named([()])
            for _ in range(int(most or least) - int(least)):
                more = self._named([(), (one, more)])
        return self._named([(*([one] * int(least)), more)])


def _tokens(body: str) -> Iterator[tuple[str, str]]:
    at = 0
    while body[at:].strip():
        match = _TOKEN.match(body, at)
        if match is None or match.lastgroup is None:
            raise RegraspError(f"cannot read a grammar at {body[at : at + 40]!r}.")
        yield match.lastgroup, match[match.lastgroup]
        at = match.end()


@lru_cache(maxsize=8)
def _read(grammar: str) -> dict[str, list[_Sequence]]:
    made = _Rules()
    made.read(grammar)
    return made.rules


@dataclass(frozen=True, slots=True)
class GrammarPrefix:
    """The readings of the beginning of a text; without any, the text is not of the grammar."""

    rules: dict[str, list[_Sequence]]
    stacks: tuple[_Stack, ...]

    @classmethod
    def of(cls, grammar: str) -> GrammarPrefix:
        """Before any text."""
        rules = _read(grammar)
        return cls(rules, _opened(rules, (((_Rule("root"),), 0, 0, None),)))

    @property
    def whole(self) -> bool:
        """Whether the text may end here."""
        return None in self.stacks

    def after(self, text: str) -> GrammarPrefix:
        """With more text."""
        stacks = self.stacks
        for character in text:
            moved = (_moved(stack, character) for stack in stacks if stack is not None)
            stacks = _opened(self.rules, (stack for one in moved for stack in one))
        return GrammarPrefix(self.rules, stacks)

    def takes(self, text: str) -> bool:
        """Whether the text may go on so."""
        return bool(self.after(text).stacks)


def _moved(stack: _Stack, character: str) -> Iterator[_Stack]:
    """The stack after a character, if its next element takes it."""
    assert stack is not None
    sequence, place, offset, rest = stack
    element = sequence[place]
    if isinstance(element, str):
        if element[offset] == character:
            done = offset + 1 == len(element)
            yield (sequence, place + done, 0 if done else offset + 1, rest)
    elif isinstance(element, _Class) and element.pattern.fullmatch(character):
        yield (sequence, place + 1, 0, rest)


def _opened(rules: dict[str, list[_Sequence]], stacks: Iterable[_Stack]) -> tuple[_Stack, ...]:
    """The stacks with a character next, or None for the end; rules give way to what they say."""
    found: dict[_Stack, None] = {}
    seen: set[_Stack] = set()
    waiting = list(stacks)
    while waiting:
        stack = waiting.pop()
        while stack is not None and stack[1] == len(stack[0]):
            stack = stack[3]
        if stack in seen:
            continue
        seen.add(stack)
        element = None if stack is None else stack[0][stack[1]]
        if stack is None or not isinstance(element, _Rule):
            found[stack] = None
            continue
        rest: _Stack = (stack[0], stack[1] + 1, 0, stack[3])
        waiting += [(one, 0, 0, rest) for one in rules[element.name]]
    return tuple(found)
