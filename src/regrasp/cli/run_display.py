"""Show a run on stderr while it goes on: an agent, a skill, or many episodes.

A terminal gets a live line. Imported only inside commands, so that `regrasp --help` stays quick.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from regrasp.bench.record import EpisodeRecord
from regrasp.cli.output import print_note, progress, shorten
from regrasp.core.event import (
    CommandChecked,
    Disturbed,
    Event,
    FactGrounded,
    FeedbackGiven,
    GoalUnderstood,
    LayerMessage,
    ModelCalled,
    PersonAsked,
    PlanMade,
    Remark,
    Replanned,
    SkillEnded,
    SkillProgress,
    StepStarted,
    VisionAsked,
)
from regrasp.core.feedback import Feedback
from regrasp.core.outcome import Outcome
from regrasp.core.trace import TraceEntry

if TYPE_CHECKING:
    from rich.progress import TaskID

    from regrasp.cli.progress_bar import ProgressBar

__all__ = ["AgentDisplay", "count_episodes", "describe_event", "show_agent", "show_skill"]

_LINE_EVERY_S = 30.0


def describe_event(event: Event) -> str:
    """One line about an event, for a person who follows the run; "" for most events."""
    match event:
        case GoalUnderstood(goal=(), words=words):
            return f"declined: {words}"
        case GoalUnderstood(words=words, confidence=confidence):
            return f"understood: {words}  ({confidence:.0%} sure)"
        case PersonAsked(question=question, options=options, chosen=chosen):
            return f"asked back: {question} ({'; '.join(options)}) {chosen or 'no answer'}"
        case LayerMessage(sender=sender, receiver=receiver, text=text):
            return f"{sender} to {receiver}: {text}"
        case CommandChecked(command=command, feedback=Feedback() as wrong):
            return f"  check: {command}: {wrong.reason or wrong.error}"
        case Replanned(level=level, command=command, commands=commands):
            now = f": {'; '.join(commands)}" if commands else ""
            return f"replan ({level} level), because of {command}{now}"
        case PlanMade(steps=steps, thought=thought):
            return f"plan: {'; '.join(steps)}  ({thought})"
        case StepStarted(step=step, by=by):
            return f"{'look' if by == 'camera' else 'do'}: {step}"
        case VisionAsked(action=action, question=question, answer=answer) if action != "scan":
            return f"  vision: {shorten(question.partition('?')[0], 70)}? {answer}"
        case FeedbackGiven(feedback=feedback):
            return f"  why: {'; '.join(feedback.reasons) or 'no cause was seen'}"
        case SkillEnded(report=report):
            why = report.feedback.error if report.feedback else ""
            ok = report.outcome is Outcome.SUCCEEDED
            return f"  {'done' if ok else report.outcome} after {report.seconds:.1f} s. {why}"
        case Disturbed(fault=fault):
            return f"  (situation: {fault})"
        case FactGrounded(fact=fact, true=true, reason=reason):
            return f"  {fact} is {'true' if true else 'false'}: {reason}"
        case Remark(text=text):
            return text
    return ""


@dataclass(slots=True)
class AgentDisplay:
    """Shows each trace entry of an agent: one line for each event, and what the robot does now."""

    bar: ProgressBar
    task: TaskID
    started: float = field(default_factory=time.monotonic)
    calls: int = 0
    dollars: float = 0.0
    last: str = ""

    def show(self, entry: TraceEntry) -> None:
        """Show one entry."""
        event = entry.event
        if isinstance(event, ModelCalled):
            self.calls, self.dollars = self.calls + event.calls, self.dollars + event.usd
        line = describe_event(event)
        if line and line != self.last:
            stamped = f"{entry.stamp.sim_s:6.1f} s  {line}"
            self.bar.note(stamped)
            self.last = line
        if isinstance(event, SkillProgress):
            cost = f", ${self.dollars:.2f}" if self.dollars else ""
            seconds = time.monotonic() - self.started
            doing = f"{event.stage}, {event.cost:.2f} to go; {seconds:.0f} s"
            shown = f"{doing}, {self.calls} model calls{cost}"
            self.bar.update(self.task, description=shown)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leave the terminal to somebody else."""
        if self.bar.disable:
            yield
            return
        self.bar.stop()
        try:
            yield
        finally:
            self.bar.start()


@contextmanager
def show_agent() -> Iterator[AgentDisplay]:
    """Yield a display of the entries of an agent's trace."""
    with progress() as bar:
        yield AgentDisplay(bar, bar.add_task("starting", total=None))


@contextmanager
def show_skill() -> Iterator[Callable[[TraceEntry], None]]:
    """Yield a function that shows each trace entry of a skill: without a terminal, its stages."""
    stage = ""
    with progress() as bar:
        task = bar.add_task("starting", total=None)

        def show(entry: TraceEntry) -> None:
            nonlocal stage
            event = entry.event
            if isinstance(event, Remark):
                bar.note(event.text)
            if not isinstance(event, SkillProgress):
                return
            line = f"{entry.stamp.sim_s:5.1f} s  {event.stage}"
            if not bar.disable:
                shown = f"{line}, {event.cost:.2f} to go"
                bar.update(task, description=shown)
            elif event.stage != stage:
                print_note(line)
            stage = event.stage

        yield show


@contextmanager
def count_episodes(what: str, total: int) -> Iterator[Callable[[EpisodeRecord], None]]:
    """Yield a function that counts each record: rate, failures, and remaining time.

    Without a terminal it prints a line every 30 s.
    """
    started = last = time.monotonic()
    counts = dict.fromkeys(Outcome, 0)
    with progress() as bar:
        task = bar.add_task(f"{what}: {total} episodes", total=total)

        def count(record: EpisodeRecord) -> None:
            nonlocal last
            counts[record.outcome] += 1
            if record.outcome is Outcome.BROKEN:
                line = f"{record.key}: broken. {record.reason}"
                bar.note(line)
            now = time.monotonic()
            line = _progress_line(what, total, counts, now - started)
            bar.update(task, advance=1, description=line)
            if bar.disable and (now - last > _LINE_EVERY_S or sum(counts.values()) == total):
                last = now
                print_note(line)

        yield count


def _progress_line(what: str, total: int, counts: dict[Outcome, int], seconds: float) -> str:
    done = sum(counts.values())
    rate = done / seconds if seconds > 0 else 0.0
    left = (total - done) / rate if rate else 0.0
    return (
        f"{what}: {done}/{total}, {counts[Outcome.SUCCEEDED]} succeeded, "
        f"{counts[Outcome.FAILED]} failed, {counts[Outcome.BROKEN]} broken; "
        f"{60 * rate:.1f} a minute, {_span(left)} left"
    )


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
