"""The bar: a table with a shelf of bottles, bowls, glasses, a tray, a mixer, and a fridge."""

from __future__ import annotations

import math

from regrasp.core.fact import Literal
from regrasp.worlds.appearances import GLASS_RIMS
from regrasp.worlds.kit.cup import add_glass
from regrasp.worlds.kit.mixer import MIXER_HEIGHT_M, add_mixer
from regrasp.worlds.kit.rack import ROW_DEPTH_M, add_rack, board_height
from regrasp.worlds.kit.refrigerator import add_refrigerator
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.kit.tray import add_tray
from regrasp.worlds.kit.two_arms import TABLE_M
from regrasp.worlds.stocking import StockCell, Stocking, draw_cells, grid
from regrasp.worlds.task_options import TaskOptions
from regrasp.worlds.two_arms.kitchen import add_memory, doors_of

__all__ = ["BOWLS", "COLD", "CUP", "GLASSES", "MIXER", "SHELVED", "add_bar"]

SHELVED = tuple(
    f"{name}_bottle"
    for name in (
        "bitters", "brandy", "coca_cola", "gin", "ginger_beer", "grenadine", "rum", "salt",
        "simple_syrup", "soda_water", "tequila", "tonic_water", "triple_sec", "vermouth", "vodka",
        "whiskey",
    )
)  # fmt: skip
"""The bottles on the shelf."""
COLD = tuple(f"{name}_bottle" for name in (
    "cranberry_juice", "milk", "pineapple_juice", "tomato_juice",
))  # fmt: skip
"""The bottles in the fridge."""
BOWLS = tuple(
    f"{name}_bowl"
    for name in (
        "basil", "fresh_herbs", "ice_cubes", "lemon_slice", "lime_slice", "mint", "orange_slice",
        "rosemary", "sugar_cubes",
    )
)  # fmt: skip
"""The bowls on the table."""
GLASSES = tuple(GLASS_RIMS)
MIXER, CUP = "electric_shaker", "mixing_container"

_TABLE_MIDDLE, _TABLE_SIZE = (0.51, 0.15, 0.0), (0.62, 1.50)
_SHELF_X, _SHELF_Y, _PITCH = 0.62, 0.18, 0.12
_FRIDGE, _FRIDGE_YAW = (0.60, -0.80, 0.0), -math.pi / 4  # its front, towards the right arm
_SILL, _FRIDGE_HEIGHT = 0.78, 1.50


def add_bar(scene: Scene, options: TaskOptions) -> list[Literal]:
    """Add everything; returns what is true of it at the start."""
    add_table(scene, "table", _TABLE_MIDDLE, size=_TABLE_SIZE, height=TABLE_M, colour="grey")
    add_rack(scene, "shelf", (_SHELF_X, _SHELF_Y, TABLE_M), width=8 * _PITCH + 0.04)
    add_refrigerator(
        scene, "fridge", _FRIDGE, yaw=_FRIDGE_YAW, width=0.42, height=_FRIDGE_HEIGHT, depth=0.30,
        sill=_SILL, shelf_gap=0.005, hinge=-1.0,
    )  # fmt: skip
    add_tray(scene, "tray", (0.46, 0.04, TABLE_M), size=(0.18, 0.30))
    mixer = (0.36, 0.78, TABLE_M)
    add_mixer(scene, MIXER, mixer)
    stock = Stocking(scene, options.missing, options.empty)
    for name, cell in draw_cells(scene, SHELVED, _shelf_cells()).items():
        stock.bottle(name, cell)
    for name, cell in draw_cells(scene, COLD, _fridge_cells()).items():
        stock.bottle(name, cell)
    bowls = grid("table", (0.31, 0.42, 0.53), (0.40, 0.51, 0.62), TABLE_M)
    for name, cell in draw_cells(scene, BOWLS, bowls).items():
        stock.bowl(name, cell)
    glasses = grid("table", (0.31,), (-0.16, -0.05, 0.06, 0.17, 0.28), TABLE_M)
    for name, cell in draw_cells(scene, GLASSES, glasses).items():
        if not stock.is_missing(name):
            add_glass(scene, name, cell.at, rim=GLASS_RIMS[name])
            stock.other(name, cell)
    cup = StockCell(MIXER, (mixer[0] + 0.03, mixer[1], TABLE_M + MIXER_HEIGHT_M + 0.001))
    add_glass(scene, CUP, cup.at, radius=0.036, height=0.13, colour="grey")
    stock.other(CUP, cup)
    for name in options.locked:
        for door in doors_of(scene, name):
            scene.lock(door, trigger=door, threshold=2.0, latching=False)  # never
    add_memory(scene)
    closed = Literal.of("open", "fridge", positive=False)
    return [*stock.start, closed, Literal.of("switched_on", MIXER, positive=False)]


def _shelf_cells() -> list[StockCell]:
    ys = [_SHELF_Y + (k - 3.5) * _PITCH for k in range(8)]
    rows = (
        grid("shelf", (_SHELF_X + (row + 0.5) * ROW_DEPTH_M,), ys, TABLE_M + board_height(row))
        for row in (0, 1)
    )
    return [cell for row in rows for cell in row]


def _fridge_cells() -> list[StockCell]:
    """Two bottles on its floor and two on its shelf, at the front: a hand stays outside."""
    cos, sin, back = math.cos(_FRIDGE_YAW), math.sin(_FRIDGE_YAW), 0.034
    x, y = _FRIDGE[0] + back * cos, _FRIDGE[1] + back * sin
    heights = (_SILL + 0.021, _SILL + 0.52 * (_FRIDGE_HEIGHT - _SILL) + 0.007)
    return [
        StockCell("fridge", (x - aside * sin, y + aside * cos, z), "inside")
        for z in heights
        for aside in (-0.08, 0.08)
    ]
