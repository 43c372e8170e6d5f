"""The mobile manipulator with two arms, as an agent sees it. See `Robot` and `GroundedRobot`.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from regrasp.control.base_skills import adjust, alert, move, scan
from regrasp.control.mobile_hand_skills import grasp, lift, place, pull
from regrasp.control.mobile_manipulator import MobileManipulator
from regrasp.control.staged_skill import Stages
from regrasp.core.action import Action, SkillSpec
from regrasp.core.arrays import Array
from regrasp.core.event import EventSink
from regrasp.core.grounding import Grounding, NoGrounding
from regrasp.core.object_description import ObjectDescription
from regrasp.core.robot import CameraImage, JointReading
from regrasp.domains.apartment import TYPES
from regrasp.worlds.apartment.robot_body import robot_body
from regrasp.worlds.apartment.sensors import noisy_depth
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
    "object": ("item", "drawer"),
    "item": ("item",),
    "surface": ("surface",),
    "drawer": ("drawer",),
    "shelf": ("shelf",),
}
"""The types that an argument may have; any other role takes every thing."""
_SHOULDER_ABOVE_M = 0.22
"""How high the shoulder should be above what a hand works on."""


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
        self._grounding: Grounding = NoGrounding()
        self._manipulator = MobileManipulator(world, robot_body())

    def ground(self, grounding: Grounding) -> None:
        """See `GroundedRobot.ground`."""
        self._grounding = grounding

    # ---- sensing -------------------------------------------------------------------------------

    def look(self, camera: str) -> CameraImage:
        """An image with measured depth, and the camera's pose by the robot's own odometry."""
        image = super().look(camera)
        turn, origin = self._frame()
        return replace(
            image,
            depth=noisy_depth(image.depth, self._world.noise(5)),
            position=turn @ (image.position - origin[0]) + origin[1],
            rotation=turn @ image.rotation,
        )

    def _frame(self) -> tuple[Array, tuple[Array, Array]]:
        """The rotation from the world's frame to odometry's, and the base's place in both."""
        x, y, yaw = self._world.base
        ox, oy, oyaw = self._world.odometry.pose
        cos, sin = math.cos(oyaw - yaw), math.sin(oyaw - yaw)
        turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        return turn, (np.array([x, y, 0.0]), np.array([ox, oy, 0.0]))

    def joints(self) -> JointReading:
        """Odometry (m, m, rad), lift, head, joints and fingers of both arms, and loads (g)."""
        names = [LIFT, *HEAD]
        names += [name for side in SIDES for name in (*JOINTS[side], f"{side}_finger_left")]
        x, y, yaw = self._world.odometry.pose
        loads = {f"{side}_load": self._world.hand_load(side) for side in SIDES}
        return self._read(
            tuple(names), odometry_x=x, odometry_y=y, odometry_yaw=yaw, **loads
        )

    # ---- skills --------------------------------------------------------------------------------

    def _fits(self, thing: ObjectDescription, role: str) -> bool:
        return TYPES.get(thing.kind) in _ROLES.get(role, TYPES.values())

    def _stages(self, action: Action) -> Stages:
        """A skill, with the evidence behind its arguments as perception has it now."""
        robot, known = self._manipulator, self._grounding
        match action.name, action.args:
            case "move", (thing,):
                return move(robot, thing, known.path_to(thing))
            case "scan", (thing,):
                return scan(robot, thing, known)
            case "adjust", (thing,):
                return adjust(robot, thing, known.position_of(thing), _SHOULDER_ABOVE_M)
            case "grasp", (thing,):
                fixed = self._kind(thing) == "drawer"
                return grasp(robot, thing, known.grasps_of(thing), fixed=fixed)
            case ("place" | "insert"), (thing, where):
                return place(robot, thing, where, known.placements_on(where, thing))
            case "lift", (thing,):
                return lift(robot, thing)
            case "pull", (thing,):
                return pull(robot, thing)
            case _:
                return alert(robot, action.args[0])

    def _kind(self, name: str) -> str:
        return next(one.kind for one in self.knowledge() if one.name == name)
