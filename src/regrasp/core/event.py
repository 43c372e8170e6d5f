"""The typed events of a trace, and their JSON form.

Each event is a frozen dataclass with a `kind`, the tag of its type in JSON:
`{"kind": "looked", "camera": "front", …}`. `Event` is the union of them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias, get_args

from regrasp.core.action import Action
from regrasp.core.codec import CodecError, JsonValue, from_json, to_json
from regrasp.core.errors import UnknownNameError
from regrasp.core.feedback import Evidence, Feedback
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport

__all__ = [
    "EVENT_KINDS",
    "EVIDENCE_OF",
    "SCAN",
    "AnswerChecked",
    "CommandChecked",
    "ConstraintViolated",
    "ConstraintsWatched",
    "Disturbed",
    "Event",
    "EventSink",
    "FactGrounded",
    "FeedbackGiven",
    "Forked",
    "GoalUnderstood",
    "ImageTaken",
    "Judged",
    "Layer",
    "LayerMessage",
    "ModelCalled",
    "PersonAsked",
    "PlanMade",
    "Remark",
    "ReplanLevel",
    "Replanned",
    "RunEnded",
    "RunStarted",
    "ShownMessage",
    "SkillEnded",
    "SkillProgress",
    "SkillStarted",
    "StepStarted",
    "VisionAsked",
    "event_from_json",
    "event_to_json",
]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run began: its world, task, seed, instruction, method and versions."""

    kind: ClassVar[str] = "run_started"
    world: str
    task: str
    seed: int
    instruction: str
    method: str
    versions: Mapping[str, str]

    def __str__(self) -> str:
        asked = f": {self.instruction}" if self.instruction else ""
        return f"run started: {self.method} on {self.world}/{self.task}, seed {self.seed}{asked}"


@dataclass(frozen=True, slots=True)
class SkillStarted:
    """The robot started `action`."""

    kind: ClassVar[str] = "skill_started"
    action: Action

    def __str__(self) -> str:
        return f"skill started: {self.action}"


@dataclass(frozen=True, slots=True)
class SkillProgress:
    """Progress of a running skill: its stage, its cost (lower is better) and its measurements."""

    kind: ClassVar[str] = "skill_progress"
    stage: str
    cost: float
    evidence: tuple[Evidence, ...] = ()

    def __str__(self) -> str:
        measured = f" ({'; '.join(map(str, self.evidence))})" if self.evidence else ""
        return f"skill progress: {self.stage}, cost {self.cost:.3g}{measured}"


@dataclass(frozen=True, slots=True)
class SkillEnded:
    """A skill ended and reports on itself."""

    kind: ClassVar[str] = "skill_ended"
    report: SkillReport

    def __str__(self) -> str:
        return f"skill ended: {self.report}"


@dataclass(frozen=True, slots=True)
class Disturbed:
    """A disturbance of an action that the robot does not sense: for scoring and for readers.

    `fault` describes it in words; no agent ever reads it.
    """

    kind: ClassVar[str] = "disturbed"
    action: Action
    fault: str

    def __str__(self) -> str:
        return f"disturbed: {self.action}: {self.fault}"


@dataclass(frozen=True, slots=True)
class ImageTaken:
    """A camera took a picture of `width` × `height` pixels, stored by its SHA-256 as `image`."""

    kind: ClassVar[str] = "looked"
    camera: str
    image: str
    width: int
    height: int

    def __str__(self) -> str:
        return f"looked: {self.camera}, {self.width}×{self.height}, {self.image[:12]}"


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """One message shown to a model: its role, its text, and the names of its images."""

    role: str
    text: str
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelCalled:
    """One call of a model, and its result.

    `request` is the SHA-256 of everything that decides the answer, so equal requests can be found;
    `verdict` and `confidence` are a vision model's. `calls` counts the requests sent, with retries;
    a call that failed has an `error` and no `replies`.
    """

    kind: ClassVar[str] = "model_called"
    model: str
    purpose: str
    request: str
    messages: tuple[ShownMessage, ...]
    replies: tuple[str, ...]
    verdict: str = ""
    confidence: float | None = None
    losses: tuple[str, ...] = ()
    calls: int = 1
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    wall_latency_s: float = 0.0
    error_kind: str = ""
    error: str = ""

    def __str__(self) -> str:
        why = f" for {self.purpose}" if self.purpose else ""
        cost = f"{self.prompt_tokens} + {self.completion_tokens} tokens"
        result = f"{self.error_kind}: {self.error}" if self.error_kind else " | ".join(self.replies)
        return f"model called: {self.model}{why} ({cost}): {result or self.verdict}"


@dataclass(frozen=True, slots=True)
class GoalUnderstood:
    """The agent read `instruction` as `goal`, clauses of the goal language; `words` say it plainly.

    An instruction without a goal is declined: `goal` is empty, and `words` say why. `unexplained`
    are words of the instruction that are left over, `readings` the other goals that it may
    have, in words.
    """

    kind: ClassVar[str] = "understood"
    instruction: str
    goal: tuple[str, ...]
    words: str
    confidence: float
    unexplained: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.goal:
            return f"understood: no goal; {self.words}"
        return f"understood: {self.words} ({self.confidence:.0%} sure)"


