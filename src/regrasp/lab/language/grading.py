"""Grading: a plan is tested in the symbolic world; other answers are compared by meaning.

A plan cannot include what was not observed. It is tested in the *believed* world: the true world
without every obstacle that no attempt or observation has shown yet. There it must reach the goal,
or, if the object is not visible, end with a look into a place that was not searched before. Calls
of skills are executed by the descriptions of the skills in the prompt.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from regrasp.control.rewards import RewardSyntaxError, parse_rewards
from regrasp.core.action import Action
from regrasp.core.goal_description import GoalDescription
from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.belief import believe
from regrasp.embedded.rules.ground_skills import played
from regrasp.embedded.rules.motion import motions_of, primary_line, reward_of
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.lab.language.copal_plans import CommandGoal
from regrasp.lab.language.next_action_search import first_actions, read_pddl
from regrasp.lab.language.symbols import SymbolicWorld
from regrasp.lab.language.wants import RoomGoal, RoomGoalKind
from regrasp.prompts.commands import CommandPlan
from regrasp.prompts.constraints import Proposal
from regrasp.prompts.goal import GoalPrompt
from regrasp.prompts.interpret import Interpretation
from regrasp.prompts.next_action import NextActionPrompt
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.plan import Plan, PlanPrompt
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.reward_step import StepChoice
from regrasp.prompts.skill_plan import SkillPlan, SkillPlanPrompt
from regrasp.prompts.specify import Specification
from regrasp.prompts.steps import Likeness, Step, Verb
from regrasp.prompts.visual_question_parser import parse_visual_question

__all__ = ["Grade", "grade", "reaches"]

_SLIP = re.compile(r"\b(?:dropped|timed_out|not_grasped)\b")
_SPARE = 1
"""Extra steps or calls, compared with the reference, before a plan counts as too long."""

_SPARE_COMMANDS = 4
"""The same for CoPAL's commands, where caps and doors may also be closed again."""


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of an answer: readable, right, and equal to the reference word for word."""

    parsed: bool
    right: bool
    exact: bool


def grade(
    prompt: Prompt[Any],
    reply: str,
    reference: str,
    world: SymbolicWorld | None = None,
    want: RoomGoal | None = None,
    goals: tuple[str, ...] = (),
    command_goal: CommandGoal | None = None,
) -> Grade:
    """Grade `reply` against `reference`; a plan is also right if it works in the world.

    A goal must have the same clauses, in any order; a declined one the same reason. Calls of skills
    are executed by the lines of the prompt and must reach `goals`; if nothing is left to do, there
    must be no call. The next action must begin a shortest plan. Commands are executed in the domain
    and must reach `command_goal`.
    """
    said, meant = prompt.parse(reply), prompt.parse(reference)
    if isinstance(said, ParseError):
        return Grade(False, False, False)
    exact = reply.strip() == reference.strip()
    right = exact or _meaning(said) == _meaning(meant)
    if isinstance(said, Declined) and isinstance(meant, Declined):
        right = not isinstance(prompt, GoalPrompt) or _reason(said) == _reason(meant)
    if isinstance(said, Plan) and isinstance(meant, Plan) and isinstance(prompt, PlanPrompt):
        short = len(said.steps) <= len(meant.steps) + _SPARE
        if short and not right and world is not None and want is not None:
            right = _valid(said, prompt, world, want)
    if isinstance(said, SkillPlan) and isinstance(meant, SkillPlan) and meant.calls and goals:
        short = len(said.calls) <= len(meant.calls) + _SPARE
        if short and not right and isinstance(prompt, SkillPlanPrompt):
            right = reaches(said, prompt, goals)
    if isinstance(said, CommandPlan) and command_goal is not None and not right:
        short = len(said.commands) <= len(_commands(meant)) + _SPARE_COMMANDS
        right = short and command_goal.is_reached_by(said.commands)
    if isinstance(prompt, NextActionPrompt) and isinstance(said, Action) and not right:
        right = said in first_actions(*read_pddl(prompt))
    return Grade(True, right, exact)


def _commands(plan: object) -> tuple[str, ...]:
    return plan.commands if isinstance(plan, CommandPlan) else ()


def reaches(plan: SkillPlan, prompt: SkillPlanPrompt, goals: tuple[str, ...]) -> bool:
    """Whether the calls of a plan are each possible in order, and reach the goals."""
    end = played(plan.calls, prompt.skills, prompt.scene, prompt.known)
    return end is not None and end.issuperset(goals)


def _reason(declined: Declined) -> str:
    """Why a goal is declined, without the words for what is missing."""
    return declined.why.partition(":")[0]


def _meaning(value: object) -> object:
    """A parsed answer without its wording."""
    if isinstance(value, SkillPlan):
        return value.calls
    if isinstance(value, GoalDescription):
        return frozenset(value.clauses)
    if isinstance(value, Proposal):
        return tuple(frozenset(map(str.lower, said)) for said in (value.during, value.after))
    if isinstance(value, Plan):
        return value.steps
    if isinstance(value, CommandPlan):
        return value.commands
    if isinstance(value, Specification):
        steps = tuple(" ".join(one.lower().rstrip(".").split()) for one in value.steps)
        return steps, value.look_up.lower(), value.read.lower().rstrip(".")
    if isinstance(value, Interpretation):
        return value.kind, " ".join(value.text.lower().rstrip(".").split())
    if isinstance(value, Declined):
        return Declined
    if isinstance(value, StepChoice):
        return value.number
    if isinstance(value, str):
        return " ".join(value.lower().rstrip(".").split())
    if isinstance(value, tuple) and value and all(isinstance(one, str) for one in value):
        return frozenset(parse_visual_question(one) or one.lower().rstrip(".") for one in value)
    return value


def _believed_world(world: SymbolicWorld, prompt: PlanPrompt, want: RoomGoal) -> SymbolicWorld:
    """`world` without the obstacles that the prompt does not mention.

    A place is known to be locked if it did not open without another cause and without a slip of
    the hand; then any switch that was not tried yet may unlock it.
    """
    told = [why for attempt in prompt.attempts for why in attempt.reasons]
    told += [o.question for o in prompt.observations if o.answer.lower().startswith("yes")]
    firm = [a for a in prompt.attempts if not a.reasons and not _SLIP.search(a.robot)]
    failed = {attempt.failed for attempt in firm}
    tried = {step for attempt in prompt.attempts for step in attempt.did}
    fresh = {
        name
        for name in prompt.scene.that_can(Affordance.PULL, Affordance.PRESS, Affordance.TURN)
        if not any(step.endswith(f" the {name}") for step in tried)
    }

    def known(a: str, b: str) -> bool:
        return any(a in text and b in text for text in told)

    belief = copy.deepcopy(world)
    belief.blocks = {(a, b) for a, b in world.blocks if known(a, b)}
    belief.on = {a: b for a, b in world.on.items() if known(a, b) or _shows(a, b, prompt)}
    if want.kind is not RoomGoalKind.OPEN_BY_WEIGHT:
        belief.locks = {
            place: _either(fresh, lock)
            for place, lock in world.locks.items()
            if f"Open the {place}" in failed or want.kind is RoomGoalKind.UNLOCK
        }
    return belief


def _either(
    fresh: set[str], lock: Callable[[SymbolicWorld], bool]
) -> Callable[[SymbolicWorld], bool]:
    """A lock that opens by any switch of `fresh`, or by its true condition."""
    return lambda world: bool(world.used & fresh) or lock(world)


def _shows(a: str, b: str, prompt: PlanPrompt) -> bool:
    """Whether `a` was put on `b` by the robot itself."""
    done = {step for attempt in prompt.attempts for step in attempt.did}
    return f"Place the {a} on the {b}" in done


def _valid(plan: Plan, prompt: PlanPrompt, world: SymbolicWorld, want: RoomGoal) -> bool:
    """Whether the steps work in the believed world, and reach the goal."""
    now = _believed_world(world, prompt, want)
    words = SceneLexicon(prompt.scene)
    searched = {step for attempt in prompt.attempts for step in attempt.did}
    hidden = bool(want.x) and not world.visible(want.x)
    found = False
    checked = {o.question for o in prompt.observations}
    for step in plan.steps:
        thing = step.object
        if step.verb is Verb.LOOK_IN:
            place = str(thing)
            found = found or (place in now.open and str(step) not in searched)
        elif step.verb is Verb.CHECK:
            checked.add(f"What {step.attribute} is the {thing}?")
        elif step.looks:
            continue
        elif isinstance(thing, Likeness):
            if not _decided(thing, checked, prompt):
                return False
            if not _do(Step(step.verb, want.x, step.other), now, words, prompt):
                return False
        elif not _do(step, now, words, prompt):
            return False
    if want.kind in (RoomGoalKind.CLEAR, RoomGoalKind.EMPTY) and not want.holds(now):
        return any(s.verb in (Verb.LOOK_AT, Verb.LOOK_IN) for s in plan.steps)
    if want.kind is RoomGoalKind.FIND and not hidden:
        return plan.steps[-1].looks
    return want.holds(now) or (hidden and found)


def _decided(likeness: Likeness, checked: set[str], prompt: PlanPrompt) -> bool:
    """Whether every attribute that decides the meant object is known by name or was observed."""
    belief = believe(SceneLexicon(prompt.scene), prompt.observations, prompt.attempts)
    kin = [o.name for o in prompt.scene.objects if o.kind.lower() == likeness.kind]
    return all(
        belief.attribute(name, likeness.attribute)
        or f"What {likeness.attribute} is the {name}?" in checked
        for name in (likeness.like, *kin)
    )


def _do(step: Step, world: SymbolicWorld, words: SceneLexicon, prompt: PlanPrompt) -> bool:
    """Do one step in `world`; False if it does not work."""
    belief = believe(words, prompt.observations, prompt.attempts)
    motions = motions_of(step, belief)
    if isinstance(motions, str):
        return False
    lines = [reward_of(motion) for motion in motions]
    deciding = primary_line(step.verb, motions) - 1
    lines[deciding] = f"{lines[deciding][:-1]}, primary_reward=True)"
    scene = prompt.scene
    try:
        program = parse_rewards("\n".join(["reset_reward()", *lines, "execute_plan()"]),
                                objects=scene.places.known, joints=scene.joints.known)  # fmt: skip
    except RewardSyntaxError:  # an impossible step: an object put on itself
        return False
    return world.execute(program)
