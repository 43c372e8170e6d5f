"""Motions of an arm with joint servos: brake, follow a path, hold still, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

import numpy as np

from regrasp.control.controller import DT
from regrasp.control.staged_skill import Steps
from regrasp.control.trajectory import Setpoint, Trajectory
from regrasp.core.arrays import Array
from regrasp.core.robot import Progress

__all__ = ["ServoArm", "brake", "follow", "follow_all", "hold_still"]

_BRAKE = 15.0  # rad/s²


class ServoArm(Protocol):
    """An arm whose joints follow setpoints."""

    speed: float
    """The largest speed of a joint on a path, rad/s."""
    acceleration: float
    """The usual acceleration of a joint on a path, rad/s²."""
    commanded: Array

    @property
    def q(self) -> Array:
        """Joint positions (n,), in rad."""
        ...

    @property
    def v(self) -> Array:
        """Joint velocities (n,), in rad/s."""
        ...

    def tip(self, q: Array) -> Array:
        """The position (3,) of its tool for joints `q` (n,)."""
        ...

    def command(self, wanted: Setpoint) -> None:
        """One control step towards a setpoint; may raise `GuardTrip`."""
        ...


def never() -> bool:
    """Never stop before the end."""
    return False


def brake(arm: ServoArm) -> Steps:
    """Bring a moving arm to rest."""
    q, v = arm.q, arm.v
    fastest = float(np.abs(v).max())
    last = round(fastest / _BRAKE / DT)
    for k in range(1, last + 1):
        left = 1.0 - k / last
        travelled = v * DT * k * (1.0 + left) / 2.0
        arm.command(Setpoint(q + travelled, left * v, -v / (last * DT)))
        yield Progress("brake", fastest * left)


def follow(
    arm: ServoArm,
    knots: Array,
    stage: str,
    acceleration: float | None = None,
    until: Callable[[], bool] = never,
) -> Steps:
    """Follow knots (m, n) for at least one step, until the end or until `until` is true."""
    course = Trajectory(knots, arm.speed, acceleration or arm.acceleration)
    end = arm.tip(knots[-1])
    for k in range(1, max(1, int(np.ceil(course.seconds / DT))) + 1):
        arm.command(course.at(k * DT))
        yield Progress(stage, float(np.linalg.norm(end - arm.tip(arm.q))))
        if until():
            return


def follow_all(
    arm: ServoArm,
    path: Iterable[Array],
    stage: str,
    acceleration: float | None = None,
    until: Callable[[], bool] = never,
) -> Steps:
    """Follow the parts of a path; the arm stops between them."""
    for part in path:
        yield from follow(arm, part, stage, acceleration, until)
        if until():
            return


def hold_still(
    arm: ServoArm, seconds: float, stage: str, until: Callable[[], bool] = never
) -> Steps:
    """Hold still for at least one step, until the time is over or until `until` is true."""
    still = Setpoint(arm.commanded, np.zeros_like(arm.q), np.zeros_like(arm.q))
    for k in range(round(seconds / DT)):
        arm.command(still)
        yield Progress(stage, 1.0 - (k + 1) * DT / seconds)
        if until():
            return
