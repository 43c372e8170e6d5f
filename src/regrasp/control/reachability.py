"""A reachability map: which poses of the hand an arm can reach, precomputed.

Many postures are sampled, and the cells of hand poses that they visit are recorded, with their
manipulability (Zacharias, Borst and Hirzinger 2007; Vahrenkamp, Asfour and Dillmann 2013).

A pose has six coordinates, but the first joint only turns the hand about its own axis, and the last
one only about its own. So the map has four coordinates: of the origin of the last joint's frame,
the distance from the first axis and the height along it; of the last joint's axis, its direction
seen from there, on the faces of a cube. A posture is sampled without those two joints. It visits a
cell with the azimuth φ₀ of that origin and the roll ψ₀ about the last axis. A pose with azimuth φ
and roll ψ is reachable from it if φ - φ₀ lies within the limits of the first joint, and ψ - ψ₀
within those of the last one. Each cell keeps the set of visited (φ₀, ψ₀) as a table of 16 × 16
bits.

A query asks the 16 cells around a pose and weighs their answers by its place between their centres,
so that the edge of the reachable set is known to a fraction of a cell.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from regrasp.control.serial_chain import SerialChain, rotation_of
from regrasp.core.arrays import Array, Floats
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import open_regular
from regrasp.core.files import atomic_folder
from regrasp.core.grounded import Bits, ReachIndex

__all__ = ["DEFAULT_RESOLUTION", "ReachabilityMap", "Resolution", "reachability_map"]

_VERSION = 1  # of the files' layout
_ANGLES = 16  # parts of a full turn
_CHUNK = 100_000  # postures sampled at once
_MEASURED = 4_000  # postures of a chunk whose manipulability is computed
_TAU = 2.0 * np.pi
_Numbers: TypeAlias = Array | Floats


@dataclass(frozen=True, slots=True)
class Resolution:
    """Cells of `step` m and of a face of the cube / `parts`; `samples` postures.

    A pose is reachable if the cells around it say so with a weight of `agreement` or more.
    """

    step: float = 0.03
    parts: int = 8
    samples: int = 8_000_000
    agreement: float = 0.75


DEFAULT_RESOLUTION = Resolution()


@dataclass(frozen=True, slots=True, eq=False)
class _WristPose:
    """Coordinates (n,) of wrist frames: distance, height, face, u, v in [-1, 1], φ and ψ."""

    distance: Array
    height: Array
    face: npt.NDArray[np.int64]
    u: Array
    v: Array
    azimuth: Array
    roll: Array

    @classmethod
    def of(cls, position: _Numbers, axis: _Numbers, side: _Numbers) -> _WristPose:
        """Of origins (3, n), their z axes (3, n) and x axes (3, n)."""
        x, y, z = position
        distance = np.hypot(x, y)
        divisor = np.maximum(distance, 1e-9)
        c, s = x / divisor, y / divisor
        axis = np.stack([c * axis[0] + s * axis[1], c * axis[1] - s * axis[0], axis[2]])
        side = np.stack([c * side[0] + s * side[1], c * side[1] - s * side[0], side[2]])
        main, n = np.abs(axis).argmax(axis=0), np.arange(axis.shape[1])
        first, second = (main + 1) % 3, (main + 2) % 3
        along = axis[main, n]
        u, v = (np.arctan(axis[k, n] / np.abs(along)) * (4.0 / np.pi) for k in (first, second))
        # The roll is measured from the cube's axis `first`, projected on the plane across.
        turned = axis[second, n] * side[main, n] - along * side[second, n]
        roll = np.arctan2(-turned, side[first, n])
        return cls(distance, z, 2 * main + (along < 0), u, v, np.arctan2(y, x), roll)


class ReachabilityMap:
    """The map of one arm. Poses are given in the robot's frame, as `SerialChain.of` had it."""

    def __init__(
        self,
        chain: SerialChain,
        resolution: Resolution,
        windows: npt.NDArray[np.uint16],
        visits: npt.NDArray[np.uint16],
        manipulability: npt.NDArray[np.float16],
    ) -> None:
        self.chain, self.resolution = chain, resolution
        self.windows, self.visits, self.manipulability = windows, visits, manipulability
        self._words = np.asarray(windows).view(np.uint64)  # a memory map, without its Python
        self._last_turn = rotation_of(chain.turns[-1])
        self._best = float(manipulability.max(initial=0))

    @classmethod
    def sampled(
        cls,
        chain: SerialChain,
        resolution: Resolution = DEFAULT_RESOLUTION,
        progress: Callable[[float], None] = lambda fraction: None,
    ) -> ReachabilityMap:
        """Sample an arm: a low-discrepancy sequence over its inner joints, the same every time."""
        cells = cell_count(chain, resolution)
        windows, visits = np.zeros(cells * _ANGLES, np.uint16), np.zeros(cells, np.uint32)
        best = np.zeros(cells, np.float32)
        low, high = chain.low[1:-1, None], chain.high[1:-1, None]
        steps = _kronecker(len(low))[:, None]
        for begin in range(0, resolution.samples, _CHUNK):
            numbers = np.arange(begin, min(begin + _CHUNK, resolution.samples), dtype=float)
            inner = (low + (high - low) * ((0.5 + numbers * steps) % 1.0)).astype(np.float32)
            wrist = chain.wrist_poses(inner)
            at = _WristPose.of(wrist.position, *_axes(wrist.quaternion))
            cell = _cells(at, chain, resolution)
            bit = np.uint16(1) << _parts(at.roll).astype(np.uint16)
            np.bitwise_or.at(windows, cell * _ANGLES + _parts(at.azimuth), bit)
            fresh = np.unique(cell[visits[cell] == 0], return_index=True)[1]
            measured = np.concatenate([np.arange(min(_MEASURED, len(cell))),
                                       np.flatnonzero(visits[cell] == 0)[fresh]])  # fmt: skip
            np.add.at(visits, cell, 1)
            ends = np.zeros((1, len(measured)), np.float32)
            q = np.concatenate([ends, inner[:, measured], ends])
            np.maximum.at(best, cell[measured], chain.manipulability(q).astype(np.float32))
            progress(min(1.0, (begin + _CHUNK) / resolution.samples))
        return cls(
            chain, resolution, windows.reshape(cells, _ANGLES),
            np.minimum(visits, 65535).astype(np.uint16), best.astype(np.float16),
        )  # fmt: skip

    def query(
        self, positions: Array, rotations: Array, *, mount_offset: Array | None = None
    ) -> ReachIndex:
        """The entries of hand poses: positions (n, 3) in m, rotations (n, 3, 3).

        `mount_offset` (3,) is how far the arm's mount has moved (a lift) since the map was made.
        """
        chain = self.chain
        mount = chain.base_position + (0.0 if mount_offset is None else mount_offset)
        hand = chain.base_rotation.T @ rotations
        wrist = hand @ self._last_turn.T
        origin = (positions - mount) @ chain.base_rotation - wrist @ chain.offsets[-1]
        at = _WristPose.of(origin.T, wrist[:, :, 2].T, wrist[:, :, 0].T)
        rows = _within(at.azimuth, chain.low[0], chain.high[0])
        rolls = _within(at.roll, chain.low[-1], chain.high[-1])
        allowed = (rolls @ (1 << np.arange(_ANGLES))).astype(np.uint16)
        weights, cells = _neighbours(at, chain, self.resolution)
        # All 256 bits of a cell at once, as four words.
        wanted = np.where(rows, allowed[:, None], np.uint16(0)).view(np.uint64)
        common = np.take(self._words, cells, axis=0) & wanted  # ten times as fast as an index
        found = (common[..., 0] | common[..., 1] | common[..., 2] | common[..., 3]) != 0
        score = np.einsum("kn,kn->n", weights, found)
        reachable = score >= self.resolution.agreement
        reachable &= np.hypot(at.distance, at.height) < chain.reach
        nearest = cells[weights.argmax(axis=0), np.arange(len(positions))]
        share = self.manipulability[nearest] / max(self._best, 1e-9)
        visits = np.where(reachable, self.visits[nearest], 0)
        return ReachIndex(
            reachable, np.where(reachable, share, 0.0).astype(float), visits.astype(np.int64)
        )

    def store(self, folder: Path) -> None:
        """Write the map into a new folder, all of it or nothing."""
        try:
            with atomic_folder(folder) as draft:
                for name in _FILES:
                    np.save(draft / f"{name}.npy", getattr(self, name))
        except (OSError, RegraspError):
            if not folder.is_dir():  # else another process has just written the same map
                raise

    @classmethod
    def load(cls, folder: Path, chain: SerialChain, resolution: Resolution) -> ReachabilityMap:
        """Map a saved map into memory; pages are read when they are asked for."""
        windows, visits, best = (_mapped(folder / f"{name}.npy") for name in _FILES)
        cells = cell_count(chain, resolution)
        wanted = (((cells, _ANGLES), "uint16"), ((cells,), "uint16"), ((cells,), "float16"))
        if [(one.shape, str(one.dtype)) for one in (windows, visits, best)] != list(wanted):
            raise RegraspError(f"the reachability map {folder} is of another arm. {_REMAKE}")
        return cls(chain, resolution, windows, visits, best)


