"""The motions that skills consist of: drive, reach, grip, release, swing a door.

Each is a generator that yields after every control step of the skill, so that a skill can be
stopped between any two of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array
from regrasp.worlds.household.body import CARRY, hold_of
from regrasp.worlds.household.floor_map import FloorMap
from regrasp.worlds.household.places import Places
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.kit.mobile import FINGER_OPEN
from regrasp.worlds.world import CONTROL_DT

__all__ = ["STEP_S", "Motions"]

STEP_S = 0.05
"""Seconds of a skill's control step."""

Steps = Iterator[None]

_DRIVE_M_S, _TURN_RAD_S = 0.7, 1.6
_HAND_M_S = 0.6
_WORK_M = 0.72  # comfortable distance of the hand from the column
_NEAR_M = 0.35  # a base this near to its target pose stays
_NOTHING = np.zeros(0)
_STILL_S = 6.0  # after this time a rolling object is no longer waited for


class Motions:
    """The motions of the robot of a household."""

    def __init__(self, world: HouseholdWorld) -> None:
        self.world, self.body = world, world.body
        self.map = FloorMap(world)
        self.places = Places(world, self.map)

    # ---- time ----------------------------------------------------------------------------------

    def tick(self) -> None:
        """Advance by one control step."""
        if self.world.asleep:
            self.world.advance_by(STEP_S)
            return
        for _ in range(round(STEP_S / CONTROL_DT)):
            self.world.advance(_NOTHING)

    def wait(self, seconds: float) -> Steps:
        """Stand still."""
        for _ in range(max(round(seconds / STEP_S), 1)):
            self.tick()
            yield

    def come_to_rest(self) -> Steps:
        """Wait until nothing moves any more."""
        for _ in range(round(_STILL_S / STEP_S)):
            if self.world.asleep:
                return
            self.tick()
            yield

    def _blend(self, seconds: float) -> Iterator[float]:
        """Fractions of a smooth motion, one for each control step."""
        count = max(round(seconds / STEP_S), 1)
        for k in range(1, count + 1):
            part = k / count
            yield part * part * (3.0 - 2.0 * part)

    # ---- the base ------------------------------------------------------------------------------

    def drive(self, pose: tuple[float, float, float]) -> Iterator[float]:
        """Drive to a pose around all furniture; yields the fraction of the path that is done."""
        x, y, _ = self.body.base
        path = self.map.path((x, y), pose[:2])
        legs = [(a, b) for a, b in itertools.pairwise(path) if math.dist(a, b) > 0.02]
        total = sum(math.dist(a, b) for a, b in legs) or 1.0
        driven = 0.0
        for start, end in legs:
            ahead = math.atan2(end[1] - start[1], end[0] - start[0])
            for _ in self._turn(ahead):
                yield driven / total
            length = math.dist(start, end)
            for part in self._blend(length / _DRIVE_M_S):
                self.body.set_base(
                    start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]),
                    self.body.base[2],
                )  # fmt: skip
                self.tick()
                yield (driven + part * length) / total
            driven += length
        for _ in self._turn(pose[2]):
            yield 1.0
        self.body.set_base(*pose)

    def _turn(self, yaw: float) -> Steps:
        x, y, now = self.body.base
        by = math.remainder(yaw - now, 2 * math.pi)
        if abs(by) > 0.02:
            for part in self._blend(abs(by) / _TURN_RAD_S):
                self.body.set_base(x, y, now + part * by)
                self.tick()
                yield

    def stand_before(self, name: str) -> Steps:
        """Drive to the working pose for an object, unless the robot is there; then look at it."""
        viewpoint = self.places.viewpoint(name)
        if math.dist(viewpoint.pose[:2], self.body.base[:2]) > _NEAR_M:
            self.world.focus(viewpoint.focus, viewpoint.width)
            for _ in self.drive(viewpoint.pose):
                yield

    def approach(self, point: Array) -> Iterator[None]:
        """Drive straight ahead until the hand can reach `point` comfortably."""
        x, y, yaw = self.body.base
        away = self.body.local(point)
        across = min(abs(away[1]), 0.95 * _WORK_M)
        ahead = max(away[0] - math.sqrt(_WORK_M**2 - across**2), 0.0)
        if ahead > 0.02:
            for part in self._blend(ahead / _DRIVE_M_S + 0.3):
                by = part * ahead
                self.body.set_base(x + by * math.cos(yaw), y + by * math.sin(yaw), yaw)
                self.tick()
                yield

    def back_to(self, pose: Array) -> Steps:
        """Drive straight back to an earlier pose."""
        start = self.body.base
        far = math.dist(start[:2], pose[:2])
        if far > 0.02:
            for part in self._blend(far / _DRIVE_M_S + 0.3):
                now = start + part * (pose - start)
                self.body.set_base(*(float(value) for value in now))
                self.tick()
                yield

    # ---- the hand ------------------------------------------------------------------------------

    def hand_to(self, point: npt.ArrayLike) -> Steps:
        """Bring the hand to a point of the world in a straight line of the base's frame."""
        yield from self._hand(self.body.local(point))

    def carry(self) -> Steps:
        """Bring the hand to its carrying position in front of the robot."""
        if not self.world.held:
            self.body.set(wrist=0.0)
        yield from self._hand(np.array(CARRY))

    def grip_point(self, thing: str, middle: Array) -> Array:
        """The hand position for which the held object's centre is at `middle` (world)."""
        hold = hold_of(self.world.scene.things[thing])
        away = self.body.local(middle)
        level = away[:2] / max(float(np.linalg.norm(away[:2])), 1e-9)
        local = away - np.array([*(hold.ahead * level), 0.0])
        return self.body.world(local)

    def fingers(self, opening: float, seconds: float = 0.3) -> Steps:
        """Open or close the fingers."""
        start = self.body.get("finger_left")
        for part in self._blend(seconds):
            self.body.grip(start + part * (opening - start))
            self.tick()
            yield

    def prepare(self, thing: str) -> Steps:
        """Open the hand and turn the wrist for an object."""
        self.body.set(wrist=hold_of(self.world.scene.things[thing]).roll)
        yield from self.fingers(FINGER_OPEN, 0.2)

    def take(self, thing: str) -> Steps:
        """Close the hand around an object."""
        self.world.hold(thing)
        yield from self.fingers(hold_of(self.world.scene.things[thing]).opening)

    def release(self) -> Steps:
        """Release the held object, and wait until it is at rest."""
        self.world.hold("")
        yield from self.fingers(FINGER_OPEN)
        yield from self.come_to_rest()

    def drop(self, rng: np.random.Generator) -> Steps:
        """Drop the held object over the free floor beside the robot."""
        thing = self.world.held
        spot = self.places.floor_spot(thing, rng)
        over = self.grip_point(thing, spot + np.array([0.0, 0.0, 0.45]))
        yield from self.hand_to(over)
        yield from self.slip(thing, rng)

    def slip(self, thing: str, rng: np.random.Generator) -> Steps:
        """Let an object fall from the hand, slightly tilted; a container tips over."""
        at = self.world.data.body(thing).xpos.copy()
        container = self.world.scene.things[thing].kind == "container"
        self.world.hold("")
        tilt = math.pi if container else float(rng.uniform(-1.2, 1.2))
        self.world.put(thing, at, float(self.body.base[2] + rng.uniform(-1.0, 1.0)), roll=tilt)
        self.body.grip(FINGER_OPEN)
        self.body.set(wrist=0.0)
        yield from self.come_to_rest()

    def _hand(self, end: Array) -> Steps:
        start = self.body.hand
        for part in self._blend(float(np.linalg.norm(end - start)) / _HAND_M_S):
            self.body.reach(start + part * (end - start))
            self.tick()
            yield

    # ---- doors ---------------------------------------------------------------------------------

    def swing(self, joint: str, fraction: float) -> Steps:
        """Lead a door by its handle to a fraction of its range."""
        articulation = self.world.scene.joints[joint]
        address = int(self.world.model.joint(joint).qposadr[0])
        start = float(self.world.data.qpos[address])
        end = articulation.closed + fraction * (articulation.open - articulation.closed)
        for part in self._blend(0.4 + abs(end - start)):
            self.world.data.qpos[address] = start + part * (end - start)
            self.body.reach(self.body.local(self.world.at(articulation.handle)))
            self.world.wake()
            self.tick()
            yield
