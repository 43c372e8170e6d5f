"""The leg controller of a walker: its learnt policy, run by NumPy. See `gait`."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control import gait
from regrasp.control.guard import finite_numbers
from regrasp.core.arrays import Array
from regrasp.core.errors import RegraspError
from regrasp.core.weights import REINSTALL, check_sha256

__all__ = ["MEMORY", "WEIGHTS", "LegController", "WalkingPolicy"]

WEIGHTS = Path(__file__).parent / "weights" / "walker.npz"
"""The weights in the package; `python -m train.walker` trains them."""
WEIGHTS_SHA256 = "f0b1cce81ba40d25277d8c805a2d4d0e58641e2be84fded917d0d940d996498e"
MEMORY = gait.ACTIONS + 5
"""Numbers of memory between two actions: the last action, a clock, a height, and the velocity
that the legs approach."""
_PACE = slice(gait.ACTIONS + 2, gait.ACTIONS + 5)


class WalkingPolicy:
    """Layers of weights and biases with ELU between them: observation (42,) to action (10,)."""

    def __init__(self, layers: Sequence[tuple[Array, Array]]) -> None:
        self._layers = tuple(layers)

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Self:
        """The policy in a file; that of the package is verified."""
        if not path.is_file():
            raise RegraspError(
                f"there is no walking policy {path}: install the package again, or make it with "
                "`python -m train.walker` (train/walker/README.md)."
            )
        data = path.read_bytes()
        if path == WEIGHTS:
            check_sha256(hashlib.sha256(data).hexdigest(), WEIGHTS_SHA256, path, REINSTALL)
        with np.load(io.BytesIO(data)) as kept:
            count = len(kept.files) // 2
            return cls([(kept[f"{n}w"], kept[f"{n}b"]) for n in range(count)])

    def __call__(self, seen: Array) -> Array:
        """The action (10,) for an observation (42,)."""
        x: npt.NDArray[np.floating] = seen.astype(np.float32)
        for weights, biases in self._layers[:-1]:
            x = x @ weights + biases
            x = np.where(x > 0, x, np.expm1(np.minimum(x, 0)))
        weights, biases = self._layers[-1]
        return np.clip(
            (x @ weights + biases).astype(np.float64), -gait.ACTION_LIMIT, gait.ACTION_LIMIT
        )


class LegController:
    """Two legs of a model's state that follow commands.

    `joints` are the ten leg joints and `home` (10,) their angles at rest; `base` is the body that
    they carry, on a free joint. `memory` (15,) is a writable part of the state's user data, so that
    a snapshot of the state includes it.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        policy: WalkingPolicy,
        memory: Array,
        joints: Sequence[str],
        home: Sequence[float],
        base: str,
    ) -> None:
        self._data, self._policy, self._memory = data, policy, memory
        numbers = [int(model.joint(name).id) for name in joints]
        self._at, self._dof = model.jnt_qposadr[numbers], model.jnt_dofadr[numbers]
        self._home = np.array(home)
        free = int(model.body_jntadr[model.body(base).id])
        self._base, self._spin = int(model.jnt_qposadr[free]), int(model.jnt_dofadr[free]) + 3

    def reset(self) -> None:
        """Reset the memory to standing at full height."""
        self._memory[:] = 0.0
        self._memory[gait.ACTIONS + 1] = gait.MAX_HEIGHT_M

    def act(self, command: Array) -> Array:
        """Targets (10,) of the joints for the next period, under a command (4,).

        Raises `GuardTrip` for a command that is not four finite numbers, and where the policy, its
        memory or the state gives a target that is not finite; the memory is then as it was.
        """
        command = finite_numbers(command, 4, "a command of legs")
        memory, data = self._memory.copy(), self._data
        velocity = np.clip(command[:3], *np.array(gait.SPEEDS).T)
        height = float(np.clip(command[3], gait.MIN_HEIGHT_M, gait.MAX_HEIGHT_M))
        height_step = gait.MAX_HEIGHT_RATE_M_S * gait.CONTROL_PERIOD_S
        velocity_step = gait.CONTROL_PERIOD_S * np.array(gait.MAX_ACCELERATION)
        if height >= gait.MIN_WALKING_HEIGHT_M > memory[gait.ACTIONS + 1]:  # stand up first
            velocity = np.zeros(3)
        memory[_PACE] += np.clip(velocity - memory[_PACE], -velocity_step, velocity_step)
        pace = memory[_PACE] * (np.abs(memory[_PACE]).max() >= gait.MIN_COMMAND)
        phase = 2 * np.pi * memory[gait.ACTIONS] / gait.GAIT_PERIOD_S
        gait_phase = np.array([np.sin(phase), np.cos(phase)]) * bool(pace.any())
        gravity, back = np.zeros(3), np.zeros(4)
        mujoco.mju_negQuat(back, data.qpos[self._base + 3 : self._base + 7])
        mujoco.mju_rotVecQuat(gravity, np.array([0.0, 0.0, -1.0]), back)
        seen = gait.observe(
            angles=data.qpos[self._at] - self._home, speeds=data.qvel[self._dof],
            action=memory[:gait.ACTIONS], gravity=gravity,
            gyro=data.qvel[self._spin : self._spin + 3], gait_phase=gait_phase, velocity=pace,
            height=memory[gait.ACTIONS + 1 : gait.ACTIONS + 2],
        )  # fmt: skip
        memory[: gait.ACTIONS] = self._policy(seen)
        memory[gait.ACTIONS] = (memory[gait.ACTIONS] + gait.CONTROL_PERIOD_S) % gait.GAIT_PERIOD_S
        memory[gait.ACTIONS + 1] += np.clip(
            height - memory[gait.ACTIONS + 1], -height_step, height_step
        )
        targets = self._home + gait.ACTION_SCALE_RAD * memory[: gait.ACTIONS]
        finite_numbers(memory, MEMORY, "the memory of the legs")
        self._memory[:] = memory
        return finite_numbers(targets, gait.ACTIONS, "the targets of the legs")
