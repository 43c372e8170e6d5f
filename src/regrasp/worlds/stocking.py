"""Places the stock of a bar or a kitchen: which thing stands in which cell is drawn by the seed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from regrasp.core.errors import RegraspError
from regrasp.core.fact import Literal
from regrasp.worlds.appearances import BOTTLE_LABELS, BOWL_STAVES
from regrasp.worlds.kit.capped_bottle import add_capped_bottle
from regrasp.worlds.kit.cup import add_bowl
from regrasp.worlds.kit.scene import Scene

__all__ = ["BOTTLE_ML", "BOWL_ML", "StockCell", "Stocking", "draw_cells", "grid"]

BOTTLE_ML, BOWL_ML = 300.0, 120.0
_JITTER_M = 0.006


@dataclass(frozen=True, slots=True)
class StockCell:
    """A point `at` (m) where one thing stands, on or inside the object `place`."""

    place: str
    at: tuple[float, float, float]
    relation: str = "on"


def grid(place: str, xs: Sequence[float], ys: Sequence[float], z: float) -> list[StockCell]:
    """Cells at every pair of `xs` and `ys`, at height `z` (m)."""
    return [StockCell(place, (x, y, z)) for x in xs for y in ys]


def draw_cells(
    scene: Scene, names: Sequence[str], cells: Sequence[StockCell]
) -> dict[str, StockCell]:
    """A cell for each name, drawn without replacement, and moved a little on surfaces."""
    if len(names) > len(cells):
        raise RegraspError(f"{len(names)} things do not fit into {len(cells)} cells.")
    chosen = scene.layout.permutation(len(cells))[: len(names)]
    found = {}
    for name, index in zip(names, chosen, strict=True):
        cell = cells[int(index)]
        dx, dy = scene.layout.uniform(-_JITTER_M, _JITTER_M, 2)
        at = (cell.at[0] + float(dx), cell.at[1] + float(dy), cell.at[2])
        found[name] = StockCell(cell.place, at, cell.relation)
    return found


class Stocking:
    """Adds vessels to a scene and writes down the facts that are true of them at the start.

    `missing` things are left out; `empty` ones are told to be full, see `TaskOptions`.
    """

    def __init__(self, scene: Scene, missing: Iterable[str], empty: Iterable[str]) -> None:
        self._scene, self._missing, self._empty = scene, set(missing), set(empty)
        self.start: list[Literal] = []

    def bottle(self, name: str, cell: StockCell) -> None:
        """Add the bottle `SUBSTANCE_bottle`, with the label of its substance."""
        turn = float(self._scene.layout.uniform(-math.pi, math.pi))
        if name in self._missing:
            return
        substance = name.removesuffix("_bottle")
        label = BOTTLE_LABELS[substance]
        add_capped_bottle(
            self._scene, name, cell.at, yaw=turn, substance=substance, stock=BOTTLE_ML,
            label=(label.upper, label.lower), cap=label.cap,
        )  # fmt: skip
        self.start.append(Literal.of("capped", name))
        self._place(name, cell, substance)

    def bowl(self, name: str, cell: StockCell) -> None:
        """Add the bowl `SUBSTANCE_bowl`."""
        if name in self._missing:
            return
        substance = name.removesuffix("_bowl")
        add_bowl(
            self._scene, name, cell.at, substance=substance, stock=BOWL_ML,
            staves=BOWL_STAVES[substance],
        )  # fmt: skip
        self._place(name, cell, substance)

    def other(self, name: str, cell: StockCell) -> None:
        """Write down where a vessel stands that was added by somebody else, empty."""
        self._place(name, cell, "")

    def is_missing(self, name: str) -> bool:
        """Whether a thing is to be left out."""
        return name in self._missing

    def _place(self, name: str, cell: StockCell, substance: str) -> None:
        self.start.append(Literal.of(cell.relation, name, cell.place))
        full = bool(substance) and name not in self._empty
        self.start.append(
            Literal.of("contains", name, substance) if full else Literal.of("empty", name)
        )
