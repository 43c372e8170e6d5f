"""A walking humanoid of 17 links and 16 joints: five joints a leg, three an arm.

Names and number of its joints, and their PD gains, are those of DoReMi's robot (its appendix B.1);
the geometry and the masses are ours, 19 kg in all. A joint and the link that it moves have one
name. Pitch turns about the body's +y; roll and yaw are positive outwards on both sides, so that
equal numbers left and right are a symmetric pose.

The hull of a link has contacts and mass; its shell is visual only. In training only the soles touch
the ground (`soles_only`), which keeps contacts few.

**Hands** are rubber balls at the ends of the arms. Each has an adhesion actuator that holds an
object in contact with up to `GRIP_N`: an object between both hands can slip and be torn away.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco

from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import ROBOT, Scene, Vector, position_servo

__all__ = [
    "ARMS", "ARM_M", "BASE", "FOREARM_M", "GRIP_N", "HANDS", "HAND_M", "HEAD", "HOME", "JOINTS",
    "KD", "KP", "LEGS", "LINKS", "SHOULDER_M", "SOLES", "STAND_M", "WalkerLink", "add_walker",
]  # fmt: skip

BASE, HEAD = "base", "head"
"""The trunk, which nothing but its joints holds; and the camera in its head."""
SOLES = ("left_sole", "right_sole")
"""The geoms under its feet, and the sites in the middle of their lower faces."""
KP, KD = 40.0, 1.0
"""Of every joint's servo, Nm/rad and Nms/rad."""
STAND_M = 0.574
"""Height of the base with the joints at `HOME` and the soles on the ground."""
SHOULDER_M, ARM_M, FOREARM_M = (0.0, 0.19, 0.27), 0.26, 0.30
"""Where the left arm begins in the base's frame; shoulder to elbow; elbow to middle of the hand."""
HANDS, HAND_M = ("left_hand", "right_hand"), 0.035
"""The balls at the ends of the arms (bodies, geoms, and the actuators that cling); their radius."""
GRIP_N = 60.0
_REACH_M = 0.006  # a hand attracts an object within this distance

_HIP_M, _SHANK_M, _ANKLE_M = (0.0, 0.09, -0.04), 0.26, 0.045
_LEG_NM, _ARM_NM = 40.0, 20.0
_X, _Y, _Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


@dataclass(frozen=True, slots=True)
class WalkerLink:
    """One joint and the link it moves; `at` is where that begins in its parent (left side, m).

    `range` (rad) bounds the servo's target, and `torque` (Nm) its output.
    """

    part: str
    parent: str
    at: tuple[float, float, float]
    axis: tuple[int, int, int]
    range: tuple[float, float]
    torque: float
    home: float


LINKS = (
    WalkerLink("shoulder_pitch", BASE, SHOULDER_M, _Y, (-2.6, 1.0), _ARM_NM, 0.1),
    WalkerLink("shoulder_roll", "shoulder_pitch", (0, 0, 0), _X, (-0.5, 1.4), _ARM_NM, 0.08),
    WalkerLink("elbow", "shoulder_roll", (0, 0, -ARM_M), _Y, (-2.2, 0.0), _ARM_NM, -0.4),
    WalkerLink("leg_yaw", BASE, _HIP_M, _Z, (-0.6, 0.6), _LEG_NM, 0.0),
    WalkerLink("leg_roll", "leg_yaw", (0, 0, 0), _X, (-0.5, 0.6), _LEG_NM, 0.0),
    WalkerLink("leg_pitch", "leg_roll", (0, 0, 0), _Y, (-2.3, 1.0), _LEG_NM, -0.35),
    WalkerLink("knee", "leg_pitch", (0, 0, -_SHANK_M), _Y, (0.0, 2.5), _LEG_NM, 0.7),
    WalkerLink("ankle_pitch", "knee", (0, 0, -_SHANK_M), _Y, (-1.3, 0.9), _LEG_NM, -0.35),
)
"""Of one side, from the trunk outward, the arm first."""
_SIDES = (("left", 1), ("right", -1))
ARMS = tuple(f"{side}_{link.part}" for side, _ in _SIDES for link in LINKS[:3])
LEGS = tuple(f"{side}_{link.part}" for side, _ in _SIDES for link in LINKS[3:])
JOINTS = (*ARMS, *LEGS)
"""All sixteen, in the order of the model, which is that of the paper: arms, then legs."""
HOME = tuple(link.home for limb in (LINKS[:3], LINKS[3:]) for _ in _SIDES for link in limb)
"""Standing with its knees a little bent and its arms beside it."""

