"""Read an instruction before any method acts on it, and check its goal at the end.

The language model writes what is wanted, the cameras decide which objects are meant, and a person
is asked where that is not clear. What cannot be done is declined in plain words. A method then gets
one goal after the other; when it claims to be done, every part of the goal is looked at by itself.
"""

from __future__ import annotations

from dataclasses import replace

from regrasp.core.claim import Claim
from regrasp.core.errors import RegraspError
from regrasp.core.fact import Literal
from regrasp.core.goal import Goal
from regrasp.domains.kept import with_kept
from regrasp.methods.method import Assignment, Method
from regrasp.methods.reading import instruction_scene, read_instruction
from regrasp.perception.answering import answer_question
from regrasp.perception.seen_scene import ObservedScene
from regrasp.planners.goal_grounding import (
    GroundedGoal,
)
from regrasp.planners.goals import goal_condition
from regrasp.prompts.goal import DeclineReason
from regrasp.prompts.goal_words import as_instruction
from regrasp.prompts.parsing import Declined
from regrasp.prompts.refusal_words import (
    CANNOT_FIND_OUT,
    explain_decline,
)

__all__ = ["answer_questions", "follow_instruction"]


def follow_instruction(
    assignment: Assignment, method: Method, *, look_at_end: bool = True
) -> Claim:
    """Run `method` on the goals of the instruction, one after the other.

    With `look_at_end` the claim is that of a look at every part of the goal, not the method's own.
    A question is answered, and nothing is moved.
    """
    scene = instruction_scene(assignment)
    goal = read_instruction(assignment, scene)
    if isinstance(goal, Claim):
        return goal
    if goal.questions:
        return answer_questions(goal, scene)
    known, claim = assignment.robot.knowledge(), Claim(True, "nothing is to be changed")
    try:
        domain = with_kept(assignment.domain, goal.keep, known)
        for stage in goal.stages:
            goal_condition(stage, domain, known)
    except RegraspError:  # what no domain of this robot expresses, such as a row
        return Claim(False, explain_decline(Declined(DeclineReason.IMPOSSIBLE), ""))
    for stage in goal.stages:
        words = as_instruction(stage, scene.prompt.forms)
        claim = method(replace(assignment, instruction=words, goal=stage, domain=domain))
        if not claim.done:
            return claim
        if claim.believed is not None:
            domain = replace(domain, init=claim.believed)
    if not look_at_end:
        return claim
    after = replace(instruction_scene(assignment), believed=frozenset())
    return _checked(claim, goal, after)


def answer_questions(goal: GroundedGoal, scene: ObservedScene) -> Claim:
    """The answers to the questions of a goal; it is not done if one of them cannot be seen."""
    answers = [answer_question(one, scene) for one in goal.questions]
    known = None not in answers
    return Claim(known, " ".join(one or CANNOT_FIND_OUT for one in answers), seen=known)


def _checked(claim: Claim, goal: GroundedGoal, scene: ObservedScene) -> Claim:
    """The claim after a look at every literal that must be true in the end."""
    wanted = {one.fact: one for stage in goal.stages for one in stage.literals}  # the last counts
    if not wanted:  # that nothing was moved cannot be seen
        return claim
    whole = Goal(tuple(wanted.values()))
    found = whole.witness(lambda fact: scene.holds(Literal(fact)) is True, scene.kinds())
    answers = {one: scene.holds(one) for one in whole.bind(found or {}).literals}
    wrong = [one for one, true in answers.items() if true is False]
    unseen = [one for one, true in answers.items() if true is None]
    lexicon = scene.facts.lexicon
    if wrong:
        stated = "; ".join(lexicon.statement(one.opposite) for one in wrong)
        return replace(claim, done=False, reason=f"at the end I see that {stated}", seen=False)
    if unseen:
        stated = "; ".join(lexicon.statement(one) for one in unseen)
        doubt = f"{claim.reason}, but I could not see whether {stated}".lstrip(", ")
        return replace(claim, reason=doubt, seen=False)
    return replace(claim, seen=True)
