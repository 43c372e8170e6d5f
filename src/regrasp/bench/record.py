"""One episode of a suite as a row of its results: what it follows from, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.outcome import Outcome

__all__ = ["Alarm", "CheckedAnswer", "EpisodeKey", "EpisodeRecord"]


@dataclass(frozen=True, slots=True)
class EpisodeKey:
    """Everything an episode follows from; `llm` and `vlm` are the names that a command takes."""

    suite: str
    task: str
    method: str
    llm: str
    vlm: str
    seed: int

    def __str__(self) -> str:
        return f"{self.task}, {self.method}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One yes/no that an agent acted on, beside the truth at that moment.

    `predicate` is a `Look` of prompts/sight.py ("seen", "open", …). `said` and `truth` are "yes",
    "no" or "unknown"; `truth` is what perfect eyes would have said, and `sure` the probability that
    the eyes themselves gave to what they said, if they gave one.
    """

    predicate: str
    question: str
    said: str
    truth: str
    sim_s: float
    sure: float | None = None


@dataclass(frozen=True, slots=True)
class Alarm:
    """A monitor stopped a skill at `sim_s` because of the answers to this question."""

    question: str
    sim_s: float


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """How an episode ended, rebuilt at will from its trace.

    `outcome` is succeeded or failed by the judge's word (`done`), or broken, which is our fault;
    `claimed` is what the agent said, `reason` its words or why it broke. `motions` and `looks` are
    motion and vision actions as figure C.1 of seed 000 counts them, `failures` the codes of the
    skills that failed, in order. `trace` is the episode's folder within the run's. `watched` counts
    the skills that ended while a monitor had something to watch, `alarms` are those it raised.
    """

    key: EpisodeKey
    outcome: Outcome
    claimed: bool
    done: bool
    reason: str
    sim_s: float
    wall_s: float
    cpu_s: float
    calls: int
    tokens: int
    motions: int
    looks: int
    replans: int
    failures: tuple[str, ...]
    checks: tuple[CheckedAnswer, ...]
    trace: str
    watched: int = 0
    alarms: tuple[Alarm, ...] = ()
