"""The household domain's words for what stands in a world: which thing is of which PDDL type."""

from __future__ import annotations

from regrasp.domains.domain import Object
from regrasp.domains.household import household_domain
from regrasp.domains.rules import Rules
from regrasp.worlds.household.tasks import half_names
from regrasp.worlds.household.world import HouseholdWorld

__all__ = ["TYPES", "world_rules"]

TYPES = {
    "mug": "vessel",
    "bottle": "vessel",
    "pie": "edible",
    "egg": "edible",
    "knife": "blade",
    "stick": "item",
    "toy": "item",
    "container": "basket",
    "cabinet": "receptacle",
    "refrigerator": "receptacle",
    "microwave": "microwave_oven",
    "oven": "baking_oven",
    "sink": "basin",
    "counter": "surface",
    "table": "surface",
    "floor": "floor_area",
}
"""The type of a thing by its kind."""


def world_rules(world: HouseholdWorld) -> Rules:
    """The household domain with all that stands in a world."""
    halves = {half for egg in world.conditions.of("halved") for half in half_names(egg)}
    things = [t for t in world.scene.things.values() if not t.of and t.name not in halves]
    objects = [Object(t.name, TYPES[t.kind]) for t in things if t.kind in TYPES]
    objects += [Object(room, "room") for room in world.rooms]
    objects.append(Object("water", "liquid"))
    return Rules(household_domain(), tuple(objects))
