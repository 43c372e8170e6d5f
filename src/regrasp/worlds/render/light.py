"""The light that falls on points of the scene.

Ambient light, a little stronger on what faces up, and for each lamp its strength times n·l
(Lambert), with a highlight (n·h)^32 (Blinn). It follows MuJoCo's own OpenGL shading closely enough
for a colour to have the same name in both.
"""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np

from regrasp.core.arrays import Floats
from regrasp.worlds.render.shadow import ShadowMap
from regrasp.worlds.render.surface import Surface, column, dot

__all__ = ["illuminate"]

_BELOW = np.float32(0.7)  # ambient light on what faces down, as a share of that on what faces up
_DIRECTIONAL = int(mujoco.mjtLightType.mjLIGHT_DIRECTIONAL)
_SPOT = int(mujoco.mjtLightType.mjLIGHT_SPOT)


def illuminate(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    surface: Surface,
    shadows: Mapping[int, ShadowMap],
) -> tuple[Floats, Floats]:
    """Light (3, N) that the points of `surface` scatter, and highlights (N,) that they mirror.

    `shadows` are the shadow maps of lights by number; a light without one passes through all.
    """
    points, normals, view = surface.points, surface.normals, surface.view
    head = model.vis.headlight
    on = np.float32(1.0 if head.active else 0.0)
    lights = np.flatnonzero(model.light_active).tolist()
    ambient = column(head.ambient) * on
    for i in lights:
        ambient = ambient + column(model.light_ambient[i])
    light = ambient * ((1 + _BELOW) / 2 + (1 - _BELOW) / 2 * normals[2])
    light += column(head.diffuse) * on * np.maximum(dot(normals, view), 0)
    gloss = np.zeros_like(points[0])
    for i in lights:
        towards, strength = _towards(model, data, i, points)
        facing = np.maximum(dot(normals, towards), 0) * strength
        if i in shadows:
            lit = np.flatnonzero(facing > 0)
            facing[lit] *= shadows[i].lit(points.take(lit, axis=1), normals.take(lit, axis=1))
        light += column(model.light_diffuse[i]) * facing
        specular = np.float32(model.light_specular[i].mean())
        if specular > 0:
            half = towards + view
            shine = np.maximum(dot(normals, half), 0) ** 2 / dot(half, half)
            for _ in range(4):
                shine *= shine
            gloss += specular * shine * (facing > 0)
    return light, gloss


def _towards(
    model: mujoco.MjModel, data: mujoco.MjData, light: int, points: Floats
) -> tuple[Floats, Floats]:
    """Unit vectors to the light, (3, N) or (3, 1), and how much of its strength arrives."""
    aim = column(data.light_xdir[light])
    if int(model.light_type[light]) == _DIRECTIONAL:
        return -aim, np.ones(1, np.float32)
    towards = column(data.light_xpos[light]) - points
    square = dot(towards, towards)
    distance = np.sqrt(square)
    towards /= distance
    a, b, c = model.light_attenuation[light].astype(np.float32)
    strength = 1 / (a + b * distance + c * square)
    if int(model.light_type[light]) == _SPOT:
        edge = np.float32(np.cos(np.deg2rad(float(model.light_cutoff[light]))))
        strength *= np.clip((-dot(towards, aim) - edge) / (1 - edge) * 4, 0, 1)  # a soft rim
    return towards, strength
