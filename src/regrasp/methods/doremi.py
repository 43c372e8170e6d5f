"""DoReMi (seed 003, Algorithm 1): watch the constraints while a skill runs, stop at once, replan.

The paper's baselines are the same loop with other eyes. `looks` says when it looks, and `repeats`
what it does about a step that missed:

| | looks | at | then |
|---|---|---|---|
| SayCan | never | | goes on |
| CLIPort | at the end of a step | what the step should have made so | repeats the step |
| Inner Monologue | at the end of a step | all constraints | plans again |
| DoReMi | all the time | all constraints | stops at once and plans again |

A step is a run of calls about one thing: to pick up a block and to place it. Whoever looks also
hears the robot's own report of a skill that failed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import EventSink, Noted, Planned, Reasoned, StepStarted
from regrasp.core.fact import Literal
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot, SkillReport
from regrasp.monitors.constraints import ConstraintSet, Course, Refused
from regrasp.monitors.monitor import Monitor
from regrasp.monitors.watched import Violation, run_through, run_until_seen, run_watched
from regrasp.planners.skills import SkillPlanner
from regrasp.prompts.constraints import Proposal
from regrasp.prompts.parsing import Declined
from regrasp.prompts.skill_plan import Ended, Happened, SkillPlan

__all__ = ["Doremi", "Looks"]


class Looks(StrEnum):
    """When a method looks at what it does."""

    NEVER = "never"
    AT_ENDS = "at ends"
    ALWAYS = "always"


@dataclass(slots=True)
class Doremi:
    """One run. `planner` is the language model L, `monitor` the detector D of the pseudo-code.

    `proposes` lets the model add constraints of its own to those that follow from the domain.
    """

    robot: Robot
    planner: SkillPlanner
    monitor: Monitor
    constraints: ConstraintSet
    emit: EventSink
    looks: Looks = Looks.ALWAYS
    repeats: bool = False
    proposes: bool = False
    most_plans: int = 100
    most_repeats: int = 100
    happened: tuple[Happened, ...] = field(default=(), init=False)
    trips: int = field(default=0, init=False)

    def run(self, goal: str) -> Claim:
        """Work on `goal` until the planner has nothing left to do and nothing is in doubt."""
        self.constraints = self.looked_around(self.constraints)
        for _ in range(self.most_plans):
            plan = self.plan(goal)
            if isinstance(plan, Declined):
                return Claim(False, plan.why)
            aligned = self.follow(plan.calls)
            if self.trips > 1:
                return Claim(False, f"twice in a row, {self.happened[-1].said[-1]}")
            if self.repeats and not aligned:
                return Claim(False, f"a step missed {self.most_repeats} times")
            if aligned and (self.looks is Looks.NEVER or not plan.calls):
                did = [event.call for event in self.happened if event.ended is Ended.DID]
                return Claim(True, f"after {', '.join(did) or 'nothing'}")
        return Claim(False, f"none of {self.most_plans} plans reached the goal")

    def plan(self, goal: str) -> SkillPlan | Declined:
        """Line 3: the skills that are left, for what is believed now and what happened."""
        plan = self.planner.plan(goal, self.constraints.known, self.happened)
        if isinstance(plan, SkillPlan):
            self.emit(Planned(goal, plan.thought, tuple(map(str, plan.calls)) or ("done",)))
        return plan

    def follow(self, calls: tuple[Action, ...]) -> bool:
        """Lines 2 to 13: step after step, up to the first misalignment; whether there was none."""
        if not calls:
            return self.sure()
        for _, step in groupby(calls, key=lambda call: call.args[:1]):
            if not self.tried(tuple(step)):
                return False
        return True

    def tried(self, step: tuple[Action, ...]) -> bool:
        """One step, as often as this method tries it."""
        for _ in range(self.most_repeats if self.repeats else 1):
            if all(map(self.act, step)) and self.arrived(step):
                return True
            if self.trips > 1:
                break
        return False

    def act(self, action: Action) -> bool:
        """Lines 5 to 12: one skill under the constraints it is to keep; whether all went well."""
        self.emit(StepStarted(str(action), "arm"))
        proposal = self.planner.constraints(action) if self.proposes else Proposal()
        watched = self.widened(self.constraints, proposal.during)
        run = self.robot.start(self.planner.skills.skill(action))
        if self.looks is Looks.ALWAYS:
            ended = run_watched(run, self.monitor, watched.course(action))
        else:
            ended = run_through(run)
        if isinstance(ended, Violation):
            base = self.constraints.after(action) if ended.made else self.seen_after(action)
            stopped = ended.report.outcome is not Outcome.SUCCEEDED
            how = Ended.STOPPED if stopped else Ended.DID
            return self.misaligned(how, action, base, ended.broken)
        if ended.outcome is Outcome.SUCCEEDED or self.looks is Looks.NEVER:
            self.constraints = self.widened(self.constraints.after(action), proposal.after)
            self.happened = (*self.happened, Happened(Ended.DID, str(action)))
            self.trips = 0
            return True
        return self.failed(action, ended)

    def failed(self, action: Action, report: SkillReport) -> bool:
        """The robot itself says that a skill failed: hear what it felt, and look around once.

        Where it is it knows better than its eyes: what it denies of that is not looked at. One that
        its guard stops again and again, say because it lies, is beyond any plan.
        """
        guarded = report.feedback is not None and report.feedback.code is FailureCode.GUARD
        self.trips = self.trips + 1 if guarded else 0
        denied = self.planner.skills.denied(report, self.constraints.concerned(action))
        sure = any(one.fact.predicate in self.planner.skills.felt for one in denied)
        base = self.constraints if sure else self.seen_after(action)
        if base is not self.constraints:
            denied = ()
        missing = self.missing(one for one in base.literals if one not in denied)
        said = report.feedback.error if report.feedback is not None else str(report.outcome)
        return self.misaligned(Ended.FAILED, action, base, (*denied, *missing), said)

    def seen_after(self, action: Action) -> ConstraintSet:
        """The constraints after an action that did not end well, by a look at what it should make.

        It may be so all the same: the block fell where it belongs, or what could not be picked up
        is in the hand already.
        """
        made = self.constraints.effects(action)
        so = bool(made) and all(self.monitor.answers(made).values())
        return self.constraints.after(action) if so else self.constraints

    def missing(self, literals: Iterable[Literal]) -> tuple[Literal, ...]:
        """Which of these one look finds not to be so."""
        return tuple(one for one, so in self.monitor.answers(literals).items() if so is False)

    def arrived(self, step: tuple[Action, ...]) -> bool:
        """Whether a step has done what it should, to who looks at its end."""
        if self.looks is not Looks.AT_ENDS:
            return True
        watched = self.constraints.literals
        if self.repeats:
            watched = tuple(one for one in watched if one in self.constraints.effects(step[-1]))
        broken = self.missing(watched)
        return not broken or self.misaligned(Ended.DID, step[-1], self.constraints, broken)

    def sure(self) -> bool:
        """Nothing is left to do: whether nothing is in doubt either.

        What was only concluded, from that something else was not so, is looked at too, by whoever
        looks at ends. Who looks all the time takes a longer look where anything is doubted.
        """
        wait, unseen = self.planner.skills.wait, self.constraints.inferred
        if self.looks is Looks.NEVER or self.repeats or wait is None:
            return True
        if self.looks is Looks.AT_ENDS:
            broken = self.missing(unseen)
        else:
            course = Course(tuple(dict.fromkeys((*self.constraints.literals, *unseen))))
            self.monitor.watch(course.first)
            broken = self.monitor.look_if_due()
            if not broken and (self.monitor.doubted or self.missing(unseen)):
                ended = run_watched(self.robot.start(wait), self.monitor, course)
                broken = ended.broken if isinstance(ended, Violation) else self.monitor.doubted
        return not broken or self.misaligned(Ended.STOPPED, wait, self.constraints, broken)

    def settled(self, concluded: tuple[Literal, ...]) -> bool:
        """Whether all this is seen, at once or as the robot waits: what falls must first land."""
        wait = self.planner.skills.wait
        if not concluded or wait is None or all(self.monitor.answers(concluded).values()):
            return True
        return run_until_seen(self.robot.start(wait), self.monitor, concluded)

    def looked_around(self, base: ConstraintSet) -> ConstraintSet:
        """The constraints after a look at where everything is; as they were if nothing is seen."""
        scene = self.monitor.answers(base.described)
        return base.seen(scene) if any(scene.values()) else base

    def misaligned(
        self,
        ended: Ended,
        action: Action,
        base: ConstraintSet,
        broken: tuple[Literal, ...],
        robot: str = "",
    ) -> bool:
        """Lines 9 and 12: believe what was seen, and tell the planner. Always False.

        What follows from it is looked at before anything is planned on it. If what was broken was
        itself only concluded, or the conclusion is not to be seen either: look around as at the
        beginning; and if it is seen nowhere, look whether it was broken at all.
        """
        causes = self.monitor.denials(broken)
        self.constraints = now = base.broken(broken)
        new = tuple(one for one in now.inferred if one not in base.inferred)
        if any(one in base.inferred for one in broken) or not self.settled(new):
            self.constraints = self.looked_around(now)
            if self.constraints is now and all(self.monitor.answers(broken).values()):
                self.constraints = base
        said = (*causes, *([robot] if robot else []))
        self.happened = (*self.happened, Happened(ended, str(action), said))
        self.emit(Reasoned(str(action), causes, robot))
        return False

    def widened(self, constraints: ConstraintSet, sentences: tuple[str, ...]) -> ConstraintSet:
        """The constraints with those that the model proposed; one that is refused is noted."""
        for sentence in sentences:
            wider = constraints.proposed(sentence)
            if isinstance(wider, Refused):
                self.emit(Noted(str(wider)))
            else:
                constraints = wider
        return constraints
