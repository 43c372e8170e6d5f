"""What the controller of the mobile manipulator knows of its own body."""

from __future__ import annotations

from functools import cache

import mujoco
import numpy as np

from regrasp.control.mobile_manipulator import ManipulatorBody
from regrasp.worlds.apartment.sensors import LASER_ANGLES
from regrasp.worlds.kit.franka import PALM
from regrasp.worlds.kit.mobile_two_arms import (
    ARM,
    BASE_RADIUS_M,
    FINGER_OPEN_M,
    HEAD,
    HOME,
    JOINTS,
    LASER_M,
    LIFT,
    LIFT_M_S,
    SIDES,
    add_mobile_two_arms,
)
from regrasp.worlds.kit.scene import MOVABLE, Scene

__all__ = ["own_model", "robot_body"]

_WORK = (0.91, -0.84, 1.28, 2.04, -0.16, -1.10, 1.49)
"""A natural posture of the left arm at work: elbow out, hand ahead and down."""


@cache
def own_model() -> mujoco.MjModel:
    """The robot alone on a floor, at the origin: its model of itself."""
    rng = np.random.default_rng(0)
    scene = Scene(layout=rng, look=rng, planning=True, timestep=0.01)
    floor = mujoco.mjtGeom.mjGEOM_PLANE
    scene.spec.worldbody.add_geom(name="floor", type=floor, size=[0, 0, 0.1], **MOVABLE)
    add_mobile_two_arms(scene)
    return scene.compile()


@cache
def robot_body() -> ManipulatorBody:
    """The body, from the model and the limits of the kit."""
    model = own_model()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    shoulder, eye = (data.body(name).xpos for name in ("left_link1", "skull"))
    return ManipulatorBody(
        model=model,
        joints=JOINTS,
        palms={side: f"{side}_{PALM}" for side in SIDES},
        home=HOME,
        work=_WORK,
        limits=tuple(joint.speed for joint in ARM),
        shoulder=(float(shoulder[0]), float(shoulder[1]), float(shoulder[2])),
        lift=LIFT,
        head=(HEAD[0], HEAD[1]),
        lift_m_s=LIFT_M_S,
        opening=FINGER_OPEN_M,
        laser_angles=LASER_ANGLES,
        laser_m=LASER_M,
        radius_m=BASE_RADIUS_M,
        eye_m=(float(eye[0]), float(eye[1]), float(eye[2])),
    )
