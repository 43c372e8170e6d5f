"""Calls of named skills: what each needs, makes and ends, according to the prompt.

Sentences are used literally. A state is the set of true sentences; the needs and changes of a skill
are read from its line, and `anything` matches any name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.embedded.rules.goals import RuleGoal
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.skills import VARIABLES, SkillLine, bound
from regrasp.prompts.visual_question import ANYTHING

__all__ = ["GroundSkill", "depends_on", "every_call", "goal_sentences", "played"]


def goal_sentences(goals: Iterable[RuleGoal]) -> tuple[str, ...]:
    """The sentences that are true once all goals are reached; none where a goal has no sentence."""
    questions = [goal.question for goal in goals]
    sentences = tuple(question.statement(True) for question in questions if question)
    return sentences if len(sentences) == len(questions) else ()


@dataclass(frozen=True, slots=True)
class GroundSkill:
    """A skill on given objects, in sentences; `anything` is replaced by names.

    `conditions` is the number of conditions on its line.
    """

    action: Action
    needs: frozenset[str]
    bars: frozenset[str]
    makes: frozenset[str]
    ends: frozenset[str]
    conditions: int

    def possible(self, state: frozenset[str]) -> bool:
        """Whether it can be called in a state."""
        return self.needs <= state and self.bars.isdisjoint(state)

    def result(self, state: frozenset[str]) -> frozenset[str]:
        """The state after it."""
        return (state - self.ends) | self.makes


def played(
    calls: Iterable[Action],
    skills: Iterable[SkillLine],
    scene: SceneDescription,
    known: Iterable[str],
) -> frozenset[str] | None:
    """The state after `calls`, one after the other; None where one of them is not possible."""
    state = frozenset(known)
    by_action = {call.action: call for call in every_call(skills, scene, state)}
    for action in calls:
        call = by_action.get(action)
        if call is None or not call.possible(state):
            return None
        state = call.result(state)
    return state


def depends_on(
    call: Action, skill: SkillLine, forms: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The needs of a call that it does not end, and what it makes, where a form expresses it."""
    patterns = [_pattern(re.sub(r"\b[XYZ]\b", ANYTHING, form)) for form in forms]

    def expressible(sentences: Iterable[str]) -> tuple[str, ...]:
        of_call = bound(sentences, call.args)
        return tuple(one for one in of_call if any(p.fullmatch(one) for p in patterns))

    ends = set(bound(skill.ends, call.args))
    needs = tuple(one for one in expressible(skill.needs) if one not in ends)
    return needs, expressible(skill.makes)


def every_call(
    skills: Iterable[SkillLine], scene: SceneDescription, start: frozenset[str]
) -> tuple[GroundSkill, ...]:
    """Every call that the scene allows, over the sentences that can ever be true."""
    drawn = [
        (skill, args)
        for skill in skills
        if len(skill.takes) <= len(VARIABLES)
        for args in itertools.product(*skill.choices(scene))
        if len(set(args)) == len(args)
    ]
    names = tuple(thing.name for thing in scene.objects)
    reachable = start.union(*(_made(skill.makes, args, names) for skill, args in drawn))

    split = [(one, one.split()) for one in reachable]

    def expanded(sentences: Iterable[str], args: tuple[str, ...]) -> frozenset[str]:
        found: set[str] = set()
        for sentence in bound(sentences, args):
            if ANYTHING in (words := sentence.split()):
                found.update(one for one, own in split if _fits(words, own))
            elif sentence in reachable:
                found.add(sentence)
        return frozenset(found)

    return tuple(
        GroundSkill(
            Action(skill.name, args),
            frozenset(bound(skill.needs, args)),
            expanded(skill.bars, args),
            _made(skill.makes, args, names),
            expanded(skill.ends, args),
            len(skill.needs) + len(skill.bars),
        )
        for skill, args in drawn
    )


def _made(
    sentences: Iterable[str], args: tuple[str, ...], names: tuple[str, ...]
) -> frozenset[str]:
    """The sentences that a call makes true; one about anything becomes one for every object."""
    return frozenset(
        re.sub(rf"\b{ANYTHING}\b", name, sentence) if ANYTHING in sentence else sentence
        for sentence in bound(sentences, args)
        for name in (names if ANYTHING in sentence else ("",))
    )


def _fits(words: list[str], other: list[str]) -> bool:
    """Whether a sentence equals another, with any name in place of `anything`."""
    return len(words) == len(other) and all(
        word in (ANYTHING, own) for word, own in zip(words, other, strict=True)
    )


def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(re.escape(sentence).replace(ANYTHING, r"\w+"))
