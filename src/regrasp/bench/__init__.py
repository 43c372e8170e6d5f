"""The bench: suites as data, the pool that runs their episodes, intervals and tables."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["SUITES"]

SUITES: Mapping[str, str] = {
    "motions": "does the robot do what a reward says, and say so; do bar, lock and kettle hold",
    "mpc": "plans per CPU-second, the share inside MuJoCo, and the same work in judo-rai",
    "startup": "import regrasp, regrasp --help, opening and resetting each world",
}
"""Every suite of `regrasp bench` and what it measures."""
