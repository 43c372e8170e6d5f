"""Every piece of the kit, by name, and an image of each for the docs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import mujoco
import numpy as np
from PIL import Image

from regrasp.core.arrays import Picture
from regrasp.core.errors import UnknownNameError
from regrasp.core.files import atomic_path
from regrasp.worlds.kit.bar import add_bar
from regrasp.worlds.kit.block import add_block
from regrasp.worlds.kit.bottle import add_bottle
from regrasp.worlds.kit.button import add_button
from regrasp.worlds.kit.cabinet import add_cabinet
from regrasp.worlds.kit.capped_bottle import add_capped_bottle
from regrasp.worlds.kit.container import add_container
from regrasp.worlds.kit.counter import add_counter
from regrasp.worlds.kit.crate import add_crate
from regrasp.worlds.kit.cube import add_cube
from regrasp.worlds.kit.cup import add_bowl, add_glass
from regrasp.worlds.kit.dough import add_dough
from regrasp.worlds.kit.drawer import add_drawer
from regrasp.worlds.kit.egg import add_egg, add_egg_half
from regrasp.worlds.kit.firewood import add_stick
from regrasp.worlds.kit.fixture import add_fixture
from regrasp.worlds.kit.franka import add_franka
from regrasp.worlds.kit.fruit import add_apple, add_banana, add_orange
from regrasp.worlds.kit.kettle import add_kettle
from regrasp.worlds.kit.knife import add_knife
from regrasp.worlds.kit.lever import add_lever
from regrasp.worlds.kit.look import add_camera, add_floor_material, add_lights
from regrasp.worlds.kit.microwave import add_microwave
from regrasp.worlds.kit.mixer import add_mixer
from regrasp.worlds.kit.mobile import add_mobile
from regrasp.worlds.kit.mug import add_mug
from regrasp.worlds.kit.oven import add_oven
from regrasp.worlds.kit.pie import add_pie
from regrasp.worlds.kit.rack import add_rack
from regrasp.worlds.kit.refrigerator import add_refrigerator
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.shelf import add_shelf
from regrasp.worlds.kit.sink import add_sink
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.kit.toy import add_toy
from regrasp.worlds.kit.tray import add_tray
from regrasp.worlds.kit.ur5e import add_ur5e
from regrasp.worlds.kit.weight_sensor import add_weight_sensor
from regrasp.worlds.render.raycast import RaycastRenderer

__all__ = ["Builder", "catalogue", "draw_piece", "write_pictures"]

Builder = Callable[[Scene], None]

_FOVY_DEG = 32.0
_MARGIN = 1.12  # room around a piece, as a factor on its distance
_VIEW = (-0.80, -0.55, 0.50)  # from where a piece is seen: furniture faces -x
_VIEWS = dict.fromkeys(("franka", "mobile", "ur5e"), (0.85, -1.0, 0.55))  # but arms work at +x
_ORIGIN = (0.0, 0.0, 0.0)


_ON_THE_FLOOR: tuple[Callable[..., None], ...] = (
    add_apple, add_banana, add_block, add_bottle, add_bowl, add_button, add_cabinet,
    add_capped_bottle, add_container, add_counter, add_crate, add_cube, add_dough, add_drawer,
    add_egg, add_egg_half, add_fixture, add_glass, add_kettle, add_knife, add_lever, add_microwave,
    add_mixer, add_mug, add_orange, add_oven, add_pie, add_rack, add_refrigerator, add_shelf,
    add_sink, add_stick, add_table, add_toy, add_tray, add_weight_sensor,
)  # fmt: skip
_YAW = {
    "block": 0.3, "egg": 0.6, "egg_half": 0.6, "kettle": -0.6, "knife": -0.4, "mug": -0.9,
    "stick": 0.4, "toy": -2.2,
}  # fmt: skip
# Pieces start slightly open, so that an image shows their moving part.
_AJAR = {
    "cabinet": {"cabinet_left_door": 1.2, "cabinet_right_door": 0.35},
    "drawer": {"drawer_drawer": 0.14},
    "microwave": {"microwave_door": 0.9},
    "refrigerator": {"refrigerator_door": 1.2},
}


def catalogue() -> dict[str, Builder]:
    """Builders by name: each adds one piece, with its usual sizes, on the floor of a scene."""
    pieces = {add.__name__.removeprefix("add_"): add for add in _ON_THE_FLOOR}
    found: dict[str, Builder] = {
        "bar": _bar_behind_handles,
        "franka": add_franka,
        "mobile": add_mobile,
        "ur5e": add_ur5e,
        **{name: partial(_on_the_floor, name, add) for name, add in pieces.items()},
    }
    return dict(sorted(found.items()))


def draw_piece(name: str, *, width: int = 320, height: int = 240, seed: int = 0) -> Picture:
    """A picture (height, width, 3) of one piece alone on the floor, with smooth edges."""
    builders = catalogue()
    if name not in builders:
        raise UnknownNameError("piece of the kit", name, builders)
    layout, look = (np.random.default_rng([seed, stream]) for stream in (0, 1))
    scene = Scene(layout=layout, look=look)
    builders[name](scene)
    spec = scene.spec
    model, data = _posed(spec, scene.start)
    position, look_at = _framed(model, data, _VIEWS.get(name, _VIEW), width / height)
    add_camera(spec, "picture", position, look_at, _FOVY_DEG)
    add_lights(spec)
    spec.worldbody.add_geom(
        name="floor",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0, 0, 0.1],
        material=add_floor_material(spec),
    )
    model, data = _posed(spec, scene.start)
    return RaycastRenderer(model, ssaa=2).render(data, "picture", width, height).rgb


def write_pictures(folder: Path, *, width: int = 320, height: int = 240) -> list[Path]:
    """Draw every piece into `folder` as NAME.png. Returns the paths, in the order of names."""
    paths = []
    for name in sorted(catalogue()):
        path = folder / f"{name}.png"
        with atomic_path(path) as draft:
            picture = Image.fromarray(draw_piece(name, width=width, height=height))
            picture.save(draft, format="PNG", optimize=True)
        paths.append(path)
    return paths


def _on_the_floor(name: str, add: Callable[..., None], scene: Scene) -> None:
    add(scene, name, _ORIGIN, **({"yaw": _YAW[name]} if name in _YAW else {}))
    scene.start.update(_AJAR.get(name, {}))


def _bar_behind_handles(scene: Scene) -> None:
    """A bar with its cabinet."""
    add_cabinet(scene, "cabinet", _ORIGIN)
    add_bar(scene, "bar", _ORIGIN)


def _posed(spec: mujoco.MjSpec, start: dict[str, float]) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = spec.compile()
    data = mujoco.MjData(model)
    for joint, position in start.items():
        data.joint(joint).qpos = position
    mujoco.mj_forward(model, data)
    return model, data


def _framed(
    model: mujoco.MjModel, data: mujoco.MjData, view: tuple[float, float, float], aspect: float
) -> tuple[list[float], list[float]]:
    """A camera position in the direction `view`, and its target, to see the whole piece."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners = []
    for i in np.flatnonzero(model.geom_group < 3):
        local = model.geom_aabb[i, :3] + signs * model.geom_aabb[i, 3:]
        corners.append(data.geom_xpos[i] + local @ data.geom_xmat[i].reshape(3, 3).T)
    points = np.concatenate(corners)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    back = np.array(view) / np.linalg.norm(view)
    right = np.cross((0.0, 0.0, 1.0), back)
    right /= np.linalg.norm(right)
    away = points - middle
    tangent = np.tan(np.deg2rad(_FOVY_DEG) / 2)
    across = np.maximum(np.abs(away @ right) / aspect, np.abs(away @ np.cross(back, right)))
    distance = float((away @ back + across / tangent).max()) * _MARGIN
    return (middle + distance * back).tolist(), middle.tolist()
