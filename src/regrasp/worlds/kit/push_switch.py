"""A push button on a machine: a fingertip pushes it in, and a spring brings it back."""

from __future__ import annotations

import mujoco
import numpy as np

from regrasp.worlds.kit.scene import MOVABLE, Articulation, Scene, SceneObject, Vector

__all__ = ["add_push_switch", "switch_name"]

_TRAVEL, _FORCE = 0.008, 4.0  # m, N
_METAL = (0.30, 0.31, 0.33, 1.0)


def switch_name(machine: str) -> str:
    """The joint and the site of a machine's button."""
    return f"{machine}_switch"


def add_push_switch(
    scene: Scene,
    body: mujoco.MjsBody,
    machine: str,
    pos: Vector,
    normal: Vector,
    *,
    radius: float = 0.014,
    colour: str = "red",
) -> None:
    """Add a button at `pos` of a machine's `body`, facing along `normal` (body frame).

    Its joint reads 0 at rest and 1 pushed in. The lamp `MACHINE_lamp` around it is for the world to
    light.
    """
    name = switch_name(machine)
    out = np.asarray(normal, float) / np.linalg.norm(normal)
    quat = np.zeros(4)
    mujoco.mju_quatZ2Vec(quat, out)
    scene.shape(
        body,
        "cylinder",
        (1.7 * radius, 0.003),
        pos,
        rgba=_METAL,
        quat=list(quat),
        name=f"{machine}_lamp",
    )
    head = body.add_body(
        name=f"{name}_head", pos=list(np.asarray(pos) + 0.010 * out), quat=list(quat)
    )
    head.gravcomp = 1
    scene.hinge_or_slide(
        head, name, kind="slide", axis=(0, 0, -1), reach=_TRAVEL, damping=2.0, friction=0.0,
        stiffness=_FORCE / _TRAVEL,
    )  # fmt: skip
    scene.shape(
        head, "cylinder", (radius, 0.006), rgba=scene.colour_of(colour), mass=0.02, collide=MOVABLE
    )
    scene.site(head, name, (0, 0, 0.006), approach=(0, 0, -1), closing=(0, 1, 0))
    scene.add_object(SceneObject(name, "switch", name, joint=name, of=machine))
    scene.add_joint(Articulation(name, name, 0.0, _TRAVEL))