_WHITE, _GREY, _DARK = (0.92, 0.93, 0.95, 1.0), (0.60, 0.63, 0.67, 1.0), (0.16, 0.17, 0.20, 1.0)
_BLUE = (0.10, 0.34, 0.62, 1.0)
# The hull: part, from, to, radius, mass, of the left side. Equal ends make a sphere.
_HULL = (
    ("shoulder_pitch", (0, 0, 0), (0, 0, 0), 0.035, 0.3),
    ("shoulder_roll", (0, 0, 0), (0, 0, -ARM_M), 0.028, 0.6),
    ("elbow", (0, 0, 0), (0, 0, -FOREARM_M), 0.025, 0.4),
    ("leg_yaw", (0, 0, 0), (0, 0, 0), 0.045, 0.6),
    ("leg_roll", (0, 0, 0), (0, 0, 0), 0.040, 0.3),
    ("leg_pitch", (0, 0, 0), (0, 0, -_SHANK_M), 0.040, 1.6),
    ("knee", (0, 0, 0), (0, 0, -_SHANK_M), 0.033, 1.0),
)
# The trunk's: kind, half sizes, where, mass. The last is the head.
_TRUNK: tuple[tuple[str, Vector, Vector, float], ...] = (
    ("box", (0.07, 0.10, 0.06), (0, 0, 0), 3.0),
    ("box", (0.08, 0.13, 0.13), (0, 0, 0.20), 4.5),
    ("sphere", (0.08, 0, 0), (0, 0, 0.43), 1.0),
)
_SOLE = ((0.09, 0.04, 0.015), (0.025, 0.0, -0.03), 0.4)  # half sizes, where in the foot, mass
# Visual geoms: part, kind, size, from or where, to, colour.
_SHELL: tuple[tuple[str, str, Vector, Vector, Vector | None, Vector], ...] = (
    ("shoulder_pitch", "sphere", (0.042,), (0, 0, 0), None, _DARK),
    ("shoulder_roll", "capsule", (0.032,), (0, 0, -0.03), (0, 0, 0.03 - ARM_M), _WHITE),
    ("elbow", "sphere", (0.034,), (0, 0, 0), None, _DARK),
    ("elbow", "capsule", (0.027,), (0, 0, -0.02), (0, 0, 0.06 - FOREARM_M), _WHITE),
    ("leg_yaw", "sphere", (0.050,), (0, 0, 0), None, _DARK),
    ("leg_pitch", "capsule", (0.044,), (0, 0, -0.04), (0, 0, 0.04 - _SHANK_M), _WHITE),
    ("knee", "sphere", (0.044,), (0, 0, 0), None, _DARK),
    ("knee", "capsule", (0.037,), (0, 0, -0.04), (0, 0, 0.03 - _SHANK_M), _GREY),
    ("ankle_pitch", "sphere", (0.034,), (0, 0, 0), None, _DARK),
    ("ankle_pitch", "box", (0.09, 0.04, 0.015), (0.025, 0, -0.03), None, _WHITE),
)
_TRUNK_SHELL: tuple[tuple[str, Vector, Vector, Vector], ...] = (
    ("box", (0.07, 0.10, 0.05), (0, 0, 0), _DARK),
    ("box", (0.05, 0.07, 0.03), (0, 0, 0.06), _GREY),
    ("box", (0.08, 0.13, 0.13), (0, 0, 0.20), _WHITE),
    ("box", (0.004, 0.07, 0.05), (0.081, 0, 0.23), _BLUE),
    ("cylinder", (0.03, 0.03), (0, 0, 0.35), _DARK),
    ("box", (0.07, 0.075, 0.065), (0, 0, 0.43), _WHITE),
    ("box", (0.004, 0.065, 0.03), (0.070, 0, 0.44), _DARK),
)


