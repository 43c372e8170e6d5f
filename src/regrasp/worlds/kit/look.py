"""The appearance of a scene: named colours, light, sky, floor and cameras, before compilation.

Nothing here changes the physics. Every random draw takes its generator from the caller, so the
same seed gives the same picture; `None` gives the plain look.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

import mujoco
import numpy as np

from regrasp.core.errors import RegraspError, UnknownNameError

__all__ = [
    "PALETTE",
    "Vector",
    "add_camera",
    "add_floor_material",
    "add_lights",
    "colour",
    "jitter_camera",
    "jitter_colour",
    "standard_cameras",
]

Vector = Sequence[float]
Rgba = tuple[float, float, float, float]

#: Named colours: red, green, blue in 0..1. No two are close, so that each can be recognised.
PALETTE: Final = MappingProxyType(
    {
        "red": (0.82, 0.11, 0.10),
        "green": (0.16, 0.62, 0.20),
        "blue": (0.12, 0.32, 0.83),
        "yellow": (0.96, 0.82, 0.10),
        "orange": (0.97, 0.50, 0.07),
        "purple": (0.48, 0.20, 0.68),
        "white": (0.93, 0.93, 0.91),
        "black": (0.08, 0.08, 0.09),
        "grey": (0.50, 0.51, 0.53),
        "brown": (0.47, 0.29, 0.15),
        "pink": (0.96, 0.52, 0.68),
        "cyan": (0.15, 0.75, 0.83),
    }
)

_SKY, _BELOW = (0.46, 0.62, 0.82), (0.98, 0.98, 0.98)  # the horizon is half way between
_FLOOR, _FLOOR_2 = (0.80, 0.79, 0.77), (0.73, 0.72, 0.70)
_TILE_M = 0.25  # edge of one floor tile
_PARALLEL = 1e-3  # sine of the angle below which a view counts as parallel to `up`


# ---- colour -------------------------------------------------------------------------------------


def colour(name: str, alpha: float = 1.0) -> Rgba:
    """The named colour as (red, green, blue, alpha), each in 0..1."""
    if name not in PALETTE:
        raise UnknownNameError("colour", name, PALETTE)
    return (*PALETTE[name], alpha)


def jitter_colour(rgba: Vector, rng: np.random.Generator, amount: float = 0.06) -> Rgba:
    """Shift a colour's brightness by up to `amount` and each channel by up to half; keep alpha."""
    shift = rng.uniform(-amount, amount) + rng.uniform(-amount / 2, amount / 2, 3)
    red, green, blue = np.clip(np.asarray(rgba[:3], float) + shift, 0.0, 1.0)
    return (float(red), float(green), float(blue), float(rgba[3]) if len(rgba) > 3 else 1.0)


# ---- light and floor ----------------------------------------------------------------------------


def add_lights(spec: mujoco.MjSpec, rng: np.random.Generator | None = None) -> None:
    """Add a sky, soft ambient light, a key light that casts shadows, and a fill light against them.

    With `rng` the key light's direction (up to 20 degrees), all strengths (up to 20%) and the
    warmth of the light are drawn.
    """
    tilt, gain, warmth = np.zeros(2), np.ones(3), 0.0
    if rng is not None:
        tilt = np.tan(np.deg2rad(rng.uniform(-20.0, 20.0, 2)))
        gain, warmth = rng.uniform(0.8, 1.2, 3), rng.uniform(-0.06, 0.06)
    tint = np.array([1.0 + warmth, 1.0, 1.0 - warmth])
    headlight = spec.visual.headlight
    headlight.ambient = list(0.47 * gain[0] * tint)
    headlight.diffuse = list(0.18 * gain[0] * tint)
    headlight.specular = [0.0, 0.0, 0.0]
    _sun(spec, "key", (0.50 + tilt[0], 0.30 + tilt[1], -1.0), 0.44 * gain[1] * tint, shadow=True)
    _sun(spec, "fill", (0.35, -0.90, -0.55), 0.20 * gain[2] / tint, shadow=False)
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=list(_SKY),
        rgb2=list(_BELOW),
        width=64,
        height=384,
    )


