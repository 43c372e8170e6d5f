"""What a robot would do with an instruction: its goal and a plan, before anything moves.

The goal is read as in `methods.instructions`. The plan is a shortest one over the domain, from what
the cameras show now. A method may act otherwise, but it starts from the same goal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from regrasp.core.claim import Claim
from regrasp.core.errors import RegraspError
from regrasp.core.event import Event, GoalUnderstood, PersonAsked
from regrasp.domains.kept import with_kept
from regrasp.domains.skill_domain import problem_of
from regrasp.methods.instructions import answer_questions
from regrasp.methods.method import Assignment
from regrasp.methods.parts import fact_observer
from regrasp.methods.reading import instruction_scene, read_instruction
from regrasp.perception.state_belief import StateBelief
from regrasp.planners.classical import PlanningOutcome, PlanResult, plan
from regrasp.planners.goal_grounding import GroundedGoal
from regrasp.planners.goals import goal_condition

__all__ = ["Preview", "StagePlan", "preview"]


@dataclass(frozen=True, slots=True)
class StagePlan:
    """The plan for a stage of a goal, with its steps in words; `result` says why there is none."""

    result: PlanResult
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The reading of an instruction, the questions to the person, and what would follow.

    `goal` is None if the instruction would not be followed; `reply` then says why. For a question,
    `reply` is its answer. `plans` has an entry for each stage up to the first one without a plan.
    """

    read: GoalUnderstood
    asked: tuple[PersonAsked, ...]
    goal: GroundedGoal | None
    plans: tuple[StagePlan, ...] = ()
    reply: Claim | None = None

    @property
    def acts(self) -> bool:
        """Whether the robot would act on the instruction, or can answer the question."""
        if self.reply is not None:
            return self.reply.done
        return all(one.result.solved for one in self.plans)


def preview(assignment: Assignment) -> Preview:
    """Read the instruction of `assignment` and plan for its goal; nothing moves."""
    events: list[Event] = []

    def emit(event: Event) -> None:
        events.append(event)
        assignment.emit(event)

    reading = replace(assignment, emit=emit)
    scene = instruction_scene(reading)
    found = read_instruction(reading, scene)
    read = next(event for event in events if isinstance(event, GoalUnderstood))
    asked = tuple(event for event in events if isinstance(event, PersonAsked))
    if isinstance(found, Claim):
        return Preview(read, asked, None, reply=found)
    if found.questions:
        return Preview(read, asked, found, reply=answer_questions(found, scene))
    return Preview(read, asked, found, tuple(_plans(assignment, found)))


def _plans(assignment: Assignment, goal: GroundedGoal) -> Iterator[StagePlan]:
    """A plan for each stage, from the state that the plan before it leads to."""
    known = assignment.robot.knowledge()
    try:
        domain = with_kept(assignment.domain, goal.keep, known)
    except RegraspError as error:  # a literal that the domain cannot express
        yield StagePlan(PlanResult(PlanningOutcome.UNSUPPORTED, message=str(error)), ())
        return
    rules = domain.rules(known)
    facts = fact_observer(assignment)
    state = StateBelief(facts, domain, rules).observe_start(domain.init)
    for stage in goal.stages:
        try:
            condition = goal_condition(stage, domain, known)
            result = plan(domain.domain, problem_of(domain, known, state, condition))
        except RegraspError as error:
            result = PlanResult(PlanningOutcome.UNSUPPORTED, message=str(error))
        yield StagePlan(result, tuple(map(domain.describe, result.plan)))
        if not result.solved:
            return
        for action in result.plan:
            state = rules.successor(state, action)
