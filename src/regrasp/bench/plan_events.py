"""What a trace tells of plans: failures without a new one, recipe facts, named obstacles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from regrasp.bench.record import NamedObstacle
from regrasp.core.event import Event, PlanMade, ReplanLevel, Replanned, SkillEnded
from regrasp.core.fact import Fact, parse_literals
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome

__all__ = ["ignored_failures", "judged_values", "named_obstacles"]

_IN_THE_WAY = "stood_before"  # stood_before(x, y): at the start x was in the way of y
_EVIDENCE = "would_hit"


def ignored_failures(events: Iterable[Event]) -> int:
    """How many failed skills no new plan followed."""
    count = 0
    for event in events:
        match event:
            case SkillEnded(report=report) if report.outcome is not Outcome.SUCCEEDED:
                count += 1
            case PlanMade(steps=steps) if steps:
                count = 0
            case Replanned(level=ReplanLevel.HIGH):
                count = 0
            case _:
                pass
    return count


def judged_values(truths: Iterable[str], predicate: str) -> tuple[str, ...]:
    """The argument of each fact `predicate(x)` among the judge's truths."""
    return tuple(fact.args[0] for fact in _facts(truths, predicate))


def named_obstacles(events: Iterable[Event], truths: Sequence[str]) -> tuple[NamedObstacle, ...]:
    """What the robot named as being in the way of an object whose obstacles the judge knows.

    Only the first report on each object counts: later the robot may have put something there.
    """
    known: dict[str, set[str]] = {}
    for fact in _facts(truths, _IN_THE_WAY):
        known.setdefault(fact.args[1], set()).add(fact.args[0])
    found: dict[str, NamedObstacle] = {}
    for report in (event.report for event in events if isinstance(event, SkillEnded)):
        action, feedback = report.action, report.feedback
        if feedback is None or feedback.code is not FailureCode.COLLISION:
            continue
        wanted = next((name for name in action.args if name in known), "")
        names = [str(one.value) for one in feedback.evidence if one.name == _EVIDENCE]
        if wanted and wanted not in found:
            true = bool(names) and set(names) <= known[wanted]
            found[wanted] = NamedObstacle(str(action), ", ".join(names), true)
    return tuple(found.values())


def _facts(truths: Iterable[str], predicate: str) -> list[Fact]:
    mine = [text for text in truths if text.startswith(f"{predicate}(")]
    return [literal.fact for literal in parse_literals(*mine)]
