"""A mobile manipulator: a round base, a column with a head, and one arm that lifts and reaches.

The arm is a boom that turns about the column, rises along it and slides out (a polar robot with
simple inverse kinematics). It has no contacts: the skills set its joints directly, and a held
object moves with the hand. Every body is weightless, so a joint keeps its position.
"""

from __future__ import annotations

import mujoco

from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import Scene, Vector

__all__ = [
    "BOOM_M",
    "CAMERAS",
    "DROP_M",
    "FINGER_OPEN",
    "HEAD_M",
    "JOINTS",
    "RADIUS_M",
    "add_mobile",
]

RADIUS_M = 0.24
"""Of the base."""
HEAD_M = (0.05, 0.0, 1.42)
"""The turning point of the head, in the base's frame."""
BOOM_M = 0.46
"""From the column to the middle of the fingers, with the boom drawn in."""
DROP_M = 0.16
"""How far the hand hangs below the boom."""
FINGER_OPEN = 0.055
"""Of each finger, from the middle."""
CAMERAS = ("head", "down", "hand")
"""The cameras: the head's view; the floor in front of the robot; the hand."""
JOINTS = (
    "base_x", "base_y", "base_yaw", "head_pan", "head_tilt", "lift", "shoulder", "reach_1",
    "reach_2", "wrist", "finger_left", "finger_right",
)  # fmt: skip
"""All its joints (m and rad), in the order of the model."""

_WHITE, _GREY, _DARK = (0.92, 0.93, 0.95, 1.0), (0.66, 0.69, 0.73, 1.0), (0.16, 0.17, 0.20, 1.0)
_BLUE = (0.10, 0.34, 0.62, 1.0)
_RADIUS_SHELL = 0.9 * RADIUS_M


def add_mobile(scene: Scene) -> None:
    """Add the robot at the origin, facing +x, with its three cameras."""
    base = _part(
        scene.spec.worldbody,
        "base",
        ("base_x", "slide", (1, 0, 0)),
        ("base_y", "slide", (0, 1, 0)),
        ("base_yaw", "hinge", (0, 0, 1)),
    )
    scene.shape(base, "cylinder", (RADIUS_M, 0.05), (0, 0, 0.07), rgba=_DARK)
    scene.shape(base, "cylinder", (_RADIUS_SHELL, 0.04), (0, 0, 0.16), rgba=_WHITE)
    scene.shape(base, "box", (0.045, 0.06, 0.60), (-0.06, 0, 0.78), rgba=_GREY)

    neck = _part(base, "neck", ("head_pan", "hinge", (0, 0, 1)), pos=HEAD_M)
    head = _part(neck, "skull", ("head_tilt", "hinge", (0, 1, 0)))
    scene.shape(head, "box", (0.07, 0.10, 0.06), (-0.08, 0, 0), rgba=_WHITE)
    scene.shape(head, "box", (0.004, 0.085, 0.035), (-0.008, 0, 0), rgba=_DARK)

    lift = _part(base, "carriage", ("lift", "slide", (0, 0, 1)))
    scene.shape(lift, "box", (0.07, 0.085, 0.05), (-0.05, 0, 0), rgba=_BLUE)
    boom = _part(lift, "boom", ("shoulder", "hinge", (0, 0, 1)))
    scene.shape(boom, "box", (0.10, 0.034, 0.034), (0.06, 0, 0), rgba=_WHITE)
    for number, (name, slack) in enumerate((("boom_middle", 0.028), ("boom_end", 0.022)), 1):
        boom = _part(boom, name, (f"reach_{number}", "slide", (1, 0, 0)))
        scene.shape(boom, "box", (0.10, slack, slack), (0.065, 0, 0), rgba=_GREY)
    scene.shape(boom, "capsule", (0.022,), fromto=(0.16, 0, 0, 0.16, 0, -DROP_M), rgba=_WHITE)
    hand = _part(boom, "hand", ("wrist", "hinge", (1, 0, 0)), pos=(BOOM_M, 0.0, -DROP_M))
    scene.shape(hand, "capsule", (0.020,), fromto=(0.16 - BOOM_M, 0, 0, -0.12, 0, 0), rgba=_WHITE)
    scene.shape(hand, "box", (0.018, 0.062, 0.026), (-0.10, 0, 0), rgba=_BLUE)
    for name, side in (("finger_left", 1.0), ("finger_right", -1.0)):
        finger = _part(hand, name, (name, "slide", (0, side, 0)))
        scene.shape(finger, "box", (0.05, 0.006, 0.014), (-0.035, side * 0.007, 0), rgba=_DARK)
    scene.start |= {"lift": 0.9, "finger_left": FINGER_OPEN, "finger_right": FINGER_OPEN}
    if not scene.planning:
        add_camera(head, "head", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 50.0)
        add_camera(base, "down", HEAD_M, (0.62, 0.10, 0.0), 52.0)
        eye = add_camera(base, "hand", HEAD_M, (0.5, -0.2, 0.9), 26.0)
        eye.mode = mujoco.mjtCamLight.mjCAMLIGHT_TARGETBODY
        eye.targetbody = "hand"


def _part(
    parent: mujoco.MjsBody,
    name: str,
    *joints: tuple[str, str, Vector],
    pos: Vector = (0.0, 0.0, 0.0),
) -> mujoco.MjsBody:
    """Add a body that moves in its parent on `joints`: name, kind, axis."""
    body = parent.add_body(
        name=name, pos=list(pos), gravcomp=1, mass=1.0, ipos=[0, 0, 0], inertia=[0.01] * 3,
        explicitinertial=True,
    )  # fmt: skip
    for joint, kind, axis in joints:
        added = body.add_joint(
            name=joint, type=getattr(mujoco.mjtJoint, f"mjJNT_{kind.upper()}"), axis=list(axis)
        )
        added.damping = [1.0, 0.0, 0.0]
    return body
