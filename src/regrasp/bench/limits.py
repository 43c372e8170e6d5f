"""The limits of an episode of a suite."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an episode: over `sim_s` or the model calls it fails, over `wall_s` it is broken.

    A method that uses up its simulated time or its calls has failed. An episode that takes `wall_s`
    hangs, which is a fault of Regrasp.
    """

    sim_s: float = 600.0
    calls: int = 3000
    wall_s: float = 3600.0
