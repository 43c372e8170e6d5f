"""What the walker is told while it learns and is examined, and what its arms do meanwhile.

Both are functions of numbers drawn from 0..1, of JAX in training and of NumPy afterwards.
"""

from __future__ import annotations

from typing import Any

from regrasp.control.gait import MAX_HEIGHT_M, MIN_COMMAND, MIN_HEIGHT_M, SPEEDS
from regrasp.worlds.kit.walker import HOME

__all__ = ["ARM_DRAWS", "COMMAND_DRAWS", "arm_pose", "command"]

Array = Any

COMMAND_DRAWS, ARM_DRAWS = 5, 8
"""How many numbers `command` and `arm_pose` take."""
_WALK, _STRAIGHT, _SPIN, _STAND = 0.42, 0.52, 0.62, 0.72  # below these; what is left squats
_TURNING_RAD_S, _TURNING = 0.5, 0.3  # how fast, and how often, it turns while it squats
# Lowest and highest shoulder pitch, shoulder roll and elbow.
_ARM_RANGES = ((-1.7, 0.4), (-0.25, 0.5), (-1.8, 0.0))
_ALIKE, _RESTING = 0.7, 0.15


def command(draws: Array) -> Array:
    """Forward, left, yaw rate and height (4,): walking, turning on the spot, standing, squatting.

    Somebody who squats may be told to turn as well, slower the lower he is.
    """
    xp = draws.__array_namespace__()
    kind, forward, left, turn, low = draws
    (a, b), (c, d), (e, f) = SPEEDS
    zero = 0.0 * forward
    walk = xp.stack([a + forward * (b - a), c + left * (d - c), e + turn * (f - e)])
    straight = xp.stack([forward * b, zero, zero])
    spin = xp.stack([zero, zero, e + turn * (f - e)])
    yaw = xp.where(forward < _TURNING, low * (2 * turn - 1) * _TURNING_RAD_S, zero)
    velocity = xp.stack([zero, zero, yaw])
    for below, other in ((_STAND, 0.0 * walk), (_SPIN, spin), (_STRAIGHT, straight), (_WALK, walk)):
        velocity = xp.where(kind < below, other, velocity)
    velocity = xp.where(xp.max(xp.abs(velocity)) < MIN_COMMAND, 0.0 * velocity, velocity)
    height = xp.where(
        kind < _STAND, MAX_HEIGHT_M, MIN_HEIGHT_M + low * (MAX_HEIGHT_M - MIN_HEIGHT_M)
    )
    return xp.concat([velocity, xp.reshape(height, (1,))])


def arm_pose(draws: Array) -> Array:
    """Targets of the six arm joints: anything within reach, mostly alike on both sides."""
    xp = draws.__array_namespace__()
    low, high = (xp.asarray(bounds, dtype=draws.dtype) for bounds in zip(*_ARM_RANGES, strict=True))
    left, right = low + draws[:3] * (high - low), low + draws[3:6] * (high - low)
    left = xp.where(draws[7] < _RESTING, xp.asarray(HOME[:3], dtype=draws.dtype), left)
    right = xp.where((draws[6] < _ALIKE) | (draws[7] < _RESTING), left, right)
    return xp.concat([left, right])
