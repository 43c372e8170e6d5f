"""A robot with two Franka arms on a torso, moved by position servos at its joints.

**Where it stands.** The torso stands at the origin and faces +x; +y is to its left. The base plates
of the arms are at (0, ±`ARM_Y_M`, `BASE_M`), the shoulders (second joints) 0.333 m above them, at
z = 1.083 m. Furniture may begin at x = 0.20. A table top at z = `TABLE_M` suits both hands.

**Where it reaches**, by inverse kinematics on a grid of 10 cm, table top at z = 0.75. d is the
distance of a point from the arm's base plate, seen from above; the left one is at y = +0.30.

| hand, pointing | at z | one hand | both hands |
|---|---|---|---|
| down | 0.78 to 0.90 | 0.25 < d < 0.75 | x 0.25 to 0.60 at y = 0, to 0.45 at y = ±0.30 |
| level | 0.83 | 0.25 < d < 0.85 | x 0.25 to 0.75 at y = 0, to 0.55 at y = ±0.30 |
| level | 1.00 to 1.20 | 0.25 < d < 0.90 | x 0.25 to 0.80 at y = 0, to 0.65 at y = ±0.30 |
| level | 1.35 | 0.25 < d < 0.85 | x 0.25 to 0.75 at y = 0 |

Hence: a table over x 0.20 to 0.80 and y -0.90 to 0.90; a shelf's boards at x up to 0.80, |y| up to
0.60 and z from 0.95 to 1.25. Each hand reaches as far as y = ∓0.40 on the other's side. The hand is
20 cm wide along its closing axis and 6 cm thick: things that stand closer together than about 8 cm
are in each other's way.

**Names.** Every body, joint, site and actuator of an arm begins with `left_` or `right_`: joints
`left_joint1` to `left_joint7`, the fingers' joint `left_finger_left` (m from the middle, up to
0.04), the site `left_palm` between the finger tips (z is the approach direction, y the closing
axis), the body `left_hand`. Actuators, in this order: seven joint servos (rad) and the fingers (m)
of the left arm, then the same of the right one: `CONTROLS`.

**Grasps.** Each hand has a weld with every thing and handle, switched off: `grasp_weld`.
`worlds/two_arms/grip.py` turns them on.

**Collisions.** The arms collide with each other, the torso, the furniture and all things; an arm
does not collide with itself (its joint limits see to that).
"""

from __future__ import annotations

import mujoco

from regrasp.worlds.kit.franka import (
    LINKS,
    PALM,
    Hull,
    add_finger_servo,
    add_hand,
    add_links,
)  # fmt: skip
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import FIXED, Scene, SceneObject, position_servo

__all__ = [
    "ARM_Y_M", "BASE_M", "CAMERAS", "CONTROLS", "HANDS", "HOME", "JOINTS", "LINKS", "SIDES",
    "TABLE_M", "WORK_CAMERAS", "add_grasp_welds", "add_two_arms", "grasp_weld",
]  # fmt: skip

SIDES = ("left", "right")
HANDS = ("left_hand", "right_hand")
"""The names of the hands, for skills and domains; also the MuJoCo bodies."""
WORK_CAMERAS = ("head", "over_left", "over_right")
"""What its agents look through: from the robot's head, and from above its shoulders."""
CAMERAS = ("head", "front", "side", *WORK_CAMERAS[1:])
"""All: those, and one from across the table and one from the left."""
BASE_M, ARM_Y_M, TABLE_M = 0.75, 0.30, 0.75
HOME = {
    "left": (0.15, -0.95, 0.0, -2.55, 0.0, 1.60, 0.785),
    "right": (-0.15, -0.95, 0.0, -2.55, 0.0, 1.60, 0.785),
}
"""The rest posture: hands over the near edge of the table, apart, pointing down."""
JOINTS = {side: tuple(f"{side}_joint{k}" for k in range(1, 8)) for side in SIDES}
CONTROLS = tuple(name for side in SIDES for name in (*JOINTS[side], f"{side}_grip"))

# Stiffness (Nm/rad) and damping (Nms/rad) of the joints' servos.
_KP = (4500.0, 4500.0, 3500.0, 3500.0, 2000.0, 2000.0, 2000.0)
_KV = (450.0, 450.0, 350.0, 350.0, 200.0, 200.0, 200.0)
# The left arm collides with the right one, neither with itself: bits 4 and 8.
_COLLIDE = {
    "left": {"contype": 1 | 4, "conaffinity": 2 | 8},
    "right": {"contype": 1 | 8, "conaffinity": 2 | 4},
}
_HULL: Hull = (
    ("link2", (0, -0.06, 0), (0, -0.24, 0), 0.065),
    ("link3", (0.0825, -0.05, 0), (0.0825, 0.05, 0), 0.065),
    ("link4", (-0.02, 0.03, 0), (-0.0825, 0.09, 0), 0.060),
    ("link5", (0, 0, -0.26), (0, 0.06, -0.04), 0.058),
    ("link6", (0.088, 0, -0.03), (0.088, 0, 0.03), 0.052),
    ("link7", (0, 0, 0.05), (0, 0, 0.08), 0.046),
)
_BLUE, _DARK, _GREY = (0.20, 0.30, 0.42, 1.0), (0.16, 0.17, 0.19, 1.0), (0.72, 0.74, 0.77, 1.0)


