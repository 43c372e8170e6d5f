"""Fork a recorded run: restore the state at a decision, and continue with a change."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from regrasp.bench.branch import (
    Branch,
    BranchedLanguage,
    BranchedVision,
    Edit,
    EditedLanguage,
    EditedVision,
)
from regrasp.bench.layout import EPISODE_FILE, read_note
from regrasp.bench.manifest import MANIFEST_FILE, read_manifest
from regrasp.bench.naming import bare
from regrasp.bench.record import Limits
from regrasp.bench.suite_registry import open_suite
from regrasp.core.claim import Claim
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.event import (
    Forked,
    GoalUnderstood,
    ImageTaken,
    ModelCalled,
    PersonAsked,
    RunStarted,
)
from regrasp.core.goal import parse_goal
from regrasp.core.person import Prepared
from regrasp.core.trace import Trace, TraceEntry, digest, read_trace
from regrasp.embedded.resolve import resolve_language
from regrasp.episodes.runner import EpisodeResult, EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.vision import vision_factory
from regrasp.methods.instructions import follow_instruction
from regrasp.methods.method import Assignment
from regrasp.methods.registry import open_method
from regrasp.models.budget import Budget
from regrasp.worlds.oracle_controller import ORACLE_CONTROLLER
from regrasp.worlds.registry import world_plan

if TYPE_CHECKING:
    from regrasp.methods.method import Method

__all__ = ["EDITS", "Decision", "decisions", "fork"]

EDITS: Mapping[str, str] = {
    "prompt": "the prompt at the fork, instead of the recorded one",
    "hint": "a line that is added to the prompt at the fork",
    "reply": "the reply at the fork, instead of the model's",
}
"""The names that `--set` accepts."""

_FREE_MODELS = ("scripted", "oracle", "embedded")


@dataclass(frozen=True, slots=True)
class Decision:
    """A model call at which a run can be forked."""

    at: int
    sim_s: float
    purpose: str
    reply: str


def decisions(folder: Path) -> tuple[Decision, ...]:
    """Every model call in the run in `folder`, with the index for `--at`."""
    return tuple(
        Decision(e.stamp.index, e.stamp.sim_s, e.event.purpose, " | ".join(e.event.replies))
        for e in read_trace(folder).entries
        if isinstance(e.event, ModelCalled)
    )


def fork(
    folder: Path,
    at: int,
    out: Path,
    *,
    llm: str = "",
    vlm: str = "",
    edits: Mapping[str, str] | None = None,
    video: bool = True,
    watch: Callable[[TraceEntry], None] = lambda entry: None,
) -> EpisodeResult:
    """Replay the run in `folder` up to event `at`, then continue with a change, into `out`.

    The first model call at or after `at` is the decision that is repeated: with `llm` and `vlm` if
    they are given, and with its text or reply changed by `edits`. Nothing else differs. Without any
    change the branch is the same run again, if its models are deterministic. Questions to the
    person get the recorded answers.
    """
    edits = dict(edits or {})
    for name in edits:
        if name not in EDITS:
            raise UnknownNameError("--set", name, EDITS)
    trace = read_trace(folder)
    started = _started(trace, folder)
    if not 1 <= at < len(trace.entries):
        raise RegraspError(
            f"--at {at}: this run has events 1 to {len(trace.entries) - 1} to fork at; "
            f"`regrasp fork {folder}` lists its decisions."
        )
    origin = os.path.relpath(folder, out)
    changes = {k: v for k, v in {"llm": llm, "vlm": vlm, **edits}.items() if v}
    branch = Branch(trace.entries, at, Edit(**edits), Forked(origin, digest(folder), at, changes))
    recorded_llm = started.versions["language model"]
    recorded_vlm = started.versions["vision model"]
    language = resolve_language(llm or recorded_llm)
    vision = vision_factory(vlm or recorded_vlm)
    method, limits = _method_and_limits(folder, started)
    was_read = any(isinstance(event, GoalUnderstood) for event in trace.events)
    answers = [event.chosen for event in trace.events if isinstance(event, PersonAsked)]

    def run_branch(assignment: Assignment) -> Claim:
        branch.emit = assignment.emit
        edited = replace(
            assignment,
            language=EditedLanguage(assignment.language, branch),
            vision=EditedVision(assignment.vision, branch),
        )
        return follow_instruction(edited, method) if was_read else method(edited)

    def watch_both(entry: TraceEntry) -> None:
        branch.watch(entry)
        watch(entry)

    oracle_robot = world_plan(started.world).oracle_robot
    was_oracle = started.versions.get("robot", "").endswith(ORACLE_CONTROLLER)
    goal = list(filter(None, started.versions.get("goal", "").split("; ")))
    spec = EpisodeSpec(
        WorldTask(started.world, started.task, started.seed, oracle_robot if was_oracle else None),
        run_branch,
        started.method,
        BranchedLanguage(
            language, recorded_llm, branch, also_call_live=not llm and _is_free(recorded_llm)
        ),
        lambda setting: BranchedVision(
            vision(setting), recorded_vlm, branch, also_call_live=not vlm and _is_free(recorded_vlm)
        ),
        instruction=started.instruction,
        goal=parse_goal(goal) if goal else None,
        recording=Recording(video, size=_size(trace), renderer=started.versions["renderer"]),
        budget=Budget(calls=limits.calls) if limits else None,
        limit_s=limits.sim_s if limits else math.inf,
        person=Prepared(answers),
    )
    return run_episode(spec, out, watch=watch_both)


def _started(trace: Trace, folder: Path) -> RunStarted:
    started = next((e for e in trace.events if isinstance(e, RunStarted)), None)
    if started is None or "language model" not in started.versions:
        raise RegraspError(
            f"{folder} is not the run of a method, so it has no model call to fork at; "
            "fork a run of `regrasp run` or `regrasp bench`."
        )
    for needed in ("vision model", "renderer"):
        if needed not in started.versions:
            raise RegraspError(
                f"the trace in {folder} does not name the {needed} of the run, so the run cannot "
                "be repeated. Fork another run."
            )
    return started


def _method_and_limits(folder: Path, started: RunStarted) -> tuple[Method, Limits | None]:
    """The method of a run, and for an episode of a suite its limits."""
    if (folder / EPISODE_FILE).exists():
        root = next((p for p in folder.resolve().parents if (p / MANIFEST_FILE).exists()), None)
        if root is not None:
            manifest = read_manifest(root)
            suite = open_suite(manifest.suite)
            key = read_note(folder).key
            (found,), (task,) = suite.chosen_methods([key.method]), suite.chosen_tasks([key.task])
            limits = task.limits(manifest.like.limits)
            method = open_method(found.method) if isinstance(found.method, str) else found.method
            return method, limits
    return open_method(started.method), None


def _size(trace: Trace) -> tuple[int, int]:
    image = next((e for e in trace.events if isinstance(e, ImageTaken)), None)
    return (image.width, image.height) if image else (320, 240)


def _is_free(name: str) -> bool:
    """Whether a model runs on this machine and costs nothing, so that it can be called again."""
    return bare(name).partition(":")[0] in _FREE_MODELS
