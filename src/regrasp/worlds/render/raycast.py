"""A renderer that needs only NumPy and gives the same bytes with the same package versions.

It traces each primitive over its own rectangle of pixels (trace.py), then shades what is seen
(shade.py). One light casts shadows; one layer of transparency is blended.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array, Floats
from regrasp.core.errors import RegraspError
from regrasp.worlds.render.base import FAR_M, Frame, camera_id
from regrasp.worlds.render.shade import Surroundings, shade
from regrasp.worlds.render.shadow import ShadowMap, cast
from regrasp.worlds.render.solids import Eye, gather
from regrasp.worlds.render.texture import floor_texture, sky_profile
from regrasp.worlds.render.trace import Hits, trace

__all__ = ["RaycastRenderer"]

_OPAQUE = 0.999
_SHADOW_MAX = 448  # pixels along an edge of a shadow map; more makes no visible difference


class RaycastRenderer:
    """Draws a model with NumPy, from perspective cameras given by their `fovy`.

    `shadows` casts those of the first light that has any. `ssaa` is the number of samples along
    each edge of a pixel: 2 smooths every edge and costs about three times as much.
    """

    name = "raycast"

    def __init__(self, model: mujoco.MjModel, *, shadows: bool = True, ssaa: int = 1) -> None:
        if ssaa < 1:
            raise RegraspError(f"ssaa is {ssaa}; it counts samples along a pixel's edge: 1, 2, 3 …")
        self._model, self._shadows, self._ssaa = model, shadows, ssaa
        floors = {i: floor_texture(model, i) for i in range(model.nmat)}
        self._around = Surroundings(
            sky=sky_profile(model),
            floors={i: pyramid for i, pyramid in floors.items() if pyramid is not None},
            shadows={},
        )
        self._grids: dict[tuple[float, int, int], tuple[Array, Array]] = {}
        self._shadow: tuple[tuple[object, ...], ShadowMap | None] = ((), None)

    def render(self, data: mujoco.MjData, camera: str, width: int, height: int) -> Frame:
        """The picture that `camera` takes of the state `data`, `width` by `height` pixels."""
        return self.labelled(data, camera, width, height)[0]

    def labelled(
        self, data: mujoco.MjData, camera: str, width: int, height: int
    ) -> tuple[Frame, npt.NDArray[np.int32]]:
        """The picture and the geom ids (see `segment`) of its pixels, by tracing once."""
        k = self._ssaa
        hits = self._trace(data, camera, width * k, height * k)
        around = self._cast(data, hits) if self._shadows else self._around
        colours = self._shade(data, hits, around)
        if k > 1:
            colours = colours.reshape(3, height, k, width, k).mean(axis=(2, 4), dtype=np.float32)
        rgb = (colours.transpose(1, 2, 0) * np.float32(255) + np.float32(0.5)).astype(np.uint8)
        depth = hits.depth[k // 2 :: k, k // 2 :: k].copy()
        depth[depth > FAR_M] = np.inf
        return Frame(np.ascontiguousarray(rgb), depth), hits.ids[k // 2 :: k, k // 2 :: k]

    def segment(
        self, data: mujoco.MjData, camera: str, width: int, height: int
    ) -> npt.NDArray[np.int32]:
        """The geom id seen by each pixel, (H, W) int32, -1 for none: for training data only."""
        return self._trace(data, camera, width, height).ids

    def alone(
        self,
        data: mujoco.MjData,
        camera: str,
        width: int,
        height: int,
        geoms: npt.NDArray[np.bool_],
    ) -> int:
        """How many pixels some geoms, (ngeom,) of bool, would cover if nothing else were there."""
        solids = gather(self._model, data)
        eye = self._eye(data, camera, width, height)
        hits = trace(self._model, data, eye, solids.where(geoms[solids.ids]))
        return int((hits.row >= 0).sum())

    def close(self) -> None:
        """Does nothing: there are no resources to free."""

    def _trace(self, data: mujoco.MjData, camera: str, width: int, height: int) -> Hits:
        eye = self._eye(data, camera, width, height)
        return trace(self._model, data, eye, gather(self._model, data))

    def _eye(self, data: mujoco.MjData, camera: str, width: int, height: int) -> Eye:
        model = self._model
        number = camera_id(model, camera)
        if min(width, height) < 2:
            raise RegraspError(f"a picture needs at least 2 x 2 pixels, not {width} x {height}.")
        fovy = float(model.cam_fovy[number])
        key = (fovy, width, height)
        if key not in self._grids:
            top = math.tan(math.radians(fovy) / 2)
            across = (2 * np.arange(width) + 1) / width - 1
            down = 1 - (2 * np.arange(height) + 1) / height
            self._grids[key] = (across * (top * width / height), down * top)
        u, v = self._grids[key]
        position, rotation = (
            data.cam_xpos[number].copy(),
            data.cam_xmat[number].reshape(3, 3).copy(),
        )
        near = float(model.vis.map.znear * model.stat.extent)
        return Eye(position, rotation, u, v, near)

    def _cast(self, data: mujoco.MjData, hits: Hits) -> Surroundings:
        """The surroundings with the shadows of the first light that casts any.

        Several cameras that look at one moment share them.
        """
        model, solids = self._model, hits.solids
        resolution = min(max(hits.row.shape), _SHADOW_MAX)
        casting = np.flatnonzero(model.light_active.astype(bool) & model.light_castshadow)
        for light in casting[:1].tolist():
            lamp = data.light_xpos[light], data.light_xdir[light]
            shapes = (getattr(solids, field.name) for field in fields(solids))
            moment = (light, resolution, *(array.tobytes() for array in (*lamp, *shapes)))
            if self._shadow[0] != moment:
                self._shadow = moment, cast(model, data, light, solids, resolution)
            shadow = self._shadow[1]
            if shadow is not None:
                return replace(self._around, shadows={light: shadow})
        return self._around

    def _shade(self, data: mujoco.MjData, hits: Hits, around: Surroundings) -> Floats:
        """Colours (3, H, W); behind a transparent surface the nearest opaque one shines through."""
        front = shade(self._model, data, hits, around)
        alpha = np.append(hits.solids.rgba[:, 3], np.float32(1))[hits.row]
        if (alpha > _OPAQUE).all():
            return front
        opaque = hits.solids.where(hits.solids.rgba[:, 3] > _OPAQUE)
        back = shade(self._model, data, trace(self._model, data, hits.eye, opaque), around)
        return np.asarray(back + alpha * (front - back), np.float32)
