"""A two-armed mobile manipulator: differential base, lift, two arms of seven joints, RGB-D head.

Joint axes, distances between them, ranges, speeds and torques are those that the maker publishes
for the TIAGo++ (Pages, Marchionni and Ferro 2016), written in frames of our own; its shapes are
ours. The hand is that of `franka`, opened as far as the maker's gripper.

**Frames.** The base turns about the origin of `base`, on the floor; it faces +x, +y is to its left.
With all joints at zero, every frame of an arm is parallel to the base's, and the arm points ahead.
The right arm is the mirror image of the left one, and joints 2 to 7 turn the mirrored way.

**Joints.** `base_x`, `base_y` (m), `base_yaw` (rad): the pose of the base in the world. A
differential base cannot move sideways: the world turns a speed ahead and a turning rate into the
speeds of these joints, because a servo on each of the three is simulated faster and more steadily
than wheels on a floor. Their friction stands for the brakes. Then
`lift` (m), `head_pan`, `head_tilt` (rad; positive looks down), and `left_joint1` to `left_joint7`,
`left_finger_left` (m from the middle), and the same of the right arm. Actuators: `CONTROLS`.

**Palm.** The site `left_palm` is between the finger tips: z is the approach direction, y the
closing axis. The shoulders are at (-0.037, ±0.19, 0.719 + lift).
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco

from regrasp.worlds.kit.franka import PALM, add_finger_servo, add_hand
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import Scene, SceneObject, Vector, position_servo
from regrasp.worlds.kit.two_arms import add_grasp_welds

__all__ = [
    "ARM", "BASE", "BASE_RADIUS_M", "CAMERAS", "CONTROLS", "FINGER_OPEN_M", "FOOTPRINT_M",
    "HANDS", "HEAD", "HOME", "JOINTS", "LASER_M", "LIFT", "LIFT_M_S", "SIDES", "ArmJoint",
    "add_mobile_two_arms",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArmJoint:
    """A joint of the left arm: its place from the joint before it (m), axis, limits, mass.

    `range` in rad, `speed` in rad/s, `torque` in Nm; `mass` (kg) of the link that it moves.
    """

    offset: tuple[float, float, float]
    axis: tuple[int, int, int]
    range: tuple[float, float]
    speed: float
    torque: float
    mass: float


ARM = (
    ArmJoint((0.025, 0.190, -0.170), (0, 0, 1), (0.07, 2.68), 1.95, 39.0, 2.3),
    ArmJoint((0.125, 0.0195, -0.031), (0, 1, 0), (-1.11, 1.50), 1.95, 39.0, 1.1),
    ArmJoint((0.0895, 0.0, 0.0), (1, 0, 0), (-0.72, 3.86), 2.35, 17.86, 2.4),
    ArmJoint((0.222, -0.027, 0.020), (0, -1, 0), (-0.32, 2.29), 2.35, 17.86, 1.5),
    ArmJoint((0.162, 0.027, -0.020), (-1, 0, 0), (-2.07, 2.07), 1.95, 3.0, 1.7),
    ArmJoint((0.150, 0.0, 0.0), (0, 0, 1), (-1.39, 1.39), 1.76, 6.6, 0.4),
    ArmJoint((0.0, 0.0, 0.0), (-1, 0, 0), (-2.07, 2.07), 1.76, 6.6, 0.2),
)
"""The left arm, from the lift to the wrist; the first offset is in the frame of the lift."""

SIDES = ("left", "right")
HANDS = ("left_hand", "right_hand")
CAMERAS = ("head",)
BASE = ("base_x", "base_y", "base_yaw")
LIFT, HEAD = "lift", ("head_pan", "head_tilt")
JOINTS = {side: tuple(f"{side}_joint{k}" for k in range(1, 8)) for side in SIDES}
CONTROLS = (
    *BASE, LIFT, *HEAD, *(name for side in SIDES for name in (*JOINTS[side], f"{side}_grip"))
)  # fmt: skip
"""The actuators: base (m/s, rad/s), lift, head, then the joints and fingers of each arm."""
HOME = {
    "left": (2.48, -0.90, 0.82, 2.08, 1.13, -0.61, -0.06),
    "right": (-2.48, -0.90, 0.82, 2.08, 1.13, -0.61, -0.06),
}
"""The rest posture: elbows behind, hands beside the chest, 0.9 m wide over all."""
FOOTPRINT_M = 0.46
"""Half the width of the robot at rest: what a path has to leave free on either side."""
BASE_RADIUS_M, FINGER_OPEN_M, LIFT_M_S = 0.27, 0.045, 0.07
LASER_M = (0.202, 0.0, 0.095)
"""The laser scanner, in the base's frame."""

