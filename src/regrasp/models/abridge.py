"""What the embedded model need not read of our prompts is left out before it is asked.

A large model must be told the rules of a question; ours was taught them, so the head shrinks to the
line that names the question. Of the objects it is told the joints and spots only where a motion is
planned, of the robot's report only the code and never a bare number, and no list of names that the
motion plan or the call repeats. That takes a plan's prompt from some 500 tokens to 110, which is
what makes it quick on a CPU. The lines of skills stay whole: they differ from robot to robot; what
can be done with an object goes instead, since they say it of its kind. What happened goes too: what
is known is so now, whatever came before, and nobody should work it out again from the calls. A
place whose state nobody saw is told to a planner as closed, which is how it must be treated:
opening what is open costs a step, not the goal. Any conversation that is not one of our prompts is
left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from regrasp.models.language import Message, Role

__all__ = ["shorten_messages"]

_TASK = re.compile(r"Task: [a-z ]+")
_PARTS = re.compile(r"; joint \w+ by \w+|; spot \w+")
_REPORT = re.compile(r'- robot: "\(\w+/(\w+)\) .*"')
_NUMBER = re.compile(r'- robot: "-?[\d.]+"')
_TITLE = re.compile(r"[A-Z][A-Za-z ]{0,30}:")
_CAN = re.compile(r"; can [a-z, ]+")
_MOVES = "Task: motion plan"
_CALLS = "Task: skills"
_SAID_BY_KIND = (_CALLS, "Task: goal")
_NAMELESS = ("Task: rewards", "Task: constraints")
_PLANS = ("Task: plan", "Task: step needed")
_OPENS = re.compile(r"(- \w+: \w+; can open\b(?:(?!; now ).)*?)((?:; not in sight)?)")


def shorten_messages(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The conversation as the embedded model is asked it."""
    if not messages or messages[0].role is not Role.SYSTEM:
        return tuple(messages)
    task = messages[0].content.partition("\n")[0]
    if not _TASK.fullmatch(task):
        return tuple(messages)
    return (
        replace(messages[0], content=task),
        *(
            replace(m, content=_shortened(task, m.content)) if m.role is Role.USER else m
            for m in messages[1:]
        ),
    )


def _shortened(task: str, text: str) -> str:
    kept: list[str] = []
    section = ""
    for line in text.split("\n"):
        if title := _TITLE.match(line):
            section = title[0]
        if task in _NAMELESS and section in ("Names:", "Joints:"):
            continue
        if task == _CALLS and section == "Happened:":
            continue
        if section == "Failed attempts:":
            if not _NUMBER.fullmatch(line):
                kept.append(_REPORT.sub(r'- robot: "\1"', line))
        elif section == "Objects:" and task != _MOVES:
            bare = _PARTS.sub("", line)
            kept.append(_CAN.sub("", bare) if task in _SAID_BY_KIND else _stated(task, bare))
        else:
            kept.append(line)
    return "\n".join(kept)


def _stated(task: str, line: str) -> str:
    """The line of an object; for a planner, one that opens says whether it is open."""
    unknown = _OPENS.fullmatch(line) if task in _PLANS else None
    return f"{unknown[1]}; now closed{unknown[2]}" if unknown else line
