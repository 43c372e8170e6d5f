"""Shorten our prompts for the embedded language model, which was trained on the short form.

A large model needs the rules of a question in the prompt. The embedded model was trained on them,
so the head is reduced to the line that names the question. It gets no examples, and the question is
not repeated at the end. The other cuts:

- joints and spots of an object are kept only for a motion plan;
- the robot's report is reduced to its code, and a report that is a bare number is dropped;
- lists of names that the motion plan or the call repeats are dropped;
- lines of skills are kept whole, because they differ from robot to robot; what an object allows is
  dropped instead, because these lines give it by kind;
- the history of calls is dropped: the known facts already give the present state;
- a place of unknown state is given to a planner as closed. That is the safe assumption: opening
  an open place costs a step, not the goal;
- a step of a plan that is asked about is given by its number alone;
- CoPAL's prompts keep the facts and objects that the request concerns (`models.abridge_copal`);
- IALP's prompt gets a line for each call in place of its PDDL (`models.abridge_next_action`).

This takes a plan's prompt from some 500 tokens to 110, which makes it quick on a CPU. A
conversation that is not one of our prompts is left unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from regrasp.embedded.abridge_copal import COPAL_TASKS, shorten_copal
from regrasp.embedded.abridge_next_action import NEXT_ACTION_TASK, shorten_next_action
from regrasp.models.language import Message, Role
from regrasp.prompts.prompt import TO_ANSWER, without_examples

__all__ = ["shorten_messages"]

_TASK = re.compile(r"Task: [a-z ]+")
_PARTS = re.compile(r"; joint \w+ by \w+|; spot \w+")
_REPORT = re.compile(r'- robot: "\(\w+/(\w+)\) .*"')
_NUMBER = re.compile(r'- robot: "-?[\d.]+"')
_TITLE = re.compile(r"[A-Z][A-Za-z ]{0,30}:")
_CAN = re.compile(r"; can [a-z, ]+")
_MOVES = "Task: motion plan"
_CALLS = "Task: skills"
_GOAL = "Task: goal"
_KINDS = re.compile(r"\b([XYZ]) [^;()]+")
_NAMELESS = ("Task: rewards", "Task: constraints")
_ASKED = f"{TO_ANSWER}:"
_STEP_NEEDED = "Task: step needed"
_PLANS = ("Task: plan", _STEP_NEEDED)
_OPENS = re.compile(r"(- \w+: \w+; can open\b(?:(?!; now ).)*?)((?:; not in sight)?)")


def shorten_messages(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The conversation in the short form for the embedded language model."""
    if not messages or messages[0].role is not Role.SYSTEM:
        return tuple(messages)
    task = messages[0].content.partition("\n")[0]
    if not _TASK.fullmatch(task):
        return tuple(messages)
    return (
        replace(messages[0], content=task),
        *(
            replace(m, content=_shortened(task, m.content)) if m.role is Role.USER else m
            for m in without_examples(messages[1:])
        ),
    )


def _shortened(task: str, text: str) -> str:
    if task in COPAL_TASKS:
        return shorten_copal(task, text)
    if task == NEXT_ACTION_TASK:
        return shorten_next_action(text)
    kept: list[str] = []
    section = ""
    for line in text.split("\n"):
        if title := _TITLE.match(line):
            section = title[0]
        if section == _ASKED:
            continue
        if task in _NAMELESS and section in ("Names:", "Joints:"):
            continue
        if task == _CALLS and section == "Happened:":
            continue
        if section == "Step:" and task == _STEP_NEEDED:
            kept.append(line.partition(".")[0])
        elif section == "Failed attempts:":
            if not _NUMBER.fullmatch(line):
                kept.append(_REPORT.sub(r'- robot: "\1"', line))
        elif section == "Forms:" and task == _GOAL:
            head, colon, sentence = line.partition("): ")
            kept.append(_KINDS.sub(r"\1", head).replace(";", ",") + colon + sentence)
        elif section == "Objects:" and task not in (_MOVES, _GOAL):
            bare = _PARTS.sub("", line)
            kept.append(_CAN.sub("", bare) if task == _CALLS else _stated(task, bare))
        else:
            kept.append(line)
    return "\n".join(kept)


def _stated(task: str, line: str) -> str:
    """The line of an object; for a planner, an object that opens gets its state."""
    unknown = _OPENS.fullmatch(line) if task in _PLANS else None
    return f"{unknown[1]}; now closed{unknown[2]}" if unknown else line
