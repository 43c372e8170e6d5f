"""The goal of an instruction: which facts must be true once a robot has carried it out.

A model chooses from a closed list of forms, each a predicate with the kinds of object it takes and
the sentence that it stands for:

    - on(X block, Y block or fixture): X is on Y

The reply is a list of typed literals. A planner, a monitor and a judge read the same value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from regrasp.core.fact import Fact, Literal
from regrasp.core.goal import VARIABLE_MARK, Goal, is_variable
from regrasp.prompts.grammar import CANNOT, grammar, literal
from regrasp.prompts.names import Names
from regrasp.prompts.parsing import Declined, Line, ParseError, declined, parse_lines
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import bullets, layout, section, titled
from regrasp.prompts.skills import argument_hint, call_rule, read_kinds, write_kinds
from regrasp.prompts.text import one_line

__all__ = ["LONGEST_GOAL", "GoalForm", "GoalPrompt"]

LONGEST_GOAL = 12
"""The most literals of a goal."""

_NOT = "not "
_FORM = re.compile(r"(?:- )?(\w+)\(([^()]*)\): (.+)")
_LABEL = re.compile(r"(?im)^[ \t>*#-]*goal[*_]*[ \t]*:[*_]*")
_MARK = re.compile(r"[ \t]*(?:\(?\d{1,3}[.):][ \t]*|[-*•>][ \t]+)?")
_CALL = re.compile(r"(not\s+)?(\w+)\s*\(([^()]*)\)[.,;]?", re.IGNORECASE)
_LINES = "one literal per line, for example on(red_cup, tray), with 'not ' before one that must be"
_HINT = f"Write 'Goal:' and then {_LINES} false."


@dataclass(frozen=True, slots=True)
class GoalForm:
    """A predicate, the kinds that each argument takes, and its sentence over X and Y."""

    predicate: str
    takes: tuple[tuple[str, ...], ...]
    sentence: str

    @property
    def head(self) -> str:
        """Predicate and arguments, e.g. `on(X block, Y block or fixture)`."""
        return f"{self.predicate}({write_kinds(self.takes)})"

    def __str__(self) -> str:
        return f"{self.head}: {one_line(self.sentence)}"

    @classmethod
    def read(cls, line: str) -> GoalForm | None:
        """The form that `str` wrote, or None if the line is not one."""
        match = _FORM.fullmatch(line)
        if match is None:
            return None
        takes = read_kinds(match[2])
        if takes is None:
            return None
        return cls(match[1], takes, match[3])

    def choices(self, scene: SceneDescription) -> tuple[tuple[str, ...], ...]:
        """What each argument may be: objects by name, then `?kind` for any object of a kind."""
        present = {thing.kind for thing in scene.objects}
        return tuple(
            (
                *(thing.name for thing in scene.objects if thing.kind in kinds),
                *(VARIABLE_MARK + kind for kind in kinds if kind in present),
            )
            for kinds in self.takes
        )


@dataclass(frozen=True, slots=True)
class GoalPrompt(Prompt[Goal]):
    """Ask what must be true at the end of `instruction`, in the `forms` that this scene allows.

    `scene` lists every object that a literal may name, also those that no camera shows, such as
    rooms and liquids.
    """

    HEAD: ClassVar[str] = f"""Task: goal
A person gives a robot an instruction. Write down the facts that must be true when it is done.
Rules:
- Use only the listed forms, with objects of the kinds that each form takes.
- Where any object of a kind will do, write {VARIABLE_MARK}kind in place of a name, for example
  {VARIABLE_MARK}cup. The same {VARIABLE_MARK}kind is the same object in every line.
- Write what the person wants in the end, not the steps that lead there.
- A word for several objects, such as "the cups", needs one line for each of them.
Answer in this form, one fact per line, with "not " before a fact that must be false:
Goal:
on(red_cup, tray)
not closed(oven)
If the forms cannot express the instruction, answer only "Cannot: " and why."""

    instruction: str
    scene: SceneDescription
    forms: tuple[GoalForm, ...]

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            titled("Instruction", one_line(self.instruction)),
            section("Objects", self.scene.lines()),
            section("Forms", bullets(map(str, self.forms))),
        )

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        rules = (call_rule(form.predicate, form.choices(self.scene)) for form in self.forms)
        facts = list(filter(None, rules))
        if not facts:
            return grammar(CANNOT)
        line = rf'"\n" {literal(_NOT)}? fact'
        root = f'"Goal:" ({line}){{1,{LONGEST_GOAL}}} | {CANNOT}'
        return grammar(root, {"fact": " | ".join(facts)})

    def read(self, text: str) -> Goal | Declined | ParseError:
        """See `Prompt.read`."""
        label = _LABEL.search(text)
        lines = tuple(_lines(text, label.end())) if label else ()
        if not lines:
            return declined(text) or ParseError.whole(text, _HINT)
        found = parse_lines(
            text, lines, LONGEST_GOAL, "literals", lambda line: self._literal(text, line)
        )
        return found if isinstance(found, ParseError) else Goal(tuple(dict.fromkeys(found)))

    def _literal(self, text: str, line: Line) -> Literal | ParseError:
        match = _CALL.fullmatch(line.text)
        if match is None:
            return ParseError.on(text, line, _HINT)
        form = next((f for f in self.forms if f.predicate == match[2].lower()), None)
        if form is None:
            heads = "; ".join(f.head for f in self.forms) or "none"
            return ParseError.on(text, line, f"Use only these forms: {heads}.")
        args: list[str] = []
        for piece in filter(None, map(str.strip, match[3].split(","))):
            name = self._name(piece)
            if name is None:
                start = text.index(piece, line.start)
                return self._names().unknown(text, Line(piece, start))
            args.append(name)
        if hint := argument_hint(form.head, args, form.choices(self.scene)):
            return ParseError.on(text, line, hint)
        return Literal(Fact(form.predicate, tuple(args)), match[1] is None)

    def _names(self) -> Names:
        """Objects by name, then the variables that some form takes."""
        every = (name for form in self.forms for one in form.choices(self.scene) for name in one)
        return Names.of((thing.name for thing in self.scene.objects), filter(is_variable, every))

    def _name(self, piece: str) -> str | None:
        """The object or variable that a piece of a reply names, or None."""
        if is_variable(piece):
            return piece.lower() if piece.lower() in self._names().known else None
        return self._names().find(piece)


def _lines(text: str, start: int) -> Iterator[Line]:
    """The lines of a goal: from its label to the first blank line after a literal."""
    found = False
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        body = text[start:end]
        mark = _MARK.match(body)
        inner = body[mark.end() if mark else 0 :]
        stripped = inner.strip().strip("`").strip()
        if stripped:
            found = True
            yield Line(stripped, start + body.index(stripped))
        elif found:
            return
        start = end + 1