def add_two_arms(scene: Scene) -> None:
    """Add the robot at the origin, facing +x, with servos, hands, welds and cameras."""
    spec = scene.spec
    torso = _add_torso(scene)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        prefix, collide = f"{side}_", _COLLIDE[side]
        base = torso.add_body(name=f"{prefix}link0", pos=[0, sign * ARM_Y_M, BASE_M])
        flange = add_links(
            scene, base, HOME[side], prefix=prefix, hull=_HULL, collide=collide
        )  # fmt: skip
        add_hand(scene, flange, prefix=prefix, collide=collide)
        for joint, link, kp, kv in zip(JOINTS[side], LINKS, _KP, _KV, strict=True):
            servo = spec.add_actuator(
                name=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=joint,
                forcerange=[-link.torque, link.torque], forcelimited=1,
                ctrlrange=[-9.0, 9.0], ctrllimited=1,
            )  # fmt: skip
            position_servo(servo, kp, kv)
        add_finger_servo(spec, prefix)
        scene.add_object(SceneObject(f"{side}_hand", "hand", prefix + PALM))
    scene.cost_sensors = False
    scene.finish.append(add_grasp_welds)
    if not scene.planning:
        add_camera(spec, "head", (-0.02, 0.0, 1.72), (0.62, 0.0, 0.80), 62.0)
        add_camera(spec, "over_left", (-0.05, 0.70, 1.95), (0.46, 0.42, 0.85), 58.0)
        add_camera(spec, "over_right", (-0.05, -0.20, 1.95), (0.46, -0.55, 0.98), 58.0)
        add_camera(spec, "front", (2.05, 0.0, 1.75), (0.35, 0.0, 0.90), 46.0)
        add_camera(spec, "side", (0.95, 1.75, 1.55), (0.45, 0.0, 0.90), 48.0)


def grasp_weld(side: str, body: str) -> str:
    """The name of the weld between a hand and a body that it can hold."""
    return f"{side}_grasp_{body}"


def add_grasp_welds(scene: Scene) -> None:
    """A weld, switched off, between each hand and every body that a hand can hold."""
    spec = scene.spec
    held = [thing.name for thing in scene.things.values() if thing.movable]
    handles = [thing for thing in scene.things.values() if thing.joint and thing.grasps]
    held += [spec.joint(handle.joint).parent.name for handle in handles]
    for side in SIDES:
        for body in dict.fromkeys(held):
            weld = spec.add_equality(
                name=grasp_weld(side, body), type=mujoco.mjtEq.mjEQ_WELD, name1=f"{side}_hand",
                name2=body, objtype=mujoco.mjtObj.mjOBJ_BODY, active=False,
            )  # fmt: skip
            weld.solref, weld.solimp = [4.0 * scene.timestep, 1.0], [0.95, 0.99, 0.001, 0.5, 2.0]


def _add_torso(scene: Scene) -> mujoco.MjsBody:
    """A column on a foot, a beam that carries the arms, and a head."""
    torso = scene.body("torso", (0, 0, 0))
    for size, at, paint in (
        ((0.22, 0.30, 0.04), (-0.12, 0, 0.04), _DARK),
        ((0.10, 0.13, 0.33), (-0.12, 0, 0.41), _BLUE),
        ((0.10, ARM_Y_M + 0.10, 0.03), (-0.02, 0, BASE_M - 0.03), _GREY),
        ((0.07, 0.09, 0.30), (-0.14, 0, BASE_M + 0.30), _BLUE),
        ((0.06, 0.08, 0.07), (-0.10, 0, BASE_M + 0.80), _GREY),
    ):
        scene.shape(torso, "box", size, at, rgba=paint, collide=FIXED)
    neck = (-0.12, 0, BASE_M + 0.58, -0.11, 0, BASE_M + 0.76)
    scene.shape(torso, "capsule", (0.035,), fromto=neck, rgba=_GREY)
    for y in (-0.035, 0.035):  # its eyes
        scene.shape(torso, "sphere", (0.018,), (-0.045, y, BASE_M + 0.82), rgba=_DARK)
    return torso
