"""Pieces of furniture in a voxel map: what stands on the floor between the walls.

Columns of the map that reach higher than a person are walls. What is left falls into connected
groups of columns; each gets the smallest upright box around it. Some kinds are told by their shape:
how high and large a piece is, and whether one sees through below its top. A table has legs, a chest
is closed. Colour tells tables apart. The side away from the nearest wall is the front.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array, Floats, Picture
from regrasp.core.grounded import Bits
from regrasp.perception.colour_names import colour_share
from regrasp.perception.components import grid_components
from regrasp.perception.occupancy import grown
from regrasp.perception.voxel_map import VoxelMap

__all__ = [
    "FURNITURE", "FurnitureKind", "FurniturePiece", "NamedKind", "assign_pieces",
    "furniture_pieces",
]  # fmt: skip

_WALL_M, _WALL_CELLS = 1.78, 1.5  # height from which a column is a wall; cells around it
_FOOT_M = 0.10
_LEAST_COLUMNS, _LEAST_TOP = 8, 60
_TURNS = 30  # directions of a box that are tried within a quarter turn
_LEAST_FIT = 0.25
_TOP_M, _TOP_SHARE = 0.08, 0.12  # thickness of the top layer, and how many columns reach it
_BEHIND_M = 0.35  # so far behind a piece a wall is looked for
_MIDDLE_TOP_M = 0.6  # only differences of height count among the pieces of a kind
_PALE = 0.6  # share of a colour from which a piece counts as of that colour

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class FurniturePiece:
    """An upright box: `centre` (3,), half `sizes` (2,) along its axes turned by `yaw`, and `top`.

    `front` (2,) is the level direction away from the wall at its back, zero where there is none.
    `open_below` is the share of the space under its top that was seen to be free. `colours` (n, 3)
    are those of its top and of its sides.
    """

    centre: Array
    sizes: Array
    yaw: float
    front: Array
    top: float
    open_below: float
    colours: Picture

    @property
    def depth(self) -> float:
        """Half its size (m) along its front."""
        along = abs(self.front @ np.array([math.cos(self.yaw), math.sin(self.yaw)]))
        return float(self.sizes[0] if along > 0.5 else self.sizes[1])

    def distance(self, point: Array) -> float:
        """How far (m) a point (2 or more,) is from the box along the floor."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        x, y = np.asarray(point, float)[:2] - self.centre[:2]
        beyond = np.abs([x * c + y * s, y * c - x * s]) - self.sizes
        return float(np.linalg.norm(np.maximum(beyond, 0.0)))

    def ahead(self, points: Array | Floats) -> Array:
        """How far (n,) points (n, 3) are before its front (m); negative inside of it."""
        away: Array = (points[:, :2] - self.centre[:2]) @ self.front - self.depth
        return away

    def front_point(self, height: float) -> Array:
        """The middle (3,) of its front at a height (m)."""
        return np.array([*(self.centre[:2] + self.depth * self.front), height])

    def contains(self, points: Array | Floats, margin: float = 0.0, above: float = 0.0) -> Bits:
        """Which points (n, 3) are in the box, grown by `margin` m and by `above` m over the top."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        away = points[:, :2] - self.centre[:2]
        along, across = away[:, 0] * c + away[:, 1] * s, away[:, 1] * c - away[:, 0] * s
        inside = (np.abs(along) <= self.sizes[0] + margin) & (
            np.abs(across) <= self.sizes[1] + margin
        )
        return np.asarray(inside & (points[:, 2] <= self.top + margin + above))


@dataclass(frozen=True, slots=True)
class FurnitureKind:
    """How a kind looks: ranges of its top (m), of its longer and shorter side (m), and openness."""

    top: tuple[float, float]
    longer: tuple[float, float]
    shorter: tuple[float, float]
    open_below: tuple[float, float]

    def fit(self, piece: FurniturePiece) -> float:
        """How well a piece fits, from 0 to 1."""
        shorter, longer = sorted(2.0 * piece.sizes)
        return (
            _within(piece.top, self.top, 0.12)
            * _within(float(longer), self.longer, 0.15)
            * _within(float(shorter), self.shorter, 0.15)
            * _within(piece.open_below, self.open_below, 0.25)
        )


@dataclass(frozen=True, slots=True)
class NamedKind:
    """A name, the kind that its words say, and the number of its colour; None for none.

    `height` is -1 for the low one of a kind, 1 for the high one, 0 where nothing is said.
    """

    name: str
    kind: str
    colour: int | None = None
    height: int = 0


FURNITURE = {
    "table": FurnitureKind((0.35, 0.95), (0.75, 1.6), (0.4, 1.0), (0.45, 1.0)),
    "drawer": FurnitureKind((0.45, 1.10), (0.4, 1.0), (0.35, 0.7), (0.0, 0.25)),
    "bookshelf": FurnitureKind((1.15, 1.70), (0.75, 1.4), (0.2, 0.5), (0.0, 1.0)),
}
"""The kinds that shape alone tells, in the words of `kind_segments`."""


def furniture_pieces(voxels: VoxelMap) -> tuple[FurniturePiece, ...]:
    """The pieces of a map, the largest first."""
    heights = voxels.low[2] + (np.arange(voxels.shape[2]) + 0.5) * voxels.voxel
    full = voxels.occupied
    tall = np.asarray(full[:, :, heights > _WALL_M].any(axis=2))
    walls = grown(tall, _WALL_CELLS)
    body = full & (heights > _FOOT_M)[None, None]
    standing = np.asarray(body.any(axis=2)) & ~walls
    labels = grid_components(grown(standing, 1.0))
    pieces = []
    for label in np.unique(labels[standing]):
        columns = np.argwhere((labels == label) & standing)
        if len(columns) < _LEAST_COLUMNS:
            continue
        whole = _piece(voxels, columns, body, tall)
        parts = [whole] if _fits(whole) else []
        for some in [] if parts else _of_one_height(columns, body, standing.shape):
            part = _piece(voxels, some, body, tall)
            if _fits(part) and all(part.distance(one.centre) > 0.0 for one in parts):
                parts.append(part)
        pieces += parts or [whole]
    return tuple(sorted(pieces, key=lambda one: -float(np.prod(one.sizes))))


def _fits(piece: FurniturePiece) -> bool:
    return any(kind.fit(piece) >= _LEAST_FIT for kind in FURNITURE.values())


def _of_one_height(columns: Indices, body: Bits, shape: tuple[int, ...]) -> list[Indices]:
    """The connected columns whose tops are equally high: a table, without the wall beside it.

    A wall whose upper part no picture shows is not told from furniture by its height.
    """
    rows, across = columns.T
    tops = body.shape[2] - 1 - body[rows, across][:, ::-1].argmax(axis=1)
    found = []
    for level in np.unique(tops):
        alike = np.zeros(shape, bool)
        chosen = np.abs(tops - level) <= 1
        alike[rows[chosen], across[chosen]] = True
        labels = grid_components(alike)
        names, counts = np.unique(labels[alike], return_counts=True)
        large = names[counts >= _LEAST_TOP]
        found += [np.argwhere(labels == name) for name in large]
    return sorted(found, key=len, reverse=True)


def _piece(voxels: VoxelMap, columns: Indices, body: Bits, tall: Bits) -> FurniturePiece:
    heights = voxels.low[2] + (np.arange(voxels.shape[2]) + 0.5) * voxels.voxel
    rows, across = columns.T
    layers = body[rows, across]
    counts = layers.sum(axis=0)
    level = float(heights[np.flatnonzero(counts >= max(2, _TOP_SHARE * len(columns)))].max())
    points = voxels.low[:2] + (columns + 0.5) * voxels.voxel
    yaw, centre, sizes = _smallest_box(points)
    under = (heights > _FOOT_M + 0.05) & (heights < level - 0.12)
    seen_free = voxels.log_odds[rows, across][:, under] < 0.0
    near_top = layers & (np.abs(heights - level) < _TOP_M)[None]
    which = near_top if near_top.any() else layers
    k, z = np.nonzero(which)
    return FurniturePiece(
        np.array([*centre, level / 2]), sizes + voxels.voxel / 2, yaw,
        _front(voxels, tall, yaw, centre, sizes), level + voxels.voxel / 2,
        float(seen_free.mean()) if seen_free.size else 0.0, voxels.colour[rows[k], across[k], z],
    )  # fmt: skip


def _smallest_box(points: Array) -> tuple[float, Array, Array]:
    """Yaw (rad), centre (2,) and half sizes (2,) of the smallest box around points (n, 2)."""
    best: tuple[float, float, Array, Array] | None = None
    for yaw in np.arange(_TURNS) * (math.pi / 2 / _TURNS):
        c, s = math.cos(yaw), math.sin(yaw)
        turned = points @ np.array([[c, -s], [s, c]])
        low, high = np.percentile(turned, (1, 99), axis=0)
        area = float(np.prod(high - low + 0.05))
        if best is None or area < best[0]:
            middle = (low + high) / 2
            centre = np.array([c * middle[0] - s * middle[1], s * middle[0] + c * middle[1]])
            best = area, float(yaw), centre, (high - low) / 2
    assert best is not None  # at least one direction is tried
    return best[1], best[2], best[3]


def _front(voxels: VoxelMap, tall: Bits, yaw: float, centre: Array, sizes: Array) -> Array:
    """The direction (2,) away from the side behind which most of a wall is."""
    axes = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    walls = []
    for k, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        beyond = sizes[k] + np.arange(0.0, _BEHIND_M, voxels.voxel)
        beside = np.linspace(-0.8, 0.8, 9) * sizes[1 - k]
        spots = centre + sign * beyond[:, None, None] * axes[k] + beside[:, None] * axes[1 - k]
        index = np.floor((spots.reshape(-1, 2) - voxels.low[:2]) / voxels.voxel).astype(int)
        index = np.clip(index, 0, np.array(tall.shape) - 1)
        hit = tall[tuple(index.T)].reshape(len(beyond), len(beside))
        walls.append((float(hit.any(axis=0).mean()), -sign * axes[k]))
    most, front = max(walls, key=lambda one: one[0])
    return front if most > 0.5 else np.zeros(2)


def assign_pieces(
    names: Iterable[NamedKind], pieces: Iterable[FurniturePiece]
) -> dict[str, FurniturePiece]:
    """The piece of each name, the best fit first; a piece has one name.

    Shape decides whether a piece can be it, colour only which: light changes colours, so that the
    last table is the wooden one although it looks red.
    """
    listed = list(pieces)
    fits = []
    for one in names:
        if one.kind in FURNITURE:
            for number, piece in enumerate(listed):
                fit = FURNITURE[one.kind].fit(piece)
                if fit < _LEAST_FIT:
                    continue
                if one.colour is not None:
                    fit *= min(1.0, 0.1 + 0.9 * colour_share(piece.colours, one.colour) / _PALE)
                fit *= math.exp(one.height * (piece.top - _MIDDLE_TOP_M))
                fits.append((fit, one.name, number))
    found: dict[str, FurniturePiece] = {}
    taken: set[int] = set()
    for _, name, number in sorted(fits, key=lambda one: -one[0]):
        if name not in found and number not in taken:
            found[name] = listed[number]
            taken.add(number)
    return found


def _within(value: float, span: tuple[float, float], soft: float) -> float:
    """1 inside a range, falling to 0 at `soft` outside of it."""
    outside = max(span[0] - value, value - span[1], 0.0)
    return max(0.0, 1.0 - outside / soft)
