"""Vision models by name: the oracle of a setting, any vision model, or either degraded."""

from __future__ import annotations

from functools import cache, partial

from regrasp.embedded.resolve import chooses_by_things, resolve_vision
from regrasp.episodes.oracle_vision import VisionErrors
from regrasp.episodes.setting import VisionFactory, oracle_factory
from regrasp.models.degraded import DegradedVision, Faults

__all__ = ["vision_factory"]


def vision_factory(name: str) -> VisionFactory:
    """The vision model of that name.

    `oracle`, `oracle:tp=0.9,fp=0.05`, whatever `resolve_vision` takes, and any of these after
    `degraded:FAULTS:`.
    """
    prefix, _, rest = name.partition(":")
    if prefix == "oracle":
        return oracle_factory(VisionErrors.parse(rest))
    if prefix == "degraded":
        faults, _, inner = rest.partition(":")
        faulty, factory = Faults.parse(faults), vision_factory(inner)
        return lambda setting: DegradedVision(factory(setting), faulty)
    model = resolve_vision(name)  # here, so that a wrong name is an error before an episode begins
    if not chooses_by_things(name):
        return lambda setting: model
    resolve = cache(partial(resolve_vision, name))
    return lambda setting: resolve(tuple(thing.name for thing in setting.robot.knowledge()))
