"""The robot of a simulated world, as an agent sees it: cameras, joints, skills, reports.

Names that begin with an underscore have access to the truth. tests/test_wall.py checks that no
agent code uses such a name or imports the ground truth of this package.
"""

from __future__ import annotations

import numpy as np

from regrasp.control.arm_skills import ARM_SKILLS, reward_for
from regrasp.control.controller import Controller
from regrasp.control.mpc import PlannerConfig
from regrasp.control.rewards import RewardProgram, parse_rewards
from regrasp.control.sampler import Sampler
from regrasp.control.skill import RewardSkill
from regrasp.core.action import Action, SkillSpec
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.event import EventSink
from regrasp.core.object_description import ObjectDescription
from regrasp.core.robot import CameraImage, JointReading, SkillRun
from regrasp.worlds.simulated_cameras import SimulatedCameras
from regrasp.worlds.world import World, ignore_event

__all__ = ["CAMERAS", "SKILLS", "SimRobot"]

CAMERAS = ("front", "side", "wrist")
SKILLS = (
    SkillSpec("follow_reward", ("program",), "move so as to satisfy a reward program, then rest"),
    SkillSpec("rest", (), "open the hand and go to the rest position"),
    *ARM_SKILLS,
)
_REST = 'minimize_l2_distance_reward("palm", "rest_position", primary_reward=True)\nexecute_plan(8)'


class SimRobot:
    """A `Robot` over a `World`. `size` is (width, height) of its images.

    It has no disturbances, so `emit` gets no event.
    """

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
        self._world, self._lens = world, SimulatedCameras(world, CAMERAS, renderer, size)
        self._controller = Controller(
            world, world.scene.affordances(), np.random.default_rng([world.seed, 2]),
            sampler=sampler, config=config,
        )  # fmt: skip
        self._running: SkillRun | None = None

    @property
    def name(self) -> str:
        """The robot's name."""
        return "panda"

    @property
    def seconds(self) -> float:
        """The robot's clock."""
        return self._world.seconds

    def cameras(self) -> tuple[str, ...]:
        """Two fixed cameras and one on the wrist."""
        return CAMERAS

    def look(self, camera: str) -> CameraImage:
        """Take an image."""
        return self._lens.look(camera)

    def joints(self) -> JointReading:
        """The seven joints of the arm and the finger."""
        model, data = self._world.model, self._world.data
        names = (*(f"joint{i}" for i in range(1, 8)), "finger_left")
        at = [int(model.joint(n).qposadr[0]) for n in names]
        dof = [int(model.joint(n).dofadr[0]) for n in names]
        return JointReading(
            names,
            tuple(float(data.qpos[i]) for i in at),
            tuple(float(data.qvel[i]) for i in dof),
            tuple(float(data.qfrc_actuator[i]) for i in dof),
        )

    def objects(self) -> tuple[str, ...]:
        """The objects that a reward can name."""
        return tuple(self._world.scene.things)

    def knowledge(self) -> tuple[ObjectDescription, ...]:
        """The descriptions of those objects."""
        return self._world.objects()

    def movable_joints(self) -> tuple[str, ...]:
        """The joints that a reward can name."""
        return tuple(self._world.scene.joints)

    def skills(self) -> tuple[SkillSpec, ...]:
        """The skills that `start` accepts."""
        return SKILLS

    def start(self, action: Action) -> SkillRun:
        """Begin a skill, unless one is running."""
        if self._running is not None and self._running.report is None:
            raise RegraspError("a skill is running: step it to its end, or cancel it, first.")
        spec = {s.name: s for s in SKILLS}.get(action.name)
        if spec is None:
            raise UnknownNameError("skill", action.name, [s.name for s in SKILLS])
        if len(action.args) != len(spec.parameters):
            raise RegraspError(f"{spec} takes {len(spec.parameters)} argument(s): {action!r}.")
        self._running = self._skill(action, self._program(action))
        return self._running

    def _program(self, action: Action) -> RewardProgram:
        """The reward program of an action."""
        if action.name not in ("follow_reward", "rest"):
            return reward_for(action, self.knowledge())
        text = _REST if action.name == "rest" else action.args[0]
        return parse_rewards(text, objects=self.objects(), joints=self.movable_joints())

    def _skill(self, action: Action, program: RewardProgram) -> SkillRun:
        return RewardSkill(action, program, self._controller)

    def stop(self) -> None:
        """Cancel the running skill and hold still."""
        if self._running is not None and self._running.report is None:
            self._running.cancel("stop was called")
            self._running.step()

    def close(self) -> None:
        """Free the renderer and the planner's threads."""
        self._lens.close()
        self._controller.planner.close()
