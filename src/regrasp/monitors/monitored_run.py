"""A monitored skill: it runs to its end, or a violated constraint stops it."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.event import ConstraintViolated
from regrasp.core.execution import run_to_end
from regrasp.core.fact import Literal
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CLOCK_TOLERANCE_S, SkillReport, SkillRun
from regrasp.monitors.constraints import ConstraintSchedule
from regrasp.monitors.monitor import Monitor

__all__ = ["Violation", "run_monitored", "run_until_observed"]


@dataclass(frozen=True, slots=True)
class Violation:
    """The violated constraints, and the report of the skill, which was stopped or had just ended.

    `after_effect` is whether the skill's effect was already true.
    """

    violated: tuple[Literal, ...]
    report: SkillReport
    after_effect: bool = False


def run_monitored(
    run: SkillRun, monitor: Monitor, schedule: ConstraintSchedule
) -> SkillReport | Violation:
    """Step `run` to its end under `monitor`; cancel it as soon as a constraint is violated.

    The monitor checks between control steps and costs none of the robot's time. The stopped skill
    ends within one control step, as `SkillRun.cancel` requires. After a skill that succeeded, it
    checks once more (`Monitor.check_at_end`), so that a fresh failure is not carried into the next
    skill.

    One violation does not stop the skill: the object seems released too early, but is already at
    its target. The skill is then about to succeed, and the hand has yet to open.
    """
    made, stages = False, schedule.timing
    monitor.watch(schedule.before_release)
    while run.step():
        stage = run.progress.stage
        if stages is not None and stage == stages.deleted_at and not made:
            monitor.watch(schedule.during_release)
        if stages is not None and stage == stages.added_at and not made:
            made = True
            monitor.watch(schedule.after_effect)
        broken = monitor.check_if_due()
        if broken and not made and _there_already(broken, schedule, monitor):
            monitor.watch(schedule.during_release)
        elif broken:
            run.cancel("; ".join(monitor.denial_statements(broken)))
            report = run_to_end(run)
            monitor.skill_ended()
            return _violation(broken, report, made, monitor)
    report = run_to_end(run)
    monitor.skill_ended()
    if report.outcome is Outcome.SUCCEEDED and (broken := monitor.check_at_end(schedule.effects)):
        return _violation(broken, report, True, monitor)
    return report


def _there_already(
    broken: tuple[Literal, ...], schedule: ConstraintSchedule, monitor: Monitor
) -> bool:
    """Whether only constraints until the release are violated, and all effects are seen."""
    early = schedule.timing is not None and set(broken) <= set(schedule.until_release)
    return early and bool(schedule.effects) and all(monitor.answers(schedule.effects).values())


def _violation(
    broken: tuple[Literal, ...], report: SkillReport, made: bool, monitor: Monitor
) -> Violation:
    questions = tuple(monitor.lexicon.question_for(one).text for one in broken)
    monitor.observer.emit(
        ConstraintViolated(report.action, monitor.denial_statements(broken), questions)
    )
    return Violation(broken, report, made)


def run_until_observed(run: SkillRun, monitor: Monitor, wanted: tuple[Literal, ...]) -> bool:
    """Step `run` until one look finds all of `wanted` true, then cancel it; whether it did."""
    robot, period_s = monitor.observer.robot, monitor.period_s
    look_s, seen = robot.seconds + period_s, False
    while run.step() and not seen:
        if robot.seconds >= look_s - CLOCK_TOLERANCE_S:
            look_s, seen = robot.seconds + period_s, all(monitor.answers(wanted).values())
    if seen:
        run.cancel("what was waited for is seen")
    run_to_end(run)
    monitor.skill_ended()
    return seen
