"""The common parts of simulated robots: cameras, one skill at a time, and skills made of stages.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from hashlib import blake2b

import mujoco

from regrasp.control.staged_skill import StagedSkill, Stages, refuse_unseen
from regrasp.core.action import Action, SkillSpec
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.object_description import ObjectDescription
from regrasp.core.robot import CameraImage, JointReading, SkillRun
from regrasp.worlds.render.backends import open_renderer
from regrasp.worlds.render.base import Renderer
from regrasp.worlds.world import World

__all__ = ["SimulatedCameras", "StagedRobot", "WorldRobot"]

# The visible fields that may change; meshes and textures do not.
_SEEN_OF_DATA = ("geom_xpos", "geom_xmat", "cam_xpos", "cam_xmat", "light_xpos", "light_xdir")
_SEEN_OF_MODEL = (
    "geom_rgba", "geom_size", "geom_matid", "mat_rgba", "cam_fovy",
    "light_active", "light_ambient", "light_diffuse", "light_specular",
)  # fmt: skip


class SimulatedCameras:
    """Takes images of `world` with `cameras`, of `size` (width, height).

    A camera's last image is cached and returned until something visible changes. An agent that asks
    many questions takes many images of a world at rest.
    """

    def __init__(
        self, world: World, cameras: tuple[str, ...], renderer: str, size: tuple[int, int]
    ) -> None:
        self._world, self._cameras, self._backend, self._size = world, cameras, renderer, size
        self._renderer: Renderer | None = None
        self._last: dict[str, tuple[bytes, CameraImage]] = {}

    def look(self, camera: str) -> CameraImage:
        """An image, with the camera's pose in the world's frame."""
        if camera not in self._cameras:
            raise UnknownNameError("camera", camera, self._cameras)
        if self._renderer is None:
            self._renderer = open_renderer(self._world.model, self._backend)
        seen = _fingerprint(self._world.model, self._world.data)
        if camera in self._last and self._last[camera][0] == seen:
            return deepcopy(self._last[camera][1])
        frame = self._renderer.render(self._world.data, camera, *self._size)
        pose = self._world.data.camera(camera)
        fovy = float(self._world.model.camera(camera).fovy[0])
        image = CameraImage(
            camera, frame.rgb, frame.depth, fovy, pose.xpos.copy(), pose.xmat.reshape(3, 3).copy()
        )
        self._last[camera] = (seen, image)
        return deepcopy(image)

    def key(self) -> str:
        """Equal for two moments of a world and seed, exactly if all their images are equal."""
        seen = _fingerprint(self._world.model, self._world.data).hex()
        width, height = self._size
        return f"{self._world.address} {self._world.seed} {self._backend} {width}x{height} {seen}"

    def close(self) -> None:
        """Free the renderer."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None


def _fingerprint(model: mujoco.MjModel, data: mujoco.MjData) -> bytes:
    """A key that is equal for two moments exactly if all their images are equal."""
    digest = blake2b(digest_size=16)
    for holder, names in ((data, _SEEN_OF_DATA), (model, _SEEN_OF_MODEL)):
        for name in names:
            digest.update(getattr(holder, name).tobytes())
    return digest.digest()


class WorldRobot(ABC):
    """The common part of a `Robot` over a world; `size` is (width, height) of its images."""

    def __init__(
        self,
        world: World,
        cameras: tuple[str, ...],
        skills: tuple[SkillSpec, ...],
        renderer: str,
        size: tuple[int, int],
    ) -> None:
        self._world, self._lens = world, SimulatedCameras(world, cameras, renderer, size)
        self._cameras, self._skills = cameras, skills
        self._running: SkillRun | None = None

    @property
    def seconds(self) -> float:
        """The robot's clock."""
        return self._world.seconds

    def cameras(self) -> tuple[str, ...]:
        """The names of its cameras."""
        return self._cameras

    def look(self, camera: str) -> CameraImage:
        """Take an image."""
        return self._lens.look(camera)

    def objects(self) -> tuple[str, ...]:
        """The objects that a skill can name."""
        return tuple(thing.name for thing in self.knowledge())

    def knowledge(self) -> tuple[ObjectDescription, ...]:
        """The descriptions of the objects."""
        return self._world.objects()

    def skills(self) -> tuple[SkillSpec, ...]:
        """The skills that `start` accepts."""
        return self._skills

    def start(self, action: Action) -> SkillRun:
        """Begin a skill, unless one is running."""
        if not isinstance(action, Action):
            raise RegraspError(f"a robot starts an Action, not {action!r}: give it one.")
        if self._running is not None and self._running.report is None:
            raise RegraspError("a skill is running: step it to its end, or cancel it, first.")
        spec = {s.name: s for s in self._skills}.get(action.name)
        if spec is None:
            raise UnknownNameError("skill", action.name, [s.name for s in self._skills])
        if not self._takes(spec, len(action.args)):
            raise RegraspError(f"{spec} takes {len(spec.parameters)} argument(s): {action!r}.")
        self._running = self._begin(action, spec)
        return self._running

    def _takes(self, spec: SkillSpec, count: int) -> bool:
        """Whether a skill takes that many arguments."""
        return count == len(spec.parameters)

    def stop(self) -> None:
        """Cancel the running skill and hold still."""
        if self._running is not None and self._running.report is None:
            self._running.cancel("stop was called")
            self._running.step()

    def close(self) -> None:
        """Free the renderer."""
        self._lens.close()

    @abstractmethod
    def _begin(self, action: Action, spec: SkillSpec) -> SkillRun:
        """Begin an action that has as many arguments as `spec`."""

    def _read(self, names: tuple[str, ...], **sensors: float) -> JointReading:
        """The readings of hinge and slide joints, then of `sensors`, which have no velocity."""
        joints = [self._world.data.joint(name) for name in names]
        zeros = (0.0,) * len(sensors)
        return JointReading(
            (*names, *sensors),
            (*(float(j.qpos[0]) for j in joints), *sensors.values()),
            (*(float(j.qvel[0]) for j in joints), *zeros),
            (*(float(j.qfrc_actuator[0]) for j in joints), *zeros),
        )


class StagedRobot(WorldRobot):
    """A `WorldRobot` whose skills are sequences of stages."""

    def _begin(self, action: Action, spec: SkillSpec) -> SkillRun:
        self._check(action, spec)
        unseen = sorted(self._unseen().intersection(action.args))
        stages = refuse_unseen(unseen[0]) if unseen else self._stages(action)
        return StagedSkill(action, stages, lambda: self.seconds)

    def _unseen(self) -> frozenset[str]:
        """The things that it has not seen yet: none, if it reads the state of the world."""
        return frozenset()

    def _check(self, action: Action, spec: SkillSpec) -> None:
        """Raise unless each argument, as many as `spec` has, is an object that fits its role."""
        for name, role in zip(action.args, spec.parameters, strict=True):
            valid = [thing.name for thing in self.knowledge() if self._fits(thing, role)]
            if name not in valid:
                raise UnknownNameError(f"{role} of {action.name}", name, valid)

    def _fits(self, thing: ObjectDescription, role: str) -> bool:
        """Whether an object can be an argument: by default, if its kind is the role's name."""
        return thing.kind == role

    @abstractmethod
    def _stages(self, action: Action) -> Stages:
        """Run an action, stage by stage."""
