"""The trial of a primitive: what counts as a collision on its way."""

from __future__ import annotations

import numpy as np

from regrasp.control.collision_check import HIT_M
from regrasp.control.hand_paths import free_ways
from regrasp.control.primitive_trial import Planning, PrimitiveTrial
from regrasp.control.two_arms import HandArm
from regrasp.core.arrays import Array
from small_bar import small_bar


def touching(arm: HandArm) -> Array:
    """A posture (n,) on the way to one inside the torso, at which an arm just touches it."""
    free, across = arm.home, arm.home + np.array([0.0, 0.0, -1.5, 0.0, 0.0, 0.0, 0.0])
    for _ in range(30):
        half = (free + across) / 2
        nears = arm.check.along(half[None])
        if any(near.collides for near in nears):
            across = half
        else:
            free = half
    return across


def test_an_arm_that_touches_something_may_leave_it() -> None:
    world, robot = small_bar()
    robot._arms.see()
    arm = robot._arms.arms["left_hand"]
    world.data.qpos[arm._servos.addresses] = touching(arm)
    robot._arms.see()
    (near,) = (one for one in arm.check.along(arm.q[None]) if one.collides)
    assert 0.0 < near.distance < HIT_M and near.own not in (arm.hand, ""), near

    def leave(trial: PrimitiveTrial) -> Planning:
        trial.use_best("return", free_ways(trial, arm.q, arm.home))
        yield

    def press(trial: PrimitiveTrial) -> Planning:
        into = arm.q + 0.1 * (arm.q - arm.home)
        trial.use_best("return", [lambda: [np.array([arm.q, into])]])
        yield

    away, further = (PrimitiveTrial(robot._arms, arm, "", plan) for plan in (leave, press))
    for trial in (away, further):
        trial.finish()
    assert away.feasible
    assert not further.feasible
