"""A world as its robot senses it: own joints by encoders, everything else by depth cameras.

It stands in for the world where a controller reads the state. What is estimated are the poses of
movable things and the joints of furniture. Given are the robot's own joints and, for a robot that
walks, its own pose; the poses of fixed furniture, which is a calibrated map; and the shapes and
masses of all things.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import replace

import mujoco
import numpy as np

from regrasp.control.affordance import Articulation
from regrasp.control.depth_view import NOISE_M, DepthView
from regrasp.control.hue import Hue
from regrasp.control.sensed_scene import NEAR_M, SensedScene
from regrasp.core.arrays import Array
from regrasp.core.robot import CameraImage
from regrasp.worlds.kit.look import PALETTE
from regrasp.worlds.world import CONTROL_DT, World

__all__ = ["SENSED", "SensedPlant"]

SENSED = "sensed estimates"
"""The suffix of the name of a robot with such a plant."""
_STREAM = 6  # of random numbers; 0 is the layout, 1 the look, 5 the order of objects
_GREY = 0.2  # a colour less saturated than this tells nothing


class SensedPlant:
    """A `Plant` whose `data` is a belief; `look` takes a picture with one of `cameras`.

    It looks every `period_s` while the robot moves, and once at the beginning. `rows` is about the
    number of rows of rays in a picture.
    """

    def __init__(
        self,
        world: World,
        look: Callable[[str], CameraImage],
        cameras: tuple[str, ...],
        *,
        period_s: float,
        rows: int = 75,
    ) -> None:
        self._world, self._look, self._cameras, self._period_s = world, look, cameras, period_s
        self._rows = rows
        scene = world.scene
        self.model = self.planning = world.planning
        loose = {name: _hue(name) for name, thing in scene.things.items() if thing.movable}
        self._hues = loose
        self.belief = self._make_belief()
        self.data, self._loose = self.belief.data, tuple(loose)
        self._own, self._own_speed = _own_numbers(world, loose)
        self._clock, self._rng = world.seconds, np.random.default_rng([world.seed, _STREAM])
        self._begin()

    def _make_belief(self) -> SensedScene:
        return SensedScene(*self._scene_parts())

    def _scene_parts(
        self,
    ) -> tuple[mujoco.MjModel, mujoco.MjModel, dict[str, Hue | None], tuple[Articulation, ...]]:
        """What a belief is made of."""
        world = self._world
        return world.model, world.planning, self._hues, tuple(world.scene.joints.values())

    def _begin_belief(self) -> None:
        """Tell the belief what is known at the beginning, before the first look: nothing."""

    @property
    def seconds(self) -> float:
        """The robot's clock."""
        return self._world.seconds

    @property
    def gripping(self) -> tuple[str, ...]:
        """The sites of the tools that feel that they hold something."""
        return ()

    @property
    def grip_reach_m(self) -> float:
        """How near (m) to the tool a thing must be to be what it holds."""
        return NEAR_M

    @property
    def unseen(self) -> frozenset[str]:
        """The movable things that were never seen so far."""
        return frozenset(self._loose) - self.belief.seen

    def advance(self, control: Array) -> None:
        """One control period of the robot, then of the belief about it."""
        if abs(self._world.seconds - self._clock) > CONTROL_DT / 2:
            self._begin()  # the world was set to another moment
        self._world.advance(control)
        self._clock = self._world.seconds
        self.belief.hold(self.gripping, self.grip_reach_m)
        self.belief.predict(self._world.data.ctrl, *self._read())
        if self._clock >= self._next_look - CONTROL_DT / 2:
            self._correct()

    def look(self) -> None:
        """Look once more, now."""
        self._correct()

    def _begin(self) -> None:
        self._clock = self._world.seconds
        self.belief.forget()
        positions, speeds = self._read()
        self.data.qpos[self._own], self.data.qvel[self._own_speed] = (
            positions[self._own], speeds[self._own_speed]
        )  # fmt: skip
        self.data.ctrl[:] = self._world.data.ctrl
        mujoco.mj_forward(self.planning, self.data)
        self._begin_belief()
        self._correct()

    def _correct(self) -> None:
        images = [self._noisy(self._look(camera)) for camera in self._cameras]
        strides = [max(1, image.depth.shape[0] // self._rows) for image in images]
        self.belief.correct(list(map(DepthView.of, images, strides)))
        self._next_look = self._clock + self._period_s

    def _noisy(self, image: CameraImage) -> CameraImage:
        """A picture with the noise of a depth camera."""
        square = np.where(np.isfinite(image.depth), image.depth, 0.0) ** 2
        noise = self._rng.standard_normal(image.depth.shape, np.float32)
        return replace(image, depth=image.depth + NOISE_M * noise * square)

    def _read(self) -> tuple[Array, Array]:
        """The readings of the robot's own joints (nq,) and (nv,); not a number elsewhere."""
        data = self._world.data
        return np.where(self._own, data.qpos, np.nan), np.where(self._own_speed, data.qvel, np.nan)


def _own_numbers(world: World, loose: dict[str, Hue | None]) -> tuple[Array, Array]:
    """Which positions (nq,) and velocities (nv,) are of the robot's own joints."""
    model = world.model
    others = [int(model.joint(name).id) for name in world.scene.joints]
    others += [int(model.body_jntadr[model.body(name).id]) for name in loose]
    own = [joint for joint in range(model.njnt) if joint not in others]
    positions, speeds = np.zeros(model.nq, bool), np.zeros(model.nv, bool)
    for joint in own:
        free = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
        start, dof = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        positions[start : start + (7 if free else 1)] = True
        speeds[dof : dof + (6 if free else 1)] = True
    return positions, speeds


def _hue(name: str) -> Hue | None:
    """The hue in a thing's name (`red_cube`), if it has one."""
    colour = PALETTE.get(name.partition("_")[0])
    if colour is None:
        return None
    hue, saturation, _ = colorsys.rgb_to_hsv(*colour)
    return Hue(360.0 * hue) if saturation > _GREY else None
