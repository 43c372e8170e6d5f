"""Show a running agent on stderr: a live line on a terminal, and one line for each event."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regrasp.core.event import Event
    from regrasp.core.trace import TraceEntry

__all__ = ["describe_event", "show_agent"]


def describe_event(event: Event) -> str:
    """One line about an event, for a person who follows the run; "" for most events."""
    from regrasp.core.event import (
        Disturbed,
        FeedbackGiven,
        PlanMade,
        Remark,
        SkillEnded,
        StepStarted,
        VisionAsked,
    )
    from regrasp.core.outcome import Outcome

    match event:
        case PlanMade(steps=steps, thought=thought):
            return f"plan: {'; '.join(steps)}  ({thought})"
        case StepStarted(step=step, by=by):
            return f"{'look' if by == 'camera' else 'do'}: {step}"
        case VisionAsked(action=action, question=question, answer=answer) if action != "scan":
            return f"  vision: {_short(question.partition('?')[0])}? {answer}"
        case FeedbackGiven(feedback=feedback):
            return f"  why: {'; '.join(feedback.reasons) or 'no cause was seen'}"
        case SkillEnded(report=report):
            why = report.feedback.error if report.feedback else ""
            ok = report.outcome is Outcome.SUCCEEDED
            return f"  {'done' if ok else report.outcome} after {report.seconds:.1f} s. {why}"
        case Disturbed(fault=mishap):
            return f"  (situation: {mishap})"
        case Remark(text=text):
            return text
    return ""


def _short(text: str, most: int = 70) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


@contextmanager
def show_agent() -> Iterator[Callable[[TraceEntry], None]]:
    """Yield a function that shows each trace entry as it is written."""
    from regrasp.cli.output import progress
    from regrasp.core.event import ModelCalled, SkillProgress

    began, calls, dollars, last = time.monotonic(), 0, 0.0, ""
    with progress() as bar:
        task = bar.add_task("starting", total=None)

        def show(entry: TraceEntry) -> None:
            nonlocal calls, dollars, last
            event = entry.event
            if isinstance(event, ModelCalled):
                calls, dollars = calls + event.calls, dollars + event.usd
            line = describe_event(event)
            if line and line != last:
                stamped = f"{entry.stamp.sim_s:6.1f} s  {line}"
                bar.console.print(stamped, markup=False, highlight=False, soft_wrap=True)
                last = line
            if isinstance(event, SkillProgress):
                cost = f", ${dollars:.2f}" if dollars else ""
                doing = f"{event.stage}, {event.cost:.2f} to go; {time.monotonic() - began:.0f} s"
                shown = f"{doing}, {calls} model calls{cost}"
                bar.update(task, description=shown.replace("[", "("))

        yield show
