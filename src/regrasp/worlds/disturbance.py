"""The disturbances of DoReMi's worlds: their kinds, rates and times, and the worlds that have them.

A held object is dropped with probability p in every second, so a hold lasts t seconds with
probability (1 - p)^t. A placed object lands within n centimetres of its target, uniformly over that
disc. The density of obstacles in the walker's forest is d.

The k-th hold and the k-th placement of a world are drawn from (seed, k) only, so two methods on one
seed get the same disturbances as long as they do the same actions.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.errors import RegraspError
from regrasp.worlds.world import CONTROL_DT, Task, World, WorldPlan

__all__ = ["Disturbance", "DisturbedPlan", "DisturbedWorld", "HoldState"]

_STREAM = 4  # 0 to 3 are layout, appearance, control and vision
_HOLDS, _PLACINGS = 0, 1
_MOST_CM, _MOST_DENSE = 10.0, 1.0

_MEANS = {
    "p": "p=CHANCE of a drop in a second",
    "n": "n=CENTIMETRES of placement noise",
    "d": "d=OBSTACLES to a metre of the way",
}


@dataclass(frozen=True, slots=True)
class Disturbance:
    """`p`: probability of a drop in each second of holding; `n`: largest placement error (cm).

    `d`: obstacles per metre of the way through a forest.
    """

    p: float = 0.0
    n: float = 0.0
    d: float = 0.0

    def __post_init__(self) -> None:
        if not (0.0 <= self.p < 1.0 and 0.0 <= self.n <= _MOST_CM):
            raise RegraspError(f"give 0 <= p < 1 a second and 0 <= n <= 10 cm, not {self!r}.")
        if not 0.0 <= self.d <= _MOST_DENSE:
            raise RegraspError(f"give 0 <= d <= 1 obstacles to a metre, not {self!r}.")

    def __str__(self) -> str:
        parts = [("p", self.p), ("n", self.n), ("d", self.d)]
        return ",".join(f"{name}={value:g}" for name, value in parts if value)

    @classmethod
    def parse(cls, text: str, among: str = "pn") -> Disturbance:
        """Read `p=0.1,n=2`, each part optional; a task accepts the letters in `among`."""
        try:
            pairs = [part.split("=") for part in text.split(",") if part]
            given = {name.strip(): float(value) for name, value in pairs}
            if not given.keys() <= set(among):
                raise ValueError
        except ValueError:
            raise RegraspError(
                f"{text!r} is no disturbance of this task; give "
                f"{' or '.join(_MEANS[one] for one in among)}, e.g. :{among[0]}=0.1."
            ) from None
        return cls(**given)

    def hold_s(self, seed: int, hold: int) -> float:
        """Seconds after which hold number `hold` (0, 1, …) is dropped; infinite for p = 0."""
        if self.p == 0.0:
            return math.inf
        chance = 1.0 - float(self._rng(seed, _HOLDS, hold).random())  # in (0, 1]
        return math.log(chance) / math.log1p(-self.p)

    def offset(self, seed: int, placing: int) -> Array:
        """The error (x, y), in m, of placement number `placing`."""
        rng = self._rng(seed, _PLACINGS, placing)
        length, angle = 0.01 * self.n * math.sqrt(rng.random()), 2 * math.pi * rng.random()
        return length * np.array([math.cos(angle), math.sin(angle)])

    @staticmethod
    def _rng(seed: int, kind: int, number: int) -> np.random.Generator:
        return np.random.default_rng([seed, _STREAM, kind, number])


@dataclass(frozen=True, slots=True)
class DisturbedPlan(WorldPlan):
    """A plan whose tasks accept a disturbance: `stack-in-order:p=0.1,n=2`.

    `knobs` are the letters that each task accepts.
    """

    knobs: Mapping[str, str] = field(default_factory=dict)

    def task(self, name: str | None) -> Task:
        """See `WorldPlan.task`."""
        given = name or self.tasks[0].name
        plain, colon, _ = given.partition(":")
        task = super(DisturbedPlan, self).task(plain)
        return replace(task, name=f"{plain}:{self.disturbance(given)}") if colon else task

    def disturbance(self, task: str) -> Disturbance:
        """The disturbance after the colon of a task's name."""
        plain, _, text = task.partition(":")
        return Disturbance.parse(text, self.knobs[plain])


class HoldState(ABC):
    """What a gripper holds and for how long; `memory` is a piece of the simulation's user data.

    A snapshot of the simulation includes it.
    """

    SLOTS: ClassVar[tuple[str, ...]]
    """The values in the memory, in this order; `held_s` and `holds` (their number) among them."""

    def __init__(self, memory: Array) -> None:
        self._memory = memory

    def get(self, slot: str) -> float:
        """One of `SLOTS`."""
        return float(self._memory[self.SLOTS.index(slot)])

    def set(self, slot: str, value: float) -> None:
        """Set one of `SLOTS`."""
        self._memory[self.SLOTS.index(slot)] = value

    @property
    @abstractmethod
    def holds(self) -> str:
        """The held object; empty for none."""


class DisturbedWorld(World):
    """A world with a disturbance: see `World`.

    `on_disturbance` is called with a description of every disturbance when it happens.
    """

    def __init__(
        self,
        plan: DisturbedPlan,
        task: str | None = None,
        seed: int = 0,
        *,
        timestep: float = 0.002,
    ) -> None:
        self.disturbance = plan.disturbance(plan.task(task).name)
        self.on_disturbance: Callable[[str], None] = lambda what: None
        super().__init__(plan, task, seed, timestep=timestep)

    def _slips(self, gripper: HoldState) -> bool:
        """Measure how long an object is held; True at the drawn time of its drop."""
        if not gripper.holds:
            if gripper.get("held_s"):
                gripper.set("holds", gripper.get("holds") + 1)
                gripper.set("held_s", 0.0)
            return False
        gripper.set("held_s", gripper.get("held_s") + CONTROL_DT)
        limit = self.disturbance.hold_s(self.seed, int(gripper.get("holds")))
        return gripper.get("held_s") >= limit
