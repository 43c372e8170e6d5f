"""Colours of the visible points: sky, surface colours, light, haze."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Floats
from regrasp.worlds.render.light import illuminate
from regrasp.worlds.render.primitives import PLANE
from regrasp.worlds.render.shadow import ShadowMap
from regrasp.worlds.render.surface import Surface, column, dot, ray_directions, surface
from regrasp.worlds.render.texture import Pyramid
from regrasp.worlds.render.trace import Hits

__all__ = ["Surroundings", "shade"]

_SHOULDER = np.float32(0.8)  # brightness above which light is compressed instead of clipped
_HAZE_START, _HAZE_END = np.float32(2.5), np.float32(9.0)  # m at which a floor fades into the sky
_GRAZING = np.float32(0.02)  # cosine at which a floor's pixels stop growing


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The surroundings of the solids: the sky's colours (3, K), floor textures by material number.

    `shadows` are the shadow maps of lights by number.
    """

    sky: Floats
    floors: Mapping[int, Pyramid]
    shadows: Mapping[int, ShadowMap]


def shade(model: mujoco.MjModel, data: mujoco.MjData, hits: Hits, around: Surroundings) -> Floats:
    """Colours (3, H, W) in 0..1 of what is seen."""
    rays = ray_directions(hits.eye)
    out = np.empty_like(rays)
    bare = np.flatnonzero(hits.row < 0)
    out[:, bare] = _sky(around.sky, rays.take(bare, axis=1))

    seen = surface(hits, rays)
    light, gloss = illuminate(model, data, seen, around.shadows)
    colour = hits.solids.rgba[:, :3].T.copy().take(seen.rows, axis=1)
    floor = np.flatnonzero(hits.solids.types[seen.rows] == PLANE)
    if len(floor) and around.floors:
        pixel = seen.depth[floor] * np.float32(hits.eye.u[1] - hits.eye.u[0])
        pixel /= np.maximum(dot(seen.normals, seen.view)[floor], _GRAZING)
        colour[:, floor] *= _tiles(model, seen, floor, pixel, around.floors)
    colour = colour * light + gloss
    over = np.maximum(colour - _SHOULDER, 0)
    colour = np.minimum(colour, _SHOULDER) + over / (1 + over / (1 - _SHOULDER))

    far = floor[seen.distance[floor] > _HAZE_START]
    haze = np.minimum((seen.distance[far] - _HAZE_START) / (_HAZE_END - _HAZE_START), 1)
    level = -seen.view.take(far, axis=1)
    level[2] = 0
    colour[:, far] += haze * (_sky(around.sky, level) - colour[:, far])
    out[:, seen.pixels] = colour
    return out.reshape(3, *hits.row.shape)


def _sky(profile: Floats, rays: Floats) -> Floats:
    """The sky's colours (3, N) along `rays`, as if painted on a box around the scene."""
    slope = rays[2] / np.maximum(np.maximum(np.abs(rays[0]), np.abs(rays[1])), np.float32(1e-6))
    place = (1 - np.clip(slope, -1, 1)) * np.float32(0.5 * (profile.shape[1] - 1))
    above = np.minimum(np.floor(place), np.float32(profile.shape[1] - 2))
    part, index = place - above, above.astype(np.intp)
    high, low = profile.take(index, axis=1), profile.take(index + 1, axis=1)
    return np.asarray(high + part * (low - high), np.float32)


def _tiles(
    model: mujoco.MjModel,
    seen: Surface,
    floor: npt.NDArray[np.intp],
    pixel: Floats,
    textures: Mapping[int, Pyramid],
) -> Floats:
    """Texture colours (3, N) of the points `floor` (N,), averaged over `pixel` (N,) metres.

    A texture spans two units of length, as MuJoCo has it, or once the plane's own size.
    """
    solids, rows = seen.solids, seen.rows[floor]
    out = np.ones((3, len(floor)), np.float32)
    for row in np.flatnonzero(np.bincount(rows)).tolist():
        material = int(model.geom_matid[solids.ids[row]])
        if material not in textures:
            continue
        here = np.flatnonzero(rows == row)
        x = seen.points.take(floor[here], axis=1) - column(solids.centres[row])
        span = 2 * solids.limits[row, :2]
        if model.mat_texuniform[material] or not span.all():
            span = np.array([2.0, 2.0])
        repeat = (model.mat_texrepeat[material] / span).astype(np.float32)
        s, t = (dot(column(solids.rotations[row, :, i]), x) * repeat[i] for i in range(2))
        out[:, here] = textures[material].sample(s, t, pixel[here] * repeat.max())
    return out
