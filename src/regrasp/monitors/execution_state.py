"""The belief of an agent that plans over skills while it works, and how errors correct it.

It holds the constraint set and the history that the planner is shown. DoReMi, Inner Monologue,
CLIPort and SayCan share it; they differ in when they check.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import FeedbackGiven, PlanMade
from regrasp.core.execution import run_skill, start_skill
from regrasp.core.fact import Literal, State
from regrasp.core.feedback import Evidence, FailureCode, Feedback
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot, SkillReport
from regrasp.monitors.constraints import ConstraintSet
from regrasp.monitors.monitor import Monitor
from regrasp.monitors.monitored_run import run_until_observed
from regrasp.planners.checked_plan import PlanCheck, RefusedPlan
from regrasp.planners.skill_planner import SkillPlanner
from regrasp.prompts.parsing import Declined
from regrasp.prompts.skill_plan import CallResult, CallStatus, SkillPlan

__all__ = ["ExecutionState"]

_MOST_GUARD_STOPS, _MOST_REFUSALS, _MOST_REPEATS = 1, 4, 6  # in a row
_MOST_ALIKE = 25  # plans; with drops in one second of three a block is placed long before


@dataclass(slots=True)
class ExecutionState:
    """`constraints` is the belief with its constraints, `history` the calls and their results.

    `guard_stops` counts how often in a row the robot's guard ended a skill, `refusals` how often in
    a row the robot refused to start one. With a `check`, a plan that does not reach the goal in the
    domain is refused: the planner is asked once more with the reason in its history, and if that
    plan is refused too, one is searched for.
    """

    robot: Robot
    planner: SkillPlanner
    monitor: Monitor
    constraints: ConstraintSet
    check: PlanCheck | None = None
    history: tuple[CallResult, ...] = field(default=(), init=False)
    guard_stops: int = field(default=0, init=False)
    refusals: int = field(default=0, init=False)
    repeats: Counter[tuple[Action, FailureCode]] = field(default_factory=Counter, init=False)
    plans: Counter[tuple[tuple[Action, ...], State]] = field(default_factory=Counter, init=False)

    def plan(self, instruction: str) -> SkillPlan | Declined:
        """The remaining skills, given the present belief and the history."""
        plan = self._asked(instruction, self.history)
        if self.check is not None and isinstance(plan, SkillPlan):
            plan = self._checked(instruction, plan, self.check)
        if isinstance(plan, SkillPlan):
            self.plans[plan.calls, self.constraints.state] += 1
        return plan

    def _asked(self, instruction: str, history: tuple[CallResult, ...]) -> SkillPlan | Declined:
        plan = self.planner.plan(instruction, self.constraints.believed_statements, history)
        return self._emitted(instruction, plan)

    def _checked(self, instruction: str, plan: SkillPlan, check: PlanCheck) -> SkillPlan | Declined:
        """The plan if it reaches the goal; else the planner's second one, or one by search."""
        refused = self._refusal(plan, check)
        if refused is None:
            return plan
        second = self._asked(instruction, (*self.history, refused.result))
        if isinstance(second, SkillPlan) and self._refusal(second, check) is None:
            return second
        return self._emitted(instruction, check.search(self.constraints.state))

    def _refusal(self, plan: SkillPlan, check: PlanCheck) -> RefusedPlan | None:
        refused = check.refusal(self.constraints.state, plan.calls)
        if refused is not None:
            self.monitor.observer.emit(FeedbackGiven(refused.call, refused.feedback))
        return refused

    def _emitted(self, instruction: str, plan: SkillPlan | Declined) -> SkillPlan | Declined:
        if isinstance(plan, SkillPlan):
            steps = tuple(map(str, plan.calls)) or ("done",)
            self.monitor.observer.emit(PlanMade(instruction, plan.thought, steps))
        return plan

    @property
    def done_so_far(self) -> str:
        """The calls that succeeded, for a claim."""
        did = [event.call for event in self.history if event.status is CallStatus.DID]
        return f"after {', '.join(did) or 'nothing'}"

    def claim_done(self) -> Claim:
        """The claim of a method that has no step left.

        It is seen if the effects of the actions, and what was inferred, were all seen to be true
        after the last motion.
        """
        wanted = (*self.constraints.literals, *self.constraints.inferred)
        seen = bool(wanted) and self.monitor.all_seen(wanted)
        return Claim(True, self.done_so_far, seen, believed=self.constraints.state)

    @property
    def failure_reason(self) -> str:
        """Why no plan can help any more; empty while a plan may.

        A robot whose guard stops it twice in a row, for example because it lies on the floor,
        cannot continue, and neither can one that refuses every planned skill.
        """
        if self.guard_stops > _MOST_GUARD_STOPS:
            return f"twice in a row, {self.history[-1].messages[-1]}"
        if self.refusals > _MOST_REFUSALS:
            why = self.history[-1].messages[-1]
            return f"the robot refused {self.refusals} skills in a row: {why}"
        for (action, code), times in self.repeats.items():
            if times >= _MOST_REPEATS:
                return f"{action} failed {times} times in a row ({code})"
        if max(self.plans.values(), default=0) > _MOST_ALIKE:
            return f"the same plan was made {_MOST_ALIKE} times from the same belief"
        return ""

    def run(self, action: Action) -> SkillReport:
        """Run the skill of an action to its end; believe its effects, or what its failure shows."""
        report = run_skill(self.robot, self.planner.skills.skill(action))
        self.monitor.skill_ended()
        if report.outcome is Outcome.SUCCEEDED:
            self.completed(action)
        else:
            self.record_failure(action, report)
        return report

    def completed(self, action: Action) -> None:
        """An action succeeded: believe its effects."""
        self.constraints = self.constraints.after(action)
        self.history = (*self.history, CallResult(CallStatus.DID, str(action)))
        self.guard_stops = self.refusals = 0
        self.repeats.clear()

    def look_around(self) -> None:
        """Ask where every object is, and believe the answers."""
        self.constraints = self._looked_around(self.constraints)

    def missing(self, literals: Iterable[Literal]) -> tuple[Literal, ...]:
        """The literals that one look finds to be false."""
        return tuple(one for one, true in self.monitor.answers(literals).items() if true is False)

    def after_attempt(self, action: Action) -> ConstraintSet:
        """The constraints after an action that failed, by a look at its effects.

        The effects may be true nevertheless: the block fell onto its target, or the hand already
        holds the object that it could not pick up.
        """
        effects = self.constraints.effects(action)
        made = bool(effects) and all(self.monitor.answers(effects).values())
        return self.constraints.after(action) if made else self.constraints

    def record_failure(self, action: Action, report: SkillReport) -> None:
        """The robot reports that a skill failed: believe what it sensed, and look once.

        Literals that the report itself denies are not looked at. Literals that may explain it are.
        """
        domain, feedback = self.planner.skills, report.feedback
        code = feedback.code if feedback is not None else FailureCode.NOT_OBSERVED
        self.guard_stops = self.guard_stops + 1 if code is FailureCode.GUARD else 0
        self.refusals = self.refusals + 1 if code is FailureCode.REFUSED else 0
        self.repeats = Counter({(action, code): self.repeats[action, code] + 1})
        denied = domain.denied_literals(report, self.constraints.preconditions_and_effects(action))
        was_sensed = any(one.fact.predicate in domain.felt_predicates for one in denied)
        base = self.constraints if was_sensed else self.after_attempt(action)
        if base is not self.constraints:
            denied = ()
        answers = self.monitor.answers(domain.suspected(report, base.rules))
        causes = tuple(one for one, true in answers.items() if true and one.fact not in base.state)
        base = base.after_observation(answers) if answers else base
        missing = self.missing(one for one in base.literals if one not in denied)
        error = feedback.error if feedback is not None else str(report.outcome)
        evidence = feedback.evidence if feedback is not None else ()
        self.record_misalignment(
            CallStatus.FAILED, action, base, (*denied, *missing), error, code, evidence, causes
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
        causes: tuple[Literal, ...] = (),
    ) -> None:
        """Believe that the `broken` literals are false, and add them to the planner's history.

        `causes` are literals that were seen to be true and explain it; `base` has them already.

        Literals inferred from this are looked at before anything is planned on them. If a broken
        literal was itself only inferred, or an inferred one is not seen: ask about the whole scene
        again, as at the start. If even that shows nothing, check whether the literals were broken
        at all.
        """
        found = map(self.planner.skills.lexicon.statement, causes)
        reasons = (*self.monitor.denial_statements(broken), *found)
        self.constraints = now = base.after_violation(broken)
        inferred = tuple(one for one in now.inferred if one not in base.inferred)
        was_inferred = any(one in base.inferred for one in broken)
        if was_inferred or not self.wait_until_observed(inferred):
            self.constraints = self._looked_around(now)
            if self.constraints is now and all(self.monitor.answers(broken).values()):
                self.constraints = base
        messages = (*reasons, *([error] if error else []))
        self.history = (*self.history, CallResult(ended, str(action), messages))
        feedback = Feedback.misalignment(error, reasons, code, evidence)
        self.monitor.observer.emit(FeedbackGiven(str(action), feedback))

    def wait_until_observed(self, literals: tuple[Literal, ...]) -> bool:
        """Whether all are seen to be true, now or while the robot waits for objects to settle."""
        wait = self.planner.skills.wait_action
        if not literals or wait is None or all(self.monitor.answers(literals).values()):
            return True
        return run_until_observed(start_skill(self.robot, wait), self.monitor, literals)

    def _looked_around(self, base: ConstraintSet) -> ConstraintSet:
        """The constraints after a look at the whole scene; unchanged if nothing is seen."""
        scene = self.monitor.answers(base.initial_literals)
        return base.after_observation(scene) if any(scene.values()) else base
