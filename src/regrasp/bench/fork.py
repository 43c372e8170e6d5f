"""Fork a recorded run: restore the state at a decision, and continue with a change.

The trace is data. Its world and method are opened only if they are ours, the user's own or named by
the user. A model that is not part of Regrasp is always named by the user: no server gets a key, and
no file is written, because a trace names it.
"""

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
from regrasp.bench.naming import is_part_of_regrasp
from regrasp.bench.record import Limits
from regrasp.bench.run_names import trusted_suite
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
from regrasp.core.named_again import untrusted
from regrasp.core.person import Prepared
from regrasp.core.run_folder import inside
from regrasp.core.trace import Trace, TraceEntry, digest, read_trace
from regrasp.embedded.resolve import resolve_language
from regrasp.episodes.own_run import trusted_method, trusted_world
from regrasp.episodes.runner import EpisodeResult, EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.vision import vision_factory
from regrasp.methods.instructions import follow_instruction
from regrasp.methods.method import Assignment
from regrasp.methods.registry import open_method
from regrasp.models.budget import Budget
from regrasp.worlds.oracle_controller import ORACLE_CONTROLLER
from regrasp.worlds.registry import world_plan
from regrasp.worlds.sensed_plant import SENSED

if TYPE_CHECKING:
    from regrasp.methods.method import Method

__all__ = ["EDITS", "Decision", "decisions", "fork", "new_fork_name"]

EDITS: Mapping[str, str] = {
    "prompt": "the prompt at the fork, instead of the recorded one",
    "hint": "a line that is added to the prompt at the fork",
    "reply": "the reply at the fork, instead of the model's",
}
"""The names that `--set` accepts."""

_FORKS = "forks"
_NEEDED = {"language model", "vision model", "renderer"}


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
    world: str = "",
    method: str = "",
    suite: str = "",
    edits: Mapping[str, str] | None = None,
    video: bool = True,
    watch: Callable[[TraceEntry], None] = lambda entry: None,
) -> EpisodeResult:
    """Replay the run in `folder` up to event `at`, then continue with a change, into `out`.

    The first model call at or after `at` is the decision that is repeated: with `llm` and `vlm` if
    they are given, and with its text or reply changed by `edits`. Nothing else differs. Without any
    change the branch is the same run again, if its models are deterministic. Questions to the
    person get the recorded answers.

    `world`, `method` and `suite` say where the recorded ones are, for a run that is not one's own.
    """
    edits = dict(edits or {})
    for name in edits:
        if name not in EDITS:
            raise UnknownNameError("--set", name, EDITS)
    trace = read_trace(folder)
    started = _started(trace, folder)
    recorded_llm = started.versions["language model"]
    recorded_vlm = started.versions["vision model"]
    if not 1 <= at < len(trace.entries):
        raise RegraspError(
            f"--at {at}: this run has events 1 to {len(trace.entries) - 1} to fork at; "
            f"`regrasp fork {folder}` lists its decisions."
        )
    for option, named, recorded in (("--llm", llm, recorded_llm), ("--vlm", vlm, recorded_vlm)):
        if not named and not is_part_of_regrasp(recorded):
            raise untrusted(folder, "model", recorded, f"{option} NAME")
    source = _source(folder, started, world, method, suite)
    origin = os.path.relpath(folder, out)
    models = {"llm": (llm, recorded_llm), "vlm": (vlm, recorded_vlm)}
    other = {k: named for k, (named, recorded) in models.items() if named not in ("", recorded)}
    forked = Forked(origin, digest(folder), at, {**other, **{k: v for k, v in edits.items() if v}})
    branch = Branch(_with_world(trace, source.world), at, Edit(**edits), forked)
    language = resolve_language(llm or recorded_llm)
    vision = vision_factory(vlm or recorded_vlm)
    same_llm, same_vlm = not llm, not vlm  # and therefore free: part of Regrasp
    was_read = any(isinstance(event, GoalUnderstood) for event in trace.events)
    answers = [event.chosen for event in trace.events if isinstance(event, PersonAsked)]

    def run_branch(assignment: Assignment) -> Claim:
        branch.emit = assignment.emit
        edited = replace(
            assignment,
            language=EditedLanguage(assignment.language, branch),
            vision=EditedVision(assignment.vision, branch),
        )
        return follow_instruction(edited, source.method) if was_read else source.method(edited)

    def watch_both(entry: TraceEntry) -> None:
        branch.watch(entry)
        watch(entry)

    plan, robot = world_plan(source.world), started.versions.get("robot", "")
    special = {ORACLE_CONTROLLER: plan.oracle_robot, SENSED: plan.sensed_robot}
    make = next((made for suffix, made in special.items() if robot.endswith(suffix)), None)
    goal = list(filter(None, started.versions.get("goal", "").split("; ")))
    spec = EpisodeSpec(
        WorldTask(source.world, started.task, started.seed, make),
        run_branch,
        started.method,
        BranchedLanguage(language, recorded_llm, branch, also_call_live=same_llm),
        lambda setting: BranchedVision(
            vision(setting), recorded_vlm, branch, also_call_live=same_vlm
        ),
        instruction=started.instruction,
        goal=parse_goal(goal) if goal else None,
        recording=Recording(video, size=_size(trace), renderer=started.versions["renderer"]),
        budget=Budget(calls=source.limits.calls) if source.limits else None,
        limit_s=source.limits.sim_s if source.limits else math.inf,
        person=Prepared(answers),
    )
    return run_episode(spec, out, watch=watch_both)


