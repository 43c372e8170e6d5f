"""The pizza kitchen: a dough, bowls of toppings, sauces on a shelf, a tray and an oven.

One bowl has larger things before it and beside it: two bottles that belong on the shelf stand so
close that no hand gets at it. Which bowl and which bottles is drawn by the seed.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from regrasp.core.fact import Literal
from regrasp.worlds.kit.dough import add_dough
from regrasp.worlds.kit.oven import add_oven
from regrasp.worlds.kit.rack import ROW_DEPTH_M, add_rack, board_height
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.kit.tray import add_tray
from regrasp.worlds.kit.two_arms import TABLE_M
from regrasp.worlds.stocking import StockCell, Stocking, draw_cells, grid
from regrasp.worlds.task_options import TaskOptions
from regrasp.worlds.two_arms.kitchen import add_memory, doors_of

__all__ = ["BOTTLES", "BOWLS", "DOUGH", "OVEN", "add_pizza_kitchen"]

BOTTLES = tuple(
    f"{name}_bottle"
    for name in ("bbq_sauce", "olive_oil", "peppers", "pesto_sauce", "salt", "tomato_sauce")
)
"""The bottles: two stand on the table, in the way, the others on the shelf."""
BOWLS = tuple(
    f"{name}_bowl"
    for name in (
        "anchovies", "artichoke_hearts", "bacon", "black_olives", "feta_cheese",
        "fresh_basil_leaves", "fresh_tomatoes", "garlic", "goat_cheese", "grilled_chicken", "ham",
        "italian_seasoning", "mozzarella_cheese", "mushrooms", "parmesan_cheese",
        "pepperoni_slices", "pineapple_chunks", "provolone_cheese", "red_onion", "ricotta_cheese",
        "sausage", "spinach_leaves", "sun_dried_tomatoes",
    )
)  # fmt: skip
"""The bowls on the table."""
DOUGH, OVEN = "pizza_dough", "oven"

_TABLE_MIDDLE, _TABLE_SIZE = (0.52, 0.13, 0.0), (0.64, 1.70)
_XS = (0.36, 0.47, 0.58)
_LEFT_YS, _RIGHT_YS = (0.21, 0.32, 0.43, 0.54, 0.65), (-0.25, -0.36, -0.47)
_CORNERS = ((0.36, 0.21, -1.0), (0.36, 0.65, 1.0), (0.36, -0.25, 1.0))
"""Where a blocked bowl may stand, and to which side of it there is room for a bottle."""
_CLOSE_M = 0.073  # between the middles of a blocked bowl and a bottle in its way
_SHELF_X, _SHELF_Y, _PITCH, _SHELF_CELLS = 0.66, 0.0, 0.115, 7
_SILL, _ROOM, _PANEL = 0.96, 0.24, 0.14


def add_pizza_kitchen(scene: Scene, options: TaskOptions, wanted: Collection[str]) -> list[Literal]:
    """Add everything; the blocked bowl is one of `wanted`. Returns what is true at the start."""
    add_table(scene, "table", _TABLE_MIDDLE, size=_TABLE_SIZE, height=TABLE_M, colour="white")
    width = _SHELF_CELLS * _PITCH + 0.03
    add_rack(scene, "shelf", (_SHELF_X, _SHELF_Y, TABLE_M), width=width, rows=1)
    add_oven(
        scene, OVEN, (0.45, -0.86, 0.0), yaw=-math.pi / 2, width=0.44, depth=0.40, sill=_SILL,
        height=_SILL + _ROOM + _PANEL, switch=True, balanced=False,
    )  # fmt: skip
    add_tray(scene, "tray", (0.42, 0.85, TABLE_M), size=(0.24, 0.16))
    stock = Stocking(scene, options.missing, options.empty)
    dough = StockCell("table", (0.42, -0.02, TABLE_M))
    add_dough(scene, DOUGH, dough.at)
    stock.other(DOUGH, dough)
    _add_bowls_and_bottles(scene, stock, sorted(wanted))
    for name in options.locked:
        for door in doors_of(scene, name):
            scene.lock(door, trigger=door, threshold=2.0, latching=False)  # never
    add_memory(scene)
    states = (("open", OVEN), ("switched_on", OVEN), ("baked", DOUGH))
    return [*stock.start, *(Literal.of(*one, positive=False) for one in states)]


def _add_bowls_and_bottles(scene: Scene, stock: Stocking, wanted: list[str]) -> None:
    draw = scene.layout
    blocked = wanted[int(draw.integers(len(wanted)))]
    x, y, side = _CORNERS[int(draw.integers(len(_CORNERS)))]
    cells = [*grid("table", _XS, _LEFT_YS, TABLE_M), *grid("table", _XS, _RIGHT_YS, TABLE_M)]
    free = [cell for cell in cells if cell.at[:2] != (x, y)]
    placed = draw_cells(scene, [name for name in BOWLS if name != blocked], free)
    placed[blocked] = StockCell("table", (x, y, TABLE_M))
    for name in BOWLS:
        stock.bowl(name, placed[name])
    order = [BOTTLES[int(i)] for i in draw.permutation(len(BOTTLES))]
    bottles = draw_cells(scene, order[2:], _shelf_cells())
    bottles[order[0]] = StockCell("table", (x - _CLOSE_M, y, TABLE_M))
    bottles[order[1]] = StockCell("table", (x, y + side * _CLOSE_M, TABLE_M))
    scene.stood_before |= {(order[0], blocked), (order[1], blocked)}
    for name in BOTTLES:
        stock.bottle(name, bottles[name])


def _shelf_cells() -> list[StockCell]:
    middle = (_SHELF_CELLS - 1) / 2
    ys = [_SHELF_Y + (k - middle) * _PITCH for k in range(_SHELF_CELLS)]
    return grid("shelf", (_SHELF_X + 0.5 * ROW_DEPTH_M,), ys, TABLE_M + board_height(0))
