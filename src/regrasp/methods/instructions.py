"""Read an instruction before any method acts on it, and check its goal at the end.

The language model writes what is wanted, the cameras decide which objects are meant, and a person
is asked where that is not clear. What cannot be done is declined in plain words. A method then gets
one goal after the other; when it claims to be done, every part of the goal is looked at by itself.
"""

from __future__ import annotations

from dataclasses import replace

from regrasp.core.claim import Claim
from regrasp.core.errors import RegraspError
from regrasp.core.event import GoalUnderstood, PersonAsked
from regrasp.core.fact import Literal
from regrasp.core.goal import Goal
from regrasp.core.goal_description import GoalDescription
from regrasp.domains.kept import with_kept
from regrasp.methods.method import Assignment, Method
from regrasp.methods.parts import observer
from regrasp.perception.answering import answer_question
from regrasp.perception.facts import FactObserver, gripper_sensor
from regrasp.perception.seen_scene import ObservedScene
from regrasp.planners.goal_grounding import (
    Ambiguity,
    GroundedGoal,
    NothingFits,
    ground,
    with_choice,
)
from regrasp.planners.goals import goal_condition, goal_prompt
from regrasp.planners.understanding import Understanding, understand
from regrasp.prompts.goal import DeclineReason, GoalPrompt
from regrasp.prompts.goal_words import as_instruction, goal_words
from regrasp.prompts.parsing import Declined
from regrasp.prompts.refusal_words import (
    CANNOT_FIND_OUT,
    ClarifyingQuestion,
    ask_which_one,
    ask_which_reading,
    cannot_see_which,
    explain_decline,
    explain_missing,
    explain_nothing_fits,
)

__all__ = ["answer_questions", "follow_instruction", "instruction_scene", "read_instruction"]


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


def read_instruction(
    assignment: Assignment, scene: ObservedScene | None = None
) -> GroundedGoal | Claim:
    """The goal of the instruction over objects, or the claim that it cannot be followed."""
    scene = scene or instruction_scene(assignment)
    found = understand(assignment.language, scene.prompt)
    description = _confirmed(assignment, scene.prompt, found)
    while isinstance(description, GoalDescription):
        grounded = ground(description, scene, scene.place_of)
        if isinstance(grounded, GroundedGoal):
            return grounded
        description = _chosen(assignment, description, grounded)
    return Claim(False, description)


def answer_questions(goal: GroundedGoal, scene: ObservedScene) -> Claim:
    """The answers to the questions of a goal; it is not done if one of them cannot be seen."""
    answers = [answer_question(one, scene) for one in goal.questions]
    known = None not in answers
    return Claim(known, " ".join(one or CANNOT_FIND_OUT for one in answers), seen=known)


def instruction_scene(assignment: Assignment) -> ObservedScene:
    """What the cameras show of the objects that the instruction may name."""
    robot, domain = assignment.robot, assignment.domain
    prompt = goal_prompt(assignment.instruction, domain, robot.knowledge())
    facts = FactObserver(observer(assignment), domain.lexicon, gripper_sensor(robot))
    return ObservedScene(facts, prompt, domain.init)


def _confirmed(
    assignment: Assignment, prompt: GoalPrompt, found: Understanding
) -> GoalDescription | str:
    """The goal to follow, asked back where it is in doubt; else why there is none."""
    declined = found.declined
    refusal = explain_decline(declined, prompt.instruction) if declined is not None else ""
    words = refusal if found.goal is None else goal_words(found.goal, prompt.forms)
    assignment.emit(
        GoalUnderstood(
            prompt.instruction,
            tuple(map(str, found.goal.clauses)) if found.goal is not None else (),
            words,
            found.confidence,
            (*found.unexplained.not_in_scene, *found.unexplained.not_in_goal),
            tuple(goal_words(one, prompt.forms) for one in found.readings),
        )
    )
    if found.goal is None:
        return refusal
    if found.sure:
        return found.goal
    asked = ask_which_reading(found.readings, prompt.forms)
    chosen = _choose(assignment, asked)
    if chosen is not None:
        return next(one for one in found.readings if goal_words(one, prompt.forms) == chosen)
    if found.unexplained.not_in_scene:
        return explain_missing(found.unexplained.not_in_scene)
    return f"I am not sure. {asked.text} {_listed(asked)}".rstrip()


def _chosen(
    assignment: Assignment, description: GoalDescription, why: NothingFits | Ambiguity
) -> GoalDescription | str:
    """The description with the object that the person chose; else why it cannot be followed."""
    if isinstance(why, NothingFits):
        return explain_nothing_fits(why.term)
    if why.unseen:
        return cannot_see_which(why.term)
    asked = ask_which_one(why.term, why.names)
    chosen = _choose(assignment, asked)
    if chosen is None:
        return f"{asked.text} {_listed(asked)}"
    return with_choice(description, why.term, why.names[asked.options.index(chosen)])


def _choose(assignment: Assignment, asked: ClarifyingQuestion) -> str | None:
    """The option that the person chooses, if any."""
    index = assignment.person.choose(asked.text, asked.options) if asked.options else None
    chosen = asked.options[index] if index is not None else None
    assignment.emit(PersonAsked(asked.text, asked.options, chosen or ""))
    return chosen


def _listed(asked: ClarifyingQuestion) -> str:
    return "; or ".join(asked.options) + "?" if len(asked.options) > 1 else ""


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
        return Claim(False, f"at the end I see that {stated}")
    if unseen:
        stated = "; ".join(lexicon.statement(one) for one in unseen)
        return Claim(True, f"{claim.reason}, but I could not see whether {stated}".lstrip(", "))
    return replace(claim, seen=True)
