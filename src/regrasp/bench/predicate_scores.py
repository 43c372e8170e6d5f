"""Grounded predicates beside the truth, in random situations of a robot with depth.

The robot is put down near a random thing, or anywhere in the rooms, and looks about. For some
things each predicate is computed from what it perceives and from the simulator. `at` and `detected`
are the judge's; the others have the oracle's evidence, and `graspable`, `placeable` and `reachable`
are true only of what the judge sees. Perception is told that the pill box is in the drawer, as the
instruction of its task says. `reachable` uses the same maps of the arms for both, so it
scores the poses.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import mujoco
import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.fact import Fact
from regrasp.core.judge import Judge
from regrasp.domains.skill_domain import SkillDomain
from regrasp.episodes.grounding import arm_maps, perceived_grounding
from regrasp.episodes.setting import Setting, world_setting
from regrasp.perception.evidence_predicates import EvidencePredicates
from regrasp.worlds.apartment.oracle_grounding import OracleGrounding
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.household.rooms import Rect
from regrasp.worlds.kit.mobile_two_arms import BASE, HEAD, LIFT
from regrasp.worlds.registry import open_world

__all__ = ["PredicateTable", "score_predicates"]

_NEAR, _THINGS = 0.7, 3
_TRIES = 30  # to put the robot down where there is room for it
_EYE_M = 1.2  # height of the head, about
_IN_VIEW = ("graspable", "placeable")
_STATED = Fact.of("in", "pill_box", "drawer")
"""What an instruction says of a thing that no picture of the tour shows."""


@dataclass(slots=True)
class PredicateTable:
    """Counts of (predicate, computed, true), and what was wrong, with the reason that was given."""

    counts: Counter[tuple[str, bool, bool]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def rows(self) -> list[dict[str, object]]:
        """One row for each predicate: its confusion, and the share that is right."""
        rows: list[dict[str, object]] = []
        for predicate in dict.fromkeys(name for name, _, _ in self.counts):
            cells = {
                (said, true): self.counts[predicate, said, true]
                for said in (True, False)
                for true in (True, False)
            }
            total = sum(cells.values())
            rows.append(
                {
                    "predicate": predicate,
                    "n": total,
                    "true_positive": cells[True, True],
                    "false_positive": cells[True, False],
                    "false_negative": cells[False, True],
                    "true_negative": cells[False, False],
                    "right": round((cells[True, True] + cells[False, False]) / max(1, total), 3),
                }
            )
        return rows


def score_predicates(
    seeds: range, each: int, tick: Callable[[int], None] = lambda seed: None
) -> PredicateTable:
    """The table over `each` situations of every seed of the apartment."""
    table = PredicateTable()
    for seed in seeds:
        world = open_world("apartment", "place-box", seed)
        assert isinstance(world, ApartmentWorld)
        with world_setting(world, size=(320, 240)) as setting:
            _score_world(setting, world, np.random.default_rng([seed, 29]), each, table)
        tick(seed)
    return table


def _score_world(
    setting: Setting,
    world: ApartmentWorld,
    rng: np.random.Generator,
    each: int,
    table: PredicateTable,
) -> None:
    robot, judge = setting.robot, setting.judge
    assert judge is not None  # a world has one
    seen = perceived_grounding(setting)
    said = EvidencePredicates(robot, seen, lambda: arm_maps(world))
    said.expect(frozenset({_STATED}))
    oracle = OracleGrounding(world)
    truth = EvidencePredicates(robot, oracle, lambda: arm_maps(world))
    names = [one.name for one in robot.knowledge() if one.kind in setting.domain.kinds]
    start = world.base
    for number in range(each):
        target = str(rng.choice(names))
        for _ in range(_TRIES):
            _put_down(world, start, target, rng)
            if oracle.is_free(*map(float, world.base[:2])):
                break
        world.data.time = number + 1.0  # a new moment: perception takes a new picture
        said.look()
        truth.look()
        others = [str(name) for name in rng.choice(names, _THINGS - 1, replace=False)]
        for fact in _facts(dict.fromkeys([target, *others]), setting.domain, setting):
            found, true = said.ground(fact), _true(fact, judge, truth)
            table.counts[fact.predicate, found.value, true] += 1
            if found.value is not true:
                table.wrong.append(f"seed {world.seed}, {number}: {found}")


def _facts(names: dict[str, None], domain: SkillDomain, setting: Setting) -> Iterator[Fact]:
    rules = domain.rules(setting.robot.knowledge())
    for predicate in ("find", "at", "detected", "graspable", "placeable", "reachable"):
        for name in names:
            fact = Fact.of(predicate, name)
            if rules.is_well_typed(fact):
                yield fact


def _true(fact: Fact, judge: Judge, truth: EvidencePredicates) -> bool:
    if fact.predicate in ("at", "detected"):
        return judge.holds(fact.predicate, *fact.args)
    value = truth.ground(fact).value
    if fact.predicate in _IN_VIEW or fact.predicate == "reachable":
        return value and judge.holds("detected", *fact.args)
    return value


def _put_down(world: ApartmentWorld, start: Array, target: str, rng: np.random.Generator) -> None:
    """Put the robot near a thing, facing it, or anywhere; odometry knows where it is."""
    world.reset()
    room = list(world.rooms.values())[rng.integers(len(world.rooms))]
    x, y = rng.uniform(room.left + 0.9, room.right - 0.9), rng.uniform(room.near + 0.9, room.far)
    yaw, pan, tilt = rng.uniform(-math.pi, math.pi), rng.uniform(-0.8, 0.8), rng.uniform(0, 0.7)
    if rng.random() < _NEAR:
        at = world.at(target)
        room = next((r for r in world.rooms.values() if _contains(r, at)), room)
        middle = np.array([(room.left + room.right) / 2, (room.near + room.far) / 2])
        toward = math.atan2(middle[1] - at[1], middle[0] - at[0]) + rng.normal(0, 0.3)
        far = rng.uniform(0.6, 1.2)
        x, y = at[0] + far * math.cos(toward), at[1] + far * math.sin(toward)
        yaw, pan = math.atan2(at[1] - y, at[0] - x) + rng.normal(0, 0.2), rng.normal(0, 0.2)
        tilt = math.atan2(_EYE_M - at[2], far) + rng.normal(0, 0.15)
    values = (x, y, yaw, rng.uniform(0, 0.3), pan, min(max(tilt, -0.2), 0.9))
    for joint, value in zip((*BASE, LIFT, *HEAD), values, strict=True):
        world.data.joint(joint).qpos = value
    mujoco.mj_forward(world.model, world.data)
    world.odometry.carry(start, world.base)


def _contains(room: Rect, point: Array) -> bool:
    return bool(room.left <= point[0] <= room.right and room.near <= point[1] <= room.far)
