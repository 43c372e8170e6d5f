"""`python -m train.walker.examine`: how well the policy walks in MuJoCo, where it is used.

The whole body on a plane, steps of 1 ms, arms that move about. Two trials: minutes of commands that
change at random, and pushes of 0.5 m/s from anywhere.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import mujoco
import numpy as np
import numpy.typing as npt
from train.walker.commands import ARM_DRAWS, COMMAND_DRAWS, arm_pose, command

from regrasp.control.gait import CONTROL_PERIOD_S, GAIT_PERIOD_S
from regrasp.control.walking import MEMORY, WEIGHTS, LegController, WalkingPolicy
from regrasp.worlds.kit.scene import MOVABLE, Scene
from regrasp.worlds.kit.walker import ARMS, BASE, HOME, LEGS, STAND_M, add_walker

__all__ = ["Ground", "pushes", "walks"]

Array = npt.NDArray[np.float64]

_TIMESTEP_S = 0.001
_HOLD_S, _SETTLE_S = (2.0, 6.0), 1.0  # how long a command holds, and when it should be followed
_ARM_RAD_S, _ARM_HOLD_S = 2.0, 2.0
_BEFORE_S, _AFTER_S = 2.0, 3.0  # a push
_STRIDE = round(GAIT_PERIOD_S / CONTROL_PERIOD_S)  # actions; speed is measured over a stride
_TILTED, _LYING_M = 0.5, 0.2  # cosine of the tilt, and height of the base, of who has fallen


class Ground:
    """A walker on an endless plane, under a policy."""

    def __init__(self, policy: WalkingPolicy, rng: np.random.Generator) -> None:
        scene = Scene(layout=rng, look=rng, planning=True, timestep=_TIMESTEP_S)
        scene.spec.nuserdata = MEMORY
        scene.spec.worldbody.add_geom(
            name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1], **MOVABLE
        )
        add_walker(scene)
        self.model = scene.compile()
        self.data, self._rng = mujoco.MjData(self.model), rng
        self._legs = LegController(
            self.model, self.data, policy, self.data.userdata, LEGS, HOME[len(ARMS) :], BASE
        )
        self.reset()

    def reset(self) -> None:
        """Stand at the origin."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:] = [0, 0, STAND_M, 1, 0, 0, 0, *HOME]
        mujoco.mj_forward(self.model, self.data)
        self._legs.reset()
        self._arms = self._arm_goal = np.array(HOME[: len(ARMS)])

    def act(self, asked: Array) -> None:
        """One period under a command (4,)."""
        if self._rng.random() < CONTROL_PERIOD_S / _ARM_HOLD_S:
            self._arm_goal = arm_pose(self._rng.random(ARM_DRAWS))
        step = _ARM_RAD_S * CONTROL_PERIOD_S
        self._arms = self._arms + np.clip(self._arm_goal - self._arms, -step, step)
        self.data.ctrl[: len(HOME)] = [*self._arms, *self._legs.act(asked)]
        mujoco.mj_step(self.model, self.data, round(CONTROL_PERIOD_S / _TIMESTEP_S))

    def push(self, velocity: Array) -> None:
        """Change the velocity (2,) of the whole at once."""
        self.data.qvel[:2] += velocity

    @property
    def fallen(self) -> bool:
        """Whether it lies or is about to."""
        low = self.data.qpos[2] < _LYING_M
        return bool(low or self.data.body(BASE).xmat[8] < _TILTED)

    @property
    def measured(self) -> Array:
        """Speed forward and to the left, yaw rate, and height (4,)."""
        ahead = self.data.body(BASE).xmat.reshape(3, 3)[:2, 0]
        ahead = ahead / np.linalg.norm(ahead)
        x, y = self.data.qvel[:2]
        spin = np.zeros(3)
        mujoco.mju_rotVecQuat(spin, self.data.qvel[3:6], self.data.qpos[3:7])
        along, across = ahead[0] * x + ahead[1] * y, ahead[0] * y - ahead[1] * x
        return np.array([along, across, spin[2], self.data.qpos[2]])


def walks(policy: WalkingPolicy, seed: int, seconds: float) -> dict[str, float]:
    """Falls in `seconds` of random commands, and the mean error of a stride under each."""
    rng = np.random.default_rng([seed, 0])
    ground, errors, falls, left = Ground(policy, rng), [], 0, round(seconds / CONTROL_PERIOD_S)
    while left > 0:
        asked = command(rng.random(COMMAND_DRAWS))
        steps = min(left, round(rng.uniform(*_HOLD_S) / CONTROL_PERIOD_S))
        seen = []
        for _ in range(steps):
            ground.act(asked)
            left -= 1
            if ground.fallen:
                falls += 1
                ground.reset()
                break
            seen.append(ground.measured)
        settled = seen[round(_SETTLE_S / CONTROL_PERIOD_S) :]
        for k in range(0, len(settled) - _STRIDE + 1, _STRIDE):
            errors.append(np.abs(np.mean(settled[k : k + _STRIDE], axis=0) - asked))
    mean = np.mean(errors, axis=0) if errors else np.full(4, np.nan)
    names = ("forward_m_s", "left_m_s", "yaw_rad_s", "height_m")
    found = dict(zip(names, (float(x) for x in mean), strict=True))
    return {"seed": seed, "seconds": seconds, "falls": falls, **found}


def pushes(policy: WalkingPolicy, seed: int, count: int, speed: float) -> float:
    """The share of pushes of `speed` (m/s) after which it still stands."""
    rng = np.random.default_rng([seed, 1])
    stood = 0
    ground = Ground(policy, rng)
    for _ in range(count):
        ground.reset()
        asked = command(rng.random(COMMAND_DRAWS))
        for _ in range(round(_BEFORE_S / CONTROL_PERIOD_S)):
            ground.act(asked)
        angle = rng.uniform(-np.pi, np.pi)
        ground.push(speed * np.array([np.cos(angle), np.sin(angle)]))
        for _ in range(round(_AFTER_S / CONTROL_PERIOD_S)):
            ground.act(asked)
        stood += not ground.fallen
    return stood / count


def main() -> None:
    """Measure, tell, and write it down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=10.0, help="of commands, for each seed")
    parser.add_argument("--pushes", type=int, default=200)
    parser.add_argument("--speed", type=float, default=0.5, help="of a push, m/s")
    parser.add_argument("--out", type=Path, help="a JSON file for the figures")
    given = parser.parse_args()
    policy, each = WalkingPolicy.load(given.weights), []
    for seed in range(given.first_seed, given.first_seed + given.seeds):
        each.append(walks(policy, seed, 60 * given.minutes))
        print(json.dumps(each[-1]), flush=True)
    stood = pushes(policy, given.first_seed, given.pushes, given.speed)
    hours = sum(one["seconds"] for one in each) / 3600
    found = {
        "falls_per_hour": sum(one["falls"] for one in each) / hours,
        "seeds_without_a_fall": sum(one["falls"] == 0 for one in each),
        **{name: float(np.nanmean([one[name] for one in each])) for name in list(each[0])[3:]},
        f"stood_after_{given.speed:g}_m_s": stood, "seeds": each,
    }  # fmt: skip
    print(json.dumps({name: value for name, value in found.items() if name != "seeds"}, indent=1))
    if given.out:
        given.out.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
