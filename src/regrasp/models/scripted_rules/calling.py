"""Calls of named skills: from what the prompt says they need, make and end, by plain search.

Sentences are taken as they stand. A state is the set of those that are true; what a skill needs
and changes is read from its line, `anything` matching any name.
"""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.models.scripted_rules.goals import Goal, Wants
from regrasp.prompts.scene import SceneText
from regrasp.prompts.sight import ANYTHING, Look, Sight
from regrasp.prompts.skills import VARIABLES, SkillLine, bound

__all__ = ["calls_to", "depends_on", "goal_sentence"]

_MOST_STATES = 20_000
_LOOKS = {
    Wants.PUT_ON: Look.ON,
    Wants.PUT_IN: Look.INSIDE,
    Wants.PUT_BY: Look.NEXT_TO,
    Wants.PICK: Look.HELD,
}


def goal_sentence(goal: Goal) -> str:
    """What is true once a goal is reached; "" for goals that are no such sentence."""
    if goal.wants not in _LOOKS:
        return ""
    return Sight(_LOOKS[goal.wants], str(goal.thing), goal.place).statement(True)


@dataclass(frozen=True, slots=True)
class _Call:
    """A skill on given objects; what may match several sentences is a pattern."""

    action: Action
    needs: frozenset[str]
    bars: tuple[re.Pattern[str], ...]
    makes: frozenset[str]
    ends: tuple[re.Pattern[str], ...]

    def possible(self, state: frozenset[str]) -> bool:
        """Whether it can be called in a state."""
        return self.needs <= state and not any(_matched(bar, state) for bar in self.bars)

    def result(self, state: frozenset[str]) -> frozenset[str]:
        """The state after it."""
        gone = {said for end in self.ends for said in _matched(end, state)}
        return (state - gone) | self.makes


def calls_to(
    goals: Iterable[str], skills: Iterable[SkillLine], scene: SceneText, known: Iterable[str]
) -> tuple[Action, ...] | None:
    """The fewest calls after which all of `goals` are true; None if there are none."""
    wanted, start = frozenset(goals), frozenset(known)
    every = [call for skill in skills for call in _calls(skill, scene)]
    came: dict[frozenset[str], tuple[frozenset[str], Action] | None] = {start: None}
    queue = deque([start])
    while queue and len(came) < _MOST_STATES:
        state = queue.popleft()
        if wanted <= state:
            return _path(came, state)
        for call in every:
            if call.possible(state) and (after := call.result(state)) not in came:
                came[after] = (state, call.action)
                queue.append(after)
    return None


def depends_on(
    call: Action, skill: SkillLine, forms: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a call needs and does not end, and what it makes, as far as a form can say it."""
    patterns = [_pattern(re.sub(r"\b[XYZ]\b", ANYTHING, form)) for form in forms]

    def sayable(sentences: Iterable[str]) -> tuple[str, ...]:
        told = bound(sentences, call.args)
        return tuple(said for said in told if any(p.fullmatch(said) for p in patterns))

    ends = set(bound(skill.ends, call.args))
    needs = tuple(said for said in sayable(skill.needs) if said not in ends)
    return needs, sayable(skill.makes)


def _calls(skill: SkillLine, scene: SceneText) -> Iterator[_Call]:
    if len(skill.takes) > len(VARIABLES):
        return
    for args in itertools.product(*skill.choices(scene)):
        if len(set(args)) < len(args):
            continue
        yield _Call(
            Action(skill.name, args),
            frozenset(bound(skill.needs, args)),
            tuple(map(_pattern, bound(skill.bars, args))),
            frozenset(bound(skill.makes, args)),
            tuple(map(_pattern, bound(skill.ends, args))),
        )


def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(re.escape(sentence).replace(ANYTHING, r"\w+"))


def _matched(pattern: re.Pattern[str], state: frozenset[str]) -> list[str]:
    return [said for said in state if pattern.fullmatch(said)]


def _path(
    came: dict[frozenset[str], tuple[frozenset[str], Action] | None], state: frozenset[str]
) -> tuple[Action, ...]:
    calls: list[Action] = []
    while (step := came[state]) is not None:
        state = step[0]
        calls.append(step[1])
    return tuple(reversed(calls))
