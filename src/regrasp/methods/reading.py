"""Read an instruction: the goal over objects, asked back where it is in doubt, or a refusal."""

from __future__ import annotations

from regrasp.core.claim import Claim
from regrasp.core.event import GoalUnderstood, PersonAsked
from regrasp.core.goal_description import GoalDescription
from regrasp.methods.method import Assignment
from regrasp.methods.parts import fact_observer
from regrasp.perception.seen_scene import ObservedScene
from regrasp.planners.goal_grounding import (
    Ambiguity,
    GroundedGoal,
    NothingFits,
    ground,
    with_choice,
)
from regrasp.planners.goals import goal_prompt
from regrasp.planners.understanding import SAMPLES, Understanding, understand
from regrasp.prompts.goal import GoalPrompt
from regrasp.prompts.goal_words import goal_words
from regrasp.prompts.refusal_words import (
    ClarifyingQuestion,
    ask_which_one,
    ask_which_reading,
    cannot_see_which,
    explain_decline,
    explain_missing,
    explain_nothing_fits,
)

__all__ = ["instruction_scene", "read_instruction"]


def read_instruction(
    assignment: Assignment, scene: ObservedScene | None = None, *, samples: int = SAMPLES
) -> GroundedGoal | Claim:
    """The goal of the instruction over objects, or the claim that it cannot be followed.

    `samples` are the further readings that a person can choose from where the first is in doubt.
    """
    scene = scene or instruction_scene(assignment)
    found = understand(assignment.language, scene.prompt, samples=samples)
    description = _confirmed(assignment, scene.prompt, found)
    while isinstance(description, GoalDescription):
        grounded = ground(description, scene, scene.place_of)
        if isinstance(grounded, GroundedGoal):
            return _kept_is_true(grounded, scene)
        description = _chosen(assignment, description, grounded)
    return Claim(False, description)


def instruction_scene(assignment: Assignment) -> ObservedScene:
    """What the cameras show of the objects that the instruction may name."""
    robot, domain = assignment.robot, assignment.domain
    prompt = goal_prompt(assignment.instruction, domain, robot.knowledge())
    facts = fact_observer(assignment)
    return ObservedScene(facts, prompt, domain.init)


def _kept_is_true(goal: GroundedGoal, scene: ObservedScene) -> GroundedGoal | Claim:
    """The goal; a claim if what is to stay true is seen to be false now."""
    lexicon = scene.facts.lexicon
    seen_here = {entry.predicate for entry in lexicon.entries}
    told = [one for one in goal.keep if one.fact.predicate in seen_here]
    broken = [one for one in told if scene.holds(one) is False]
    if not broken:
        return goal
    stated = lexicon.statement
    wanted, seen = stated(broken[0]), stated(broken[0].opposite)
    return Claim(False, f"I am to keep it so that {wanted}, but I see that {seen}.")


def _confirmed(
    assignment: Assignment, prompt: GoalPrompt, found: Understanding
) -> GoalDescription | str:
    """The goal to follow, asked back where it is in doubt; else why there is none."""
    declined = found.declined
    kinds = {one.name: one.kind for one in prompt.scene.objects}
    refusal = explain_decline(declined, prompt.instruction, prompt.forms, kinds) if declined else ""
    words = refusal if found.goal is None else goal_words(found.goal, prompt.forms)
    assignment.emit(
        GoalUnderstood(
            prompt.instruction,
            tuple(map(str, found.goal.clauses)) if found.goal is not None else (),
            words,
            found.confidence,
            found.left_over,
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
        return cannot_see_which(why.term, why.names)
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