_LIFT_M, _LIFT_RANGE_M = (-0.062, 0.0, 0.889), 0.35
_PAN_M, _TILT_M, _EYE_M = (0.182, 0.0, 0.0), (0.005, 0.0, 0.098), (0.064, 0.0, 0.018)
_PAN, _TILT = 1.309, (-0.785, 1.047)
_FOVY_DEG = 49.5
_BASE_KV = (20000.0, 20000.0, 4000.0)
_ARM_KP = (1500.0, 1500.0, 900.0, 900.0, 300.0, 300.0, 300.0)
_ARM_KV = (150.0, 150.0, 90.0, 90.0, 30.0, 30.0, 30.0)
# Either arm collides with the body of the robot and with the other arm, none with itself.
_BODY = {"contype": 1 | 16, "conaffinity": 2}
_COLLIDE = {
    "left": {"contype": 1 | 4, "conaffinity": 2 | 8 | 16},
    "right": {"contype": 1 | 8, "conaffinity": 2 | 4 | 16},
}
# The capsule of each link: from, to (m, of the left arm, in the frame of its joint), radius.
_HULL: tuple[tuple[Vector, Vector, float], ...] = (
    ((0.0, 0.0, 0.0), (0.11, 0.01, -0.02), 0.062),
    ((0.0, 0.0, 0.0), (0.06, 0.0, 0.0), 0.060),
    ((0.03, 0.0, 0.0), (0.20, -0.015, 0.01), 0.056),
    ((0.0, 0.0, 0.0), (0.14, 0.025, -0.018), 0.052),
    ((0.0, 0.0, 0.0), (0.12, 0.0, 0.0), 0.046),
    ((0.0, 0.0, 0.0), (0.02, 0.0, 0.0), 0.042),
    ((0.02, 0.0, 0.0), (0.08, 0.0, 0.0), 0.038),
)
_FIRST_FREE = 2  # the links before it turn within the shoulder and touch nothing
_ALONG_X = (0.5, 0.5, 0.5, 0.5)  # turns z to x, x to y
_HAND_BACK_M = -0.0034  # of the flange behind the wrist: the palm is 0.2065 m from the wrist
_WHITE, _GREY, _DARK = (0.94, 0.94, 0.95, 1.0), (0.62, 0.64, 0.67, 1.0), (0.17, 0.18, 0.20, 1.0)
_ORANGE = (0.90, 0.42, 0.12, 1.0)


def add_mobile_two_arms(scene: Scene) -> None:
    """Add the robot at the origin, facing +x, with servos, hands, welds and its camera."""
    base = _part(scene.spec.worldbody, "base", (0, 0, 0))
    for name, kind, axis in zip(BASE, ("slide", "slide", "hinge"), _AXES, strict=True):
        _joint(base, name, kind, axis).frictionloss = 60.0 if kind == "slide" else 20.0
    _draw_base(scene, base)
    lift = _part(base, "torso", _LIFT_M)
    _joint(lift, LIFT, "slide", (0, 0, 1), (0.0, _LIFT_RANGE_M))
    _draw_torso(scene, lift)
    _add_head(scene, lift)
    for name, kv in zip(BASE, _BASE_KV, strict=True):
        servo = scene.spec.add_actuator(
            name=name, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=name, forcerange=[-900.0, 900.0],
            forcelimited=1,
        )  # fmt: skip
        servo.set_to_velocity(kv=kv)
    _servo(scene.spec, LIFT, 40000.0, 4000.0, 2000.0)
    for name in HEAD:
        _servo(scene.spec, name, 60.0, 6.0, 6.0)
    for side in SIDES:
        _add_arm(scene, lift, side)
    scene.cost_sensors = False
    scene.finish.append(add_grasp_welds)


_AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def _add_arm(scene: Scene, lift: mujoco.MjsBody, side: str) -> None:
    spec, collide, sign = scene.spec, _COLLIDE[side], 1 if side == "left" else -1
    body = lift
    for k, (one, name, home) in enumerate(zip(ARM, JOINTS[side], HOME[side], strict=True)):
        body = _part(body, f"{side}_link{k + 1}", _mirrored(one.offset, sign))
        # The mirror image of a turn; joint 1 turns towards +y in both arms, as angles do.
        axis = one.axis if k == 0 else tuple(a * (1 if a_y else sign) for a, a_y in _turns(one))
        span = one.range if k or sign > 0 else (-one.range[1], -one.range[0])
        joint = _joint(body, name, "hinge", axis, span, one.torque)
        joint.armature, joint.damping = 0.1, [1.0, 0.0, 0.0]
        scene.start[name] = home
        start, end, radius = _HULL[k]
        ends = (*_mirrored(start, sign), *_mirrored(end, sign))
        scene.shape(
            body, "capsule", (radius,), fromto=ends, rgba=_DARK if k % 2 else _WHITE,
            mass=one.mass, collide=collide if k >= _FIRST_FREE else _UNTOUCHED,
        )  # fmt: skip
        _servo(spec, name, _ARM_KP[k], _ARM_KV[k], one.torque)
    flange = body.add_body(
        name=f"{side}_flange", pos=[_HAND_BACK_M, 0, 0], quat=list(_ALONG_X), gravcomp=1,
        mass=0.05, ipos=[0, 0, 0.05], inertia=[1e-4] * 3, explicitinertial=True,
    ).add_body(name=f"{side}_mount", quat=[0.9238795, 0, 0, 0.3826834])  # fmt: skip
    add_hand(scene, flange, prefix=f"{side}_", collide=collide, opening=FINGER_OPEN_M)
    add_finger_servo(spec, f"{side}_", opening=FINGER_OPEN_M)
    scene.add_object(SceneObject(f"{side}_hand", "hand", f"{side}_{PALM}"))


