"""A whole instruction: its goals in order, and its statements about how locks open.

"Open the chest. Its lock opens when the ball is on the scale." is one goal and one
unlocking step.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.clauses import read_clause, spoken_of, use_of
from regrasp.embedded.rules.goals import VERBS, GoalKind, RuleGoal
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.prompts.steps import Step, Verb

__all__ = ["Instruction", "read_instruction", "stacked"]


@dataclass(frozen=True, slots=True)
class Instruction:
    """The goals in order, and the steps that unlock a place, each with the place ("" for any).

    `unclear` is why there is no goal.
    """

    goals: tuple[RuleGoal, ...]
    unlocking_steps: tuple[tuple[Step, str], ...] = ()
    unclear: str = ""


_SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+|;")
_CLAUSE = re.compile(
    rf",?\s+(?:and then|then|and|before|after that)\s+(?=(?:{VERBS})\b)", re.IGNORECASE
)
_LOCKS = re.compile(
    r"\b(?:un)?lock(?:s|ed|ing)?\b|\bopens? (?:only )?(?:when|if|once|while)\b", re.IGNORECASE
)
"""Marks a sentence about a lock, which may name an unlocking step instead of a goal."""
_STACK = re.compile(r"\b(?:stack|pile|tower|on top of (?:each other|one another))\b", re.I)
_ORDERED = re.compile(r"\border\b", re.I)
_DOWNWARD = re.compile(r"\b(?:top to bottom|top first|from the top)\b", re.I)
_GROUND = frozenset({"table", "floor", "counter", "desk", "shelf"})


def read_instruction(text: str, words: SceneLexicon) -> Instruction:
    """The goals of an instruction over the objects that `words` knows."""
    goals: list[RuleGoal] = []
    unlocking_steps: list[tuple[Step, str]] = []
    before: RuleGoal | None = None
    unclear = earlier = ""
    for sentence in filter(None, map(str.strip, _SENTENCE_END.split(text))):
        if tower := stacked(sentence, words):
            goals += [goal for goal in tower if goal not in goals]
            before, earlier = goals[-1], f"{earlier} {sentence}"
            continue
        clauses = _CLAUSE.split(sentence)
        unlocking_step = _unlocking_step(sentence, words) if _LOCKS.search(sentence) else None
        if unlocking_step is not None:
            unlocking_steps.append(unlocking_step)
            orders = re.match(r"(?:please |now )?(?:unlock|open)\b", sentence, re.IGNORECASE)
            if not orders or goals:
                clauses = [clause for clause in clauses[1:] if not _LOCKS.search(clause)]
        for clause in clauses:
            goal = read_clause(clause, words, before, earlier)
            if isinstance(goal, RuleGoal):
                goals += [goal] if goal not in goals else []
                before = goal
            else:
                unclear = unclear or goal
                before = spoken_of(clause, words) or before
        earlier = f"{earlier} {sentence}"
    return Instruction(_plain(goals), tuple(unlocking_steps), "" if goals else unclear)


def _plain(goals: list[RuleGoal]) -> tuple[RuleGoal, ...]:
    """`goals` without those that only pick up an object that a later goal moves anyway."""
    taken = (GoalKind.PICK, GoalKind.REMOVE)
    return tuple(
        goal
        for i, goal in enumerate(goals)
        if goal.place
        or goal.kind not in taken
        or all(g.thing != goal.thing for g in goals[i + 1 :])
    )


def _unlocking_step(sentence: str, words: SceneLexicon) -> tuple[Step, str] | None:
    """The step that unlocks a place, according to a sentence."""
    names = [ref.name for ref in words.refs(sentence)]
    things = [line for name in names if (line := words.scene.owner(name)) is not None]
    place = next((line.name for line in things if Affordance.OPEN in line.affordances), "")
    for name in names:
        if (step := use_of(name, words)) is not None and words.owner(name) != place:
            return step, place
    mover = next((line.name for line in things if Affordance.PICK in line.affordances), "")
    stand = next((line.name for line in things if Affordance.PUT_ON in line.affordances), "")
    return (Step(Verb.PUT_ON, mover, stand), place) if mover and stand else None


def stacked(sentence: str, words: SceneLexicon) -> tuple[RuleGoal, ...]:
    """The goals of a sentence that asks for a tower, the lowest first; none for any other.

    "Stack the blocks in the order red, green, blue" is one goal for each block.
    Three objects or more, or two in an order, make a tower. It stands on the object that the
    sentence names, else on the only fixed object that others can stand on and that is not a table
    or floor.
    """
    if not _STACK.search(sentence):
        return ()
    named = list(dict.fromkeys(words.owner(ref.name) for ref in words.refs(sentence)))
    picked, borne = words.scene.that_can(Affordance.PICK), words.scene.that_can(Affordance.PUT_ON)
    tower = [name for name in named if name in picked]
    if len(tower) < 2 or (len(tower) == 2 and not _ORDERED.search(sentence)):
        return ()
    if _DOWNWARD.search(sentence):
        tower.reverse()
    fixed = [o for o in words.scene.objects if o.name in borne and o.name not in picked]
    named_bases = [thing.name for thing in fixed if thing.name in named]
    bases = named_bases or [thing.name for thing in fixed if thing.kind.lower() not in _GROUND]
    below = bases if len(bases) == 1 else []
    pairs = zip(tower if below else tower[1:], [*below, *tower], strict=False)
    return tuple(RuleGoal(GoalKind.PUT_ON, thing, place) for thing, place in pairs)
