"""The `Renderer` protocol: from a compiled MuJoCo scene to images.

There are two renderers: `raycast`, which needs nothing but NumPy and draws the same picture
on every machine, and `gl`, which is OpenGL through EGL or OSMesa. Both use one convention for depth
and for geom ids, so that a model trained on one works with the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Floats, Picture
from regrasp.core.errors import UnknownNameError

__all__ = ["ALPHA_MIN", "FAR_M", "GROUPS", "Frame", "Renderer", "camera_id"]

#: Geoms less opaque than this are not drawn.
ALPHA_MIN = 0.05
#: Beyond this many metres the depth is infinite, for the floor and for the sky.
FAR_M = 20.0
#: Geoms of group 0, 1 and 2 are drawn; 3, 4 and 5 are for collisions and other invisible things.
GROUPS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: `rgb` (H, W, 3) uint8 and `depth` (H, W) float32 metres.

    Depth is measured along the optical axis, not along the ray (the convention of depth cameras),
    and is +inf where nothing is seen within FAR_M (ROS REP 118).
    """

    rgb: Picture
    depth: Floats


class Renderer(Protocol):
    """Draws one compiled model. Close it, or its process keeps an OpenGL context."""

    @property
    def name(self) -> str:
        """The name by which `open_renderer` knows it."""
        ...

    def render(self, data: mujoco.MjData, camera: str, width: int, height: int) -> Frame:
        """The picture that `camera` takes of the state `data`, `width` by `height` pixels."""
        ...

    def segment(
        self, data: mujoco.MjData, camera: str, width: int, height: int
    ) -> npt.NDArray[np.int32]:
        """The geom id seen by each pixel, (H, W) int32, -1 for the background.

        This is ground truth. It labels training data and is never part of the `Robot` protocol.
        """
        ...

    def close(self) -> None:
        """Free the renderer's resources; closing twice is allowed."""
        ...


def camera_id(model: mujoco.MjModel, camera: str) -> int:
    """The number of the camera called `camera`, or an error that lists those the model has."""
    number = int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_CAMERA, camera))
    if number < 0:
        raise UnknownNameError("camera", camera, [model.camera(i).name for i in range(model.ncam)])
    return number
