"""What goes wrong in DoReMi's worlds, how often, and when: data, from a stream of its own.

What is held is dropped with probability p in every second, so a hold outlasts t seconds with
probability (1 - p)^t. What is put down lands anywhere within n centimetres of where it should, each
spot of that disc as likely as any other. What is in a walker's way is its forest's density d.

The k-th hold and the k-th placing of a world get their draws from (seed, k) and from nothing else,
so two methods on one seed meet the same luck for as long as they do the same things.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.core.errors import RegraspError

__all__ = ["Disturbance"]

_STREAM = 4  # 0 to 3 are layout, looks, control and eyes
_HOLDS, _PLACINGS = 0, 1
_MOST_CM, _MOST_DENSE = 10.0, 1.0

_MEANS = {
    "p": "p=CHANCE of a drop in a second",
    "n": "n=CENTIMETRES of placement noise",
    "d": "d=OBSTACLES to a metre of the way",
}


@dataclass(frozen=True, slots=True)
class Disturbance:
    """`p`: how likely a drop is in each second of holding; `n`: cm that a placing may be off.

    `d`: obstacles to a metre of the way through a forest.
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
        """Read `p=0.1,n=2`, each part optional; a task takes those that are `among` its own."""
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
        """After how many seconds the hold number `hold` (0, 1, …) is lost; infinite for p = 0."""
        if self.p == 0.0:
            return math.inf
        chance = 1.0 - float(self._rng(seed, _HOLDS, hold).random())  # in (0, 1]
        return math.log(chance) / math.log1p(-self.p)

    def offset(self, seed: int, placing: int) -> npt.NDArray[np.float64]:
        """How far off (x, y), in m, the placing number `placing` lands."""
        rng = self._rng(seed, _PLACINGS, placing)
        length, angle = 0.01 * self.n * math.sqrt(rng.random()), 2 * math.pi * rng.random()
        return length * np.array([math.cos(angle), math.sin(angle)])

    @staticmethod
    def _rng(seed: int, kind: int, number: int) -> np.random.Generator:
        return np.random.default_rng([seed, _STREAM, kind, number])
