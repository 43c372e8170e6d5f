"""A push button: a spring-loaded head on a housing, pressed from above."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, MOVABLE, Articulation, Scene, SceneObject, Vector

__all__ = ["add_button"]


def add_button(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    radius: float = 0.03,
    height: float = 0.05,
    travel: float = 0.012,
    force: float = 8.0,
    mass: float = 0.03,
    friction: float = 1.0,
    colour: str = "red",
) -> None:
    """Add a button whose housing of `height` stands at `pos` and that needs `force` newtons.

    Its joint `NAME` reads 0 at rest and 1 at its stop, and springs back.
    """
    wide = radius + 0.018
    body = scene.body(name, pos)
    scene.shape(
        body, "box", (wide, wide, height / 2), (0, 0, height / 2),
        rgba=scene.colour_of("yellow", 0.9), collide=FIXED,
    )  # fmt: skip
    scene.shape(
        body, "cylinder", (radius + 0.008, 0.003), (0, 0, height + 0.003),
        rgba=scene.colour_of("grey", 0.6),
    )  # fmt: skip
    head = scene.body(f"{name}_head", (0, 0, height + travel + 0.008), parent=body)
    head.gravcomp = 1
    scene.hinge_or_slide(
        head, name, kind="slide", axis=(0, 0, -1), reach=travel, damping=3.0, friction=0.0,
        stiffness=force / travel,
    )  # fmt: skip
    rgba = scene.colour_of(colour)
    scene.shape(
        head, "cylinder", (radius, 0.008), rgba=rgba, mass=mass, friction=friction, collide=MOVABLE
    )
    scene.shape(head, "ellipsoid", (radius, radius, 0.008), (0, 0, 0.008), rgba=rgba)
    scene.shape(
        head, "cylinder", (0.6 * radius, travel / 2), (0, 0, -0.008 - travel / 2), rgba=rgba
    )
    top = scene.site(
        head, f"{name}_top", (0, 0, 0.012), approach=(0.15, 0, -0.99), closing=(0, 1, 0)
    )
    scene.add_object(SceneObject(name, "button", top, joint=name))
    scene.add_joint(Articulation(name, name, 0.0, travel))