@dataclass(frozen=True, slots=True)
class PersonAsked:
    """The agent asked the person which of `options` is meant; `chosen` is empty without answer."""

    kind: ClassVar[str] = "asked_back"
    question: str
    options: tuple[str, ...]
    chosen: str = ""

    def __str__(self) -> str:
        return f"asked back: {self.question} {self.chosen or 'no answer'}"


@dataclass(frozen=True, slots=True)
class PlanMade:
    """The agent plans `steps`, with its `thought`; the verifier removed `dropped` as needless."""

    kind: ClassVar[str] = "planned"
    goal: str
    thought: str
    steps: tuple[str, ...]
    dropped: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"planned: {'; '.join(self.steps) or 'nothing'} ({self.thought or self.goal})"


@dataclass(frozen=True, slots=True)
class StepStarted:
    """The agent started a step of its plan, `by` the arm or the camera."""

    kind: ClassVar[str] = "step_started"
    step: str
    by: str

    def __str__(self) -> str:
        return f"step started: {self.step}, by the {self.by}"


class Layer(StrEnum):
    """Who speaks in a method of several layers, such as CoPAL."""

    PERSON = "person"
    INTERPRETER = "interpreter"
    SPECIFIER = "specifier"
    COMMANDER = "commander"
    SEQUENCER = "sequencer"
    ROBOT = "robot"


@dataclass(frozen=True, slots=True)
class LayerMessage:
    """A layer of a method gives another one a `text`: a request, a plan, a failure, an answer."""

    kind: ClassVar[str] = "message"
    sender: Layer
    receiver: Layer
    text: str

    def __str__(self) -> str:
        return f"message: {self.sender} to {self.receiver}: {self.text}"


@dataclass(frozen=True, slots=True)
class CommandChecked:
    """A logical checker examined a command; without `feedback` nothing is wrong with it."""

    kind: ClassVar[str] = "command_checked"
    command: str
    feedback: Feedback | None = None

    def __str__(self) -> str:
        return f"command checked: {self.command}: {self.feedback or 'nothing is wrong'}"


class ReplanLevel(StrEnum):
    """Which level of a planner changes the plan."""

    MID = "mid"  # rules insert or replace commands
    HIGH = "high"  # a language model plans again


@dataclass(frozen=True, slots=True)
class Replanned:
    """`feedback` on `command` changes the plan at a `level`.

    At the mid level, `rules` are the rules that mended it and `commands` what stands in its place.
    """

    kind: ClassVar[str] = "replanned"
    level: ReplanLevel
    command: str
    feedback: Feedback
    rules: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def __str__(self) -> str:
        now = f": {'; '.join(self.commands)}" if self.commands else ""
        return f"replanned: {self.level} level, because of {self.command}{now}"


EVIDENCE_OF = "evidence of "
"""How the name of a camera begins whose image shows what a computed fact rests on."""

SCAN = "scan"
"""The action name under which the questions of a scene scan are recorded."""


@dataclass(frozen=True, slots=True)
class VisionAsked:
    """The agent asked a vision model a question for `action`, and this is the answer it used."""

    kind: ClassVar[str] = "asked"
    action: str
    question: str
    answer: str

    def __str__(self) -> str:
        return f"asked: {self.question} {self.answer}"


@dataclass(frozen=True, slots=True)
class FeedbackGiven:
    """The agent received feedback on a step: the error, and its reason."""

    kind: ClassVar[str] = "feedback"
    step: str
    feedback: Feedback

    def __str__(self) -> str:
        why = "; ".join(self.feedback.reasons) or "unknown"
        return f"feedback: {self.step} failed because {why}"


@dataclass(frozen=True, slots=True)
class ConstraintsWatched:
    """From now on a monitor checks these constraints by these questions to the vision model."""

    kind: ClassVar[str] = "watching"
    constraints: tuple[str, ...]
    questions: tuple[str, ...]

    def __str__(self) -> str:
        return f"watching: {'; '.join(self.constraints) or 'nothing'}"


@dataclass(frozen=True, slots=True)
class ConstraintViolated:
    """A monitor stopped `action` because of what it `found` by the answers to `questions`."""

    kind: ClassVar[str] = "violated"
    action: Action
    found: tuple[str, ...]
    questions: tuple[str, ...]

    def __str__(self) -> str:
        return f"violated: {'; '.join(self.found)}, so {self.action} is over"


@dataclass(frozen=True, slots=True)
class AnswerChecked:
    """A yes/no answer that the agent received at `asked_s`, with the answer of a perfect oracle.

    `predicate` is what the question is about (`seen`, `open`, …; `other` for a question of no known
    form). It is for scoring, and is written after the agent has finished.
    """

    kind: ClassVar[str] = "checked"
    predicate: str
    question: str
    said: str
    truth: str
    asked_s: float

    def __str__(self) -> str:
        return f"checked: {self.question} {self.said}, in truth {self.truth}"


