"""The visible geoms of a scene, and the viewpoint (`Eye`)."""

from __future__ import annotations

from dataclasses import dataclass, fields

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array, Floats
from regrasp.worlds.render.base import ALPHA_MIN, GROUPS
from regrasp.worlds.render.primitives import unit_sizes

__all__ = ["Eye", "Solids", "gather", "geom_rgba"]

_DEFAULT_RGBA = np.array((0.5, 0.5, 0.5, 1.0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """A point of view: position (3,), rotation (3, 3, columns right, up, back), pixel grid.

    `u` (W,) rises to the right and `v` (H,) falls downwards, both evenly: the tangents of the
    pixels' angles. Nothing nearer than `near` metres is seen.
    """

    position: Array
    rotation: Array
    u: Array
    v: Array
    near: float


@dataclass(frozen=True, slots=True, eq=False)
class Solids:
    """Geoms in the world: ids, types (G,), centres (G, 3), rotations (G, 3, 3), colours (G, 4).

    Each is `sizes` (G, 3) times its unit primitive, whose own lengths are `limits` (G, 3), and lies
    within `half` (G, 3) of `bound` (G, 3) in its own frame.
    """

    ids: npt.NDArray[np.int32]
    types: npt.NDArray[np.int32]
    centres: Array
    rotations: Array
    rgba: Floats
    sizes: Array
    limits: Array
    bound: Array
    half: Array

    def where(self, chosen: npt.NDArray[np.bool_]) -> Solids:
        """Those that are `chosen` (G,)."""
        return Solids(*(getattr(self, field.name)[chosen] for field in fields(self)))


def gather(model: mujoco.MjModel, data: mujoco.MjData) -> Solids:
    """The geoms that are drawn, where `data` has put them."""
    rgba = geom_rgba(model)
    ids = np.flatnonzero((model.geom_group < GROUPS) & (rgba[:, 3] >= ALPHA_MIN)).astype(np.int32)
    types = model.geom_type[ids].astype(np.int32)
    sizes = unit_sizes(types, model.geom_size[ids])
    return Solids(
        ids=ids,
        types=types,
        centres=data.geom_xpos[ids],
        rotations=data.geom_xmat[ids].reshape(-1, 3, 3),
        rgba=rgba[ids],
        sizes=sizes,
        limits=model.geom_size[ids] / sizes,
        bound=model.geom_aabb[ids, :3],
        half=model.geom_aabb[ids, 3:],
    )


def geom_rgba(model: mujoco.MjModel) -> Floats:
    """The colour (G, 4) of every geom: its own, or its material's where it has none of its own."""
    rgba = np.array(model.geom_rgba, np.float32)
    plain = (model.geom_matid >= 0) & (rgba == _DEFAULT_RGBA).all(axis=1)
    rgba[plain] = model.mat_rgba[model.geom_matid[plain]]
    return rgba
