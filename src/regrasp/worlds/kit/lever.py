"""A lever on a post: pulled towards the robot, it goes from upright to its stop."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, MOVABLE, Articulation, Grasp, Scene, SceneObject, Vector

__all__ = ["add_lever"]

_STOP = 1.3  # rad


def add_lever(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    post: float = 0.30,
    length: float = 0.18,
    mass: float = 0.2,
    friction: float = 0.5,
    colour: str = "red",
) -> None:
    """Add a lever of `length` whose pivot is in front of a post of height `post` at `pos`."""
    body = scene.body(f"{name}_post", pos, yaw=yaw)
    scene.shape(
        body, "box", (0.04, 0.04, post / 2 + 0.03), (0, 0, post / 2 + 0.03),
        rgba=scene.colour_of("grey"), collide=FIXED,
    )  # fmt: skip
    arm = scene.body(f"{name}_arm", (-0.06, 0, post), parent=body)
    scene.hinge_or_slide(
        arm, name, kind="hinge", axis=(0, -1, 0), reach=_STOP, damping=0.5, friction=friction
    )
    scene.shape(
        arm, "capsule", (0.010,), fromto=(0, 0, 0, 0, 0, length), mass=mass,
        rgba=scene.colour_of(colour), collide=MOVABLE,
    )  # fmt: skip
    scene.shape(arm, "sphere", (0.016,), (0, 0, length), rgba=(0.1, 0.1, 0.1, 1.0))
    scene.site(arm, name, (0, 0, length - 0.03), approach=(0.7, 0, -0.7), closing=(0, 1, 0))
    scene.add_object(SceneObject(name, "lever", name, grasps=(Grasp(name),), joint=name))
    scene.add_joint(Articulation(name, name, 0.0, _STOP - 0.1))
