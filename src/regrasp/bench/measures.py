"""The bench: suites as data, where their episodes run, what is kept of them, and the tables."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["MEASURES"]

MEASURES: Mapping[str, str] = {
    "motions": "does the robot do what a reward says, and say so; do bar, lock and kettle hold",
    "mpc": "plans per CPU-second, the share inside MuJoCo, and the same work in judo-rai",
    "startup": "import regrasp, regrasp --help, opening and resetting each world",
}
"""The suites that measure something else than methods, and what; the others are in `suites`."""
