"""Where a thing can be put out of the way: on a free patch that no door will sweep.

Everything is tried on the robot's own model of the scene, not in the world.
"""

from __future__ import annotations

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.affordance import Affordances, Thing

__all__ = ["free_spot"]

Array = npt.NDArray[np.float64]
_RADII = np.linspace(0.36, 0.68, 7)
_ANGLES = np.linspace(-1.25, 1.25, 21)


def free_spot(
    model: mujoco.MjModel,
    state: mujoco.MjData,
    affordances: Affordances,
    thing: Thing,
    away_from: Array,
    distance: float,
) -> Array | None:
    """The nearest point (3,) for `thing`'s centre, at least `distance` m from `away_from` (3,).

    A patch is free when the thing, stood on it, touches nothing but what it stands on, with every
    joint of the scene closed, half open and open. None if there is none within reach.
    """
    data = mujoco.MjData(model)
    body = int(model.site_bodyid[model.site(thing.site).id])
    address = int(model.jnt_qposadr[model.body_jntadr[body]])
    here = np.array(state.site(thing.site).xpos)
    sweeps = [
        {name: j.closed + f * (j.open - j.closed) for name, j in affordances.joints.items()}
        for f in (0.0, 0.5, 1.0)
    ]
    candidates = [
        np.array([r * np.cos(a), r * np.sin(a)]) for r in _RADII for a in _ANGLES
    ]  # fmt: skip
    candidates.sort(key=lambda xy: float(np.linalg.norm(xy - here[:2])))
    data.qpos[:] = state.qpos
    for xy in candidates:
        data.qpos[address : address + 3] = (*xy, -5.0)  # out of its own way
        mujoco.mj_kinematics(model, data)
        ground = _support(model, data, xy)
        at = np.array([*xy, ground + thing.extent[1] + 0.004])
        if ground > here[2] + 0.05 or np.linalg.norm(at - away_from) < distance + 0.03:
            continue
        if all(_clear(model, data, body, address, at, sweep, thing.extent[0]) for sweep in sweeps):
            return at
    return None


def _support(model: mujoco.MjModel, data: mujoco.MjData, xy: Array) -> float:
    """Height of what lies under a point, seen from 0.6 m up, the arm left out."""
    start = np.array([*xy, 0.6])
    hit = np.array([-1], np.int32)
    arm = int(model.body("hand").rootid[0])
    while True:
        drop = mujoco.mj_ray(
            model, data, start, np.array([0.0, 0.0, -1.0]), None, True, -1, hit, None
        )
        if drop < 0:
            return 0.0
        if model.body_rootid[model.geom_bodyid[hit[0]]] != arm:
            return float(start[2] - drop)
        start = start - [0.0, 0.0, drop + 1e-3]


def _clear(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    body: int,
    address: int,
    at: Array,
    sweep: dict[str, float],
    margin: float,
) -> bool:
    for joint, q in sweep.items():
        data.qpos[model.joint(joint).qposadr[0]] = q
    for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        data.qpos[address : address + 3] = at + 0.5 * margin * np.array([dx, dy, 0.0])
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        pairs = model.geom_bodyid[data.contact.geom]
        touching = pairs[(pairs == body).any(axis=1)]
        arm = int(model.body("hand").rootid[0])
        if any(model.body_rootid[b] != arm for b in touching.ravel() if b != body):
            return False
    return True
