"""The guards for every command, to a palm or to joints: finite, within limits, never too fast.

A command slightly outside the limits is clamped and counted. A command or state that cannot be
corrected trips the guard, which stops the robot and gives the reason.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.core.arrays import Array

__all__ = ["Guard", "GuardTrip", "JointGuard"]


class GuardTrip(Exception):  # noqa: N818 - an event of the robot, not an error of the program
    """The guard stopped the robot; the text gives the reason."""


@dataclass(kw_only=True)
class _ArmGuard:
    """Limits on the arm's own state, and how many commands were clamped.

    `joint_speed` is the speed at which a motion counts as diverged (rad/s), far above the arm's
    own limits. `slack` is the tolerated overshoot of a joint limit (rad).
    """

    joint_speed: float = 15.0
    slack: float = 0.1
    clamped: int = 0

    def watch(self, model: mujoco.MjModel, data: mujoco.MjData, arm: range) -> None:
        """Trip if the state diverged, the arm is far too fast, or a joint is past its stop."""
        if not (np.all(np.isfinite(data.qpos)) and np.all(np.isfinite(data.qvel))):
            raise GuardTrip("the state is not finite: the motion diverged")
        for joint in arm:
            name, q = model.joint(joint).name, float(data.qpos[model.jnt_qposadr[joint]])
            speed = abs(float(data.qvel[model.jnt_dofadr[joint]]))
            low, high = model.jnt_range[joint]
            if speed > self.joint_speed:
                raise GuardTrip(f"{name} moves at {speed:.1f} rad/s, more than {self.joint_speed}")
            if not low - self.slack <= q <= high + self.slack:
                raise GuardTrip(f"{name} is at {q:.2f} rad, past its stop [{low:.2f}, {high:.2f}]")

    def _count(self, safe: Array, wanted: Array) -> Array:
        """`safe`, counted if it is not what was `wanted`."""
        if not np.allclose(safe, wanted):
            self.clamped += 1
        return safe


@dataclass
class Guard(_ArmGuard):
    """Limits on palm commands (m, rad, m of finger).

    `speed` bounds how fast the commanded palm position may move (m/s), `spin` its rotation
    (rad/s).
    """

    low: tuple[float, float, float] = (-0.2, -0.9, -0.02)
    high: tuple[float, float, float] = (1.0, 0.9, 1.2)
    twist: float = 2.2
    fingers: tuple[float, float] = (-0.02, 0.04)
    speed: float = 4.0
    spin: float = 12.0

    def command(self, wanted: Array, last: Array, dt: float) -> Array:
        """`wanted` (7,) brought inside the limits, given the `last` command `dt` s ago."""
        if wanted.shape != (7,) or not np.all(np.isfinite(wanted)):
            raise GuardTrip(f"a command must be 7 finite numbers, got {wanted!r}")
        safe = wanted.copy()
        safe[:3] = np.clip(safe[:3], self.low, self.high)
        safe[3:6] = np.clip(safe[3:6], -self.twist, self.twist)
        safe[6] = np.clip(safe[6], *self.fingers)
        safe[:3] = last[:3] + _shorten(safe[:3] - last[:3], self.speed * dt)
        safe[3:6] = last[3:6] + _shorten(safe[3:6] - last[3:6], self.spin * dt)
        return self._count(safe, wanted)


@dataclass
class JointGuard(_ArmGuard):
    """Limits on joint commands: ranges `low` and `high` (n,) in rad, speeds (n,) in rad/s."""

    low: Array
    high: Array
    speed: Array

    def command(self, wanted: Array, last: Array, dt: float) -> Array:
        """`wanted` (n,) brought inside the limits, given the `last` command `dt` s ago."""
        if wanted.shape != self.low.shape or not np.all(np.isfinite(wanted)):
            raise GuardTrip(f"a command must be {len(self.low)} finite numbers, got {wanted!r}")
        step = self.speed * dt
        safe = np.clip(np.clip(wanted, self.low, self.high), last - step, last + step)
        return self._count(safe, wanted)


def _shorten(step: Array, longest: float) -> Array:
    size = float(np.linalg.norm(step))
    return step if size <= longest else step * (longest / size)