def _started(trace: Trace, folder: Path) -> RunStarted:
    started = next((e for e in trace.events if isinstance(e, RunStarted)), None)
    if started is None or not started.versions.keys() >= _NEEDED:
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


@dataclass(frozen=True, slots=True)
class _Source:
    """What a run is replayed with; `limits` are those of an episode of a suite."""

    world: str
    method: Method
    limits: Limits | None = None


def _source(folder: Path, started: RunStarted, world: str, method: str, suite: str) -> _Source:
    """World, method and limits of a run; those of an episode of a suite come from the suite."""
    root = _suite_root(folder)
    if root is None:
        place = trusted_world(folder, started.world, world)
        return _Source(place, open_method(trusted_method(folder, started.method, method)))
    manifest = read_manifest(root)
    plan, key = trusted_suite(root, manifest, suite), read_note(folder).key
    (found,), (task,) = plan.chosen_methods([key.method]), plan.chosen_tasks([key.task])
    function = method or found.method
    return _Source(
        world or task.world,
        open_method(function) if isinstance(function, str) else function,
        task.limits(manifest.like.limits),
    )


def new_fork_name(folder: Path, at: int) -> Path:
    """Where a fork goes if the user names no folder: beside the run, or in `forks` of its suite.

    `episodes/` of a suite's run holds nothing but the episodes of the run.
    """
    root = _suite_root(folder)
    if root is None:
        return folder.with_name(f"{folder.name}-fork-{at}")
    task, method, seed = folder.resolve().parts[-3:]
    return inside(root, _FORKS) / f"{task}-{method}-{seed}-fork-{at}"


def _suite_root(folder: Path) -> Path | None:
    """The folder of the run of a suite that `folder` is an episode of, if it is one."""
    above = folder.resolve().parents
    if len(above) < 4 or not (folder / EPISODE_FILE).exists():
        return None
    return above[3] if (above[3] / MANIFEST_FILE).exists() else None


def _with_world(trace: Trace, world: str) -> tuple[TraceEntry, ...]:
    """The entries as they would be if the run had been started with the world by this name."""
    return tuple(
        replace(entry, event=replace(entry.event, world=world))
        if isinstance(entry.event, RunStarted)
        else entry
        for entry in trace.entries
    )


def _size(trace: Trace) -> tuple[int, int]:
    image = next((e for e in trace.events if isinstance(e, ImageTaken)), None)
    return (image.width, image.height) if image else (320, 240)
