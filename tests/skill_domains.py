"""The domains of all worlds with objects and a start, for parts that work in any domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from regrasp.core.fact import State, parse_literals
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.affordances import affordance_domain
from regrasp.domains.household import TYPES, household_problem, household_skills
from regrasp.domains.skill_domain import SkillDomain
from regrasp.domains.tabletop import tabletop_domain
from regrasp.domains.two_hands import two_hands_domain
from regrasp.domains.walker import walker_domain
from regrasp.worlds.object_catalogue import known_objects
from regrasp.worlds.registry import open_world

ARM_SKILLS = ("open", "close", "pull", "press", "pick", "place", "move_away", "rest")


@dataclass(frozen=True)
class Place:
    """A domain, the objects that the robot knows, and a believed state."""

    skills: SkillDomain
    known: tuple[ObjectDescription, ...]
    state: State


def facts(*texts: str) -> State:
    """`facts("on(a, b); closed(c)")`."""
    parts = (part.strip() for text in texts for part in text.split(";"))
    return frozenset(one.fact for one in parse_literals(*filter(None, parts)))


def objects(names: str, **kinds: str) -> tuple[ObjectDescription, ...]:
    """Objects by name; the kind is the last word of the name unless it is given."""
    return tuple(ObjectDescription(name, kinds.get(name, "")) for name in names.split())


def small_bar() -> Place:
    """A bar of two hands: bottles with caps on a shelf and in a closed fridge, glasses, bowls."""
    known = objects(
        "gin_bottle rum_bottle tonic_bottle mint_bowl first_glass second_glass shelf tray fridge "
        "red_block blue_block",
        fridge="refrigerator",
    )
    state = facts(
        "on(gin_bottle, shelf); inside(rum_bottle, fridge); on(tonic_bottle, table)",
        "on(mint_bowl, table); on(first_glass, table); on(second_glass, table)",
        "on(red_block, table); on(blue_block, red_block); free(left_hand); free(right_hand)",
        "capped(gin_bottle); capped(rum_bottle); empty(first_glass); empty(second_glass)",
        "contains(gin_bottle, gin); contains(rum_bottle, rum); contains(tonic_bottle, tonic)",
    )
    return Place(two_hands_domain(state, ("gin", "rum", "tonic", "mint")), known, state)


def tabletop() -> Place:
    known = (
        *objects("red_block green_block blue_block", plate="fixture"),
        ObjectDescription("plate", "fixture"),
        ObjectDescription("table", "table"),
    )
    state = facts("on(red_block, table); on(green_block, red_block); on(blue_block, table)")
    return Place(tabletop_domain(), known, state | tabletop_domain().init)


def walker() -> Place:
    known = objects("big_box small_box near_table far_table gate")
    state = facts("on(big_box, near_table); on(small_box, floor); at(far_table)")
    return Place(walker_domain(), known, state | walker_domain().init)


def household(task: str) -> Place:
    problem = household_problem(task)
    kinds = {type_name: kind for kind, type_name in TYPES.items()}
    known = tuple(
        ObjectDescription(one.name, kinds[one.type]) for one in problem.objects if one.type in kinds
    )
    rooms = tuple(one.name for one in problem.objects if one.type == "room")
    return Place(household_skills(problem.init, rooms), known, problem.init)


def arm_world(world: str, task: str) -> Place:
    known = known_objects(open_world(world, task).scene)
    skills = affordance_domain(known, ARM_SKILLS)
    return Place(skills, known, skills.init)


PLACES: Mapping[str, Callable[[], Place]] = {
    "two_hands": cache(small_bar),
    "tabletop": cache(tabletop),
    "walker": cache(walker),
    "boil-water": cache(lambda: household("boil-water")),
    "collect-toys": cache(lambda: household("collect-toys")),
    "kitchen": cache(lambda: arm_world("kitchen", "apple")),
    "cabinet": cache(lambda: arm_world("cabinet", "barred")),
    "sensor": cache(lambda: arm_world("sensor", "locked")),
    "cubes": cache(lambda: arm_world("cubes", "occupied")),
}
"""Every kind of domain that there is."""