@dataclass(frozen=True, slots=True)
class Judged:
    """The judge's verdict, for scoring: whether the task is done, and which predicates are true."""

    kind: ClassVar[str] = "judged"
    done: bool
    truths: tuple[str, ...] = ()

    def __str__(self) -> str:
        return (
            f"judged: {'done' if self.done else 'not done'}; {', '.join(self.truths) or 'nothing'}"
        )


@dataclass(frozen=True, slots=True)
class Forked:
    """Up to this event the run equals the run in another folder; after it, the runs differ.

    `run` is the path of that folder relative to this one, and `digest` the digest of its trace;
    `at` is the index of the event that this one replaces, and `changes` lists the differences.
    """

    kind: ClassVar[str] = "forked"
    run: str
    digest: str
    at: int
    changes: Mapping[str, str]

    def __str__(self) -> str:
        changed = "; ".join(f"{name}: {value}" for name, value in self.changes.items())
        return f"forked: from {self.run} at {self.at}, {changed or 'nothing changed'}"


@dataclass(frozen=True, slots=True)
class FactGrounded:
    """A fact was computed from depth, joints or a map: its value, and why in a sentence.

    What it rests on may be drawn in images taken just before, by cameras whose names begin with
    `EVIDENCE_OF`.
    """

    kind: ClassVar[str] = "grounded"
    fact: str
    true: bool
    reason: str

    def __str__(self) -> str:
        return f"grounded: {self.fact} is {'true' if self.true else 'false'}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark for the reader of the trace; no program uses it."""

    kind: ClassVar[str] = "noted"
    text: str

    def __str__(self) -> str:
        return f"noted: {self.text}"


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run is over: how it ended, and why in a sentence.

    `claim` is the agent's claim, a `ClaimResult`; empty for a run without one, and in old traces.
    """

    kind: ClassVar[str] = "run_ended"
    outcome: Outcome
    reason: str = ""
    claim: str = ""

    def __str__(self) -> str:
        return f"run ended: {self.outcome}{f', {self.reason}' if self.reason else ''}"


Event: TypeAlias = (
    RunStarted
    | SkillStarted
    | SkillProgress
    | SkillEnded
    | Disturbed
    | ImageTaken
    | ModelCalled
    | GoalUnderstood
    | PersonAsked
    | PlanMade
    | StepStarted
    | LayerMessage
    | CommandChecked
    | Replanned
    | VisionAsked
    | FeedbackGiven
    | ConstraintsWatched
    | ConstraintViolated
    | AnswerChecked
    | Judged
    | Forked
    | FactGrounded
    | Remark
    | RunEnded
)
"""Any event of a trace."""

EventSink: TypeAlias = Callable[[Event], None]
"""Takes each event as it happens."""

EVENT_KINDS: Mapping[str, type[Event]] = {cls.kind: cls for cls in get_args(Event)}
"""The tag of each event in JSON, and its type."""


def event_to_json(event: Event) -> dict[str, JsonValue]:
    """Return the JSON form: the tag `kind` first, then the fields."""
    data = to_json(event)
    if not isinstance(data, dict) or type(event) not in EVENT_KINDS.values():
        raise CodecError(type(event).__name__, "is not an event; use one of regrasp.core.event.")
    return {"kind": event.kind, **data}


def event_from_json(data: JsonValue) -> Event:
    """Build the event that `data` describes; an unknown kind is an error naming the valid ones."""
    if not isinstance(data, dict):
        raise CodecError("Event", f"expected an object, got {type(data).__name__}.")
    data = _upgraded(data)
    kind = data.get("kind")
    if not isinstance(kind, str):
        raise CodecError("Event.kind", f"expected one of {', '.join(EVENT_KINDS)}, got {kind!r}.")
    if kind not in EVENT_KINDS:
        raise UnknownNameError("event kind", kind, EVENT_KINDS)
    return from_json(EVENT_KINDS[kind], {k: v for k, v in data.items() if k != "kind"})


def _upgraded(data: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """An event of an earlier version in the present form; any other event unchanged."""
    if data.get("kind") == "run_ended":
        return {"claim": "", **data}
    if data.get("kind") == "reasoned" and isinstance(causes := data.get("causes"), list):
        feedback = Feedback.misalignment(str(data.get("robot", "")), map(str, causes))
        return {"kind": "feedback", "step": data.get("failed"), "feedback": to_json(feedback)}
    if data.get("kind") == "step_started" and data.get("by") == "eyes":
        return {**data, "by": "camera"}
    if data.get("kind") == "disturbed" and "mishap" in data:
        rest = {name: value for name, value in data.items() if name != "mishap"}
        return {**rest, "fault": data["mishap"]}
    report = data.get("report")
    feedback_was = report.get("feedback") if isinstance(report, dict) else None
    if isinstance(report, dict) and isinstance(feedback_was, dict) and "kind" in feedback_was:
        rest = {name: value for name, value in feedback_was.items() if name != "kind"}
        return {**data, "report": {**report, "feedback": {"level": feedback_was["kind"], **rest}}}
    return data
