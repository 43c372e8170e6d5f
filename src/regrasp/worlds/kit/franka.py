"""A Franka Emika Panda from its published kinematics, limits and masses, drawn with primitives.

Kinematics, joint, velocity and torque limits are the maker's; masses, centres of mass and inertias
are the identified ones of Gaz et al. (2019). The arm is moved by six Cartesian impedance
actuators on the palm (position and rotation vector relative to a base frame that looks forward)
and a seventh that opens and closes the fingers: there is no inverse kinematics in the control loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import mujoco
import numpy as np

from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import ROBOT, Scene, SceneObject, position_servo

__all__ = [
    "FINGER_OPEN", "HOME", "LINKS", "PALM", "Hull", "add_finger_servo", "add_franka", "add_hand",
    "add_links",
]  # fmt: skip

PALM = "palm"
HOME = (0.0, -0.80, 0.0, -2.85, 0.0, 2.95, 0.785)  # the wrist can turn 90 degrees either way
FINGER_OPEN = 0.04  # m, each finger from the middle
_Point: TypeAlias = tuple[float, float, float]
Hull: TypeAlias = tuple[tuple[str, _Point, _Point, float], ...]
"""Capsules that collide: link, from, to, radius."""


@dataclass(frozen=True, slots=True)
class FrankaLink:
    """One link: frame in its parent, joint range, speed and torque limits, mass, com, inertia."""

    name: str
    pos: tuple[float, float, float]
    quat: tuple[float, float, float, float]
    range: tuple[float, float]
    speed: float
    torque: float
    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, float, float, float, float, float]  # xx yy zz xy xz yz


_R, _S = 0.70710678, (1.0, 0.0, 0.0, 0.0)
LINKS = (
    FrankaLink("link1", (0, 0, 0.333), _S, (-2.8973, 2.8973), 2.175, 87, 4.970684,
         (0.003875, 0.002081, -0.04762), (0.70337, 0.70661, 0.009117, -0.000139, 0.006772, 0.019169)),
    FrankaLink("link2", (0, 0, 0), (_R, -_R, 0, 0), (-1.7628, 1.7628), 2.175, 87, 0.646926,
         (-0.003141, -0.02872, 0.003495), (0.007962, 0.02811, 0.025995, -0.003925, 0.010254, 0.000704)),
    FrankaLink("link3", (0, -0.316, 0), (_R, _R, 0, 0), (-2.8973, 2.8973), 2.175, 87, 3.228604,
         (0.027518, 0.039252, -0.066502), (0.037242, 0.036155, 0.01083, -0.004761, -0.011396, -0.012805)),
    FrankaLink("link4", (0.0825, 0, 0), (_R, _R, 0, 0), (-3.0718, -0.0698), 2.175, 87, 3.587895,
         (-0.05317, 0.104419, 0.027454), (0.025853, 0.019552, 0.028323, 0.007796, -0.001332, 0.008641)),
    FrankaLink("link5", (-0.0825, 0.384, 0), (_R, -_R, 0, 0), (-2.8973, 2.8973), 2.61, 12, 1.225946,
         (-0.011953, 0.041065, -0.038437), (0.035549, 0.029474, 0.008627, -0.002117, -0.004037, 0.000229)),
    FrankaLink("link6", (0, 0, 0), (_R, _R, 0, 0), (-0.0175, 3.7525), 2.61, 12, 1.666555,
         (0.060149, -0.014117, -0.010517), (0.001964, 0.004354, 0.005433, 0.000109, -0.001158, 0.000341)),
    FrankaLink("link7", (0.088, 0, 0), (_R, _R, 0, 0), (-2.8973, 2.8973), 2.61, 12, 0.735522,
         (0.010517, -0.004252, 0.061597), (0.012516, 0.010027, 0.004815, -0.000428, -0.001196, -0.000741)),
)  # fmt: skip

_WHITE, _GREY, _DARK = (0.93, 0.94, 0.95, 1.0), (0.72, 0.74, 0.77, 1.0), (0.22, 0.23, 0.25, 1.0)
# Visual geoms: link, primitive, from, to (or centre), radius, colour. They do not collide.
_SHELL = (
    ("link0", (-0.09, 0, 0.05), (0.0, 0, 0.05), 0.07, _GREY),
    ("link0", (0, 0, 0.06), (0, 0, 0.13), 0.078, _WHITE),
    ("link1", (0, 0, -0.19), (0, 0, -0.04), 0.062, _WHITE),
    ("link1", (0, -0.065, 0), (0, 0.065, 0), 0.062, _GREY),
    ("link2", (0, -0.05, 0), (0, -0.20, 0), 0.061, _WHITE),
    ("link3", (0, 0, -0.11), (0.015, 0, -0.06), 0.060, _WHITE),
    ("link3", (0.02, 0, -0.05), (0.0825, 0, 0), 0.056, _WHITE),
    ("link3", (0.0825, -0.06, 0), (0.0825, 0.06, 0), 0.056, _GREY),
    ("link4", (0, 0.01, 0), (-0.0825, 0.09, 0), 0.056, _WHITE),
    ("link5", (0, 0, -0.27), (0, 0.01, -0.22), 0.056, _GREY),
    ("link5", (0, 0.02, -0.20), (0, 0.075, -0.06), 0.050, _WHITE),
    ("link5", (0, 0.075, -0.06), (0, 0.075, 0.0), 0.048, _WHITE),
    ("link5", (0, -0.015, 0), (0, 0.055, 0), 0.050, _GREY),
    ("link6", (0.01, 0, 0), (0.088, 0.0, 0), 0.048, _WHITE),
    ("link6", (0.088, 0, -0.02), (0.088, 0, 0.03), 0.050, _GREY),
    ("link7", (0, 0, 0.06), (0, 0, 0.085), 0.044, _WHITE),
)
# Collision geoms: the forearm, the wrist, the flange; the rest cannot reach the furniture.
_HULL: Hull = (
    ("link5", (0, 0, -0.26), (0, 0.05, -0.05), 0.055),
    ("link6", (0.088, 0, -0.03), (0.088, 0, 0.03), 0.05),
    ("link7", (0, 0, 0.05), (0, 0, 0.08), 0.045),
)


def add_franka(scene: Scene) -> None:
    """Add the arm at the origin, facing +x, with its hand, fingers, actuators and wrist camera."""
    spec = scene.spec
    base = spec.worldbody.add_body(name="link0")
    flange = add_links(scene, base, HOME, hull=_HULL, spring=1.0)
    hand = add_hand(scene, flange)
    if not scene.planning:
        add_camera(hand, "wrist", (0.075, 0.0, 0.05), (0.0, 0.0, 0.22), 70.0, up=(1.0, 0.0, 0.0))
    _add_actuators(spec, base)
    scene.add_object(SceneObject(PALM, "hand", PALM))


def add_links(
    scene: Scene,
    base: mujoco.MjsBody,
    home: tuple[float, ...],
    *,
    prefix: str = "",
    hull: Hull = _HULL,
    spring: float = 0.0,
    collide: dict[str, int] = ROBOT,
) -> mujoco.MjsBody:
    """Add the seven links to `base` (named PREFIXlink0) and return the flange's body.

    `hull` are the capsules that collide: link, from, to, radius. A weak `spring` (Nm/rad) to the
    posture `home` settles the elbow of an arm that has no servos at its joints.
    """
    spec, parent = scene.spec, base
    for link, rest in zip(LINKS, home, strict=True):
        parent = parent.add_body(
            name=prefix + link.name, pos=link.pos, quat=link.quat, gravcomp=1,
            explicitinertial=True, mass=link.mass, ipos=link.com, fullinertia=link.inertia,
        )  # fmt: skip
        joint = parent.add_joint(
            name=f"{prefix}joint{link.name[-1]}", axis=[0, 0, 1], range=link.range, limited=1,
            armature=0.1, actfrclimited=1, actfrcrange=[-link.torque, link.torque],
        )  # fmt: skip
        joint.damping = [3.0, 0.0, 0.0]
        joint.stiffness = [spring, 0.0, 0.0]
        joint.springref = rest if spring else 0.0
        scene.start[joint.name] = rest
    for name, start, end, radius, rgba in _SHELL:
        body = spec.body(prefix + name)
        scene.shape(body, "capsule", (radius,), fromto=(*start, *end), rgba=rgba)
    for name, first, last, radius in hull:
        spec.body(prefix + name).add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[*first, *last], size=[radius, 0, 0],
            group=3, mass=0, **collide,
        )  # fmt: skip
    return parent


def add_hand(
    scene: Scene,
    flange: mujoco.MjsBody,
    *,
    prefix: str = "",
    collide: dict[str, int] = ROBOT,
    opening: float = FINGER_OPEN,
) -> mujoco.MjsBody:
    """Add the hand, its two coupled fingers and the site PREFIXpalm between the finger tips.

    Each finger moves `opening` m from the middle.
    """
    hand = flange.add_body(
        name=f"{prefix}hand", pos=[0, 0, 0.107], quat=[0.9238795, 0, 0, -0.3826834], gravcomp=1,
        mass=0.73, ipos=[-0.01, 0, 0.03], inertia=[0.001, 0.0025, 0.0017], explicitinertial=True,
    )  # fmt: skip
    scene.shape(
        hand, "box", (0.03, 0.1, 0.033), (0, 0, 0.033), rgba=_WHITE, collide=collide,
        name=f"{prefix}hand",
    )  # fmt: skip
    scene.shape(hand, "box", (0.031, 0.06, 0.006), (0, 0, 0.062), rgba=_DARK)
    fingers = (f"{prefix}finger_left", f"{prefix}finger_right")
    for name, side in zip(fingers, (1.0, -1.0), strict=True):
        finger = hand.add_body(
            name=name, pos=[0, 0, 0.0584], gravcomp=1, mass=0.03, ipos=[0, 0, 0.03],
            inertia=[1e-5] * 3, explicitinertial=True,
        )  # fmt: skip
        joint = finger.add_joint(
            name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, side, 0], limited=1,
            range=[0, opening], armature=0.1,
        )  # fmt: skip
        joint.damping = [5.0, 0.0, 0.0]
        scene.start[name] = opening
        finger.add_geom(
            name=f"{name}_pad", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.0105, 0.0045, 0.010],
            pos=[0, side * 0.0045, 0.0445], rgba=_DARK, friction=[1.5, 0.02, 0.0005], condim=4,
            solref=[0.01, 1], priority=1, mass=0, **collide,
        )  # fmt: skip
        finger.add_geom(
            name=f"{name}_body", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.0105, 0.0075, 0.017],
            pos=[0, side * 0.016, 0.0175], rgba=_GREY, mass=0, **collide,
        )  # fmt: skip
        scene.shape(finger, "box", (0.009, 0.006, 0.012), (0, side * 0.0105, 0.037), rgba=_GREY)
    couple = scene.spec.add_equality(
        name=f"{prefix}fingers", type=mujoco.mjtEq.mjEQ_JOINT, name1=fingers[0], name2=fingers[1],
        objtype=mujoco.mjtObj.mjOBJ_JOINT,
    )  # fmt: skip
    couple.data = np.array([0.0, 1.0] + [0.0] * 10)
    couple.solref = [0.01, 1.0]
    hand.add_site(name=prefix + PALM, pos=[0, 0, 0.0584 + 0.0445], group=4)
    return hand


def add_finger_servo(
    spec: mujoco.MjSpec, prefix: str = "", *, opening: float = FINGER_OPEN
) -> None:
    """Add the actuator PREFIXgrip: the target of the fingers (m), with up to 40 N."""
    grip = spec.add_actuator(
        name=f"{prefix}grip", trntype=mujoco.mjtTrn.mjTRN_JOINT, target=f"{prefix}finger_left",
        ctrlrange=[-0.02, opening], ctrllimited=1, forcerange=[-40, 40], forcelimited=1,
    )  # fmt: skip
    position_servo(grip, 2000.0, 50.0)


def _add_actuators(spec: mujoco.MjSpec, base: mujoco.MjsBody) -> None:
    """Cartesian impedance on the palm: 1200 N/m, 50 Nm/rad, capped at 120 N and 20 Nm."""
    # The reference frame looks forward: hand z to +x, hand y (the closing axis) to -y, camera up.
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.array([0.0, 0, 1, 0, -1, 0, 1, 0, 0]))
    base.add_site(name="forward", quat=list(quat), group=4)
    for i in range(6):
        kp, kv, cap = (1200.0, 120.0, 120.0) if i < 3 else (50.0, 5.0, 20.0)
        gear = [0.0] * 6
        gear[i] = 1.0
        actuator = spec.add_actuator(
            name=f"palm{i}", trntype=mujoco.mjtTrn.mjTRN_SITE, target=PALM, refsite="forward",
            gear=gear, forcerange=[-cap, cap], forcelimited=1,
        )  # fmt: skip
        position_servo(actuator, kp, kv)
    add_finger_servo(spec)
