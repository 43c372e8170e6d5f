"""From an episode's folder to its row: everything is read from the trace and the note beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from regrasp.bench.layout import EpisodeNote, read_note
from regrasp.bench.plan_events import ignored_failures, judged_values, named_obstacles
from regrasp.bench.record import Alarm, CheckedAnswer, EpisodeRecord, episode_outcome
from regrasp.core.errors import RegraspError
from regrasp.core.event import (
    AnswerChecked,
    ConstraintsWatched,
    ConstraintViolated,
    Event,
    Judged,
    ModelCalled,
    PlanMade,
    ReplanLevel,
    Replanned,
    RunEnded,
    SkillEnded,
    SkillStarted,
    StepStarted,
)
from regrasp.core.json_text import LARGEST_INT
from regrasp.core.outcome import Outcome
from regrasp.core.trace import TRACE_FILE, TraceEntry, TraceError, read_trace

__all__ = ["read_record"]


def read_record(folder: Path, root: Path) -> EpisodeRecord:
    """The row of the episode in `folder`, which lies within the run's folder `root`."""
    note = read_note(folder)
    where = folder.relative_to(root).as_posix()
    try:
        entries = read_trace(folder).entries
    except TraceError:
        if not note.broken:
            raise
        entries = ()
    return _record(note, entries, where)


def _record(note: EpisodeNote, entries: tuple[TraceEntry, ...], where: str) -> EpisodeRecord:
    events = tuple(entry.event for entry in entries)
    judged = next((e for e in events if isinstance(e, Judged)), None)
    ended = next((e for e in events if isinstance(e, RunEnded)), None)
    calls = [e for e in events if isinstance(e, ModelCalled)]
    to_language = [call for call in calls if not call.verdict]
    reports = [e.report for e in events if isinstance(e, SkillEnded)]
    truths = judged.truths if judged else ()
    ordered = judged_values(truths, "ordered")
    plans = sum(isinstance(e, PlanMade) for e in events)
    levels = [e.level for e in events if isinstance(e, Replanned)]
    broken = note.broken or ("" if judged and ended else "its trace has no end")
    done = judged is not None and judged.done
    ended_well = ended is not None and ended.outcome is Outcome.SUCCEEDED
    return EpisodeRecord(
        key=note.key,
        outcome=Outcome.BROKEN if broken else episode_outcome(done, ended_well),
        claimed=ended_well and not broken,
        done=done and not broken,
        reason=broken or (ended.reason if ended else ""),
        sim_s=entries[-1].stamp.sim_s if entries else 0.0,
        wall_s=note.wall_s,
        cpu_s=note.cpu_s,
        calls=_total(where, (call.calls for call in calls)),
        tokens=_total(where, (call.prompt_tokens + call.completion_tokens for call in calls)),
        motions=sum(isinstance(e, SkillStarted) for e in events),
        looks=sum(isinstance(e, StepStarted) and e.by == "camera" for e in events),
        replans=max(0, plans - 1),
        failures=tuple(
            str(report.feedback.code) if report.feedback else str(report.outcome)
            for report in reports
            if report.outcome is not Outcome.SUCCEEDED
        ),
        checks=_checks(entries),
        trace=where,
        watched=_watched(events),
        alarms=tuple(
            Alarm(question, entry.stamp.sim_s)
            for entry in entries
            if isinstance(entry.event, ConstraintViolated)
            for question in entry.event.questions
        ),
        claim=ended.claim if ended and not broken else "",
        plans=plans,
        high_replans=levels.count(ReplanLevel.HIGH),
        mid_replans=levels.count(ReplanLevel.MID),
        ignored_failures=ignored_failures(events),
        language_calls=_total(where, (call.calls for call in to_language)),
        language_s=sum(call.wall_latency_s for call in to_language),
        ordered=ordered[0] if ordered else "",
        missing=judged_values(truths, "missing"),
        superfluous=judged_values(truths, "superfluous"),
        obstacles=named_obstacles(events, truths),
    )


def _total(where: str, counts: Iterable[int]) -> int:
    total = sum(counts)
    if not 0 <= total <= LARGEST_INT:
        raise RegraspError(
            f"{where}/{TRACE_FILE} counts {total:.3g} calls or tokens, which no run has. Remove "
            "the folder; --resume runs that episode again."
        )
    return total


def _checks(entries: tuple[TraceEntry, ...]) -> tuple[CheckedAnswer, ...]:
    """The answers with their truths, which are at the end of the trace, and their confidences."""
    confidences = {
        (entry.event.messages[-1].text, entry.stamp.sim_s): entry.event.confidence
        for entry in entries
        if isinstance(entry.event, ModelCalled) and entry.event.verdict and entry.event.messages
    }
    return tuple(
        CheckedAnswer(
            e.predicate,
            e.question,
            e.said,
            e.truth,
            e.asked_s,
            confidences.get((e.question, e.asked_s)),
        )
        for e in (entry.event for entry in entries)
        if isinstance(e, AnswerChecked)
    )


def _watched(events: tuple[Event, ...]) -> int:
    """How many skills ended while there was something to watch."""
    count, watching = 0, False
    for event in events:
        if isinstance(event, ConstraintsWatched):
            watching = bool(event.constraints)
        count += isinstance(event, SkillEnded) and watching
    return count