def add_walker(scene: Scene, *, soles_only: bool = False) -> None:
    """Add the humanoid at the origin, standing, facing +x, with a servo on every joint.

    With `soles_only` only its soles have contacts, and no joint has a stop. A policy is trained
    with this model.
    """
    trunk = scene.spec.worldbody.add_body(name=BASE, pos=[0, 0, STAND_M])
    trunk.add_joint(name=f"{BASE}_free", type=mujoco.mjtJoint.mjJNT_FREE)
    touch = {"contype": 0, "conaffinity": 0} if soles_only else ROBOT
    for kind, size, at, mass in _TRUNK:
        trunk.add_geom(
            type=getattr(mujoco.mjtGeom, f"mjGEOM_{kind.upper()}"), size=list(size), pos=list(at),
            mass=mass, group=3, **touch,
        )  # fmt: skip
    for kind, size, at, rgba in _TRUNK_SHELL:
        scene.shape(trunk, kind, size, at, rgba=rgba)
    for limb in (LINKS[:3], LINKS[3:]):
        for side, sign in _SIDES:
            for link in limb:
                _add_link(scene, link, side, sign, stops=not soles_only)
    for (side, _), sole, hand in zip(_SIDES, SOLES, HANDS, strict=True):
        _add_hull(scene, side, touch)
        _add_sole(scene, sole, f"{side}_ankle_pitch")
        _add_shell(scene, side)
        _add_hand(scene, hand, f"{side}_elbow", clings=not soles_only)
    if not scene.planning:
        add_camera(trunk, HEAD, (0.085, 0.0, 0.44), (0.60, 0.0, 0.10), 75.0)


def _add_link(scene: Scene, link: WalkerLink, side: str, sign: int, *, stops: bool) -> None:
    name, spec = f"{side}_{link.part}", scene.spec
    parent = spec.body(BASE if link.parent == BASE else f"{side}_{link.parent}")
    x, y, z = link.at
    outward = 1 if link.axis == _Y else sign  # pitch is the same on both sides
    body = parent.add_body(name=name, pos=[x, sign * y, z])
    joint = body.add_joint(
        name=name, axis=[outward * a for a in link.axis], range=list(link.range),
        limited=int(stops), armature=0.02,
    )  # fmt: skip
    joint.damping = [0.2, 0.0, 0.0]
    scene.start[name] = link.home
    servo = spec.add_actuator(
        name=name, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=name,
        forcerange=[-link.torque, link.torque], forcelimited=1,
        ctrlrange=list(link.range), ctrllimited=1,
    )  # fmt: skip
    position_servo(servo, KP, KD)


def _add_hull(scene: Scene, side: str, touch: dict[str, int]) -> None:
    spec = scene.spec
    for part, start, end, radius, mass in _HULL:
        body = spec.body(f"{side}_{part}")
        kind, place = mujoco.mjtGeom.mjGEOM_SPHERE, {"pos": list(start)}
        if start != end:
            kind, place = mujoco.mjtGeom.mjGEOM_CAPSULE, {"fromto": [*start, *end]}
        body.add_geom(type=kind, size=[radius, 0, 0], mass=mass, group=3, **place, **touch)


def _add_sole(scene: Scene, name: str, ankle: str) -> None:
    foot, (size, at, mass) = scene.spec.body(ankle), _SOLE
    foot.add_geom(
        name=name, type=mujoco.mjtGeom.mjGEOM_BOX, size=list(size), pos=list(at), mass=mass,
        friction=[1.0, 0.02, 0.001], group=3, **ROBOT,
    )  # fmt: skip
    foot.add_site(name=name, pos=[at[0], at[1], at[2] - size[2]], group=4)


def _add_shell(scene: Scene, side: str) -> None:
    for part, kind, shape, at, end, rgba in _SHELL:
        body = scene.spec.body(f"{side}_{part}")
        if end is None:
            scene.shape(body, kind, shape, at, rgba=rgba)
        else:
            scene.shape(body, kind, shape, fromto=(*at, *end), rgba=rgba)


def _add_hand(scene: Scene, name: str, arm: str, *, clings: bool) -> None:
    body = scene.spec.body(arm).add_body(name=name, pos=[0, 0, -FOREARM_M])
    touch = ROBOT if clings else {"contype": 0, "conaffinity": 0}
    body.add_geom(
        name=name, type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[HAND_M, 0, 0], rgba=_DARK, mass=0.1,
        friction=[1.2, 0.02, 0.001], condim=4, priority=1, gap=_REACH_M, **touch,
    )  # fmt: skip
    body.add_site(name=name, group=4)
    if clings:
        scene.add_adhesion(name, name, GRIP_N)
