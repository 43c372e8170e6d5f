"""The scripted commander of CoPAL: naive commands for each step, and what feedback teaches it.

For each step it writes the one command that makes the step's sentence true (`command_writer`). It
does not know what a command needs. That it learns from failures (`learned_rules`), and it applies
what it learned to every later command of the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from regrasp.embedded.rules.command_writer import CommandWriter
from regrasp.embedded.rules.learned_rules import learn, read_call, takes_up
from regrasp.embedded.rules.parsed_prompt import ParsedPrompt
from regrasp.embedded.rules.sentences import fill
from regrasp.embedded.rules.specify import read_objects
from regrasp.prompts.command_line import CommandLine, FailedCommand
from regrasp.prompts.commands import LONGEST_COMMANDS
from regrasp.prompts.sections import numbered

__all__ = ["write_commands"]


def write_commands(asked: ParsedPrompt) -> str:
    """The reply to the prompt of `prompts.commands`."""
    writer, steps = _writer(asked), asked.items("Steps")
    for step in steps:
        if not writer.step(step):
            return f"Cannot: none of my commands does this: {step}"
    if not all(map(writer.is_done, steps)):  # what was set aside for a step undid another
        writer = _rewritten(asked, steps, writer)
    if len(writer.written) > LONGEST_COMMANDS:
        return f"Cannot: it takes more than {LONGEST_COMMANDS} commands"
    if not writer.written:
        return "Done"
    taught = "; ".join(dict.fromkeys(str(one) for one in writer.learned))
    thought = f"After the failures: {taught}" if taught else "One command for each step"
    return "\n".join([f"Thought: {thought[:290]}", *numbered(map(str, writer.written))])


def _writer(asked: ParsedPrompt) -> CommandWriter:
    commands = asked.parsed("Commands", CommandLine.read)
    failures = asked.parsed("Failures", FailedCommand.read)
    objects, known = read_objects(asked), frozenset(asked.items("Known"))
    writer = CommandWriter({one.name: one for one in commands}, objects, known)
    origins = tuple(_origins(asked.items("Done"), writer))
    writer.taken_from = dict(origins)
    writer.learned = tuple(learn(failures, writer.commands, objects, known, origins))
    writer.tried = frozenset(_destinations(asked.items("Done"), writer))
    words = " ".join(asked.items("Steps")).split()
    writer.wanted = frozenset(word for word in words if word in objects)
    return writer


def _rewritten(asked: ParsedPrompt, steps: tuple[str, ...], first: CommandWriter) -> CommandWriter:
    """The commands with all that stood in the way set aside first; as they were if that fails."""
    again = _writer(asked)
    again.clear(dict.fromkeys(first.cleared))
    done = all(map(again.step, steps)) and all(map(again.is_done, steps))
    return again if done else first


def _origins(done: Iterable[str], writer: CommandWriter) -> Iterator[tuple[str, str]]:
    """Where each object was taken from, as a sentence, by the commands that were done."""
    for command in done:
        call = read_call(command, writer.commands, writer.objects)
        line = writer.commands[call.name] if call is not None else None
        if call is None or line is None or not takes_up(line):
            continue
        places = [one for one in line.ends if {"X", "Y"} <= set(one.split())]
        if places and len(call.args) > 1:
            yield call.args[0], fill(places[0], {"X": call.args[0], "Y": call.args[1]})


def _destinations(done: Iterable[str], writer: CommandWriter) -> Iterator[tuple[str, str]]:
    """Where objects were brought, by the commands that were done."""
    for command in done:
        call = read_call(command, writer.commands, writer.objects)
        if call is not None and len(call.args) > 1 and not takes_up(writer.commands[call.name]):
            yield call.args[0], call.args[1]
