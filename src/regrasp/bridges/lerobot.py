"""`regrasp export lerobot`: the episodes of a run as a dataset to train policies and critics on.

What is exported, at `fps` frames to a second of the robot's time:

* `observation.images.CAMERA`: the camera image, rendered again from the states of the run;
* `observation.state`: the positions of the robot's own joints (rad; m for the finger);
* `action`: the same joints one frame later, as a joint-position policy would command them. The
  controller's own commands (a Cartesian target and a force) are not recorded;
* `task`: the instruction; `subtask`: the current step of the agent's plan;
* `failure`: 0, or, while a skill runs that will fail, the failure code: `FAILURES[failure]`;
* `next.done`, `next.success`, `next.reward`: the last frame, and whether the episode succeeded.

`meta/episodes` also holds each episode's outcome, the agent's claim and its reason, method, models
and seed. Broken episodes (a fault of Regrasp) are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regrasp.bench.record import EpisodeRecord
from regrasp.bench.run_names import trusted_worlds
from regrasp.bench.store import Results
from regrasp.bridges.lerobot_format import VERSION, Column, DatasetWriter
from regrasp.bridges.lerobot_frames import FAILURES, EpisodeFrames, episode_frames
from regrasp.core.arrays import Picture
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.files import atomic_folder, write_json, write_text
from regrasp.core.outcome import Outcome
from regrasp.episodes.state_log import STATES_FILE
from regrasp.worlds.sim_robot import CAMERAS

__all__ = ["Exported", "export_lerobot"]

_ROBOT = "franka"


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export: the path, the counts, and how many episodes had no states."""

    root: Path
    episodes: int
    frames: int
    without_states: int


def export_lerobot(
    results: Results,
    out: Path,
    *,
    cameras: Sequence[str] = ("front", "wrist"),
    size: tuple[int, int] = (224, 224),
    fps: int = 12,
    renderer: str = "raycast",
    world: str = "",
    wanted: Callable[[EpisodeRecord], bool] = lambda record: True,
    tick: Callable[[EpisodeRecord], None] = lambda record: None,
) -> Exported:
    """Write the selected episodes of a run to `out`, which must not exist yet.

    `world` is where the recorded world is, for a run that is not one's own (`read_states`).
    """
    for camera in cameras:
        if camera not in CAMERAS:
            raise UnknownNameError("camera", camera, CAMERAS)
    if out.exists():
        raise RegraspError(f"{out} is there already: name another --out, or remove it.")
    ended = [r for r in results.records if r.outcome is not Outcome.BROKEN and wanted(r)]
    chosen = [r for r in ended if (results.root / r.trace / STATES_FILE).exists()]
    if not chosen:
        raise RegraspError(
            f"none of the {len(ended)} episodes in {results.root} that are asked for has states to "
            "draw from. Run the suite with --video: it keeps them."
        )
    worlds = trusted_worlds(results.root, results.manifest)
    frames = 0
    try:
        with atomic_folder(out) as draft:
            writer: DatasetWriter | None = None
            for record in chosen:
                folder = results.root / record.trace
                episode = episode_frames(folder, fps, world=world, known_worlds=worlds)
                if writer is None:
                    writer = _open(draft, episode, cameras, size, fps)
                _add(writer, record, episode, episode.pictures(cameras, size, renderer))
                frames += len(episode.steps)
                tick(record)
            assert writer is not None
            writer.close()
            _about(draft, results, frames, len(chosen), fps)
    except OSError as error:
        raise RegraspError(f"cannot write {out}: {error.strerror or error}.") from error
    return Exported(out, len(chosen), frames, len(ended) - len(chosen))


def _open(
    root: Path, like: EpisodeFrames, cameras: Sequence[str], size: tuple[int, int], fps: int
) -> DatasetWriter:
    joints = Column("float32", len(like.joints), like.joints)
    columns = {
        "observation.state": joints,
        "action": joints,
        "failure": Column("int64"),
        "next.reward": Column("float32"),
        "next.done": Column("bool"),
        "next.success": Column("bool"),
    }
    return DatasetWriter(root, fps=fps, robot=_ROBOT, columns=columns, cameras=cameras, size=size)


def _add(
    writer: DatasetWriter,
    record: EpisodeRecord,
    episode: EpisodeFrames,
    pictures: Iterable[Mapping[str, Picture]],
) -> None:
    last = np.zeros(len(episode.steps), bool)
    last[-1] = True
    succeeded = last & (record.outcome is Outcome.SUCCEEDED)
    key = record.key
    writer.add_episode(
        episode.instruction,
        episode.steps,
        {
            "observation.state": episode.state,
            "action": episode.action,
            "failure": episode.failure,
            "next.reward": succeeded.astype(np.float32),
            "next.done": last,
            "next.success": succeeded,
        },
        pictures,
        {
            "outcome": str(record.outcome),
            "claimed": record.claimed,
            "reason": record.reason,
            "failures": list(record.failures) or [""],
            "suite": key.suite,
            "suite_task": key.task,
            "method": key.method,
            "llm": key.llm,
            "vlm": key.vlm,
            "seed": key.seed,
        },
    )


def _about(root: Path, results: Results, frames: int, episodes: int, fps: int) -> None:
    """Write what the format does not hold: the names of the failure codes, and a dataset card."""
    found = {"failure": list(FAILURES), "configuration": dict(results.manifest.configuration)}
    write_json(root / "meta" / "regrasp.json", found, indent=4)
    codes = ", ".join(f"{i} {name}" for i, name in enumerate(FAILURES))
    card = _CARD.format(
        episodes=episodes,
        frames=frames,
        fps=fps,
        version=VERSION,
        suite=results.manifest.configuration["suite"],
        codes=codes,
    )
    write_text(root / "README.md", card)


_CARD = """---
task_categories:
- robotics
tags:
- LeRobot
---

# {suite}, by Regrasp

{episodes} episodes of a simulated Franka arm, {frames} frames at {fps} a second, in version
{version} of LeRobot's format. Some succeed and some fail; each is labelled.

- `observation.state`: positions of the seven joints and the finger (rad, m).
- `action`: the same joints one frame later. What the controller sent was not kept.
- `task` is the instruction, `subtask` the current step of the agent's plan.
- `failure`: the code with which the running skill will fail: {codes}.
- `next.success` and `next.reward` at the last frame: the verdict of the world's judge.
- `meta/episodes`: outcome, the agent's claim and its reason, method, models, seed.

Images were rendered again from the states of the run.
"""
