"""The six tasks: the objects and their places at the start, and the goal.

Five are those of DKPROMPT's evaluation, the sixth is the one of its real robot. The paper numbers
equal objects. Here they are named by appearance, because no image shows which bottle is the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regrasp.core.fact import Literal, parse_literals
from regrasp.worlds.household.rooms import COUNTER_M, ROOM_2, add_floor
from regrasp.worlds.kit.bottle import add_bottle
from regrasp.worlds.kit.container import add_container
from regrasp.worlds.kit.egg import add_egg, add_egg_half
from regrasp.worlds.kit.firewood import add_stick
from regrasp.worlds.kit.knife import add_knife
from regrasp.worlds.kit.mug import add_mug
from regrasp.worlds.kit.pie import add_pie
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.toy import add_toy
from regrasp.worlds.world import Setup, Task

__all__ = ["TASKS", "HouseholdTask", "half_names"]


@dataclass(frozen=True, slots=True)
class HouseholdTask:
    """A task: `place` puts its objects into the furnished rooms.

    `rooms` are the names of room 1 and 2; `floors` those of their floors, one name if they count
    as one.
    """

    task: Task
    rooms: tuple[str, str]
    floors: tuple[str, ...]
    place: Callable[[Scene], None]
    start: tuple[Literal, ...]
    goal: tuple[Literal, ...]

    def build(self, scene: Scene) -> Setup:
        """Add the floors and the objects to a furnished scene."""
        for name, at in zip(self.floors, ((-0.1, -0.6), (0.2, -3.8)), strict=False):
            add_floor(scene, name, at)
        self.place(scene)
        return Setup(goal=list(self.goal), start=[Literal.of("handempty"), *self.start])


def half_names(egg: str) -> tuple[str, str]:
    """The names of the halves of an egg."""
    return f"{egg}_half_1", f"{egg}_half_2"


def _site(scene: Scene, body: str) -> tuple[float, float]:
    x, y, _ = scene.spec.body(body).pos
    return float(x), float(y)


def _boil_water(scene: Scene) -> None:
    jitter, (x, y) = scene.layout.uniform, _site(scene, "cabinet")
    add_mug(
        scene, "mug", (x + 0.15 + jitter(-0.02, 0.03), y + jitter(-0.12, 0.12), 0.72),
        yaw=jitter(-2.5, -0.6), radius=0.047, height=0.11, hollow=True,
        colour=str(scene.look.choice(["red", "yellow", "green", "orange", "white"])),
    )  # fmt: skip


def _empty_bottle(scene: Scene) -> None:
    jitter = scene.layout.uniform
    for colour, x in (("green", -0.75), ("orange", 0.55)):
        add_bottle(
            scene, f"{colour}_bottle",
            (x + jitter(-0.3, 0.3), ROOM_2.near + 1.3 + jitter(-0.45, 0.45), 0.0), radius=0.042,
            height=0.28, yaw=jitter(-3.0, 3.0), colour=colour,
        )  # fmt: skip


def _frozen_pie(scene: Scene) -> None:
    jitter, (x, y) = scene.layout.uniform, _site(scene, "refrigerator")
    add_pie(
        scene, "pie", (x + 0.22 + jitter(-0.03, 0.03), y + jitter(-0.08, 0.08), 0.742),
        yaw=jitter(-0.7, 0.7), colour=str(scene.look.choice(["red", "purple", "orange"])),
    )  # fmt: skip


def _halve_egg(scene: Scene) -> None:
    jitter, (x, y) = scene.layout.uniform, _site(scene, "countertop")
    side = 1.0 if scene.layout.random() < 0.5 else -1.0
    egg = (x + 0.17 + jitter(-0.05, 0.05), y + side * (0.24 + jitter(-0.06, 0.06)), COUNTER_M)
    add_egg(scene, "hard_boiled_egg", egg, yaw=jitter(-1.5, 1.5))
    for name in half_names("hard_boiled_egg"):
        add_egg_half(scene, name, egg)
    add_knife(
        scene, "carving_knife",
        (x + 0.17 + jitter(-0.05, 0.05), y - side * (0.24 + jitter(-0.06, 0.06)), COUNTER_M),
        yaw=jitter(-0.7, 0.7), colour=str(scene.look.choice(["black", "red", "brown"])),
    )  # fmt: skip


def _store_firewood(scene: Scene) -> None:
    jitter = scene.layout.uniform
    for colour, y in (("brown", -0.55), ("white", -1.45)):  # of oak, and of birch
        add_stick(
            scene, f"{colour}_stick", (-0.75 + jitter(-0.35, 0.7), y + jitter(-0.2, 0.2), 0.0),
            yaw=jitter(-1.5, 1.5), colour=colour,
        )  # fmt: skip


def _collect_toys(scene: Scene) -> None:
    jitter, (x, y) = scene.layout.uniform, _site(scene, "countertop")
    side = 1.0 if scene.layout.random() < 0.5 else -1.0
    for colour, far in (("blue", 0.40), ("cyan", -0.40)):
        add_container(
            scene, f"{colour}_container", (x + 0.20, y + side * far + jitter(-0.01, 0.01), 0.82),
            size=(0.20, 0.24), height=0.09, yaw=jitter(-0.15, 0.15), colour=colour,
        )  # fmt: skip
    for shape, colour, far in (("duck", "yellow", 0.10), ("car", "red", -0.10)):
        add_toy(
            scene, f"toy_{shape}",
            (x + 0.17 + jitter(-0.06, 0.06), y + side * far + jitter(-0.02, 0.02), COUNTER_M),
            shape=shape, yaw=jitter(2.0, 4.2), colour=colour,
        )  # fmt: skip


_ONE_FLOOR = ("floor",)

TASKS = (
    HouseholdTask(
        Task("boil-water", "boil water in the microwave", "DKPROMPT task 1"),
        ("kitchen", "hall"), _ONE_FLOOR, _boil_water,
        parse_literals("closed(cabinet)", "closed(microwave)", "inside(mug, cabinet)",
                       "insource(sink, water)"),
        parse_literals("filled(mug)", "inside(mug, microwave)", "turnedon(microwave)"),
    ),
    HouseholdTask(
        Task("empty-bottle", "put the empty bottles on the tiled_floor", "DKPROMPT task 2"),
        ("hall", "garden"), ("tiled_floor", "wooden_floor"), _empty_bottle,
        parse_literals("onfloor(green_bottle, wooden_floor)",
                       "onfloor(orange_bottle, wooden_floor)"),
        parse_literals("onfloor(green_bottle, tiled_floor)", "onfloor(orange_bottle, tiled_floor)"),
    ),
    HouseholdTask(
        Task("frozen-pie", "cook the frozen pie", "DKPROMPT task 3"),
        ("kitchen", "hall"), _ONE_FLOOR, _frozen_pie,
        parse_literals("closed(oven)", "closed(refrigerator)", "inside(pie, refrigerator)",
                       "frozen(pie)"),
        parse_literals("inside(pie, oven)", "turnedon(oven)"),
    ),
    HouseholdTask(
        Task("halve-egg", "halve the hard_boiled_egg", "DKPROMPT task 4"),
        ("kitchen", "hall"), _ONE_FLOOR, _halve_egg,
        parse_literals("ontop(carving_knife, countertop)", "ontop(hard_boiled_egg, countertop)"),
        parse_literals("halved(hard_boiled_egg)"),
    ),
    HouseholdTask(
        Task("store-firewood", "store the firewood on the table", "DKPROMPT task 5"),
        ("cabin", "hall"), _ONE_FLOOR, _store_firewood,
        parse_literals("onfloor(brown_stick, floor)", "onfloor(white_stick, floor)"),
        parse_literals("ontop(brown_stick, table)", "ontop(white_stick, table)", "handempty()"),
    ),
    HouseholdTask(
        Task("collect-toys", "collect the toys in a container on the table", "DKPROMPT, robot"),
        ("nursery", "hall"), _ONE_FLOOR, _collect_toys,
        parse_literals("ontop(blue_container, countertop)", "ontop(cyan_container, countertop)",
                       "ontop(toy_duck, countertop)", "ontop(toy_car, countertop)"),
        parse_literals("ontop(?container, table)", "inside(toy_duck, ?container)",
                       "inside(toy_car, ?container)"),
    ),
)  # fmt: skip
"""In the order of the paper; the goals are those of its table of tasks."""
