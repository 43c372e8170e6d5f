"""The guards for every command, to a palm or to joints: finite, within limits, never too fast.

A command slightly outside the limits is clamped and counted. A command or state that cannot be
corrected trips the guard, which stops the robot and gives the reason. What comes in may be
anything. What goes out is checked too, so that a guard with a damaged limit or memory trips.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.core.arrays import Array

__all__ = ["Guard", "GuardTrip", "JointGuard", "finite_numbers"]

_MEMORY = "the guard's memory of the last command"
_SHOWN = 300  # characters of a message
_ROUNDING = 1e-9  # of a step, relative, and of a limit, absolute


class GuardTrip(Exception):  # noqa: N818 - an event of the robot, not an error of the program
    """The guard stopped the robot; the text gives the reason."""


def finite_numbers(values: object, count: int, what: str) -> Array:
    """`values` as a new array (count,) of finite floats; anything else trips the guard."""
    try:
        found = np.asarray(values)
        if found.shape == (count,) and found.dtype.kind in "fiu":
            numbers: Array = found.astype(float)
            if np.isfinite(numbers).all():
                return numbers
    except (TypeError, ValueError):  # ragged lists, objects that are no numbers
        pass
    raise GuardTrip(f"{what} must be {count} finite numbers, got {values!r}"[:_SHOWN])


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
        some = slice(arm.start, arm.stop)
        at, speeds = data.qpos[model.jnt_qposadr[some]], np.abs(data.qvel[model.jnt_dofadr[some]])
        lowest, highest = model.jnt_range[some].T
        past = np.maximum(lowest - at, at - highest).max(initial=0.0)
        if speeds.max(initial=0.0) <= self.joint_speed and past <= self.slack:
            return
        for joint, q, speed in zip(arm, at.tolist(), speeds.tolist(), strict=True):
            name, (low, high) = model.joint(joint).name, model.jnt_range[joint]
            if speed > self.joint_speed:
                raise GuardTrip(f"{name} moves at {speed:.1f} rad/s, more than {self.joint_speed}")
            if not low - self.slack <= q <= high + self.slack:
                raise GuardTrip(f"{name} is at {q:.2f} rad, past its stop [{low:.2f}, {high:.2f}]")

    def _count(self, safe: Array, wanted: Array) -> Array:
        """`safe`, counted if it is not what was `wanted`."""
        if not np.array_equal(safe, wanted) and not np.allclose(safe, wanted):
            self.clamped += 1
        return safe


def _check_step(safe: Array, last: Array, longest: Array | float) -> None:
    """Trip unless every number is finite and moved by at most `longest`; NaN never passes."""
    moved = np.linalg.norm(safe - last) if np.ndim(longest) == 0 else np.abs(safe - last)
    if not np.all(moved <= np.asarray(longest) * (1 + _ROUNDING) + _ROUNDING):
        raise GuardTrip(f"the command {safe!r} is too far from the one before, {last!r}"[:_SHOWN])


def _check_limits(safe: Array, last: Array, low: Array, high: Array) -> None:
    """Trip unless every number is within its limits, or nearer to them than it was."""
    outside = np.maximum(np.maximum(low - safe, safe - high), 0.0)
    before = np.maximum(np.maximum(low - last, last - high), 0.0)
    if not np.all(outside <= before + _ROUNDING):
        raise GuardTrip(f"the command {safe!r} is outside its limits"[:_SHOWN])


def _period(dt: float) -> float:
    if not (isinstance(dt, int | float) and 0.0 < dt < math.inf):
        raise GuardTrip(f"the time between two commands must be positive, got {dt!r}"[:_SHOWN])
    return float(dt)


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
        wanted, last = finite_numbers(wanted, 7, "a command"), finite_numbers(last, 7, _MEMORY)
        dt, safe = _period(dt), wanted.copy()
        safe[:3] = np.clip(safe[:3], self.low, self.high)
        safe[3:6] = np.clip(safe[3:6], -self.twist, self.twist)
        safe[6] = np.clip(safe[6], *self.fingers)
        safe[:3] = last[:3] + _shorten(safe[:3] - last[:3], self.speed * dt)
        safe[3:6] = last[3:6] + _shorten(safe[3:6] - last[3:6], self.spin * dt)
        _check_step(safe[:3], last[:3], self.speed * dt)
        _check_step(safe[3:6], last[3:6], self.spin * dt)
        _check_limits(safe, last, *self._limits())
        return self._count(safe, wanted)

    def _limits(self) -> tuple[Array, Array]:
        """Lowest and highest command, each (7,)."""
        turn, (closed, opened) = np.full(3, self.twist), self.fingers
        return np.array([*self.low, *-turn, closed]), np.array([*self.high, *turn, opened])


@dataclass
class JointGuard(_ArmGuard):
    """Limits on joint commands: ranges `low` and `high` (n,) in rad, speeds (n,) in rad/s."""

    low: Array
    high: Array
    speed: Array

    def command(self, wanted: Array, last: Array, dt: float) -> Array:
        """`wanted` (n,) brought inside the limits, given the `last` command `dt` s ago."""
        count = len(self.low)
        wanted = finite_numbers(wanted, count, "a command")
        last, step = finite_numbers(last, count, _MEMORY), self.speed * _period(dt)
        safe = np.clip(np.clip(wanted, self.low, self.high), last - step, last + step)
        _check_step(safe, last, step)
        _check_limits(safe, last, self.low, self.high)
        return self._count(safe, wanted)


def _shorten(step: Array, longest: float) -> Array:
    size = float(np.linalg.norm(step))
    return step if size <= longest else step * (longest / size)
