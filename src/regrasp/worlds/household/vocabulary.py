"""The PDDL types of the objects of a world, for the household domain."""

from __future__ import annotations

from regrasp.domains.domain import Object
from regrasp.domains.household import TYPES, household_domain
from regrasp.domains.rules import Rules
from regrasp.worlds.household.tasks import half_names
from regrasp.worlds.household.world import HouseholdWorld

__all__ = ["TYPES", "world_rules"]


def world_rules(world: HouseholdWorld) -> Rules:
    """The household domain with the objects of a world."""
    halves = {half for egg in world.conditions.of("halved") for half in half_names(egg)}
    things = [t for t in world.scene.things.values() if not t.of and t.name not in halves]
    objects = [Object(t.name, TYPES[t.kind]) for t in things if t.kind in TYPES]
    objects += [Object(room, "room") for room in world.rooms]
    objects.append(Object("water", "liquid"))
    return Rules(household_domain(), tuple(objects))
