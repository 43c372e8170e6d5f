"""A UR5e from its published kinematics, limits and masses, with a suction cup on its flange.

Denavit-Hartenberg parameters, masses and centres of mass are the maker's, as are the inertias (from
its robot description) and the limits on joint range, speed and torque. Frame i follows from frame
i - 1 by

    T_i = Rz(q_i) Tz(d_i) Tx(a_i) Rx(alpha_i),

and the body of link i is the frame right after Rz(q_i). The base is turned by half a turn, so that
with all joints at zero the arm stretches along +x.

**Suction.** The cup is a ring of `LIPS` small spheres under an adhesion actuator, which pulls on
any body in contact with the ring with up to `SUCTION_N`, the cup's area times 60 kPa. A larger pull
or a twist tears the object off, and it slips if friction under that force does not hold it.
`worlds/tabletop/vacuum.py` decides whether there is a vacuum: only while the whole ring touches one
object.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.core.arrays import Array
from regrasp.worlds.kit.scene import ROBOT, Scene, position_servo

__all__ = [
    "CUP", "HOME", "JOINTS", "LINKS", "LIPS", "SUCTION", "SUCTION_N", "TOOL_M", "Ur5eLink",
    "add_ur5e",
]  # fmt: skip

CUP, SUCTION = "cup", "suction"
"""The site at the middle of the cup's lip, and the actuator that pulls there."""
TOOL_M = 0.150
"""From the flange to the lip of the cup."""
LIPS = 6
_LIP_M, _BEAD_M = 0.0115, 0.002  # radius of the ring, and of the beads it is made of
_REACH_M = 0.0015  # a bead attracts an object within this distance
SUCTION_N = 32.0


@dataclass(frozen=True, slots=True)
class Ur5eLink:
    """One joint and the link it moves: a, d (m), alpha (rad), limits, mass, com and inertia.

    Range (rad), speed (rad/s) and torque (Nm) are the joint's. The centre of mass and the inertia
    about it (xx yy zz xy xz yz) are in the frame at the link's far end.
    """

    name: str
    a: float
    d: float
    alpha: float
    range: float
    speed: float
    torque: float
    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, float, float, float, float, float]


_H, _PI = math.pi / 2, math.pi
LINKS = (
    Ur5eLink("shoulder_pan", 0, 0.1625, _H, 2 * _PI, _PI, 150, 3.761, (0, -0.02561, 0.00193),
         (0.00700210, 0.00648091, 0.00657286, 0.00000073, -0.00001053, 0.00049994)),
    Ur5eLink("shoulder_lift", -0.425, 0, 0, 2 * _PI, _PI, 150, 8.058, (0.2125, 0, 0.11336),
         (0.01505885, 0.33388086, 0.33247207, -0.00005400, 0.00000563, -0.00000181)),
    Ur5eLink("elbow", -0.3922, 0, 0, _PI, _PI, 150, 2.846, (0.15, 0, 0.0265),
         (0.00399632, 0.07879254, 0.07848510, -0.00001365, 0.00137272, -0.00000660)),
    Ur5eLink("wrist_1", 0, 0.1333, _H, 2 * _PI, _PI, 28, 1.37, (0, -0.0018, 0.01634),
         (0.00165491, 0.00135962, 0.00126279, -0.00000282, -0.00000438, 0.00010157)),
    Ur5eLink("wrist_2", 0, 0.0997, -_H, 2 * _PI, _PI, 28, 1.3, (0, 0.0018, 0.01634),
         (0.00135617, 0.00127827, 0.00096614, -0.00000274, 0.00000444, -0.00005048)),
    Ur5eLink("wrist_3", 0, 0.0996, 0, 2 * _PI, _PI, 28, 0.365, (0, 0, -0.001159),
         (0.00018694, 0.00018908, 0.00025756, 0.00000006, -0.00000017, -0.00000092)),
)  # fmt: skip
"""From the base outward; a joint and its link have one name. The elbow meets the upper arm at 180
degrees, so it has half the range of the others."""
JOINTS = tuple(link.name for link in LINKS)
HOME = (-0.38, -1.95, 1.95, -1.57, -1.57, 0.0)
"""The cup points down, in front of the arm and outside the cameras' view of the table."""

# Stiffness (Nm/rad) and damping (Nms/rad) of the joints' position servos.
_KP = (6000.0, 6000.0, 4000.0, 800.0, 800.0, 400.0)
_KV = (400.0, 400.0, 200.0, 30.0, 30.0, 12.0)

