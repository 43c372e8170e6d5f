"""Connect a robot with depth to perception: the geometry of its skills, and grounded predicates.

A robot whose skills take their geometry from perception (`GroundedRobot`) gets it here, with a map
that is made of the pictures of its survey. Any other robot with depth can be asked for predicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from regrasp.control.reachability import reachability_map
from regrasp.control.serial_chain import arm_chains
from regrasp.core.errors import RegraspError
from regrasp.core.grounded import PredicateGrounding
from regrasp.core.grounding import GroundedRobot, Grounding
from regrasp.core.robot import CameraImage
from regrasp.domains.skill_domain import SkillDomain
from regrasp.embedded.segments import kind_network
from regrasp.episodes.setting import Setting
from regrasp.models.pull import cache_dir
from regrasp.perception.attribute_vocabulary import Description
from regrasp.perception.evidence_predicates import EvidencePredicates
from regrasp.perception.furniture import NamedKind
from regrasp.perception.grasp_sampling import Gripper
from regrasp.perception.grounded_predicates import ArmReach, GroundedPredicates
from regrasp.perception.kind_segments import KINDS, KindSegments, kind_of_text
from regrasp.perception.kind_words import wanted_height
from regrasp.perception.occupancy import Footprint
from regrasp.perception.perceived_grounding import PerceivedGrounding, RoomsMap
from regrasp.perception.voxel_map import VoxelMap
from regrasp.worlds.world import World

__all__ = [
    "arm_maps", "connect_grounding", "described", "mapped_domain", "oracle_grounding",
    "perceived_grounding",
]  # fmt: skip

_HALF_M, _HEIGHT_M = 9.6, 2.1  # of the map around where the robot starts
_PLACES = ("on", "in")


def connect_grounding(setting: Setting, *, oracle: bool = False) -> PredicateGrounding | None:
    """Give a robot its evidence; None for a robot whose skills do not take any.

    With `oracle` the evidence is the simulator's truth, to find who is to blame.
    """
    robot = setting.robot
    if not isinstance(robot, GroundedRobot):
        return None
    evidence = oracle_grounding(setting) if oracle else perceived_grounding(setting)
    world = setting.world
    predicates = EvidencePredicates(robot, evidence, lambda: arm_maps(world), robot.lift_range())
    robot.ground(evidence, predicates.stand_for)
    return predicates


def mapped_domain(setting: Setting, grounding: PredicateGrounding | None) -> SkillDomain:
    """The domain with the facts that the map tells before the task: what is found, and where."""
    domain = setting.domain
    if not isinstance(grounding, EvidencePredicates):
        return domain
    rules = domain.rules(setting.robot.knowledge())
    known = {fact for fact in rules.facts("find") if grounding.ground(fact).value}
    for predicate in _PLACES:
        known |= {fact for fact in rules.facts(predicate) if grounding.ground(fact).value}
    return replace(domain, init=domain.init | known)


def perceived_grounding(
    setting: Setting,
    pictures: Iterable[CameraImage] | None = None,
    *,
    names: Iterable[str] | None = None,
) -> PerceivedGrounding:
    """Evidence from the robot's own pictures, with a map of `pictures`, or of those of its tour.

    `names` are descriptions to look for in place of the robot's known things.
    """
    robot, domain = setting.robot, setting.domain
    if names is None:
        names = [one.name for one in robot.knowledge() if one.kind in domain.kinds]
    parts = GroundedPredicates(
        KindSegments(kind_network),
        np.random.default_rng(0),
        gripper=Gripper(opening=0.09, friction=0.8, palm=0.10),
        footprint=Footprint(radius=0.33),
    )
    low, high = np.array([-_HALF_M, -_HALF_M, 0.0]), np.array([_HALF_M, _HALF_M, _HEIGHT_M])
    made = PerceivedGrounding(
        robot, robot.cameras()[0], {name: described(name) for name in names}, parts,
        VoxelMap(low, high),
    )  # fmt: skip
    if pictures is None and isinstance(robot, GroundedRobot):
        key = robot.survey_key()
        if key not in _LAST_MAP:
            made.absorb(robot.survey())
            _LAST_MAP.clear()
            _LAST_MAP[key] = made.rooms()
        made.enter(_LAST_MAP[key])
        return made
    made.absorb(pictures or ())
    return made


_LAST_MAP: dict[str, RoomsMap] = {}
"""The last map that this process made, by the key of its pictures: the tasks of a seed share it."""


def described(text: str) -> NamedKind:
    """What a description or a name says: the kind, the colour, the height."""
    words = text.replace("_", " ")
    kind, colour = KINDS[kind_of_text(words)], Description.of(words).colour
    return NamedKind(text, kind, colour, wanted_height(words))


def oracle_grounding(setting: Setting) -> Grounding:
    """Evidence from the simulator; RegraspError where the world has no such oracle."""
    world = setting.world
    oracle = world.plan.oracle_grounding if world is not None else None
    if world is None or oracle is None:
        raise RegraspError(f"no oracle knows the geometry around {setting.robot.name}.")
    return oracle(world)


@cache
def arm_maps(world: World | None) -> Mapping[str, ArmReach]:
    """The reachability maps of a robot's arms, by name; made at the first call, then cached."""
    if world is None:
        return {}
    chains = arm_chains(world.planning)
    return {name: reachability_map(chain, cache_dir()) for name, chain in chains.items()}
