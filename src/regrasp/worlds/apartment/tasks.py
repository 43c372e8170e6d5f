"""The tasks of the apartment: the five of IALP (its table 3), and where their things are."""

from __future__ import annotations

from regrasp.core.fact import Literal
from regrasp.worlds.apartment.rooms import TABLE_M, furnish
from regrasp.worlds.kit.book import add_book
from regrasp.worlds.kit.bucket import add_bucket
from regrasp.worlds.kit.carton import add_carton
from regrasp.worlds.kit.garment import PEG_M, add_jacket
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.world import Setup, Task

__all__ = ["TASKS", "build"]

_PAPER = "IALP"
TASKS = (
    Task("place-box", "put the paper box from the wooden table on the black table", _PAPER),
    Task("take-jacket", "bring the blue jacket from the cloth hanger to the door", _PAPER),
    Task("take-pill-box", "bring the pill box from the drawer to the person", _PAPER),
    Task("insert-book", "take the book on the black table and put it on the bookshelf", _PAPER),
    Task("lift-bucket", "lift the blue bucket onto the white table", _PAPER),
)
_GOALS = {
    "place-box": (Literal.of("on", "paper_box", "black_table"),),
    "take-jacket": (Literal.of("holding", "blue_jacket"), Literal.of("at", "door")),
    "take-pill-box": (Literal.of("holding", "pill_box"), Literal.of("at", "person")),
    "insert-book": (Literal.of("on", "book", "bookshelf"),),
    "lift-bucket": (Literal.of("on", "blue_bucket", "white_table"),),
}
_START = (
    Literal.of("on", "paper_box", "wooden_table"),
    Literal.of("on", "blue_jacket", "cloth_hanger"),
    Literal.of("in", "pill_box", "drawer"),
    Literal.of("on", "book", "black_table"),
    Literal.of("opened", "drawer", positive=False),
)
_EDGE_M = 0.45  # of a thing on a table from the wall: near the edge, where a hand reaches it


def build(scene: Scene, task: str) -> Setup:
    """The furnished apartment with its five things; the task decides the goal alone."""
    spots = furnish(scene)
    jitter = scene.layout.uniform
    for name, table in (("paper_box", "wooden_table"), ("book", "black_table")):
        x, y, _ = spots[table].ahead(_EDGE_M + jitter(-0.03, 0.03), jitter(-0.2, 0.2))
        add = add_carton if name == "paper_box" else add_book
        add(scene, name, (x, y, TABLE_M), yaw=spots[table].yaw + jitter(-0.4, 0.4))
    chest = spots["drawer"]
    x, y, _ = chest.ahead(0.40, jitter(-0.08, 0.08))
    add_carton(
        scene, "pill_box", (x, y, 0.56), yaw=chest.yaw + jitter(-0.3, 0.3),
        size=(0.09, 0.05, 0.06), mass=0.08, colour="white", label="red",
    )  # fmt: skip
    stand = spots["cloth_hanger"]
    peg = stand.ahead(0.35 - PEG_M[0])
    add_jacket(
        scene, "blue_jacket", scene.spec.body("cloth_hanger"), at=(*peg[:2], PEG_M[2]),
        yaw=stand.yaw,
    )  # fmt: skip
    at = spots["blue_bucket"]
    add_bucket(scene, "blue_bucket", at.ahead(0.40), yaw=at.yaw + jitter(-0.4, 0.4))
    scene.start |= {
        "base_x": 3.0 + jitter(-0.3, 0.3),
        "base_y": 3.75 + jitter(-0.6, 0.6),
        "base_yaw": jitter(-3.1, 3.1),
        "lift": 0.15,
    }
    return Setup(list(_GOALS[task]), list(_START))
