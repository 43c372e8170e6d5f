"""The scene of a run in 3D: bodies made of simple solids, cameras, and their poses over time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

__all__ = ["Body3D", "Camera3D", "Path3D", "Scene3D", "Solid", "SolidKind"]

Doubles = npt.NDArray[np.float64]


class SolidKind(StrEnum):
    """The shape of a solid; capsule and cylinder lie along their own z."""

    BOX = "box"
    ELLIPSOID = "ellipsoid"
    CAPSULE = "capsule"
    CYLINDER = "cylinder"


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A solid fixed to a body, in metres.

    `half` are the half sides of a box and the radii of an ellipsoid; for capsule and cylinder they
    are (radius, radius, half the length without caps). `position` (3,) and `quaternion` (4,),
    real part last, are in the body's frame; `rgba` is 0 to 1.
    """

    kind: SolidKind
    half: Doubles
    position: Doubles
    quaternion: Doubles
    rgba: tuple[float, float, float, float]

    @property
    def axis(self) -> Doubles:
        """The direction of its own z in the body's frame, (3,)."""
        x, y, z, w = self.quaternion
        return np.array((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))


@dataclass(frozen=True, slots=True, eq=False)
class Path3D:
    """Poses in the world over time: `positions` (n, 3) and `quaternions` (n, 4), real part last."""

    positions: Doubles
    quaternions: Doubles

    @property
    def still(self) -> bool:
        """Whether nothing moves."""
        return bool(
            np.ptp(self.positions, axis=0).max(initial=0.0) < 1e-6
            and np.ptp(self.quaternions, axis=0).max(initial=0.0) < 1e-6
        )


@dataclass(frozen=True, slots=True, eq=False)
class Body3D:
    """A named body, its solids and its path."""

    name: str
    solids: tuple[Solid, ...]
    path: Path3D


@dataclass(frozen=True, slots=True, eq=False)
class Camera3D:
    """A camera that looks along −z with y up; `fovy` is its vertical angle in radians."""

    name: str
    fovy: float
    path: Path3D


@dataclass(frozen=True, slots=True, eq=False)
class Scene3D:
    """All bodies and cameras at `seconds` (n,) of the robot's clock."""

    seconds: Doubles
    bodies: tuple[Body3D, ...]
    cameras: tuple[Camera3D, ...]
