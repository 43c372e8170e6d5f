"""Set an arm's pose for an image: damped least squares on the palm's pose, without motion."""

from __future__ import annotations

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.worlds.kit.franka import HOME, LINKS, PALM
from regrasp.worlds.world import World

__all__ = ["put_arm", "put_hand"]

_STEPS = 60
_DAMPING = 0.05
_NEAR_M, _NEAR_RAD = 0.015, 0.2
_RANGE = np.array([link.range for link in LINKS])

Doubles = npt.NDArray[np.float64]


def put_arm(world: World, joints: Doubles, finger: float) -> None:
    """Set the seven joints (rad) and both fingers (m from the middle)."""
    for i, value in enumerate(np.clip(joints, *_RANGE.T), 1):
        world.data.joint(f"joint{i}").qpos = value
    for name in ("finger_left", "finger_right"):
        world.data.joint(name).qpos = finger


def put_hand(
    world: World, at: Doubles, approach: Doubles, closing: Doubles, rng: np.random.Generator
) -> bool:
    """Bring the palm to `at` (m), its z along `approach`, fingers closing along `closing`.

    Returns False if the pose cannot be reached; the arm is then at the end of the search.
    """
    model, data = world.model, world.data
    site = model.site(PALM).id
    columns = [int(model.joint(f"joint{i}").dofadr[0]) for i in range(1, 8)]
    rows = [int(model.joint(f"joint{i}").qposadr[0]) for i in range(1, 8)]
    z = approach / np.linalg.norm(approach)
    y = closing - (closing @ z) * z
    y /= np.linalg.norm(y)
    wanted = np.stack([np.cross(y, z), y, z], axis=1)
    low, high = _RANGE.T
    data.qpos[rows] = np.clip(np.array(HOME) + rng.normal(0.0, 0.15, 7), low, high)
    jacobian = np.zeros((6, model.nv))
    for _ in range(_STEPS):
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        off = at - data.site_xpos[site]
        turn = _rotation_vector(wanted @ data.site_xmat[site].reshape(3, 3).T)
        if np.linalg.norm(off) < _NEAR_M / 5 and np.linalg.norm(turn) < _NEAR_RAD / 5:
            break
        mujoco.mj_jacSite(model, data, jacobian[:3], jacobian[3:], site)
        J = jacobian[:, columns]
        error = np.concatenate([off, 0.5 * turn])
        step = J.T @ np.linalg.solve(J @ J.T + _DAMPING**2 * np.eye(6), error)
        data.qpos[rows] = np.clip(data.qpos[rows] + np.clip(step, -0.3, 0.3), low, high)
    return bool(np.linalg.norm(off) < _NEAR_M and np.linalg.norm(turn) < _NEAR_RAD)


def _rotation_vector(rotation: Doubles) -> Doubles:
    quat, vector = np.zeros(4), np.zeros(3)
    mujoco.mju_mat2Quat(quat, rotation.flatten())
    mujoco.mju_quat2Vel(vector, quat, 1.0)
    return vector
