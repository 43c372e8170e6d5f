"""The plan of the apartment: its robot, tasks, judge and domain."""

from __future__ import annotations

from regrasp.core.fact import Fact, State
from regrasp.domains.apartment import apartment_skills
from regrasp.domains.skill_domain import SkillDomain
from regrasp.worlds.apartment.judge import ApartmentJudge
from regrasp.worlds.apartment.oracle_grounding import OracleGrounding
from regrasp.worlds.apartment.robot import ApartmentRobot
from regrasp.worlds.apartment.tasks import TASKS, build
from regrasp.worlds.apartment.world import ApartmentWorld, add_body
from regrasp.worlds.kit.mobile_two_arms import CAMERAS
from regrasp.worlds.world import WorldPlan

__all__ = ["PLAN"]


def domain(world: ApartmentWorld) -> SkillDomain:
    """The domain of a robot that is told where things are at first, as the instructions say."""
    return apartment_skills(given_beforehand(world), CAMERAS)


def given_beforehand(world: ApartmentWorld) -> State:
    """The facts that are true at the start; every thing is believed to be in the map."""
    start = {one.fact for one in world.start if one.positive}
    return frozenset(start | {Fact.of("find", one.name) for one in world.objects()})


PLAN = WorldPlan(
    "apartment",
    "three rooms with tables, a coat stand, a chest, a bookshelf and a person; a mobile robot with "
    "two arms fetches things",
    TASKS,
    build,
    add_body,
    ApartmentRobot,
    ApartmentJudge,
    domain,
    world=ApartmentWorld,
    oracle_grounding=OracleGrounding,
)
