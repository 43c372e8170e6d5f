"""The input of an executor: one complete episode, in a form that can be sent to a process."""

from __future__ import annotations

from dataclasses import dataclass, field

from regrasp.bench.record import EpisodeKey

__all__ = ["EpisodeJob", "Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an episode: over `sim_s` or the model calls it fails, over `wall_s` it is broken.

    A method that uses up its simulated time or its calls has failed. An episode that takes `wall_s`
    hangs, which is a fault of Regrasp.
    """

    sim_s: float = 600.0
    calls: int = 3000
    wall_s: float = 3600.0


@dataclass(frozen=True, slots=True)
class EpisodeJob:
    """An episode of the suite at `address` (a name or a file), and how it is recorded.

    `size` is (width, height) of the images, also those for the vision model. `swap` names the part
    of the agent that is replaced by its oracle, if any (swap.py).
    """

    address: str
    key: EpisodeKey
    limits: Limits = field(default_factory=Limits)
    video: bool = False
    size: tuple[int, int] = (320, 240)
    renderer: str = "raycast"
    swap: str = ""

    def __str__(self) -> str:
        return str(self.key)
