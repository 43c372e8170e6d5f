"""The plan over named skills (DoReMi, listing 2): the calls that remain, with their objects.

It is asked at the start and after every misalignment, with the present belief and with the history,
which includes the detector's messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from regrasp.core.action import Action
from regrasp.prompts.grammar import CANNOT, grammar, numbered_lines
from regrasp.prompts.names import Names
from regrasp.prompts.parsing import (
    Declined,
    Line,
    ParseError,
    declined,
    labelled,
    list_lines,
    parse_lines,
)
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import bullets, layout, section, titled
from regrasp.prompts.skills import SkillLine, argument_hint, call_rule
from regrasp.prompts.text import one_line, quoted

__all__ = ["LONGEST", "LONGEST_THOUGHT", "CallResult", "CallStatus", "SkillPlan", "SkillPlanPrompt"]

LONGEST = 16
"""The most calls of a plan."""

LONGEST_THOUGHT = 500
"""Characters of one thought: the requirements of a goal, and their requirements in turn."""

_SHOWN = 8
"""The number of latest calls in the prompt's history."""

_DONE = "Done"


_HAPPENED = re.compile(r'(?:- )?(did|failed|stopped) (\w+\([^()"]*\))((?:, "[^"]*")*)')


class CallStatus(StrEnum):
    """The status of a call."""

    DID = "did"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class CallResult:
    """A call, its status, and the messages of the robot or the detector."""

    status: CallStatus
    call: str
    messages: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ", ".join([f"{self.status} {one_line(self.call)}", *map(quoted, self.messages)])

    @classmethod
    def read(cls, line: str) -> CallResult | None:
        """The call result that `str` wrote, or None if the line is not of that form."""
        match = _HAPPENED.fullmatch(line)
        if match is None:
            return None
        return cls(CallStatus(match[1]), match[2], tuple(re.findall(r'"([^"]*)"', match[3])))


@dataclass(frozen=True, slots=True)
class SkillPlan:
    """The thought and the calls that follow from it; without calls, the goal is reached."""

    thought: str
    calls: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class SkillPlanPrompt(Prompt[SkillPlan]):
    """Ask which calls of `skills` reach `goal` from the `known` facts."""

    HEAD: ClassVar[str] = f"""Task: skills
Plan for a robot that is told what to do by calls of its skills. "needs" must be so before a call,
"needs not" must not be; "makes" is so after it and "ends" is not any more.
Rules:
- Give all calls that are left until the goal is reached, in order, and as few as will do.
- "Known" is what is so now, after all that happened; what is not listed there is not so, or nobody
  knows.
- "Happened" is what was tried, oldest first. What was stopped or failed may be tried again.
- {QUOTES}
Answer in this form:
Thought: one sentence
1. first call, for example pick(red_cup)
2. second call
Before any later call there may be another thought.
If what is known is the goal already, answer only "{_DONE}".
If no call can help, answer only "Cannot: " and why."""

    goal: str
    scene: SceneDescription
    skills: tuple[SkillLine, ...]
    known: tuple[str, ...] = ()
    history: tuple[CallResult, ...] = ()

    def render(self) -> str:
        """See `Prompt.render`."""
        parts = [
            titled("Goal", one_line(self.goal)),
            section("Objects", self.scene.lines()),
            section("Skills", bullets(map(str, self.skills))),
            section("Known", bullets(map(one_line, self.known))),
        ]
        if self.history:
            parts.append(section("Happened", bullets(map(str, self.history[-_SHOWN:]))))
        return layout(*parts)

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        calls = (call_rule(skill.name, skill.choices(self.scene)) for skill in self.skills)
        act = " | ".join(filter(None, calls))
        if not act:
            return grammar(f'"{_DONE}" | {CANNOT}')
        thought = rf'"Thought: " [^\n\r\t<>]{{1,{LONGEST_THOUGHT}}} "\n"'
        lines = numbered_lines("act", LONGEST, before="thought")
        root = f'thought {lines} | "{_DONE}" | {CANNOT}'
        return grammar(root, {"act": act, "thought": thought})

    def read(self, text: str) -> SkillPlan | Declined | ParseError:
        """See `Prompt.read`."""
        thoughts = (one_line(line.text) for line in labelled(text, "Thought"))
        thought = "; ".join(filter(None, thoughts))
        lines = list_lines(text)
        if lines and lines[-1].text.rstrip(".!").lower() == _DONE.lower():
            lines = lines[:-1]  # the paper's models end their plans with it
            if not lines:
                return SkillPlan(thought, ())
        if not lines and (cannot := declined(text)):
            return cannot
        if not lines and _says_done(text):
            return SkillPlan(thought, ())
        if not lines:
            hint = "Write 'Thought: ' and one sentence, then each call as '1. skill(name, …)'."
            return ParseError.whole(text, hint)
        calls = parse_lines(text, lines, LONGEST, "calls", lambda line: self._call(text, line))
        return calls if isinstance(calls, ParseError) else SkillPlan(thought, calls)

    def _call(self, text: str, line: Line) -> Action | ParseError:
        """Read a line of the reply as a call: `pick(red_block)`, or in words.

        The first word must be a skill; the names that follow are its arguments, in order.
        """
        word = re.match(r"[A-Za-z_]+", line.text)
        skill = next((s for s in self.skills if word and s.name == word[0].lower()), None)
        if word is None or skill is None:
            forms = "; ".join(one.head for one in self.skills)
            return ParseError.on(text, line, f"Write each step as one of: {forms}.")
        rest = Line(line.text[word.end() :], line.start + word.end())
        names = Names(tuple(thing.name for thing in self.scene.objects))
        if foreign := names.foreign(rest.text):
            return names.unknown(text, Line(foreign.text, rest.start + foreign.start))
        args = tuple(mention.name for mention in names.mentions(rest.text))
        if hint := argument_hint(skill.head, args, skill.choices(self.scene)):
            return ParseError.on(text, line, hint)
        return Action(skill.name, args)


def _says_done(text: str) -> bool:
    lines = (line.strip().rstrip(".!").lower() for line in text.split("\n"))
    return any(line == _DONE.lower() for line in lines)
