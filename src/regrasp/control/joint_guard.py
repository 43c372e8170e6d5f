"""The guard for joint commands: finite, within the joints' ranges and speed limits.

`Guard` does the same for palm commands.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.guard import GuardTrip, watch

__all__ = ["JointGuard"]

Array = npt.NDArray[np.float64]


@dataclass
class JointGuard:
    """Limits on joint commands: ranges `low` and `high` (n,) in rad, speeds (n,) in rad/s.

    `diverged` is the speed (rad/s) at which a motion counts as diverged, far above the commanded
    speeds; `slack` is the tolerated overshoot of a joint limit (rad).
    """

    low: Array
    high: Array
    speed: Array
    diverged: float = 15.0
    slack: float = 0.1
    clamped: int = 0

    def command(self, wanted: Array, last: Array, dt: float) -> Array:
        """`wanted` (n,) brought inside the limits, given the `last` command `dt` s ago."""
        if wanted.shape != self.low.shape or not np.all(np.isfinite(wanted)):
            raise GuardTrip(f"a command must be {len(self.low)} finite numbers, got {wanted!r}")
        step = self.speed * dt
        safe = np.clip(np.clip(wanted, self.low, self.high), last - step, last + step)
        if not np.allclose(safe, wanted):
            self.clamped += 1
        return safe

    def watch(self, model: mujoco.MjModel, data: mujoco.MjData, arm: range) -> None:
        """Trip if the state diverged, the arm is far too fast, or a joint is past its stop."""
        watch(model, data, arm, self.diverged, self.slack)
