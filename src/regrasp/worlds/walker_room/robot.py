"""The walker as an agent sees it. See `Robot` and `StagedRobot`.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

from regrasp.control.arm_kinematics import ThreeJointArm
from regrasp.control.carrying import pick_up, put_down
from regrasp.control.humanoid import Humanoid, HumanoidPlant
from regrasp.control.locomotion import go_forward, go_to, turn, wait
from regrasp.control.staged_skill import Stages
from regrasp.core.action import Action, SkillSpec
from regrasp.core.event import Disturbed, EventSink
from regrasp.core.robot import JointReading
from regrasp.worlds.kit.walker import (
    ARM_M,
    ARMS,
    BASE,
    FOREARM_M,
    HANDS,
    HOME,
    JOINTS,
    KP,
    SHOULDER_M,
)
from regrasp.worlds.staged_robot import StagedRobot
from regrasp.worlds.walker_room.world import CAMERAS, WalkerWorld
from regrasp.worlds.world import ignore_event

__all__ = ["SKILLS", "WalkerRobot"]

SKILLS = (
    SkillSpec("go_to", ("table",), "walk to a table and stop before it, facing it"),
    SkillSpec("pick_up", ("box", "table"), "take a box from the table that it stands before"),
    SkillSpec("pick_up_from_floor", ("box",), "walk to a box on the floor, squat and take it"),
    SkillSpec("put_down", ("box", "table"), "put the box that is held on the table before it"),
    SkillSpec("go_forward", ("gate",), "walk on the way it faces, and then to a gate"),
    SkillSpec("turn_left", (), "turn to the left on the spot, by about an eighth of a turn"),
    SkillSpec("turn_right", (), "turn to the right on the spot, by about an eighth of a turn"),
    SkillSpec("stand", (), "stand still for a second, with whatever is held"),
)
_TURN_RAD, _STAND_S = 0.8, 1.0


class WalkerRobot(StagedRobot):
    """A `Robot` over a `WalkerWorld`. `size` is (width, height) of its images.

    `emit` gets an event for every disturbance; the agent never sees them.
    """

    name = "walker"
    _world: WalkerWorld

    def __init__(
        self,
        world: WalkerWorld,
        *,
        renderer: str = "raycast",
        size: tuple[int, int] = (640, 480),
        emit: EventSink = ignore_event,
    ) -> None:
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        left, right = (ThreeJointArm(SHOULDER_M, ARM_M, FOREARM_M, side) for side in (1, -1))
        self._body = Humanoid(
            self._plant(), world.scene.affordances(), BASE, HANDS, (left, right), ARMS,
            HOME[: len(ARMS)], KP,
        )  # fmt: skip
        self._action = Action("stand")
        world.on_disturbance = lambda what: emit(Disturbed(self._action, what))

    def _plant(self) -> HumanoidPlant:
        """The state that its skills read."""
        return self._world

    def joints(self) -> JointReading:
        """The sixteen joints; `grip` is 1 while the hands' touch sensors feel an object, else 0."""
        return self._read(JOINTS, grip=float(bool(self._world.holding)))

    def _stages(self, action: Action) -> Stages:
        self._action = action
        match action.name, action.args:
            case "go_to", (table,):
                return go_to(self._body, table)
            case "pick_up", (box, table):
                return pick_up(self._body, box, table)
            case "pick_up_from_floor", (box,):
                return pick_up(self._body, box)
            case "put_down", (box, table):
                return put_down(self._body, box, table)
            case "go_forward", (gate,):
                return go_forward(self._body, gate)
            case "turn_left" | "turn_right", ():
                return turn(self._body, _TURN_RAD if action.name == "turn_left" else -_TURN_RAD)
            case _:
                return wait(self._body, _STAND_S)