_SILVER, _GREY, _DARK = (0.76, 0.78, 0.80, 1.0), (0.52, 0.55, 0.58, 1.0), (0.16, 0.17, 0.19, 1.0)
_CAP, _RUBBER = (0.42, 0.62, 0.76, 1.0), (0.13, 0.13, 0.14, 1.0)
# Visual geoms: link, kind, from, to, radius, colour. They do not collide.
_SHELL = (
    ("base", "cylinder", (0, 0, 0), (0, 0, 0.012), 0.095, _GREY),
    ("base", "cylinder", (0, 0, 0.012), (0, 0, 0.085), 0.074, _SILVER),
    ("base", "cylinder", (0, 0, 0.085), (0, 0, 0.097), 0.066, _DARK),
    ("shoulder_pan", "cylinder", (0, 0, 0.097), (0, 0, 0.1625), 0.062, _SILVER),
    ("shoulder_pan", "sphere", (0, 0, 0.1625), (0, 0, 0.1625), 0.062, _SILVER),
    ("shoulder_pan", "cylinder", (0, -0.068, 0.1625), (0, 0.060, 0.1625), 0.061, _SILVER),
    ("shoulder_pan", "cylinder", (0, 0.060, 0.1625), (0, 0.072, 0.1625), 0.055, _CAP),
    ("shoulder_pan", "cylinder", (0, -0.076, 0.1625), (0, -0.068, 0.1625), 0.055, _DARK),
    ("shoulder_lift", "cylinder", (0, 0, 0.076), (0, 0, 0.186), 0.061, _SILVER),
    ("shoulder_lift", "cylinder", (0, 0, 0.186), (0, 0, 0.199), 0.055, _CAP),
    ("shoulder_lift", "cylinder", (-0.045, 0, 0.134), (-0.375, 0, 0.134), 0.043, _SILVER),
    ("shoulder_lift", "cylinder", (-0.425, 0, 0.076), (-0.425, 0, 0.180), 0.056, _SILVER),
    ("shoulder_lift", "cylinder", (-0.425, 0, 0.180), (-0.425, 0, 0.192), 0.050, _CAP),
    ("elbow", "cylinder", (0, 0, -0.046), (0, 0, 0.068), 0.055, _SILVER),
    ("elbow", "cylinder", (0, 0, 0.068), (0, 0, 0.076), 0.050, _DARK),
    ("elbow", "cylinder", (0, 0, -0.058), (0, 0, -0.046), 0.049, _CAP),
    ("elbow", "cylinder", (-0.040, 0, 0.006), (-0.350, 0, 0.006), 0.036, _SILVER),
    ("elbow", "cylinder", (-0.3922, 0, -0.040), (-0.3922, 0, 0.056), 0.041, _SILVER),
    ("elbow", "cylinder", (-0.3922, 0, -0.050), (-0.3922, 0, -0.040), 0.036, _CAP),
    ("wrist_1", "cylinder", (0, 0, 0.056), (0, 0, 0.064), 0.036, _DARK),
    ("wrist_1", "cylinder", (0, 0, 0.064), (0, 0, 0.176), 0.038, _SILVER),
    ("wrist_1", "cylinder", (0, 0, 0.176), (0, 0, 0.184), 0.033, _CAP),
    ("wrist_1", "cylinder", (0, -0.046, 0.1333), (0, 0.030, 0.1333), 0.038, _SILVER),
    ("wrist_2", "cylinder", (0, 0, 0.046), (0, 0, 0.054), 0.035, _DARK),
    ("wrist_2", "cylinder", (0, 0, 0.054), (0, 0, 0.142), 0.038, _SILVER),
    ("wrist_2", "cylinder", (0, 0, 0.142), (0, 0, 0.150), 0.033, _CAP),
    ("wrist_2", "cylinder", (0, -0.030, 0.0997), (0, 0.048, 0.0997), 0.038, _SILVER),
    ("wrist_3", "cylinder", (0, 0, 0.048), (0, 0, 0.0996), 0.036, _GREY),
    ("tool", "cylinder", (0, 0, 0), (0, 0, 0.012), 0.034, _DARK),
    ("tool", "cylinder", (0, 0, 0.012), (0, 0, 0.070), 0.026, _GREY),
    ("tool", "cylinder", (0, 0, 0.070), (0, 0, 0.130), 0.0075, _SILVER),
    ("tool", "cylinder", (0, 0, 0.126), (0, 0, 0.138), 0.0105, _RUBBER),
    ("tool", "cylinder", (0, 0, 0.138), (0, 0, TOOL_M - 0.0005), 0.0135, _RUBBER),
)
# Collision geoms: link, from, to, radius of capsules. The base cannot be reached.
_HULL = (
    ("shoulder_lift", (0, 0, 0.134), (-0.425, 0, 0.134), 0.060),
    ("elbow", (0, 0, 0.006), (-0.3922, 0, 0.006), 0.052),
    ("wrist_1", (0, 0, 0.03), (0, 0, 0.14), 0.042),
    ("wrist_2", (0, 0, 0.03), (0, 0, 0.11), 0.042),
    ("wrist_3", (0, 0, 0.03), (0, 0, 0.07), 0.040),
    ("tool", (0, 0, 0.030), (0, 0, 0.055), 0.030),
    ("tool", (0, 0, 0.075), (0, 0, 0.130), 0.012),
)


