"""The kinematic chain of one arm, cut out of a model of a whole scene.

Inverse kinematics on the chain costs the same however many things are in the scene.
"""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

__all__ = ["arm_chain"]


def arm_chain(model: mujoco.MjModel, joints: Sequence[str], site: str) -> mujoco.MjModel:
    """A model of the bodies from the world to `site` alone, with these joints and this site.

    Other joints on the way are frozen at zero.
    """
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    body, last = spec.worldbody, int(model.site(site).bodyid[0])
    for number in _path(model, last):
        body = body.add_body(
            name=model.body(number).name, pos=model.body_pos[number], quat=model.body_quat[number],
            explicitinertial=True, mass=1.0, inertia=[1.0, 1.0, 1.0],
        )  # fmt: skip
        for k in range(model.body_jntnum[number]):
            joint = int(model.body_jntadr[number]) + k
            name = model.joint(joint).name
            if name in joints:
                body.add_joint(
                    name=name, type=mujoco.mjtJoint(int(model.jnt_type[joint])), limited=1,
                    axis=model.jnt_axis[joint], pos=model.jnt_pos[joint],
                    range=model.jnt_range[joint],
                )  # fmt: skip
    number = int(model.site(site).id)
    body.add_site(name=site, pos=model.site_pos[number], quat=model.site_quat[number])
    chain = spec.compile()
    missing = set(joints) - {chain.joint(k).name for k in range(chain.njnt)}
    if missing:
        raise ValueError(f"{sorted(missing)} do not move {site}: name the joints of its own arm")
    return chain


def _path(model: mujoco.MjModel, body: int) -> list[int]:
    """The bodies from the world's child to `body`."""
    path = []
    while body != 0:
        path.append(body)
        body = int(np.asarray(model.body_parentid)[body])
    return path[::-1]
