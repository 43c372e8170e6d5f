"""The tasks at the bar: a drink by its recipe, and three simple ones."""

from __future__ import annotations

from regrasp.core.errors import RegraspError
from regrasp.core.fact import Literal
from regrasp.worlds.bar.scene import BOWLS, COLD, SHELVED, add_bar
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.recipes import judged_recipe
from regrasp.worlds.task_options import TaskOptions, plain_task
from regrasp.worlds.world import Setup, Task

__all__ = ["DEFAULT_DRINK", "TASKS", "build"]

DEFAULT_DRINK = "gin_and_tonic"
_PAPER = "CoPAL barman"
TASKS = (
    Task("glass-on-tray", "put the first_glass on the tray", _PAPER),
    Task("pour-gin", "pour gin into the first_glass", _PAPER),
    Task("add-ice", "put ice_cubes into the second_glass", _PAPER),
    Task("make-drink", "make a gin and tonic", _PAPER),
)
_GOALS = {
    "glass-on-tray": Literal.of("on", "first_glass", "tray"),
    "pour-gin": Literal.of("contains", "first_glass", "gin"),
    "add-ice": Literal.of("contains", "second_glass", "ice_cubes"),
}
_SUBSTANCES = {name.rpartition("_")[0] for name in (*SHELVED, *COLD, *BOWLS)}


def build(scene: Scene, task: str) -> Setup:
    """The bar on a task; a recipe and faults may follow the colon of its name."""
    options, plain = TaskOptions.parse(task), plain_task(task)
    options.check((*SHELVED, *COLD, *BOWLS), (*SHELVED, *COLD, *BOWLS), ("fridge",))
    start = add_bar(scene, options)
    if plain in _GOALS:
        return Setup([_GOALS[plain]], start)
    recipe = judged_recipe(options.recipe or DEFAULT_DRINK, pizza=False)
    absent = sorted(recipe.mandatory - _SUBSTANCES)
    if absent:
        raise RegraspError(
            f"a {recipe.name} needs {', '.join(absent)}, which this bar does not have; choose "
            "another recipe."
        )
    words = recipe.name.replace("_", " ")
    return Setup([Literal.of("served", recipe.name)], start, f"make a {words}")
