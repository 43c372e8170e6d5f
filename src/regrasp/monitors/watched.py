"""A skill under a monitor: it runs to its end, or is stopped at the first look that says so."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.errors import RegraspError
from regrasp.core.event import Violated
from regrasp.core.fact import Literal
from regrasp.core.robot import SkillReport, SkillRun
from regrasp.monitors.constraints import Course
from regrasp.monitors.monitor import Monitor

__all__ = ["Violation", "run_through", "run_watched"]


@dataclass(frozen=True, slots=True)
class Violation:
    """What was found broken while a skill ran, in sentences too, and the report of the stopped one.

    `made` says whether the skill's work was already there (see `Handover.makes`).
    """

    broken: tuple[Literal, ...]
    said: tuple[str, ...]
    report: SkillReport
    made: bool = False


def run_watched(run: SkillRun, monitor: Monitor, course: Course) -> SkillReport | Violation:
    """Step `run` to its end under `monitor`; cancel it as soon as a constraint is broken.

    The monitor looks between control steps and costs no time of the robot's. The stopped skill
    ends within one control step, as the seam promises.
    """
    made, stages = False, course.handover
    monitor.watch(course.first)
    while run.step():
        stage = run.progress.stage
        if stages is not None and stage == stages.ends and not made:
            monitor.watch(course.between)
        if stages is not None and stage == stages.makes and not made:
            made = True
            monitor.watch(course.last)
        if broken := monitor.look_if_due():
            said = tuple(monitor.lexicon.statement(_denied(one)) for one in broken)
            questions = tuple(monitor.lexicon.asking(one).text for one in broken)
            run.cancel("; ".join(said))
            report = run_through(run)
            monitor.eyes.tell(Violated(report.action, said, questions))
            return Violation(broken, said, report, made)
    return run_through(run)


def run_through(run: SkillRun) -> SkillReport:
    """Step `run` to its end, whatever happens on the way; its report."""
    while run.step():
        pass
    if run.report is None:
        raise RegraspError("the skill stopped and has no report: the robot's `step` is wrong.")
    return run.report


def _denied(literal: Literal) -> Literal:
    return Literal(literal.fact, not literal.so)
