"""Actions, quantities and skills of a robot."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.errors import RegraspError

__all__ = ["Action", "EffectTiming", "Quantity", "SkillSpec"]


@dataclass(frozen=True, slots=True)
class Action:
    """A named skill applied to arguments, e.g. `Action("open", ("microwave",))`."""

    name: str
    args: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse another type: a skill would meet it in the middle of a motion."""
        names = (self.name, *self.args) if isinstance(self.args, tuple) else (None,)
        if not all(isinstance(name, str) for name in names):
            raise RegraspError(
                f"an action is a name and a tuple of names, not {self.name!r} and {self.args!r}: "
                "write e.g. Action('open', ('microwave',))."
            )

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.args)})"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that an action takes after its objects, e.g. `Quantity("ml", 40, 1, 1000)`.

    It is the last argument of the robot's action, as text: `pour(gin_bottle, first_glass, 40)`. The
    action of the planning domain does not have it.
    """

    unit: str
    default: float
    least: float
    most: float

    def accepts(self, amount: float) -> bool:
        """Whether the amount is within the bounds."""
        return self.least <= amount <= self.most

    def write(self, amount: float | None = None) -> str:
        """The amount as an argument, to six decimals; the default if there is none."""
        return f"{self.default if amount is None else amount:.6f}".rstrip("0").rstrip(".")

    def __str__(self) -> str:
        return f"{self.least:g} to {self.most:g} {self.unit}"


@dataclass(frozen=True, slots=True)
class EffectTiming:
    """The stages of a running skill at which its effects happen.

    A deleted fact is true until stage `deleted_at`; an added fact is true from stage `added_at` on.
    Example: the hand holds the block until it releases it; the block is placed once the hand
    retracts.
    """

    deleted_at: str
    added_at: str


@dataclass(frozen=True, slots=True)
class SkillSpec:
    """A skill that a robot offers: its name, the names of its arguments, and what it does.

    `timing` gives the stages at which its effects happen; without it, they happen at its end.
    """

    name: str
    parameters: tuple[str, ...]
    summary: str
    timing: EffectTiming | None = None

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.parameters)}): {self.summary}"
