"""The second agent of CoPAL: a request becomes a goal, its objects, the state and the steps left.

The steps are in plain words. World knowledge may come from the model itself or from two tools: a
recipe that it looks up, or the reading of a sentence as facts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.command_line import FailedCommand
from regrasp.prompts.grammar import CANNOT, WORDS, grammar, numbered_lines
from regrasp.prompts.names import Names
from regrasp.prompts.parsing import Declined, ParseError, declined, labelled, list_lines
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.sections import bullets, layout, section, titled
from regrasp.prompts.text import one_line

__all__ = ["LONGEST_SPECIFICATION", "Specification", "SpecifyPrompt", "listed_objects"]

LONGEST_SPECIFICATION = 40
"""The most steps of a specification."""

_SHOWN = 40
"""Commands done that the prompt shows: the latest."""

_LINE = r"[^ \n\r\t<>] [^\n\r\t<>]{0,399}"
"""A line that names many objects, for the grammar."""

_DONE = re.compile(r"(?im)^[ \t>*#-]*done[ \t\r.!*]*$")
_HINT = (
    "Write 'Goal: ', 'Objects: ' and 'State: ' with one line each, then 'Steps:' and each step as "
    "'1. …'; or 'Done', 'Look up: NAME', 'Read: SENTENCE' or 'Cannot: ' and why."
)


@dataclass(frozen=True, slots=True)
class Specification:
    """The goal, the objects, the state and the steps left, in words; no steps: it is reached.

    With `look_up` the planner wants a recipe first, with `read` the facts that a sentence means.
    """

    goal: str = ""
    objects: tuple[str, ...] = ()
    state: str = ""
    steps: tuple[str, ...] = ()
    look_up: str = ""
    read: str = ""


@dataclass(frozen=True, slots=True)
class SpecifyPrompt(Prompt[Specification]):
    """Ask what `request` comes to, given the `known` facts.

    `objects` are (name, kind). `wanted` are facts that the request was read as, `recipes` names
    that can be looked up, `recipe` the lines of the recipe that was looked up, `done` the commands
    that succeeded for this request, and `failures` those that did not.
    """

    HEAD: ClassVar[str] = f"""Task: specify
A person requests something of a robot. Say what it comes to; another planner writes the commands.
Rules:
- Think in this order: the goal, the objects that are needed, their state now, the steps left.
- Use only the listed objects, by their names. Each step is one short sentence and says how much.
- "Known" is true now, after all that was "Done"; what is not listed there is not true, or unknown.
- "Wanted" is what the request means, where that is known: it must be true in the end.
- "Failures" are commands that did not work. Find steps that avoid the failure or remove its cause.
- {QUOTES}
Answer in this form:
Goal: one sentence
Objects: their names
State: one sentence about those objects
Steps:
1. first step
2. second step
If nothing is left to do, answer only "Done".
If you need a recipe of the list, answer only "Look up: " and its name.
If the request should first be read as facts about the objects, answer only "Read: " and the request.
If it cannot be done, answer only "Cannot: " and why."""  # noqa: E501

    request: str
    objects: tuple[tuple[str, str], ...]
    known: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    recipe_name: str = ""
    recipe: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    failures: tuple[FailedCommand, ...] = ()

    def render(self) -> str:
        """See `Prompt.render`."""
        parts = [
            titled("Request", one_line(self.request)),
            titled("Objects", listed_objects(self.objects)),
            section("Known", bullets(map(one_line, self.known))),
        ]
        if self.wanted:
            parts.append(section("Wanted", bullets(map(one_line, self.wanted))))
        if self.recipes:
            parts.append(titled("Recipes", one_line(", ".join(self.recipes), 4000)))
        if self.recipe:
            parts.append(titled("Recipe name", one_line(self.recipe_name)))
            parts.append(section("Recipe", bullets(map(one_line, self.recipe))))
        parts.append(section("Done", bullets(map(one_line, self.done[-_SHOWN:]))))
        parts.append(section("Failures", bullets(map(str, self.failures))))
        return layout(*parts)

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        steps = numbered_lines("step", LONGEST_SPECIFICATION)
        tools = f'"Look up: " {WORDS} | "Read: " {WORDS}'
        whole = rf'"Goal: " step "\nObjects: " line "\nState: " line "\nSteps:\n" {steps}'
        rules = {"step": WORDS, "line": _LINE}
        return grammar(f'{whole} | "Done" | {tools} | {CANNOT}', rules)

    def read(self, text: str) -> Specification | Declined | ParseError:
        """See `Prompt.read`."""
        head = re.search(r"(?im)^[ \t>*#-]*steps?[*_]*[ \t]*:", text)
        lines = list_lines(text[head.end() :]) if head else ()
        steps = tuple(filter(None, (one_line(one.text) for one in lines)))
        if len(steps) > LONGEST_SPECIFICATION:
            return ParseError.whole(text, f"Use at most {LONGEST_SPECIFICATION} steps.")
        goal, listed, state = (_first(text, label) for label in ("Goal", "Objects", "State"))
        if steps:
            names = Names(tuple(name for name, _ in self.objects))
            found = dict.fromkeys(one.name for one in names.mentions(listed))
            return Specification(goal, tuple(found), state, steps)
        looked_up, sentence = _first(text, "look up"), _first(text, "read")
        if looked_up or sentence:
            return Specification(look_up=looked_up, read="" if looked_up else sentence)
        if cannot := declined(text):
            return cannot
        if _DONE.search(text):
            return Specification(goal)
        return ParseError.whole(text, _HINT)


def listed_objects(objects: tuple[tuple[str, str], ...]) -> str:
    """Objects on one line, each with its kind, e.g. `gin_bottle (bottle), tray (tray)`."""
    return ", ".join(f"{name} ({kind})" for name, kind in objects) or "none"


def _first(text: str, label: str) -> str:
    """The first text after a label; "" if there is none."""
    return next((one_line(one.text) for one in labelled(text, label) if one.text), "")
