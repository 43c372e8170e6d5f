"""Eyes by name, for a world: an oracle of that world, or any vision model, or either made worse."""

from __future__ import annotations

from regrasp.embedded.resolve import resolve_vision
from regrasp.episodes.oracle_vision import EyeErrors
from regrasp.episodes.runner import Seeing, oracle
from regrasp.models.degraded import DegradedVision, Faults

__all__ = ["seeing"]


def seeing(name: str) -> Seeing:
    """The eyes that `name` stands for.

    `oracle`, `oracle:tp=0.9,fp=0.05`, whatever `resolve_vision` takes, and any of these after
    `degraded:FAULTS:`.
    """
    prefix, _, rest = name.partition(":")
    if prefix == "oracle":
        return oracle(EyeErrors.parse(rest))
    if prefix == "degraded":
        faults, _, inner = rest.partition(":")
        dice, eyes = Faults.parse(faults), seeing(inner)
        return lambda world: DegradedVision(eyes(world), dice)
    model = resolve_vision(name)
    return lambda world: model
