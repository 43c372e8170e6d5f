"""Read an instruction before any method acts on it, and check its goal at the end.

The language model writes what is wanted, the cameras decide which objects are meant, and a person
is asked where that is not clear. What cannot be done is declined in plain words. A method then gets
one goal after the other; when it claims to be done, every part of the goal is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from regrasp.core.claim import Claim
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
from regrasp.planners.goals import goal_prompt
from regrasp.planners.understanding import Understanding, understand
from regrasp.prompts import refusal_words
from regrasp.prompts.goal import GoalPrompt
from regrasp.prompts.goal_words import as_instruction, goal_words

__all__ = ["answer_questions", "follow_instruction", "instruction_scene", "read_instruction"]


def follow_instruction(assignment: Assignment, method: Method) -> Claim:
    """Run `method` on the goals of the instruction, one after the other.

    A question is answered, and nothing is moved.
    """
    scene = instruction_scene(assignment)
    goal = read_instruction(assignment, scene)
    if isinstance(goal, Claim):
        return goal
    if goal.questions:
        return answer_questions(goal, scene)
    claim = Claim(True, "nothing is to be changed", seen=True)
    domain = with_kept(assignment.domain, goal.keep, assignment.robot.knowledge())
    for stage in goal.stages:
        words = as_instruction(stage, scene.prompt.forms, goal.keep)
        claim = method(replace(assignment, instruction=words, goal=stage, domain=domain))
        if not claim.done:
            return claim
        if claim.believed is not None:
            domain = replace(domain, init=claim.believed)
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
    words = " ".join(one or refusal_words.cannot_see() for one in answers)
    return Claim(None not in answers, words, seen=None not in answers)


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
    readings = tuple(goal_words(one, prompt.forms) for one in found.readings)
    lines = tuple(map(str, found.goal.clauses)) if found.goal is not None else ()
    refusal = refusal_words.declined(found) if found.declined is not None else ""
    words = refusal if found.goal is None else goal_words(found.goal, prompt.forms)
    unexplained = (*found.unexplained.missing, *found.unexplained.unused)
    assignment.emit(
        GoalUnderstood(
            assignment.instruction, lines, words, found.confidence, unexplained, readings
        )
    )
    if found.goal is None:
        return refusal
    if found.sure:
        return found.goal
    question = refusal_words.did_you_mean(found)
    chosen = _choose(assignment, question, readings)
    return refusal_words.not_sure(found, readings) if chosen is None else found.readings[chosen]


def _chosen(
    assignment: Assignment, description: GoalDescription, why: NothingFits | Ambiguity
) -> GoalDescription | str:
    """The description with the object that the person chose; else why it cannot be followed."""
    if isinstance(why, NothingFits) or why.unseen:
        return refusal_words.nothing_fits(why)
    chosen = _choose(assignment, refusal_words.which_one(why), why.names)
    if chosen is None:
        return refusal_words.several_fit(why)
    return with_choice(description, why.term, why.names[chosen])


def _choose(assignment: Assignment, question: str, options: Sequence[str]) -> int | None:
    chosen = assignment.person.choose(question, options)
    answer = options[chosen] if chosen is not None else ""
    assignment.emit(PersonAsked(question, tuple(options), answer))
    return chosen


def _checked(claim: Claim, goal: GroundedGoal, scene: ObservedScene) -> Claim:
    """The claim after a look at every literal that must be true in the end."""
    wanted = {one.fact: one for stage in goal.stages for one in stage.literals}  # the last counts
    whole = Goal(tuple(wanted.values()))
    found = whole.witness(lambda fact: scene.holds(Literal(fact)) is True, scene.kinds())
    answers = {one: scene.holds(one) for one in whole.bind(found or {}).literals}
    wrong = [one for one, true in answers.items() if true is False]
    unseen = [one for one, true in answers.items() if true is None]
    if wrong:
        return Claim(False, refusal_words.not_reached(wrong, scene.prompt.forms))
    if unseen:
        words = refusal_words.not_seen(unseen, scene.prompt.forms)
        return Claim(True, f"{claim.reason}; {words}" if claim.reason else words)
    return replace(claim, seen=True)
