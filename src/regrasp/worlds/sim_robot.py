"""The robot of a simulated world, as an agent sees it: cameras, joints, skills, reports.

Names that begin with an underscore have access to the truth. tests/test_wall.py checks that no
agent code uses such a name or imports the ground truth of this package.
"""

from __future__ import annotations

import numpy as np

from regrasp.control.arm_skills import ARM_SKILLS, reward_for
from regrasp.control.controller import Controller, Plant
from regrasp.control.mpc import PlannerConfig
from regrasp.control.rewards import RewardProgram, parse_rewards
from regrasp.control.sampler import Sampler
from regrasp.control.skill import RewardSkill
from regrasp.core.action import Action, SkillSpec
from regrasp.core.event import EventSink
from regrasp.core.robot import JointReading, SkillRun
from regrasp.worlds.staged_robot import WorldRobot
from regrasp.worlds.world import World, ignore_event

__all__ = ["CAMERAS", "SKILLS", "SimRobot"]

CAMERAS = ("front", "side", "wrist")
SKILLS = (
    SkillSpec("follow_reward", ("program",), "move so as to satisfy a reward program, then rest"),
    SkillSpec("rest", (), "open the hand and go to the rest position"),
    *ARM_SKILLS,
)
_JOINTS = (*(f"joint{i}" for i in range(1, 8)), "finger_left")
_REST = 'minimize_l2_distance_reward("palm", "rest_position", primary_reward=True)\nexecute_plan(8)'


class SimRobot(WorldRobot):
    """A `Robot` over a `World`. `size` is (width, height) of its images.

    It has no disturbances, so `emit` gets no event.
    """

    name = "panda"

    def __init__(
        self,
        world: World,
        *,
        renderer: str = "raycast",
        size: tuple[int, int] = (224, 224),
        emit: EventSink = ignore_event,
        sampler: Sampler | None = None,
        config: PlannerConfig | None = None,
    ) -> None:
        super().__init__(world, CAMERAS, SKILLS, renderer, size)
        self._controller = Controller(
            self._plant(), world.scene.affordances(), np.random.default_rng([world.seed, 2]),
            sampler=sampler, config=config,
        )  # fmt: skip

    def _plant(self) -> Plant:
        """The state that its controller reads."""
        return self._world

    def joints(self) -> JointReading:
        """The seven joints of the arm and the finger."""
        return self._read(_JOINTS)

    def objects(self) -> tuple[str, ...]:
        """The objects that a reward can name."""
        return tuple(self._world.scene.things)

    def movable_joints(self) -> tuple[str, ...]:
        """The joints that a reward can name."""
        return tuple(self._world.scene.joints)

    def _begin(self, action: Action, spec: SkillSpec) -> SkillRun:
        return self._skill(action, self._program(action))

    def _program(self, action: Action) -> RewardProgram:
        """The reward program of an action."""
        if action.name not in ("follow_reward", "rest"):
            return reward_for(action, self.knowledge())
        text = _REST if action.name == "rest" else action.args[0]
        return parse_rewards(text, objects=self.objects(), joints=self.movable_joints())

    def _skill(self, action: Action, program: RewardProgram) -> SkillRun:
        return RewardSkill(action, program, self._controller)

    def close(self) -> None:
        """Free the renderer and the planner's threads."""
        super().close()
        self._controller.planner.close()
