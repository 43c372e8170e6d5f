"""A cabinet with one or two hinged doors, vertical bar handles, and room for a bar behind them."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, MOVABLE, Region, Scene, SceneObject, Vector

__all__ = ["DOOR_OPEN", "HANDLE_GAP", "add_cabinet", "place_name"]

DOOR_OPEN = 1.35  # rad that count as fully open; the hinge itself goes a little further
HANDLE_GAP = 0.055  # m from the door's mid-plane to the axis of its handle
_WALL = 0.01


def place_name(cabinet: str) -> str:
    """The name of the spot inside a cabinet where things are put."""
    return f"target_position_in_{cabinet}"


def add_cabinet(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    width: float = 0.52,
    height: float = 0.42,
    depth: float = 0.32,
    base: float = 0.10,
    doors: int = 2,
    door_mass: float = 1.0,
    door_friction: float = 1.0,
    handle_friction: float = 1.0,
    colour: str = "brown",
) -> None:
    """Add a cabinet whose front stands at `pos` and faces -x before it is turned by `yaw`.

    Its floor is `base` metres above the ground, so that doors swing over small things. Doors are
    called `NAME_left_door` and `NAME_right_door` (or `NAME_door` when there is one, hinged left),
    handles likewise, and the spot inside `target_position_in_NAME`.
    """
    rgba = scene.colour_of(colour)
    door_rgba = scene.colour_of(colour, 1.25)
    half, wall = width / 2, _WALL
    body = scene.body(name, (pos[0], pos[1], pos[2] + base), yaw=yaw)
    for size, at in (
        ((wall, half, height / 2), (depth, 0, height / 2)),
        ((depth / 2, half, wall), (depth / 2, 0, wall)),
        ((depth / 2, half, wall), (depth / 2, 0, height)),
        ((depth / 2, wall, height / 2), (depth / 2, half, height / 2)),
        ((depth / 2, wall, height / 2), (depth / 2, -half, height / 2)),
        ((depth / 2 - 0.01, half - 0.01, base / 2), (depth / 2 + 0.01, 0, -base / 2)),
    ):
        scene.shape(body, "box", size, at, rgba=rgba, collide=FIXED)

    sides = (("left", 1.0), ("right", -1.0)) if doors == 2 else (("", 1.0),)
    door_half = (half if doors == 2 else width) / 2 - 0.004
    for side, sign in sides:
        prefix = f"{name}_{side}" if side else name
        door, handle = f"{prefix}_door", f"{prefix}_handle"
        panel = scene.body(door, (-0.012, sign * half, height / 2), parent=body)
        scene.hinge_or_slide(
            panel, door, kind="hinge", axis=(0, 0, -sign), reach=1.6, damping=0.3,
            friction=door_friction,
        )  # fmt: skip
        scene.shape(
            panel, "box", (0.01, door_half, height / 2 - 0.01), (0, -sign * door_half, 0),
            rgba=door_rgba, mass=door_mass, collide=FIXED,
        )  # fmt: skip
        x, y = -HANDLE_GAP, -sign * (2 * door_half - 0.045)
        add_bar_handle(scene, panel, (x, y, 0.0), (0, 0, 0.07), friction=handle_friction)
        scene.add_handle(panel, handle, (x, y, 0), (0, 1, 0), joint=door, opens=DOOR_OPEN, of=name)

    spot = place_name(name)
    scene.site(body, name, (0.0, 0.0, height / 2))
    scene.site(body, spot, (0.11, half / 2 if doors == 2 else 0.0, 2 * wall))
    scene.add_object(SceneObject(name, "cabinet", name, place=spot))
    scene.add_object(SceneObject(spot, "place", spot, place=spot, of=name))
    scene.insides[name] = Region(
        name, (depth / 2, 0.0, height / 2), (depth / 2, half - wall, height / 2)
    )


def add_bar_handle(
    scene: Scene, panel: object, centre: Vector, half: Vector, *, friction: float = 1.0
) -> None:
    """A bar on two stand-offs before a panel (whose mid-plane is x = 0).

    It reaches from `centre` by the vector `half` to either side.
    """
    dark = (0.28, 0.28, 0.30, 1.0)
    first = [a - b for a, b in zip(centre, half, strict=True)]
    last = [a + b for a, b in zip(centre, half, strict=True)]
    scene.shape(
        panel, "capsule", (0.009,), fromto=(*first, *last), rgba=dark, mass=0.05,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    for end in (first, last):
        scene.shape(
            panel, "capsule", (0.008,), fromto=(*end, 0, *end[1:]), rgba=dark, mass=0.02,
            collide=MOVABLE,
        )  # fmt: skip