def _mapped(path: Path) -> Any:
    """The array of a file, read as numbers and never unpickled."""
    try:
        open_regular(path, _MOST_BYTES).close()
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, EOFError, ValueError) as error:
        raise RegraspError(f"the reachability map {path} is damaged: {error}. {_REMAKE}") from error


_FILES = ("windows", "visits", "manipulability")
_MOST_BYTES = 4_000_000_000
_REMAKE = "Delete its folder; the map is then made again."


def reachability_map(
    chain: SerialChain,
    cache: Path,
    resolution: Resolution = DEFAULT_RESOLUTION,
    progress: Callable[[float], None] = lambda fraction: None,
) -> ReachabilityMap:
    """The map of an arm from the folder `cache`, sampled and written there the first time.

    Its name is a hash of the arm's kinematics, so that two equal arms share a map, wherever they
    are mounted, and a changed arm gets a new one.
    """
    folder = cache / "reachability" / map_name(chain, resolution)
    if not folder.is_dir():
        ReachabilityMap.sampled(chain, resolution, progress).store(folder)
    return ReachabilityMap.load(folder, chain, resolution)


def map_name(chain: SerialChain, resolution: Resolution) -> str:
    """The hash of an arm's kinematics and of the map's resolution, in 16 hexadecimal digits."""
    digest = hashlib.sha256(f"{_VERSION} {_ANGLES} {resolution}".encode())
    for part in (chain.offsets, chain.turns, chain.low, chain.high):
        digest.update(np.round(part, 9).tobytes())
    return digest.hexdigest()[:16]


