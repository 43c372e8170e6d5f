"""The seam between an agent and a robot. No ground truth crosses it.

An agent gets camera images, joint readings, the names of objects the robot can act on, and the
reports of its skills. A simulated robot and a real one satisfy the same protocol and the same
public conformance check (`regrasp check robot MODULE:NAME`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from regrasp.core.action import Action, SkillSpec
from regrasp.core.arrays import Array, Floats, Picture
from regrasp.core.feedback import FailureCode, Feedback
from regrasp.core.object_description import ObjectDescription
from regrasp.core.outcome import Outcome

__all__ = [
    "CLOCK_TOLERANCE_S", "CameraImage", "JointReading", "Progress", "Robot", "SkillReport",
    "SkillRun",
]  # fmt: skip

CLOCK_TOLERANCE_S = 1e-9
"""A robot's clock counts in hundredths of a second, which no float holds exactly."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraImage:
    """One picture: `rgb` (height, width, 3) uint8 and `depth` (height, width) float32 metres.

    `fovy_deg` is the vertical field of view; `position` (3,) and `rotation` (3, 3, columns right,
    up, back) place the camera in the robot's base frame, as a calibrated rig would know; for a
    robot that drives, in the frame of its odometry, which drifts. Depth is not finite where
    nothing was measured.
    """

    camera: str
    rgb: Picture
    depth: Floats
    fovy_deg: float
    position: Array
    rotation: Array


@dataclass(frozen=True, slots=True)
class JointReading:
    """The robot's own joints: names, positions (rad or m), velocities, torques (Nm or N)."""

    names: tuple[str, ...]
    positions: tuple[float, ...]
    velocities: tuple[float, ...]
    torques: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SkillReport:
    """How one skill ended: its outcome, simulated or real seconds spent, and why if it failed."""

    action: Action
    outcome: Outcome
    seconds: float
    feedback: Feedback | None = None

    @property
    def code(self) -> FailureCode | None:
        """The kind of failure, if it reports one."""
        return self.feedback.code if self.feedback is not None else None

    def __str__(self) -> str:
        why = f": {self.feedback}" if self.feedback else ""
        return f"{self.action} {self.outcome} after {self.seconds:.1f} s{why}"


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a running skill: its stage, and the remaining error of that stage.

    `error` is in the stage's own unit (m, rad or a fraction of a joint's range).
    """

    stage: str
    error: float


@runtime_checkable
class SkillRun(Protocol):
    """A skill in progress. `step` advances one control step; `report` is None while it runs."""

    @property
    def report(self) -> SkillReport | None:
        """How it ended, or None while it runs."""
        ...

    @property
    def progress(self) -> Progress:
        """Its progress now."""
        ...

    def step(self) -> bool:
        """Advance one control step; True while the skill still runs."""
        ...

    def cancel(self, why: str) -> None:
        """Stop within one control step; the report then has the code `cancelled` and the reason."""
        ...


@runtime_checkable
class Robot(Protocol):
    """What an agent may see and do."""

    @property
    def name(self) -> str:
        """A name for traces and tables."""
        ...

    @property
    def seconds(self) -> float:
        """The robot's clock, in seconds since its start."""
        ...

    def cameras(self) -> tuple[str, ...]:
        """Names that `look` takes."""
        ...

    def look(self, camera: str) -> CameraImage:
        """Take a picture."""
        ...

    def joints(self) -> JointReading:
        """Read the robot's own joints."""
        ...

    def objects(self) -> tuple[str, ...]:
        """Names the robot knows how to act on (it may not see them now)."""
        ...

    def knowledge(self) -> tuple[ObjectDescription, ...]:
        """What each object of the robot allows; never its present state or position."""
        ...

    def skills(self) -> tuple[SkillSpec, ...]:
        """The skills that `start` takes."""
        ...

    def start(self, action: Action) -> SkillRun:
        """Start a skill; if it cannot start, raises a RegraspError that lists what is valid."""
        ...

    def stop(self) -> None:
        """Hold still now; any running skill is cancelled."""
        ...
