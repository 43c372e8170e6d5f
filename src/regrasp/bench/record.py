"""One episode of a suite: its key, the job that runs it, and the row of its results."""

from __future__ import annotations

from dataclasses import dataclass, field

from regrasp.core.estimates import Estimates
from regrasp.core.outcome import Outcome

__all__ = [
    "MOST_HIGH_REPLANS",
    "NOT_CLAIMED",
    "Alarm",
    "CheckedAnswer",
    "EpisodeJob",
    "EpisodeKey",
    "EpisodeRecord",
    "Limits",
    "NamedObstacle",
    "episode_outcome",
]

MOST_HIGH_REPLANS = 5
"""The most new plans of the high level with which a plan counts as executable (CoPAL)."""

NOT_CLAIMED = "reached, not claimed"
"""The goal is reached by the judge's verdict, and the agent does not claim so: no success."""


@dataclass(frozen=True, slots=True)
class EpisodeKey:
    """Everything that determines an episode; `llm` and `vlm` are names as in a command."""

    suite: str
    task: str
    method: str
    llm: str
    vlm: str
    seed: int

    def __str__(self) -> str:
        return f"{self.task}, {self.method}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an episode: over `sim_s` or the model calls it fails, over `wall_s` it is broken.

    A method that uses up its simulated time or its calls has failed. An episode that takes `wall_s`
    hangs, which is a fault of Regrasp.
    """

    sim_s: float = 600.0
    calls: int = 3000
    wall_s: float = 3600.0


@dataclass(frozen=True, slots=True)
class EpisodeJob:
    """An episode of the suite at `address` (a name or a file), and how it is recorded.

    `size` is (width, height) of the images, also those for the vision model. `swap` names the part
    of the agent that is replaced by its oracle, if any (swap.py). `digest` identifies the job: the
    episode's note has it, and only an episode with the digest of its job counts (belonging.py).
    `estimates` is where the robot gets the poses of things from. `cameras` are those that the
    vision model gets pictures of; empty for the domain's own.
    """

    address: str
    key: EpisodeKey
    limits: Limits = field(default_factory=Limits)
    video: bool = False
    size: tuple[int, int] = (320, 240)
    renderer: str = "raycast"
    swap: str = ""
    digest: str = ""
    estimates: Estimates = Estimates.PRIVILEGED
    cameras: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.key)


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One yes/no answer that an agent used, beside the truth at that moment.

    `predicate` is the kind of question, e.g. an `ObjectQuestion` of prompts/visual_question.py
    ("seen", "open", …). `said` and `truth` are "yes", "no" or "unknown"; `truth` is the oracle's
    answer, and `sure` the vision model's probability of its own answer, if it gave one.
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
class NamedObstacle:
    """The robot reported that `named` is in the way of `command`; `true` is the judge's answer."""

    command: str
    named: str
    true: bool


def episode_outcome(done: bool, claimed: bool) -> Outcome:
    """The outcome of an episode that did not break: success needs verdict and claim."""
    return Outcome.SUCCEEDED if done and claimed else Outcome.FAILED


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """How an episode ended; it can be computed again from its trace.

    `outcome` is succeeded if the judge finds the task done (`done`) and the agent claims so
    (`claimed`), else failed; or broken, a fault of Regrasp. `reason` is the agent's reason, or why
    the episode broke.
    `motions` and `looks` are motion and vision actions as in figure C.1 of the REPLAN paper,
    `failures` the codes of the failed skills, in order. `trace` is the episode's folder within the
    run's. `watched` counts the skills that ended while a monitor had a constraint to watch,
    `alarms` are those it raised. `claim` is the agent's claim, a `ClaimResult`; empty if it made
    none, and in records of an earlier version.

    `plans` counts the plans, `high_replans` and `mid_replans` those that a failure changed, by the
    level that changed them, `ignored_failures` the failed skills after which nothing was planned
    anew; `language_calls` and `language_s` are calls of the language model and
    wall seconds in it (0 for rules, whose time is not recorded). In a task with a recipe, `ordered`
    is its name, and `missing` and `superfluous` are the ingredients that are wrong by the judge.
    `obstacles` are what the robot named as being in its way, where the judge knows what is.
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
    claim: str = ""
    plans: int = 0
    high_replans: int = 0
    mid_replans: int = 0
    ignored_failures: int = 0
    language_calls: int = 0
    language_s: float = 0.0
    ordered: str = ""
    missing: tuple[str, ...] = ()
    superfluous: tuple[str, ...] = ()
    obstacles: tuple[NamedObstacle, ...] = ()

    @property
    def executable(self) -> bool:
        """Whether a plan was carried out to its end with at most `MOST_HIGH_REPLANS` new ones.

        The agent says that it was, and ignored no failed skill. Whether the result is right is the
        judge's verdict.
        """
        planned = self.plans > 0 and self.high_replans <= MOST_HIGH_REPLANS
        return planned and self.claimed and self.ignored_failures == 0

    @property
    def ended(self) -> bool:
        """Whether it counts: it succeeded or failed, and did not break."""
        return self.outcome is not Outcome.BROKEN

    @property
    def succeeded(self) -> bool:
        """Whether the judge finds the task done and the agent claims so."""
        return self.outcome is Outcome.SUCCEEDED

    @property
    def reached_not_claimed(self) -> bool:
        """Whether the goal was reached by luck: the agent gave up or was stopped. No success."""
        return self.ended and self.done and not self.claimed
