"""Shorten CoPAL's three prompts for the embedded language model: only what the request concerns.

A bar has some hundred facts and seventy objects, of which a drink needs fifteen. An object is *in
play* if the request, a step, a failure or the recipe names it, or if a fact relates it to an object
in play; a place that many things stand on passes nothing on. Facts and objects that are not in play
are left out, and the commands are given for the kinds that are left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["COPAL_TASKS", "shorten_copal"]

COPAL_TASKS = ("Task: interpret", "Task: specify", "Task: commands")

_TITLE = re.compile(r"([A-Z][A-Za-z ]{0,30}):(?: (.*))?")
_OBJECT = re.compile(r"(\w+)(?: \((\w+)\))?")
_HANDS = re.compile(r"\b(?:held|hand|gripper)\b")
_KINDS = re.compile(r"\b([XYZ]) ([^,();]+)")
_WORD = re.compile(r"\w+")
_INTO = re.compile(r"- into (\w+)")
_NAMES_IN_PLAY = {
    "Task: interpret": ("Says",),
    "Task: specify": ("Request", "Wanted", "Recipe", "Done", "Failures"),
    "Task: commands": ("Goal", "Steps", "Failures"),
}
_SUBSTANCE, _HAND = "substance", "hand"
_LATEST = 4
"""Lines of what was done and said that the interpreter is shown in any case."""


@dataclass(slots=True)
class _Section:
    title: str
    value: str
    lines: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        head = f"{self.title}: {self.value}".rstrip()
        return "\n".join((head, *self.lines)) if self.value or self.lines else f"{head} none"

    @property
    def text(self) -> str:
        """All of its text."""
        return "\n".join((self.value, *self.lines))


def shorten_copal(task: str, text: str) -> str:
    """The user's part of one of the three prompts in its short form."""
    sections = _sections(text)
    by_title = {one.title: one for one in sections}
    if "Objects" not in by_title or "Known" not in by_title:
        return text
    kinds = {m[1]: m[2] or "" for m in _OBJECT.finditer(by_title["Objects"].value)}
    facts = by_title["Known"].lines
    scene = _Scene(kinds, facts)
    titles = _NAMES_IN_PLAY[task]
    named = scene.named("\n".join(by_title[one].text for one in titles if one in by_title))
    if task == COPAL_TASKS[0]:
        named |= scene.named("\n".join(by_title["Dialogue"].lines[-2:]))
    into = {
        m[1] for one in by_title.get("Recipe", _Section("", "")).lines if (m := _INTO.match(one))
    }
    named |= {name for name, kind in kinds.items() if kind in into or kind == _HAND}
    kept, playing = scene.in_play(named)
    by_title["Known"].lines = kept
    if task == COPAL_TASKS[0]:
        _shorten_history(by_title["Done"], playing)
        return "\n".join(map(str, sections))
    bare = task == COPAL_TASKS[2]
    listed = [n for n in kinds if n in playing and not (bare and kinds[n] == _SUBSTANCE)]
    by_title["Objects"].value = ", ".join(f"{n} ({kinds[n]})" for n in listed) or "none"
    if "Commands" in by_title:
        left = {kinds[name] for name in listed}
        lines = (_fitting(line, left) for line in by_title["Commands"].lines)
        by_title["Commands"].lines = [line for line in lines if line]
    return "\n".join(str(one) for one in sections if one.title != "State")


@dataclass(slots=True)
class _Scene:
    """Objects with their kinds, and the facts, one line each."""

    kinds: dict[str, str]
    facts: list[str]
    places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Places are what stands nowhere: no fact with two objects begins with them."""
        related = (self._mentioned(line) for line in self.facts)
        located = {names[0] for names in related if len(names) > 1}
        fixed = (_SUBSTANCE, _HAND)
        self.places = {
            n for n, kind in self.kinds.items() if n not in located and kind not in fixed
        }

    def _mentioned(self, line: str) -> list[str]:
        return [word for word in _WORD.findall(line) if word in self.kinds]

    def named(self, text: str) -> set[str]:
        """The objects that a text names, as one word or as several: gin bottle, the gin bottles."""
        words = {
            form for word in _WORD.findall(text.lower()) for form in (word, word.removesuffix("s"))
        }
        return {
            name
            for name in self.kinds
            if name in words
            or all(part.removesuffix("s") in words for part in name.lower().split("_"))
        }

    def in_play(self, named: Iterable[str]) -> tuple[list[str], set[str]]:
        """The facts about what is in play, and all objects in play with all places."""
        active = set(named)
        while True:
            kept = [line for line in self.facts if self._concerns(line, active)]
            found = {n for line in kept for n in self._mentioned(line)}
            more = {n for n in found if n not in self.places and self.kinds[n] != _SUBSTANCE}
            if more <= active:
                return kept, active | found | self.places
            active |= more

    def _concerns(self, line: str, active: set[str]) -> bool:
        names = self._mentioned(line)
        if len(names) < 2:
            place = bool(names) and names[0] in self.places
            return not names or place or names[0] in active or _HANDS.search(line) is not None
        return any(name in active and name not in self.places for name in names)


def _shorten_history(done: _Section, playing: set[str]) -> None:
    latest = done.lines[-_LATEST:]
    concerned = [one for one in done.lines[:-_LATEST] if playing & set(_WORD.findall(one))]
    done.lines = [*concerned[-2 * _LATEST :], *latest]


def _fitting(line: str, kinds: set[str]) -> str:
    """The line of a command with the kinds that are left; "" if one of its objects has none."""
    head, close, rest = line.partition(")")
    for match in reversed(list(_KINDS.finditer(head))):
        fitting = [one for one in match[2].split(" or ") if one in kinds]
        if not fitting:
            return ""
        head = f"{head[: match.start()]}{match[1]} {' or '.join(fitting)}{head[match.end() :]}"
    return head + close + rest


def _sections(text: str) -> list[_Section]:
    found: list[_Section] = []
    for line in text.split("\n"):
        if title := _TITLE.fullmatch(line):
            found.append(_Section(title[1], title[2] or ""))
        elif found:
            found[-1].lines.append(line)
    return found
