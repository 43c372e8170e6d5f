"""Whether a robot's skills and reports use the state of the simulator, or what the robot senses."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Estimates"]


class Estimates(StrEnum):
    """Where a simulated robot gets the poses of things from; see docs/robot.md."""

    PRIVILEGED = "privileged"
    """From the simulator's state, which stands for a perfect state estimator."""
    SENSED = "sensed"
    """From its depth cameras and its own joints."""
