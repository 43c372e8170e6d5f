"""The plan of the apartment: its robot, tasks, judge and domain."""

from __future__ import annotations

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
    """The domain of a robot that knows nothing at first: its map tells where things are."""
    return apartment_skills(frozenset(), CAMERAS)


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
    unsensed="it always uses what it senses",
)
