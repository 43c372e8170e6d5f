"""Rule-based repair of a plan (CoPAL, section III-C): insertion and substitution of commands.

The commands are simulated from the believed state. One that cannot be done is mended by rules that
hold in every domain (`RepairRule`); one that cannot be mended ends the plan with the feedback of
the logical checker, for the planner above. The repaired plan is checked again from its start.

The same input gives the same repair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from regrasp.core.action import Action
from regrasp.core.fact import State
from regrasp.core.feedback import Feedback
from regrasp.core.object_description import ObjectDescription
from regrasp.core.refused_action import RefusedAction
from regrasp.domains.hands_and_doors import Door, doors_of
from regrasp.domains.partial_state import PartialState
from regrasp.domains.refused_actions import without_refused
from regrasp.domains.skill_domain import SkillDomain
from regrasp.planners.repair_rule import Repair, RepairRule
from regrasp.planners.repair_state import RepairState
from regrasp.planners.repair_walk import MEANS_ENDS, RepairWalk
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = ["PlanRepair", "Repair", "RepairRule", "RepairedPlan"]


@dataclass(frozen=True, slots=True)
class RepairedPlan:
    """The commands that can be done, the repairs, and the feedback of the first that cannot.

    Without `feedback`, the whole plan can be done. With it, `actions` are those that can be done
    before the command with the index `failed`.
    """

    actions: tuple[Action, ...]
    repairs: tuple[Repair, ...] = ()
    feedback: Feedback | None = None
    failed: int | None = None


@dataclass(frozen=True, slots=True)
class PlanRepair:
    """Repairs plans in a domain with the objects that the robot knows.

    At most `max_insertions` commands are inserted before one command. With `restore=False`, nothing
    is closed again or taken up again. `engine` finds the commands to insert: `means-ends`, or a
    classical planner (`planners.classical.ENGINES`). `plain` is the domain without refusals.
    """

    skills: SkillDomain
    known: tuple[ObjectDescription, ...]
    max_insertions: int = 8
    restore: bool = True
    engine: str = MEANS_ENDS
    plain: SkillDomain | None = None
    checker: LogicalChecker = field(init=False, repr=False, compare=False)
    _doors: tuple[Door, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "checker", LogicalChecker(self.skills, tuple(self.known)))
        object.__setattr__(self, "_doors", doors_of(self.skills))

    def without(self, refused: Sequence[RefusedAction]) -> PlanRepair:
        """The same repair, which repeats nothing that was refused."""
        plain = self.plain or self.skills
        skills = without_refused(plain, refused, self.known)
        return replace(self, skills=skills, plain=plain)

    def repair(self, plan: Sequence[Action], state: State | PartialState) -> RepairedPlan:
        """The plan with every repair that its commands need from `state` on."""
        before = PartialState.of(state)
        walk = RepairWalk(
            self.checker, tuple(plan), RepairState(self.checker, self._doors, before),
            self.max_insertions, self.restore, self.engine,
        )  # fmt: skip
        for index in range(len(plan)):
            feedback = walk.step(index)
            if feedback is not None:
                return RepairedPlan(tuple(walk.now.done), tuple(walk.now.repairs), feedback, index)
        walk.finish()
        released, bound = self._released(walk.now), tuple(walk.now.done)
        if self.checker.check_plan(released, before) is None:
            return RepairedPlan(released, tuple(walk.now.repairs))
        fault = self.checker.check_plan(bound, before)
        if fault is None:
            return RepairedPlan(bound, tuple(walk.now.repairs))
        return RepairedPlan(bound[: fault.index], (), fault.feedback, len(plan))

    def _released(self, end: RepairState) -> tuple[Action, ...]:
        """The actions; the inserted ones without the objects that a command may leave out.

        The robot then chooses its hand by what it can reach. Where the plan needs the choice of the
        repair, the check fails, and the choice stays.
        """
        optional = self.skills.optional
        return tuple(
            Action(one.name, one.args[: len(one.args) - optional.get(one.name, 0)])
            if i in end.inserted
            else one
            for i, one in enumerate(end.done)
        )