_UNTOUCHED = {"contype": 0, "conaffinity": 0}


def _turns(one: ArmJoint) -> tuple[tuple[int, bool], ...]:
    """Each component of an axis, and whether it is the one along y, which a mirror keeps."""
    return tuple((value, k == 1) for k, value in enumerate(one.axis))


def _mirrored(point: Vector, sign: int) -> tuple[float, float, float]:
    return point[0], sign * point[1], point[2]


def _add_head(scene: Scene, lift: mujoco.MjsBody) -> None:
    pan = _part(lift, "neck", _PAN_M, mass=1.1)
    _joint(pan, HEAD[0], "hinge", (0, 0, 1), (-_PAN, _PAN))
    scene.shape(pan, "cylinder", (0.04, 0.045), (0, 0, 0.045), rgba=_DARK)
    tilt = _part(pan, "skull", _TILT_M, mass=1.6)
    _joint(tilt, HEAD[1], "hinge", (0, 1, 0), _TILT)
    scene.shape(tilt, "box", (0.055, 0.10, 0.055), (-0.01, 0, 0.018), rgba=_WHITE)
    scene.shape(tilt, "box", (0.004, 0.08, 0.022), (0.046, 0, 0.018), rgba=_DARK)
    if not scene.planning:
        ahead = (_EYE_M[0] + 1.0, _EYE_M[1], _EYE_M[2])
        add_camera(tilt, CAMERAS[0], _EYE_M, ahead, _FOVY_DEG)


def _draw_base(scene: Scene, base: mujoco.MjsBody) -> None:
    scene.shape(
        base, "cylinder", (BASE_RADIUS_M, 0.12), (0, 0, 0.16), rgba=_WHITE, collide=_BODY, mass=40.0
    )
    scene.shape(base, "cylinder", (BASE_RADIUS_M + 0.001, 0.02), (0, 0, 0.10), rgba=_DARK)
    scene.shape(base, "cylinder", (BASE_RADIUS_M + 0.001, 0.008), (0, 0, 0.24), rgba=_ORANGE)
    for y in (-0.2, 0.2):
        scene.shape(
            base, "cylinder", (0.098, 0.02), (0, y, 0.099), rgba=_DARK, quat=(0.7071, 0.7071, 0, 0)
        )
    scene.shape(
        base, "box", (0.10, 0.11, 0.20), (-0.062, 0, 0.46), rgba=_GREY, collide=_BODY, mass=10.0
    )


def _draw_torso(scene: Scene, lift: mujoco.MjsBody) -> None:
    scene.shape(
        lift, "box", (0.11, 0.12, 0.17), (0.02, 0, -0.20), rgba=_WHITE, collide=_BODY, mass=9.0
    )
    scene.shape(lift, "box", (0.07, 0.19, 0.05), (0.02, 0, -0.15), rgba=_WHITE)
    scene.shape(lift, "box", (0.09, 0.06, 0.03), (0.10, 0, -0.02), rgba=_GREY, collide=_BODY)
    scene.shape(lift, "box", (0.004, 0.05, 0.03), (0.131, 0, -0.13), rgba=_ORANGE)


def _part(parent: mujoco.MjsBody, name: str, pos: Vector, *, mass: float = 0.0) -> mujoco.MjsBody:
    """Add a body without weight; its `mass` (kg), unless its shapes have one."""
    body = parent.add_body(name=name, pos=[float(x) for x in pos], gravcomp=1)
    if mass:
        body.mass, body.inertia, body.explicitinertial = mass, [0.004 * mass] * 3, True
        body.ipos = [0.0, 0.0, 0.0]
    return body


def _joint(
    body: mujoco.MjsBody,
    name: str,
    kind: str,
    axis: Vector,
    span: tuple[float, float] | None = None,
    force: float = 0.0,
) -> mujoco.MjsJoint:
    joint = body.add_joint(
        name=name, type=getattr(mujoco.mjtJoint, f"mjJNT_{kind.upper()}"), axis=list(axis)
    )
    if span is not None:
        joint.range, joint.limited = list(span), 1
    if force:
        joint.actfrcrange, joint.actfrclimited = [-force, force], 1
    joint.armature, joint.damping = 0.01, [0.5, 0.0, 0.0]
    return joint


def _servo(spec: mujoco.MjSpec, joint: str, kp: float, kv: float, force: float) -> None:
    servo = spec.add_actuator(
        name=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=joint, forcerange=[-force, force],
        forcelimited=1,
    )  # fmt: skip
    position_servo(servo, kp, kv)
