"""Where an episode of a suite ends."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Where an episode ends: simulated seconds and model calls fail it, wall seconds break it.

    A method may use up its time and its calls; that is a failure of its own. An episode that goes
    on for `wall_s` hangs, and that is our fault.
    """

    sim_s: float = 600.0
    calls: int = 3000
    wall_s: float = 3600.0