def cell_count(chain: SerialChain, resolution: Resolution) -> int:
    """The number of cells of a map."""
    rings = _rings(chain, resolution)
    return rings * 2 * rings * 6 * resolution.parts**2


def _rings(chain: SerialChain, resolution: Resolution) -> int:
    return int(np.ceil(chain.reach / resolution.step))


def _coordinates(at: _WristPose, resolution: Resolution) -> tuple[Array, Array, Array, Array]:
    """Distance, height, u and v (n,) of wrist poses, counted in cells."""
    half = resolution.parts / 2.0
    distance, height = at.distance / resolution.step, at.height / resolution.step
    return distance, height, (at.u + 1.0) * half, (at.v + 1.0) * half


def _axis_offsets(
    place: tuple[Array, ...], chain: SerialChain, resolution: Resolution
) -> list[npt.NDArray[np.int64]]:
    """What each coordinate adds to the number of a cell; out of the map, that of its edge."""
    rings, parts = _rings(chain, resolution), resolution.parts
    lowest, sizes = (0, -rings, 0, 0), (rings, 2 * rings, parts, parts)
    strides = (2 * rings * 6 * parts**2, 6 * parts**2, parts, 1)
    return [
        np.clip(np.floor(one).astype(np.int64) - low, 0, size - 1) * stride
        for one, low, size, stride in zip(place, lowest, sizes, strides, strict=True)
    ]


def _cells(at: _WristPose, chain: SerialChain, resolution: Resolution) -> npt.NDArray[np.int64]:
    """The cells (n,) of wrist poses."""
    offsets = _axis_offsets(_coordinates(at, resolution), chain, resolution)
    return sum(offsets, at.face * resolution.parts**2)


def _neighbours(
    at: _WristPose, chain: SerialChain, resolution: Resolution
) -> tuple[Array, npt.NDArray[np.int64]]:
    """The 16 cells (16, n) around wrist poses and their weights (16, n) of interpolation."""
    below = tuple(one - 0.5 for one in _coordinates(at, resolution))
    above = tuple(one + 1.0 for one in below)
    weights = np.ones((1, len(at.face)))
    cells = (at.face * resolution.parts**2)[None]
    ends = (_axis_offsets(place, chain, resolution) for place in (below, above))
    for one, first, second in zip(below, *ends, strict=True):
        share = one - np.floor(one)
        weights = np.concatenate([weights * (1.0 - share), weights * share])
        cells = np.concatenate([cells + first, cells + second])
    return weights, cells


def _parts(angle: Array) -> npt.NDArray[np.int64]:
    """The part (n,) of a full turn that an angle lies in."""
    return np.minimum((angle / _TAU % 1.0) * _ANGLES, _ANGLES - 1).astype(np.int64)


def _within(angle: Array, low: float, high: float) -> Bits:
    """For each part of a turn (n, 16): whether a joint can turn from its middle to `angle`."""
    middle = (np.arange(_ANGLES) + 0.5) * (_TAU / _ANGLES)
    return (angle[:, None] - middle - low) % _TAU <= high - low


def _axes(q: Floats) -> tuple[Floats, Floats]:
    """The z axes (3, n) and x axes (3, n) of unit quaternions (4, n)."""
    w, x, y, z = q
    along = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    side = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    return along, side


def _kronecker(dimensions: int) -> Array:
    """Steps (d,) of an additive low-discrepancy sequence: powers of 1/g, g^(d+1) = g + 1."""
    g = 2.0
    for _ in range(60):
        g = (1.0 + g) ** (1.0 / (dimensions + 1))
    steps: Array = g ** -np.arange(1.0, dimensions + 1)
    return steps
