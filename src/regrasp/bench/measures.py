"""The names of the suites that measure a component, not methods."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["MEASURES"]

MEASURES: Mapping[str, str] = {
    "motions": "does the robot do what a reward says, and say so; do bar, lock and kettle hold",
    "mpc": "plans per CPU-second, the share inside MuJoCo, and the same work in judo-rai",
    "startup": "import regrasp, regrasp --help, opening and resetting each world",
}
"""Each of these suites and what it measures; suites of methods are in `suites`."""
