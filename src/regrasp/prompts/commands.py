"""The third agent of CoPAL: the steps of a specification become commands of the robot.

The reply is read as lines of text, not as actions: a wrong command or name is for the logical
checker to find, which says what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.command_line import CommandLine, FailedCommand
from regrasp.prompts.grammar import CANNOT, choice, grammar, literal, numbered_lines
from regrasp.prompts.parsing import Declined, Line, ParseError, declined, labelled, list_lines
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.sections import bullets, layout, numbered, section, titled
from regrasp.prompts.specify import Specification, listed_objects
from regrasp.prompts.text import one_line

__all__ = ["LONGEST_COMMANDS", "CommandPlan", "CommandsPrompt"]

LONGEST_COMMANDS = 80
"""The most commands of a plan."""

_SHOWN = 40
"""Commands done that the prompt shows: the latest."""

_DONE = re.compile(r"(?im)^[ \t>*#-]*done[ \t\r.!*]*$")
_HINT = "Write 'Thought: ' and one sentence, then each command as '1. command(name, …)'."


@dataclass(frozen=True, slots=True)
class CommandPlan:
    """The thought, and the commands as they were written; none if nothing is left to do."""

    thought: str
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommandsPrompt(Prompt[CommandPlan]):
    """Ask which `commands` carry out the steps of `specification` from the `known` facts."""

    HEAD: ClassVar[str] = f"""Task: commands
Write the commands that make a robot carry out the steps. Another program runs them in order.
Rules:
- Use only the listed commands, with objects of the kinds that each takes, by their names.
- A command that ends with a unit takes a number of that unit as its last argument.
- "makes" can be true after a command, "ends" is not any more.
- "Known" is true now, after all that was "Done". Do not repeat what is done.
- "Failures" are commands that did not work. Do not write the same again without a change before it.
- {QUOTES}
Answer in this form:
Thought: one sentence
1. first command, for example get(red_cup, shelf)
2. second command
If nothing is left to do, answer only "Done".
If the commands cannot do it, answer only "Cannot: " and why."""

    specification: Specification
    objects: tuple[tuple[str, str], ...]
    commands: tuple[CommandLine, ...]
    known: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    failures: tuple[FailedCommand, ...] = ()

    def render(self) -> str:
        """See `Prompt.render`."""
        wanted = self.specification
        return layout(
            titled("Goal", one_line(wanted.goal)),
            section("Steps", numbered(map(one_line, wanted.steps))),
            titled("State", one_line(wanted.state) or "none"),
            titled("Objects", listed_objects(self.objects)),
            section("Commands", bullets(map(str, self.commands))),
            section("Known", bullets(map(one_line, self.known))),
            section("Done", bullets(map(one_line, self.done[-_SHOWN:]))),
            section("Failures", bullets(map(str, self.failures))),
        )

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        fitting = {kinds: self._names_of(kinds) for line in self.commands for kinds in line.takes}
        rules = {f"name{i}": choice(names) for i, names in enumerate(fitting.values()) if names}
        by_kinds = {k: f"name{i}" for i, k in enumerate(fitting) if fitting[k]}
        usable = (one for one in self.commands if all(kinds in by_kinds for kinds in one.takes))
        calls = [rule for one in usable for rule in _call_rules(one, by_kinds)]
        if not calls:
            return grammar(f'"Done" | {CANNOT}')
        rules |= {"call": " | ".join(calls), "number": "[0-9]{1,4}"}
        lines = numbered_lines("call", LONGEST_COMMANDS)
        thought = r'"Thought: " [^\n\r\t<>]{1,300} "\n"'
        return grammar(f'{thought} {lines} | "Done" | {CANNOT}', rules)

    def _names_of(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name, kind in self.objects if kind in kinds)

    def read(self, text: str) -> CommandPlan | Declined | ParseError:
        """See `Prompt.read`."""
        thought = "; ".join(filter(None, (one_line(one.text) for one in labelled(text, "Thought"))))
        lines = [line for line in list_lines(text) if not _says_done(line)]
        if len(lines) > LONGEST_COMMANDS:
            return ParseError.whole(text, f"Use at most {LONGEST_COMMANDS} commands.")
        if lines:
            return CommandPlan(thought, tuple(one_line(line.text) for line in lines))
        if cannot := declined(text):
            return cannot
        if any(map(_says_done, list_lines(text))) or _DONE.search(text):
            return CommandPlan(thought, ())
        return ParseError.whole(text, _HINT)


def _says_done(line: Line) -> bool:
    return _DONE.fullmatch(line.text) is not None


def _call_rules(command: CommandLine, names: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    """GBNF for the calls of a command: with every object, or without the last that may be left out.

    A call has one name of a fitting kind for each object, then the number if it takes one.
    """
    for left_out in range(command.optional + 1):
        taken = command.takes[: len(command.takes) - left_out]
        arguments = [names[kinds] for kinds in taken] + ["number"] * bool(command.unit)
        inner = ' ", " '.join(arguments)
        head = literal(command.name + "(")
        yield f'{head} {inner} ")"' if inner else literal(f"{command.name}()")
