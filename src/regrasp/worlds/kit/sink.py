"""A sink: a basin in a block, with a drain and a tap; its water is visual only."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_sink"]

_STEEL, _DARK = (0.74, 0.76, 0.78, 1.0), (0.16, 0.17, 0.18, 1.0)
_HIDDEN = (0.20, 0.52, 0.90, 0.0)


def add_sink(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    width: float = 0.60,
    height: float = 0.82,
    depth: float = 0.50,
    basin: float = 0.16,
    colour: str = "white",
) -> None:
    """Add a sink whose front stands at `pos` and faces -x before it is turned by `yaw`.

    The basin is `basin` metres deep. Its water (`NAME_water`) and the jet from the tap
    (`NAME_stream`) are invisible until the tap runs and they get a colour.
    """
    half = width / 2
    rgba, front, bottom = scene.colour_of(colour, 0.92), scene.colour_of(colour), height - basin
    body = scene.body(name, pos, yaw=yaw)
    scene.shape(
        body, "box", (depth / 2, half, bottom / 2), (depth / 2, 0, bottom / 2), rgba=rgba,
        collide=FIXED,
    )  # fmt: skip
    for side in (-1, 1):  # the doors of the cupboard under it, visual only
        scene.shape(
            body, "box", (0.004, half / 2 - 0.012, bottom / 2 - 0.05),
            (-0.003, side * half / 2, bottom / 2), rgba=front,
        )  # fmt: skip
    rim, mid = 0.05, bottom + basin / 2
    back = 0.10  # the ledge that the tap stands on
    for size, at in (
        ((rim / 2, half, basin / 2), (rim / 2, 0, mid)),
        ((back / 2, half, basin / 2), (depth - back / 2, 0, mid)),
        ((depth / 2, rim / 2, basin / 2), (depth / 2, half - rim / 2, mid)),
        ((depth / 2, rim / 2, basin / 2), (depth / 2, rim / 2 - half, mid)),
    ):
        scene.shape(body, "box", size, at, rgba=_STEEL, collide=FIXED)
    centre = (rim + depth - back) / 2
    hollow = ((depth - back - rim) / 2, half - rim)
    scene.shape(
        body, "box", (*hollow, 0.002), (centre, 0, bottom + 0.002), rgba=_STEEL,
        name=f"{name}_bottom",
    )  # fmt: skip
    scene.shape(body, "cylinder", (0.035, 0.003), (centre, 0, bottom + 0.004), rgba=_DARK)
    scene.shape(
        body, "box", (*hollow, 0.004), (centre, 0, height - 0.05), rgba=_HIDDEN,
        name=f"{name}_water",
    )  # fmt: skip
    tap, neck = (depth - 0.05, 0.0, height), 0.24
    for start, end in (
        (tap, (tap[0], 0, height + neck)),
        ((tap[0], 0, height + neck), (centre, 0, height + neck)),
        ((centre, 0, height + neck), (centre, 0, height + neck - 0.04)),
    ):
        scene.shape(body, "capsule", (0.016,), fromto=(*start, *end), rgba=_STEEL)
    scene.shape(
        body, "capsule", (0.011,), rgba=_DARK,
        fromto=(tap[0], -0.07, height + 0.05, tap[0], -0.01, height + 0.03),
    )  # fmt: skip
    fall = height + neck - 0.06 - bottom
    scene.shape(
        body, "cylinder", (0.011, fall / 2), (centre, 0, bottom + fall / 2), rgba=_HIDDEN,
        name=f"{name}_stream",
    )  # fmt: skip
    scene.site(body, name, (0.0, 0.0, height))
    scene.site(body, f"{name}_inside", (centre, 0.0, bottom + 0.005))
    scene.add_object(SceneObject(name, "sink", name, place=f"{name}_inside"))
    scene.insides[name] = Region(name, (centre, 0.0, bottom + basin / 2), (*hollow, basin / 2))
