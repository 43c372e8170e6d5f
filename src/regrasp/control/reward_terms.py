"""The typed terms of a reward, and the program that they form.

The controller minimises `c(x, u) = −Σ wᵢ rᵢ(x, u)` over these terms (REPLAN, section 3.4); the
*primary* term alone decides whether the subtask is done. Every value is checked on creation, so
that a controller never gets a weight that is not finite or a fraction of 7.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import ClassVar, TypeAlias

from regrasp.core.errors import RegraspError

__all__ = [
    "DEFAULT_DISTANCE",
    "DEFAULT_DURATION",
    "MAX_DURATION",
    "MAX_TERMS",
    "PALM",
    "REST_POSITION",
    "ImpossibleRewardError",
    "JointFraction",
    "MaximizeDistance",
    "MinimizeDistance",
    "ObjectHeight",
    "ObjectOrientation",
    "Reward",
    "RewardError",
    "RewardProgram",
    "Success",
]

PALM = "palm"
"""The robot's hand; always an object that a reward may name."""

REST_POSITION = "rest_position"
"""The rest position of the palm; always an object that a reward may name."""

DEFAULT_DISTANCE = 0.3
"""The default distance, in metres, at which `MaximizeDistance` is met."""

DEFAULT_DURATION = 20.0
"""The default time limit of a program, in seconds.

The paper's default is 2 s of a fixed length. Ours is a limit, not a length: a subtask ends as soon
as its primary reward is met and stable, so a long limit costs nothing when the motion succeeds.
"""

MAX_DURATION = 120.0
"""The most seconds a program may ask for."""

MAX_TERMS = 20
"""The most terms a program may have."""

MAX_NAME = 64
_LIMITS: Mapping[str, tuple[str, float, float]] = {
    "distance": ("distance", 0.0, 10.0),
    "fraction": ("fraction", 0.0, 1.0),
    "height": ("z_height", -10.0, 10.0),
    "angle": ("x_axis_rotation_radians", -4 * math.pi, 4 * math.pi),
    "weight": ("weight", 0.0, 1000.0),
    "duration": ("duration", 0.0, MAX_DURATION),
}
"""Of each number: its name in a reward's text, the least and the most."""


class RewardError(RegraspError):
    """A reward with an invalid value, e.g. a fraction of 7."""


class ImpossibleRewardError(RewardError):
    """A reward for which a robot has no motion, e.g. moving a cabinet."""


@dataclass(frozen=True, slots=True)
class _Term:
    """A term: names of objects or a joint, then its numbers, then `weight` and `primary`."""

    function: ClassVar[str]

    def __post_init__(self) -> None:
        for name in self.names:
            if not 0 < len(name) <= MAX_NAME or not name.isprintable():
                raise RewardError(
                    f"a name has 1 to {MAX_NAME} printable characters, got {name[:80]!r}."
                )
        if len(set(self.names)) < len(self.names):
            raise RewardError(f"a distance needs two things, got {self.names[0]!r} twice.")
        for field in fields(self):
            if field.name in _LIMITS:
                _check_range(field.name, getattr(self, field.name))

    @property
    def names(self) -> tuple[str, ...]:
        """The objects or the joint it names."""
        values = (getattr(self, field.name) for field in fields(self))
        return tuple(value for value in values if isinstance(value, str))

    def __str__(self) -> str:
        """The text that parses into this term."""
        # A JSON string is a Python literal too.
        arguments = [json.dumps(name, ensure_ascii=False) for name in self.names]
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("fraction", "height", "angle"):
                arguments.append(repr(float(value)))
            elif field.name == "distance" or (field.name == "weight" and value != 1.0):
                arguments.append(f"{field.name}={float(value)!r}")
            elif field.name == "primary" and value:
                arguments.append("primary_reward=True")
        return f"{self.function}({', '.join(arguments)})"


