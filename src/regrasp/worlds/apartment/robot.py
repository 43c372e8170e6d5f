"""The mobile manipulator with two arms, as an agent sees it. See `Robot` and `GroundedRobot`.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from regrasp.control.base_skills import adjust, alert, move, scan
from regrasp.control.mobile_hand_skills import grasp, lift, place, pull
from regrasp.control.mobile_manipulator import MobileArm, MobileManipulator
from regrasp.control.staged_skill import Stages
from regrasp.core.action import Action, SkillSpec
from regrasp.core.arrays import Array
from regrasp.core.event import EventSink
from regrasp.core.grounding import Grounding, HeldThing, NoGrounding, Stand, no_stand
from regrasp.core.object_description import ObjectDescription
from regrasp.core.robot import CameraImage, JointReading
from regrasp.domains.apartment import TYPES
from regrasp.worlds.apartment.robot_body import robot_body
from regrasp.worlds.apartment.sensors import noisy_depth
from regrasp.worlds.apartment.tour import tour
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.kit.mobile_two_arms import CAMERAS, HEAD, JOINTS, LIFT, SIDES
from regrasp.worlds.staged_robot import StagedRobot
from regrasp.worlds.world import ignore_event

__all__ = ["SKILLS", "ApartmentRobot"]

SKILLS = (
    SkillSpec("move", ("thing",), "drive to where the robot can work on a thing"),
    SkillSpec("scan", ("thing",), "turn the head until a thing is in view"),
    SkillSpec("adjust", ("thing",), "move base, head and lift until a hand reaches a thing"),
    SkillSpec("grasp", ("object",), "grasp a thing, or the handle of a drawer"),
    SkillSpec("place", ("item", "surface"), "place a held thing on a surface"),
    SkillSpec("lift", ("item",), "lift a held thing and bring it close to the body"),
    SkillSpec("pull", ("drawer",), "pull a drawer open by the handle that is held"),
    SkillSpec("insert", ("item", "shelf"), "insert a held thing into a shelf from the front"),
    SkillSpec("alert", ("thing",), "tell a person that the robot cannot go on with a thing"),
)
_ROLES = {
    "object": ("item", "container"),
    "item": ("item",),
    "surface": ("surface",),
    "drawer": ("container",),
    "shelf": ("shelf",),
}
"""The types that an argument may have; any other role takes every thing."""
_SHOULDER_ABOVE_M = 0.26
"""How high the shoulder should be above what a hand works on."""
_CLEAR_M = 0.05
"""How high the foot of what is held passes over a place."""


class ApartmentRobot(StagedRobot):
    """A `GroundedRobot` over an `ApartmentWorld`. `size` is (width, height) of its images."""

    name = "mobile_two_arms"
    _world: ApartmentWorld

    def __init__(
        self,
        world: ApartmentWorld,
        *,
        renderer: str = "raycast",
        size: tuple[int, int] = (320, 240),
        emit: EventSink = ignore_event,
    ) -> None:
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        self.ground(NoGrounding())
        self._manipulator = MobileManipulator(world, robot_body())

    def ground(
        self, grounding: Grounding, stand_for: Callable[[str], Stand | None] = no_stand
    ) -> None:
        """See `GroundedRobot.ground`."""
        self._grounding, self._stand_for = grounding, stand_for

    def lift_range(self) -> tuple[float, float]:
        """See `GroundedRobot.lift_range`."""
        return self._manipulator.lift_range

    def held(self) -> tuple[HeldThing, ...]:
        """See `GroundedRobot.held`."""
        return tuple(arm.held for arm in self._manipulator.arms.values() if arm.gripped)

    def survey(self) -> Iterator[CameraImage]:
        """See `GroundedRobot.survey`."""
        return tour(self._world, self.look)

    def survey_key(self) -> str:
        """See `GroundedRobot.survey_key`."""
        return self._lens.key()

    # ---- sensing -------------------------------------------------------------------------------

    def look(self, camera: str) -> CameraImage:
        """An image with measured depth, and the camera's pose by the robot's own odometry."""
        image = super().look(camera)
        depth = noisy_depth(image.depth, self._world.noise(5))
        position, rotation = self._world.in_odometry(image.position, image.rotation)
        return replace(image, depth=depth, position=position, rotation=rotation)

    def joints(self) -> JointReading:
        """Odometry (m, m, rad), lift, head, arms, fingers, and of each hand load (g) and grip.

        The grip is 1 if something is between the closed fingers, else 0.
        """
        names = [LIFT, *HEAD]
        names += [name for side in SIDES for name in (*JOINTS[side], f"{side}_finger_left")]
        x, y, yaw = self._world.odometry.pose
        felt = {f"{side}_load": self._world.hand_load(side) for side in SIDES}
        felt |= {f"{side}_grip": float(bool(self._world.gripped(side))) for side in SIDES}
        return self._read(tuple(names), odometry_x=x, odometry_y=y, odometry_yaw=yaw, **felt)

    # ---- skills --------------------------------------------------------------------------------

    def _fits(self, thing: ObjectDescription, role: str) -> bool:
        return TYPES.get(thing.kind) in _ROLES.get(role, TYPES.values())

    def _stages(self, action: Action) -> Stages:
        """A skill, with the evidence behind its arguments as perception has it now."""
        robot, known = self._manipulator, self._grounding
        match action.name, action.args:
            case "move", (thing,):
                return move(robot, thing, known)
            case "scan", (thing,):
                return scan(robot, thing, known)
            case "adjust", (thing,):
                arm = self._working_arm()
                point = self._work_point(thing, arm)
                clear = 0.0
                if arm.thing and point is not None and self._takes_things(thing):
                    clear = float(point[2] - arm.palm.position[2]) + _CLEAR_M
                return adjust(
                    robot, thing, point, _SHOULDER_ABOVE_M, arm.side, self._stand_for(thing), clear
                )
            case "grasp", (thing,):
                fixed = self._kind(thing) == "drawer"
                return grasp(robot, thing, known.grasps_of(thing), fixed=fixed)
            case (("place" | "insert"), (thing, where)):
                return place(robot, thing, where, known.placements_on(where, thing))
            case "lift", (thing,):
                return lift(robot, thing)
            case "pull", (thing,):
                return pull(robot, thing)
            case _:
                return alert(robot, action.args[0])

    def _working_arm(self) -> MobileArm:
        """The arm of the next skill: the free one if one is, else the first that holds something.

        With one hand full, a place is for what that hand holds.
        """
        arms = list(self._manipulator.arms.values())
        return next((arm for arm in arms if arm.gripped), arms[0])

    def _work_point(self, thing: str, arm: MobileArm) -> Array | None:
        """Where a hand would work on a thing: on a place, where what it holds would stand."""
        known = self._grounding
        if arm.thing and self._takes_things(thing):
            for one in known.placements_on(thing, arm.thing):
                palm: Array = one.position + np.array([0.0, 0.0, arm.above])
                return palm
        return known.position_of(thing)

    def _takes_things(self, place: str) -> bool:
        return TYPES.get(self._kind(place)) in ("surface", "shelf")

    def _kind(self, name: str) -> str:
        return next(one.kind for one in self.knowledge() if one.name == name)
