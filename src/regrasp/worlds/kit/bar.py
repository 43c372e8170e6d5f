"""A bar that is pushed through the two handles of a cabinet and truly keeps its doors shut."""

from __future__ import annotations

from regrasp.worlds.kit.cabinet import HANDLE_GAP
from regrasp.worlds.kit.scene import LOOSE, Grasp, Scene, Thing, Vector

__all__ = ["add_bar"]


def add_bar(
    scene: Scene,
    name: str,
    cabinet_pos: Vector,
    *,
    cabinet_base: float = 0.10,
    cabinet_height: float = 0.42,
    half_length: float = 0.17,
    mass: float = 0.3,
    friction: float = 0.6,
    colour: str = "red",
) -> None:
    """Add a bar behind both handles of a two-door cabinet that stands unturned at `cabinet_pos`.

    It lies on the handles' lower stand-offs and fills the gap between door and handle but for
    4.5 mm a side: a looser one lets the doors open. One end sticks out to the left, to be pulled.
    """
    x, y, z = cabinet_pos
    body = scene.body(
        name,
        (
            x - 0.012 - (HANDLE_GAP - 0.009 + 0.01) / 2,
            y + 0.05,
            z + cabinet_base + cabinet_height / 2 - 0.07 + 0.019,
        ),
    )
    scene.loose(body)
    scene.shape(
        body, "box", (0.0135, half_length, 0.010), rgba=scene.paint(colour),
        mass=mass, friction=friction, collide=LOOSE,
    )  # fmt: skip
    end = scene.site(
        body, f"{name}_end", (0, half_length - 0.03, 0), approach=(0.8, 0, -0.6), closing=(0, 0, 1)
    )
    scene.site(body, name, (0, 0, 0))
    scene.add_thing(
        Thing(name, "bar", name, grasps=(Grasp(end), Grasp(name, above=True, closing="x")), movable=True, extent=(half_length, 0.010))
    )
