"""Observation, command and action of the walking policy, shared by training and control.

**Command**: speed forward and to the left (m/s), yaw rate (rad/s, counter-clockwise) and height of
the base (m). The robot walks only at full height. The height follows its command at `SINK_M_S`, the
velocity at `QUICKEN`: without this limit the robot stumbles at a sudden turn.

**Observation**, 42 numbers: angles of the ten leg joints from `HOME`, their speeds, the last
action, the direction of gravity in the base's frame (3), two of a clock that runs while it walks,
the commanded velocity (3): these are the 38 of DoReMi's appendix B.2. Two more: the base's angular
velocity (3) from a gyroscope, without which training is worse, and the height (1), because one
policy walks and squats here. The arms are not observed.

**Action**, 10 numbers: targets of the leg joints from `HOME`, in `STRIDE_RAD`.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "ACTIONS", "CLOCK_S", "LIMIT", "LOW_M", "OBSERVATIONS", "PERIOD_S", "QUICKEN", "SINK_M_S",
    "SPEEDS", "STILL", "STRIDE_RAD", "TALL_M", "WALK_M", "lean_rad", "observe",
]  # fmt: skip

Array = Any  # of NumPy at run time, of JAX in training

OBSERVATIONS, ACTIONS = 42, 10
PERIOD_S = 0.02
"""Between two actions."""
CLOCK_S = 0.7
"""Of a left and a right step together."""
STRIDE_RAD, LIMIT = 0.5, 4.0
"""The change of a joint's target for an action of 1, and the clipping limit of actions."""
LOW_M, TALL_M, WALK_M = 0.34, 0.56, 0.52
"""The lowest and the highest commanded base; it walks from WALK_M on."""
SINK_M_S = 0.25
QUICKEN = (0.8, 0.8, 2.0)
"""How fast forward and sideways speed (m/s²) and yaw rate (rad/s²) follow the command."""
SPEEDS = ((-0.4, 0.8), (-0.25, 0.25), (-0.8, 0.8))
"""Lowest and highest forward and sideways speed and yaw rate in training."""
STILL = 0.1
"""A velocity with all parts below these (m/s, rad/s) was not trained: the robot stands still."""
_LEAN_RAD = 0.7
_SPEED_SCALE, _GYRO_SCALE, _HEIGHT_SCALE = 0.1, 0.2, 5.0


def lean_rad(height: Array) -> Array:
    """How far the trunk leans forward at a height: upright when tall, bowed when low."""
    return _LEAN_RAD * (TALL_M - height) / (TALL_M - LOW_M)


def observe(
    angles: Array,
    speeds: Array,
    action: Array,
    down: Array,
    gyro: Array,
    clock: Array,
    velocity: Array,
    height: Array,
) -> Array:
    """The observation (42,): see above. `angles` (10,) are from `HOME`; `height` has shape (1,)."""
    xp = angles.__array_namespace__()
    return xp.concat(
        [
            angles,
            _SPEED_SCALE * speeds,
            action,
            down,
            clock,
            velocity,
            _GYRO_SCALE * gyro,
            _HEIGHT_SCALE * (height - TALL_M),
        ]
    )
