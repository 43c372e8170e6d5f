"""Whether an object blocks a joint, tested in the planner's copy of the scene.

The test is purely geometric: the joint is moved from its position to its open position, nothing
else moves, and the object obstructs it if the two would overlap. The robot is left out.
"""

from __future__ import annotations

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.errors import UnknownNameError
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.world import World

__all__ = ["joints_of", "obstructing", "obstructs"]

_FAR = 0.9  # fraction of its range to which a joint is tried
_TRIALS = 19
_DEPTH = 0.006  # m of overlap that counts as a collision; less is contact


def joints_of(scene: Scene, name: str) -> tuple[str, ...]:
    """The joints of an object: those its parts drive, or the one it drives, or itself."""
    if name in scene.joints:
        return (name,)
    if name not in scene.things:
        raise UnknownNameError("thing", name, scene.things)
    own = scene.things[name].joint
    parts = [t.joint for t in scene.things.values() if t.of == name and t.joint]
    return tuple(dict.fromkeys([*([own] if own else []), *parts]))


def obstructs(world: World, thing: str, joint: str) -> bool:
    """Whether `thing`, at its present pose, keeps `joint` from opening."""
    model = world.planning
    body = int(model.site_bodyid[model.site(world.scene.things[thing].site).id])
    return bool(obstructing(world, joint)[body])


def obstructing(
    world: World, joint: str, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> npt.NDArray[np.bool_]:
    """Which bodies (nbody,) would block `joint` if all loose bodies moved by `shift`.

    If a shift of a centimetre or two (m, in x, y and z) changes the result, the case is ambiguous
    for a person and for a camera.
    """
    model, articulation = world.planning, world.scene.joints[joint]
    data = mujoco.MjData(model)
    data.qpos[:] = world.data.qpos
    free = model.jnt_qposadr[model.jnt_type == int(mujoco.mjtJoint.mjJNT_FREE)]
    for axis, by in enumerate(shift):
        data.qpos[free + axis] += by
    address = int(model.joint(joint).qposadr[0])
    moved = _subtree(model, int(model.joint(joint).bodyid[0]))
    start = articulation.fraction(float(data.qpos[address]))
    met = np.zeros(model.nbody, bool)
    for fraction in np.linspace(start, max(start, _FAR), _TRIALS):
        span = articulation.open - articulation.closed
        data.qpos[address] = articulation.closed + fraction * span
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        deep = data.contact.dist < -_DEPTH
        pairs = model.geom_bodyid[data.contact.geom[deep]]
        met[pairs[moved[pairs].any(axis=1)].ravel()] = True
    return met & ~moved


def _subtree(model: mujoco.MjModel, root: int) -> npt.NDArray[np.bool_]:
    """Which bodies hang on `root`, itself among them: (nbody,) of bool."""
    within = np.zeros(model.nbody, bool)
    within[root] = True
    for body in range(root + 1, model.nbody):
        within[body] = within[model.body_parentid[body]]
    return within