@dataclass(frozen=True, slots=True)
class MinimizeDistance(_Term):
    """Bring `a` and `b` together: reward `−|p_a − p_b|`, metres."""

    function: ClassVar[str] = "minimize_l2_distance_reward"
    a: str
    b: str
    weight: float = 1.0
    primary: bool = False


@dataclass(frozen=True, slots=True)
class MaximizeDistance(_Term):
    """Bring `a` and `b` to `distance` metres apart: reward `−max(0, distance − |p_a − p_b|)`."""

    function: ClassVar[str] = "maximize_l2_distance_reward"
    a: str
    b: str
    distance: float = DEFAULT_DISTANCE
    weight: float = 1.0
    primary: bool = False


@dataclass(frozen=True, slots=True)
class JointFraction(_Term):
    """Bring a joint to a fraction of its range, 0 closed and 1 open: `−|q̂ − fraction|`."""

    function: ClassVar[str] = "set_joint_fraction_reward"
    joint: str
    fraction: float
    weight: float = 1.0
    primary: bool = False


@dataclass(frozen=True, slots=True)
class ObjectHeight(_Term):
    """Bring an object to a height above the floor, in metres: `−|z − height|`."""

    function: ClassVar[str] = "set_obj_z_position_reward"
    obj: str
    height: float
    weight: float = 1.0
    primary: bool = False


@dataclass(frozen=True, slots=True)
class ObjectOrientation(_Term):
    """Turn an object about its x axis to `angle` radians: `−|θ − angle|`, the shorter way round."""

    function: ClassVar[str] = "set_obj_orientation_reward"
    obj: str
    angle: float
    weight: float = 1.0
    primary: bool = False


Reward: TypeAlias = (
    MinimizeDistance | MaximizeDistance | JointFraction | ObjectHeight | ObjectOrientation
)
"""One term of a reward."""


class Success(StrEnum):
    """Which terms of a program decide whether it succeeded, and when they are measured."""

    PRIMARY = "primary"  # the primary term, at the end: as in the reward language
    EVERY = "every"  # every term, at the end
    ONCE = "once"  # every term, at any one moment: a button springs back


@dataclass(frozen=True, slots=True)
class RewardProgram:
    """The terms of one subtask and its time limit in seconds; each subtask is independent.

    `success` is for the programs of named skills. The text form cannot express it: a program
    parsed from text succeeds by its primary term.
    """

    terms: tuple[Reward, ...]
    duration: float = DEFAULT_DURATION
    success: Success = Success.PRIMARY

    def __post_init__(self) -> None:
        if not 1 <= len(self.terms) <= MAX_TERMS:
            raise RewardError(f"a program needs 1 to {MAX_TERMS} rewards, got {len(self.terms)}.")
        flagged = [term for term in self.terms if term.primary]
        if len(flagged) > 1:
            raise RewardError(
                f"two primary rewards: {flagged[0]} and {flagged[1]}. Only one decides whether the "
                "subtask is done: leave primary_reward=True on that one."
            )
        _check_range("duration", self.duration)

    @property
    def primary(self) -> Reward:
        """The primary term: the flagged one, else the last term that is not about the palm."""
        flagged = [term for term in self.terms if term.primary]
        others = [term for term in self.terms if PALM not in term.names]
        return (flagged or others or list(self.terms))[-1]

    @property
    def deciding(self) -> tuple[Reward, ...]:
        """The terms that decide success."""
        return (self.primary,) if self.success is Success.PRIMARY else self.terms

    def __str__(self) -> str:
        """The text that `parse_rewards` turns back into this program."""
        calls = ["reset_reward()", *map(str, self.terms)]
        return "\n".join([*calls, f"execute_plan(duration={float(self.duration)!r})"])


def _check_range(field: str, value: float) -> None:
    """Raise unless a value is within its limits; NaN is never inside."""
    name, low, high = _LIMITS[field]
    above = field in ("distance", "duration")  # these are more than zero
    if not low <= value <= high or (above and value == low):
        least = "above" if above else "at least"
        raise RewardError(f"{name} must be {least} {low:g} and at most {high:g}, got {value:g}.")
