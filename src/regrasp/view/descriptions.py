"""Sentences about a run: how a motion or a run ended, or where a killed run stopped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from regrasp.core.event import GoalUnderstood, PlanMade, RunEnded
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.view.run_timeline import RunTimeline
from regrasp.view.timeline_entries import StepExecution

__all__ = ["RunSummary", "Tone", "measured", "plain_words", "sentences", "span", "summarise_run"]

_ENDINGS = {
    Outcome.SUCCEEDED: "did what was asked",
    Outcome.FAILED: "failed",
    Outcome.TIMED_OUT: "ran out of time",
    Outcome.ABORTED: "was stopped",
    Outcome.BROKEN: "broke, by a fault of ours,",
}


class Tone(StrEnum):
    """Whether a result is good, bad or unsure."""

    GOOD = "good"
    BAD = "bad"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in one word and a few sentences."""

    word: str
    sentences: tuple[str, ...]
    tone: Tone


def plain_words(report: SkillReport) -> list[str]:
    """A skill report as sentences: the ending, the error and its reason, then each measurement."""
    return [*sentences(report), *(f"Measured: {evidence}." for evidence in measured(report))]


def sentences(report: SkillReport) -> list[str]:
    """How a motion ended, with the error and its reason."""
    feedback = report.feedback
    ended = f"The motion {_ENDINGS[report.outcome]} after {report.seconds:.1f} s."
    why = (feedback.error, feedback.reason, feedback.suggestion) if feedback else ()
    return [ended, *(text for text in why if text)]


def measured(report: SkillReport) -> list[str]:
    """The measurements of a failed motion."""
    return [str(evidence) for evidence in report.feedback.evidence] if report.feedback else []


def span(seconds: float) -> str:
    """A duration as text: `0.4 s`, `18 s`, `1 min 58 s`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def summarise_run(run: RunTimeline) -> RunSummary:
    """The agent's claim compared with the judge's verdict; or where the trace stops."""
    if run.ended is None:
        return RunSummary("Not finished", _stopped(run), Tone.UNSURE)
    outcome, reason = run.ended.outcome, run.ended.reason.rstrip(".")
    if outcome is Outcome.ABORTED:
        return RunSummary("Stopped", (_sentence("The run was stopped", reason),), Tone.UNSURE)
    if outcome is Outcome.BROKEN:
        fault = _sentence("A fault of Regrasp ended the run, not the robot", reason)
        return RunSummary("Broken", (fault,), Tone.BAD)
    if run.of_reward:
        return _of_reward(run, outcome, reason)
    claims = outcome is Outcome.SUCCEEDED
    word, start = _claim(run, run.ended)
    claim = _sentence(start, reason)
    if run.judged is None:
        unknown = "No judge knows this instruction, so the claim was not checked."
        return RunSummary(word, (claim, unknown), Tone.UNSURE)
    done = run.judged.done
    agrees = done == claims
    truth = f"The judge, which reads the simulator, {'agrees' if agrees else 'does not'}"
    truth += "." if agrees else f": the task is {'done' if done else 'not done'}."
    if done and not claims:
        return RunSummary("Reached, not claimed", (claim, truth), Tone.BAD)
    return RunSummary(
        "Done" if done else "Not done", (claim, truth), Tone.GOOD if done else Tone.BAD
    )


def _claim(run: RunTimeline, ended: RunEnded) -> tuple[str, str]:
    """The claim in a few words, and the start of its sentence; old traces have only an outcome."""
    whats = [entry.what for entry in run.entries]
    goals = [what.goal for what in whats if isinstance(what, GoalUnderstood)]
    if ended.outcome is Outcome.SUCCEEDED:
        if goals and goals[-1] and all(clause.startswith("ask ") for clause in goals[-1]):
            return "Answered", "The robot answers"
        word = f"{ended.claim.capitalize() or 'Done'}, by its own claim"
        start = "claims that it is done"
    elif goals and not any(isinstance(what, PlanMade | StepExecution) for what in whats):
        return "Declined", "The robot declined"
    else:
        word, start = "Given up", "gave up"
    return word, f"The robot's claim: {ended.claim}" if ended.claim else f"The robot {start}"


def _of_reward(run: RunTimeline, outcome: Outcome, reason: str) -> RunSummary:
    """The result of a motion by its reward; the judge's verdict on the world's task is separate."""
    ending = _sentence(f"The motion {_ENDINGS[outcome].rstrip(',')}", reason)
    done = "" if run.judged and run.judged.done else "not "
    truth = (f"The judge's verdict: the world's task is {done}done.",) if run.judged else ()
    if outcome is Outcome.SUCCEEDED:
        return RunSummary("Reward met", (ending, *truth), Tone.GOOD)
    return RunSummary("Reward not met", (ending, *truth), Tone.BAD)


def _sentence(start: str, reason: str) -> str:
    if not reason:
        return f"{start}."
    return f"{start}: {reason}" if reason.endswith(("?", "!")) else f"{start}: {reason}."


def _stopped(run: RunTimeline) -> tuple[str, ...]:
    """Where the trace of an unfinished run stops, and during which step."""
    why = "The run was killed before it ended, or is still going."
    if run.last is None:
        return (why, "Nothing had happened yet.")
    where = f"The trace stops {run.last.sim_s:.1f} s into the robot's time"
    steps = [entry.what for entry in run.entries if isinstance(entry.what, StepExecution)]
    if steps and steps[-1].under_way:
        stages = steps[-1].motions[-1].stages
        stage = f" ({stages[-1].name})" if stages else ""
        return (why, f"{where}, in the middle of “{steps[-1].step}”{stage}.")
    return (why, f"{where}, while nothing moved.")
