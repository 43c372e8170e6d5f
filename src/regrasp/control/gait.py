"""Observation, command and action of the walking policy, shared by training and control.

**Command**: speed forward and to the left (m/s), yaw rate (rad/s, counter-clockwise) and height of
the base (m). The robot walks only at full height. The rate of the height is limited to
`MAX_HEIGHT_RATE_M_S` and the acceleration to `MAX_ACCELERATION`: without this limit the robot
stumbles at a sudden turn.

**Observation** (42,): angles of the ten leg joints relative to `HOME` (10), their velocities (10),
the last action (10), the direction of gravity in the base's frame (3), sine and cosine of the gait
phase (2; 0 while it stands), and the commanded velocity (3). These 38 are in appendix B.2 of
DoReMi. Regrasp adds the angular velocity of the base (3) from a gyroscope, without which training
is worse, and the commanded height (1), because one policy walks and squats. The arms are not
observed.

**Action** (10,): targets of the leg joints relative to `HOME`, in units of `ACTION_SCALE_RAD`.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "ACTIONS",
    "ACTION_LIMIT",
    "ACTION_SCALE_RAD",
    "CONTROL_PERIOD_S",
    "GAIT_PERIOD_S",
    "MAX_ACCELERATION",
    "MAX_HEIGHT_M",
    "MAX_HEIGHT_RATE_M_S",
    "MIN_COMMAND",
    "MIN_HEIGHT_M",
    "MIN_WALKING_HEIGHT_M",
    "OBSERVATIONS",
    "SPEEDS",
    "observe",
    "trunk_pitch_rad",
]  # fmt: skip

Array = Any  # a NumPy array at run time, a JAX array in training

OBSERVATIONS, ACTIONS = 42, 10
CONTROL_PERIOD_S = 0.02
"""The control period: the time between two actions."""
GAIT_PERIOD_S = 0.7
"""The duration of one gait cycle: a left and a right step."""
ACTION_SCALE_RAD, ACTION_LIMIT = 0.5, 4.0
"""The change of a joint's target for an action of 1, and the clipping limit of actions."""
MIN_HEIGHT_M, MAX_HEIGHT_M, MIN_WALKING_HEIGHT_M = 0.34, 0.56, 0.52
"""The lowest and highest commanded height of the base, and the lowest at which it walks."""
MAX_HEIGHT_RATE_M_S = 0.25
"""The fastest change of the height (m/s)."""
MAX_ACCELERATION = (0.8, 0.8, 2.0)
"""The largest acceleration: forward and sideways (m/s²) and of the yaw rate (rad/s²)."""
SPEEDS = ((-0.4, 0.8), (-0.25, 0.25), (-0.8, 0.8))
"""Lowest and highest forward and sideways speed and yaw rate in training."""
MIN_COMMAND = 0.1
"""If every component of the command is smaller than this (m/s, rad/s), the robot stands still."""
_MAX_TRUNK_PITCH_RAD = 0.7
_SPEED_SCALE, _GYRO_SCALE, _HEIGHT_SCALE = 0.1, 0.2, 5.0


def trunk_pitch_rad(height: Array) -> Array:
    """The forward pitch of the trunk (rad) at a height (m), 0 at the largest height."""
    return _MAX_TRUNK_PITCH_RAD * (MAX_HEIGHT_M - height) / (MAX_HEIGHT_M - MIN_HEIGHT_M)


def observe(
    angles: Array,
    speeds: Array,
    action: Array,
    gravity: Array,
    gyro: Array,
    gait_phase: Array,
    velocity: Array,
    height: Array,
) -> Array:
    """The observation (42,), see above. `angles` (10,) are relative to `HOME`; `height` is (1,).

    `gravity` (3,) is the direction in the base's frame, `gait_phase` (2,) its sine and cosine.
    """
    xp = angles.__array_namespace__()
    return xp.concat(
        [
            angles,
            _SPEED_SCALE * speeds,
            action,
            gravity,
            gait_phase,
            velocity,
            _GYRO_SCALE * gyro,
            _HEIGHT_SCALE * (height - MAX_HEIGHT_M),
        ]
    )
