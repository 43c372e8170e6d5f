"""What an agent that plans over skills believes while it works, and how it learns that it is wrong.

It holds the constraint set and the history that the planner is shown. DoReMi, Inner Monologue,
CLIPort and SayCan share it; they differ in when they look.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.event import FeedbackGiven, PlanMade
from regrasp.core.execution import start_skill
from regrasp.core.fact import Literal
from regrasp.core.feedback import Evidence, FailureCode, Feedback
from regrasp.core.robot import Robot, SkillReport
from regrasp.monitors.constraints import ConstraintSet
from regrasp.monitors.monitor import Monitor
from regrasp.monitors.monitored_run import run_until_observed
from regrasp.planners.skill_planner import SkillPlanner
from regrasp.prompts.parsing import Declined
from regrasp.prompts.skill_plan import CallResult, CallStatus, SkillPlan

__all__ = ["ExecutionState"]

_MOST_GUARD_STOPS, _MOST_REFUSALS = 1, 4  # in a row


@dataclass(slots=True)
class ExecutionState:
    """`constraints` is what is believed and watched, `history` what was done and what came of it.

    `guard_stops` counts how often in a row the robot's guard ended a skill, `refusals` how often
    it would not begin one.
    """

    robot: Robot
    planner: SkillPlanner
    monitor: Monitor
    constraints: ConstraintSet
    history: tuple[CallResult, ...] = field(default=(), init=False)
    guard_stops: int = field(default=0, init=False)
    refusals: int = field(default=0, init=False)

    def plan(self, instruction: str) -> SkillPlan | Declined:
        """The skills that are left, for what is believed now and what happened."""
        plan = self.planner.plan(instruction, self.constraints.believed_statements, self.history)
        if isinstance(plan, SkillPlan):
            steps = tuple(map(str, plan.calls)) or ("done",)
            self.monitor.observer.emit(PlanMade(instruction, plan.thought, steps))
        return plan

    @property
    def done_so_far(self) -> str:
        """The calls that worked, for a claim."""
        did = [event.call for event in self.history if event.status is CallStatus.DID]
        return f"after {', '.join(did) or 'nothing'}"

    @property
    def stuck(self) -> str:
        """Why no plan can help any more; empty while one may.

        A robot whose guard stops it twice in a row, for example because it lies on the floor, is
        beyond any plan, and so is one that refuses whatever is planned.
        """
        if self.guard_stops > _MOST_GUARD_STOPS:
            return f"twice in a row, {self.history[-1].messages[-1]}"
        if self.refusals > _MOST_REFUSALS:
            why = self.history[-1].messages[-1]
            return f"the robot refused {self.refusals} skills in a row: {why}"
        return ""

    def completed(self, action: Action) -> None:
        """An action ended well: believe its effects."""
        self.constraints = self.constraints.after(action)
        self.history = (*self.history, CallResult(CallStatus.DID, str(action)))
        self.guard_stops = self.refusals = 0

    def look_around(self) -> None:
        """Ask where everything is, and believe what is seen."""
        self.constraints = self._looked_around(self.constraints)

    def missing(self, literals: Iterable[Literal]) -> tuple[Literal, ...]:
        """Which of these one look finds to be false."""
        return tuple(one for one, true in self.monitor.answers(literals).items() if true is False)

    def after_attempt(self, action: Action) -> ConstraintSet:
        """The constraints after an action that did not end well, by a look at its effects.

        They may be there all the same: the block fell where it belongs, or what could not be picked
        up is in the hand already.
        """
        effects = self.constraints.effects(action)
        made = bool(effects) and all(self.monitor.answers(effects).values())
        return self.constraints.after(action) if made else self.constraints

    def record_failure(self, action: Action, report: SkillReport) -> None:
        """The robot itself reports that a skill failed: believe what it felt, and look once.

        What it denies of what it feels is not looked at. What may explain the failure is.
        """
        domain, feedback = self.planner.skills, report.feedback
        code = feedback.code if feedback is not None else FailureCode.NOT_OBSERVED
        self.guard_stops = self.guard_stops + 1 if code is FailureCode.GUARD else 0
        self.refusals = self.refusals + 1 if code is FailureCode.REFUSED else 0
        denied = domain.denied_literals(report, self.constraints.preconditions_and_effects(action))
        felt = any(one.fact.predicate in domain.felt_predicates for one in denied)
        base = self.constraints if felt else self.after_attempt(action)
        if base is not self.constraints:
            denied = ()
        suspected = domain.suspected(report, base.rules)
        base = base.after_observation(self.monitor.answers(suspected)) if suspected else base
        missing = self.missing(one for one in base.literals if one not in denied)
        error = feedback.error if feedback is not None else str(report.outcome)
        evidence = feedback.evidence if feedback is not None else ()
        self.record_misalignment(
            CallStatus.FAILED, action, base, (*denied, *missing), error, code, evidence
        )

    def record_misalignment(
        self,
        ended: CallStatus,
        action: Action,
        base: ConstraintSet,
        broken: tuple[Literal, ...],
        error: str = "",
        code: FailureCode = FailureCode.NOT_OBSERVED,
        evidence: tuple[Evidence, ...] = (),
    ) -> None:
        """Believe what was seen to be broken, and tell the planner in the history.

        What follows from it is looked at before anything is planned on it. If what was broken was
        itself only inferred, or the inference is not seen either: look around as at the beginning;
        and if it is seen nowhere, look whether it was broken at all.
        """
        reasons = self.monitor.denial_statements(broken)
        self.constraints = now = base.after_violation(broken)
        inferred = tuple(one for one in now.inferred if one not in base.inferred)
        was_inferred = any(one in base.inferred for one in broken)
        if was_inferred or not self.wait_until_observed(inferred):
            self.constraints = self._looked_around(now)
            if self.constraints is now and all(self.monitor.answers(broken).values()):
                self.constraints = base
        said = (*reasons, *([error] if error else []))
        self.history = (*self.history, CallResult(ended, str(action), said))
        feedback = Feedback.misalignment(error, reasons, code, evidence)
        self.monitor.observer.emit(FeedbackGiven(str(action), feedback))

    def wait_until_observed(self, literals: tuple[Literal, ...]) -> bool:
        """Whether all this is seen, now or while the robot waits: what falls must land first."""
        wait = self.planner.skills.wait_action
        if not literals or wait is None or all(self.monitor.answers(literals).values()):
            return True
        return run_until_observed(start_skill(self.robot, wait), self.monitor, literals)

    def _looked_around(self, base: ConstraintSet) -> ConstraintSet:
        """The constraints after a look at everything; as they were if nothing is seen."""
        scene = self.monitor.answers(base.initial_literals)
        return base.after_observation(scene) if any(scene.values()) else base
