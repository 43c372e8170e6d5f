"""A coat stand, and a jacket that hangs from it by its loop until a hand takes it."""

from __future__ import annotations

import math

import mujoco

from regrasp.worlds.kit.scene import FIXED, MOVABLE, Grasp, Scene, SceneObject, Vector

__all__ = ["PEG_M", "add_coat_stand", "add_jacket", "loop_name"]

PEG_M = (-0.16, 0.0, 1.42)
"""Where a garment hangs, in the frame of the stand."""
_FOLD_M = 0.018  # radius of a fold, narrow enough for a gripper
_FOLD = (-0.055, 0.0, 0.05)
_LONG, _WIDE, _THICK = 0.62, 0.40, 0.05


def loop_name(garment: str) -> str:
    """The equality that holds a garment on its peg."""
    return f"{garment}_loop"


def add_coat_stand(
    scene: Scene, name: str, pos: Vector, *, yaw: float = 0.0, colour: str = "brown"
) -> None:
    """Add a stand with pegs around its pole; the garment's peg points to -x before `yaw`."""
    body, rgba = scene.body(name, pos, yaw=yaw), scene.colour_of(colour, 1.2)
    scene.shape(body, "cylinder", (0.025, 0.82), (0, 0, 0.82), rgba=rgba, collide=FIXED)  # the pole
    scene.shape(body, "cylinder", (0.20, 0.02), (0.05, 0, 0.02), rgba=rgba, collide=FIXED)
    for k in range(4):
        turn = math.pi + k * math.pi / 2
        tip = (0.18 * math.cos(turn), 0.18 * math.sin(turn), 1.50)
        scene.shape(body, "capsule", (0.012,), fromto=(0, 0, 1.44, *tip), rgba=rgba)
    scene.site(body, name, (0, 0, 1.0))
    scene.add_object(SceneObject(name, "stand", name, place=name))


def add_jacket(
    scene: Scene,
    name: str,
    stand: mujoco.MjsBody,
    *,
    at: Vector,
    yaw: float,
    mass: float = 0.5,
    colour: str = "blue",
) -> None:
    """Add a jacket whose collar is at `at` (world), facing -x before `yaw`, held by its loop.

    It is rigid: a board of cloth with sleeves and three folds in front, by which a hand takes it.
    """
    body = scene.movable_body(name, (at[0], at[1], at[2] - _LONG / 2), 0.0, yaw=yaw)
    rgba, dark = scene.colour_of(colour), scene.colour_of(colour, 0.8)
    half = (_THICK / 2, _WIDE / 2, _LONG / 2)
    scene.shape(body, "box", half, rgba=rgba, mass=0.7 * mass, collide=MOVABLE)
    for side in (-1, 1):
        ends = (0, side * 0.21, 0.26, 0, side * 0.27, -0.24)
        scene.shape(
            body, "capsule", (0.045,), fromto=ends, rgba=dark, mass=0.1 * mass, collide=MOVABLE
        )
    for k, y in enumerate((-0.13, 0.0, 0.13)):
        fold_ends = (-0.05, y, -0.26, -0.05, y, 0.22)
        scene.shape(
            body, "capsule", (_FOLD_M,), fromto=fold_ends, rgba=dark if k == 1 else rgba,
            mass=0.03 * mass, friction=1.2, collide=MOVABLE,
        )  # fmt: skip
    fold = scene.site(body, f"{name}_fold", _FOLD, approach=(1, 0, 0), closing=(0, 1, 0))
    scene.add_movable(body, "jacket", Grasp(fold, closing="y"), extent=(_WIDE / 2, _LONG / 2))
    weld = scene.spec.add_equality(
        name=loop_name(name), type=mujoco.mjtEq.mjEQ_WELD, name1=stand.name, name2=body.name,
        objtype=mujoco.mjtObj.mjOBJ_BODY, active=True,
    )  # fmt: skip
    weld.solref = [0.02, 1.0]