def add_floor_material(spec: mujoco.MjSpec, rng: np.random.Generator | None = None) -> str:
    """Add a material of pale square tiles, 0.25 m each, and return the name a plane takes it by.

    With `rng` the shade of the tiles and the contrast between them are drawn.
    """
    light, dark = np.array(_FLOOR), np.array(_FLOOR_2)
    if rng is not None:
        shade = rng.uniform(-0.18, 0.06) + rng.uniform(-0.04, 0.04, 3)
        light, dark = light + shade, dark + shade + rng.uniform(-0.05, 0.03)
    name = "floor"
    spec.add_texture(
        name=name,
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=list(np.clip(light, 0.0, 1.0)),
        rgb2=list(np.clip(dark, 0.0, 1.0)),
        width=256,
        height=256,
    )
    material = spec.add_material(name=name, texrepeat=[1.0 / _TILE_M] * 2, texuniform=True)
    textures = [""] * int(mujoco.mjtTextureRole.mjNTEXROLE)
    textures[int(mujoco.mjtTextureRole.mjTEXROLE_RGB)] = name
    material.textures = textures
    return name


# ---- cameras ------------------------------------------------------------------------------------


def add_camera(
    parent: mujoco.MjSpec | mujoco.MjsBody,
    name: str,
    position: Vector,
    look_at: Vector,
    fovy_deg: float = 45.0,
    *,
    up: Vector = (0.0, 0.0, 1.0),
) -> mujoco.MjsCamera:
    """Add a camera at `position` whose middle pixel sees `look_at` (both m, in the parent's frame).

    `parent` is a body, or a spec for a camera that stands in the world. `fovy_deg` is the vertical
    field of view. `up` is drawn upwards in the picture; a view along `up` takes x instead.
    """
    back = np.asarray(position, float) - np.asarray(look_at, float)
    distance = float(np.linalg.norm(back))
    if distance == 0.0:
        raise RegraspError(f"camera {name!r} stands on the point it looks at: move one of them.")
    back /= distance
    right = np.cross(np.asarray(up, float), back)
    if float(np.linalg.norm(right)) < _PARALLEL:
        right = np.cross((1.0, 0.0, 0.0), back)
    right /= np.linalg.norm(right)
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.stack([right, np.cross(back, right), back], axis=1).flatten())
    body = parent.worldbody if isinstance(parent, mujoco.MjSpec) else parent
    return body.add_camera(
        name=name, pos=[float(x) for x in position], quat=list(quat), fovy=fovy_deg
    )


def standard_cameras(spec: mujoco.MjSpec, look_at: Vector = (0.58, 0.0, 0.25)) -> None:
    """Add `front` and `side`, for an arm at the origin facing furniture at x = 0.5–1.0 m.

    `front` looks over the robot's right shoulder, where the arm hides no door; `side` looks from
    the left, lower, along the fronts of the furniture, where depth in x is what is seen best.
    """
    add_camera(spec, "front", (-0.26, -1.04, 1.08), look_at, 46.0)
    add_camera(spec, "side", (-0.16, 1.20, 0.84), look_at, 46.0)


def jitter_camera(
    camera: mujoco.MjsCamera,
    rng: np.random.Generator,
    *,
    position_m: float = 0.03,
    angle_deg: float = 2.0,
    fovy_deg: float = 2.0,
) -> None:
    """Move, turn and zoom a camera by up to these amounts along and about each of its axes."""
    camera.pos = np.asarray(camera.pos) + rng.uniform(-position_m, position_m, 3)
    camera.fovy = float(camera.fovy) + rng.uniform(-fovy_deg, fovy_deg)
    turn, quat = np.zeros(4), np.zeros(4)
    mujoco.mju_euler2Quat(turn, np.deg2rad(rng.uniform(-angle_deg, angle_deg, 3)), "xyz")
    mujoco.mju_mulQuat(quat, np.asarray(camera.quat), turn)
    camera.quat = quat


def _sun(
    spec: mujoco.MjSpec, name: str, direction: Vector, diffuse: Vector, *, shadow: bool
) -> None:
    d = np.asarray(direction, float)
    d /= np.linalg.norm(d)
    spec.worldbody.add_light(
        name=name,
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=list(-3.0 * d),
        dir=list(d),
        diffuse=list(diffuse),
        specular=[0.15 if shadow else 0.0] * 3,
        castshadow=shadow,
    )