def add_ur5e(scene: Scene) -> None:
    """Add the arm at the origin, facing +x, with its servos and its suction cup."""
    spec = scene.spec
    parent = spec.worldbody.add_body(name="base", quat=[0, 0, 0, 1])
    at, turn = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    for link, home, kp, kv in zip(LINKS, HOME, _KP, _KV, strict=True):
        com, inertia = _in_body(link)
        parent = parent.add_body(
            name=link.name, pos=at, quat=turn, gravcomp=1, explicitinertial=True, mass=link.mass,
            ipos=com, fullinertia=inertia,
        )  # fmt: skip
        joint = parent.add_joint(
            name=link.name, axis=[0, 0, 1], range=[-link.range, link.range], limited=1,
            armature=0.1, actfrclimited=1, actfrcrange=[-link.torque, link.torque],
        )  # fmt: skip
        joint.damping = [1.0, 0.0, 0.0]
        scene.start[link.name] = home
        servo = spec.add_actuator(
            name=link.name, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=link.name,
            forcerange=[-link.torque, link.torque], forcelimited=1,
            ctrlrange=[-9.0, 9.0], ctrllimited=1,
        )  # fmt: skip
        position_servo(servo, kp, kv)
        at = (link.a, 0.0, link.d)
        turn = (math.cos(link.alpha / 2), math.sin(link.alpha / 2), 0.0, 0.0)
    _add_tool(scene, parent, at)
    for name, kind, start, end, radius, rgba in _SHELL:
        if kind == "sphere":
            scene.shape(spec.body(name), kind, (radius,), start, rgba=rgba)
        else:
            scene.shape(spec.body(name), kind, (radius,), fromto=(*start, *end), rgba=rgba)
    for name, start, end, radius in _HULL:
        spec.body(name).add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[*start, *end], size=[radius, 0, 0],
            group=3, mass=0, **ROBOT,
        )  # fmt: skip


def _in_body(link: Ur5eLink) -> tuple[list[float], list[float]]:
    """The centre of mass and inertia (xx yy zz xy xz yz) in the frame right after the joint."""
    c, s = math.cos(link.alpha), math.sin(link.alpha)
    turn: Array = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    xx, yy, zz, xy, xz, yz = link.inertia
    there = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
    com = turn @ np.array(link.com) + np.array([link.a, 0.0, link.d])
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return [float(x) for x in com], [float(there[pair]) for pair in pairs]


def _add_tool(scene: Scene, flange: mujoco.MjsBody, at: tuple[float, float, float]) -> None:
    """The suction gripper: a valve block, a rod, and the cup, which makes contact."""
    tool = flange.add_body(
        name="tool", pos=at, gravcomp=1, explicitinertial=True, mass=0.45, ipos=[0, 0, 0.045],
        inertia=[6e-4, 6e-4, 2e-4],
    )  # fmt: skip
    cup = tool.add_body(
        name=CUP, pos=[0, 0, TOOL_M], gravcomp=1, explicitinertial=True, mass=0.02,
        ipos=[0, 0, -0.01], inertia=[2e-6] * 3,
    )  # fmt: skip
    cup.add_site(name=CUP, group=4)
    for k in range(LIPS):
        angle = 2 * math.pi * k / LIPS
        cup.add_geom(
            name=f"lip{k}", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[_BEAD_M, 0, 0],
            pos=[_LIP_M * math.cos(angle), _LIP_M * math.sin(angle), -_BEAD_M], rgba=_RUBBER,
            friction=[1.0, 0.02, 0.0005], condim=4, priority=2, mass=0, gap=_REACH_M,
            **scene.stiff, **ROBOT,
        )  # fmt: skip
    scene.add_adhesion(SUCTION, CUP, SUCTION_N)
