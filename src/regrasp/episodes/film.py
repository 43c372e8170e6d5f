"""The film of a run: `run.mp4`, and beside it the states that it shows.

A film runs on the robot's clock: second s of the film shows second s of the run, however long a
model took in between. Film and trace are therefore in step without further data.
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
from pathlib import Path
from typing import Self

from regrasp.core.robot import Robot
from regrasp.episodes.state_log import StateLog
from regrasp.view.video import VIDEO_FILE, VideoWriter
from regrasp.worlds.world import World

__all__ = ["Film"]

_EPSILON = 1e-9  # s: the clock counts in hundredths that no float holds exactly


class Film:
    """Films `robot` into `folder`, `fps` pictures of `size` per second; a context manager.

    `problem` is why there are states and no pictures, where PyAV is not installed.
    """

    def __init__(
        self, folder: Path, world: World | None, robot: Robot, fps: float, size: tuple[int, int]
    ) -> None:
        self._robot, self._fps, self._count = robot, fps, 0
        self._stack = contextlib.ExitStack()
        self._states = self._stack.enter_context(StateLog(folder, world)) if world else None
        self._video: VideoWriter | None = None
        self.problem = ""
        if importlib.util.find_spec("av") is None:
            self.problem = "no video: PyAV is not installed; pip install 'regrasp[video]'"
        else:
            self._video = self._stack.enter_context(VideoWriter(folder / VIDEO_FILE, fps, *size))

    def shoot(self, caption: str, still_s: float = 0.0) -> None:
        """Add the present picture if one is due, and hold it for `still_s` more seconds."""
        seconds = self._robot.seconds
        due = math.floor(seconds * self._fps + _EPSILON) + 1 + round(still_s * self._fps)
        if due <= self._count:
            return
        if self._states is not None:
            self._states.add()
        if self._video is not None:
            rgb = self._robot.look(self._robot.cameras()[0]).rgb
            for _ in range(due - self._count):
                self._video.add(rgb, f"{seconds:.1f} s: {caption}")
        self._count = due

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()
