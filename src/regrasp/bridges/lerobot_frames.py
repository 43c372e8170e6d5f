"""An episode as frames of a dataset: images, joint positions, steps and failures.

Images and joints come from the states that a filmed run keeps (`episodes/state_log.py`): the world
is built again and set to each state. Steps and failures come from the trace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array, Floats, Picture
from regrasp.core.errors import RegraspError
from regrasp.core.event import RunStarted, SkillEnded, SkillStarted, StepStarted
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.core.trace import Trace, read_trace
from regrasp.episodes.state_log import States, read_states
from regrasp.worlds.world import SimulatedRobot, World, ignore_event

__all__ = ["FAILURES", "EpisodeFrames", "episode_frames"]

FAILURES = ("none", *map(str, FailureCode))
"""The codes that `failure` indexes: the code with which the running skill will end."""

_EPSILON = 1e-6  # s


@dataclass(frozen=True, slots=True, eq=False)
class EpisodeFrames:
    """An episode at a steady rate, `n` frames.

    `state` and `action` are (n, joints) float32; `steps` (n,) the agent's current step, `failure`
    (n,) int64 an index into `FAILURES`. `pictures` renders the frames of the cameras on demand.
    """

    instruction: str
    joints: tuple[str, ...]
    state: Floats
    action: Floats
    steps: tuple[str, ...]
    failure: npt.NDArray[np.int64]
    shown: npt.NDArray[np.int64]
    states: States

    def pictures(
        self, cameras: Sequence[str], size: tuple[int, int], renderer: str
    ) -> Iterator[Mapping[str, Picture]]:
        """Each frame's images by camera, (height, width, 3); `size` is (width, height)."""
        robot = _robot(self.states.world, renderer, size)
        try:
            for i in self.shown:
                self.states.world.set_state(self.states.qpos[i], self.states.user[i])
                yield {camera: robot.look(camera).rgb for camera in cameras}
        finally:
            robot.close()


def episode_frames(
    folder: Path, fps: int, *, world: str = "", known_worlds: Collection[str] = ()
) -> EpisodeFrames:
    """The episode in `folder` at `fps` frames per second of the robot's time.

    `world` and `known_worlds` are those of `read_states`.
    """
    states = read_states(folder, world=world, known_worlds=known_worlds)
    trace = read_trace(folder)
    started = next((e for e in trace.events if isinstance(e, RunStarted)), None)
    if started is None:
        raise RegraspError(f"the trace in {folder} does not say how the run started. Remove it.")
    count = int(states.seconds[-1] * fps + _EPSILON) + 1
    few = count > 2 * len(states.seconds)  # counted first: a damaged time is not filled with frames
    if not few:
        times = np.arange(count) / fps
        shown = _nearest(states.seconds, times)
        few = bool(np.abs(states.seconds[shown] - times).max() > 0.6 / fps)
    if few:
        raise RegraspError(
            f"{folder} has {(len(states.seconds) - 1) / states.seconds[-1]:.3g} states a second, "
            f"too few for --fps {fps}: give a lower one."
        )
    robot = _robot(states.world)
    try:
        names = robot.joints().names
    finally:
        robot.close()
    places = [int(states.world.model.joint(name).qposadr[0]) for name in names]
    positions = states.qpos[shown][:, places].astype(np.float32)
    return EpisodeFrames(
        instruction=started.instruction,
        joints=names,
        state=positions,
        action=np.concatenate([positions[1:], positions[-1:]]),
        steps=_steps(trace, times),
        failure=_failures(trace, times),
        shown=shown,
        states=states,
    )


def _nearest(seconds: Array, times: Array) -> npt.NDArray[np.int64]:
    after = np.minimum(np.searchsorted(seconds, times), len(seconds) - 1)
    before = np.maximum(after - 1, 0)
    nearer_before = times - seconds[before] <= seconds[after] - times
    return np.where(nearer_before, before, after).astype(np.int64)


def _steps(trace: Trace, times: Array) -> tuple[str, ...]:
    """The step of the plan at each time; empty before the first."""
    started = [
        (e.stamp.sim_s, e.event.step) for e in trace.entries if isinstance(e.event, StepStarted)
    ]
    at = np.searchsorted([s for s, _ in started], times + _EPSILON, side="right")
    return tuple("" if i == 0 else started[i - 1][1] for i in at)


def _failures(trace: Trace, times: Array) -> npt.NDArray[np.int64]:
    """The failure code of the running skill at each time: an index into `FAILURES`."""
    found = np.zeros(len(times), np.int64)
    started_s = 0.0
    for entry in trace.entries:
        match entry.event:
            case SkillStarted():
                started_s = entry.stamp.sim_s
            case SkillEnded(report=report) if report.outcome is not Outcome.SUCCEEDED:
                code = str(report.feedback.code) if report.feedback else FailureCode.CANCELLED
                under_way = (times >= started_s - _EPSILON) & (times < entry.stamp.sim_s - _EPSILON)
                found[under_way] = FAILURES.index(code)
    return found


def _robot(
    world: World, renderer: str = "raycast", size: tuple[int, int] = (224, 224)
) -> SimulatedRobot:
    return world.plan.robot(world, renderer=renderer, size=size, emit=ignore_event)
