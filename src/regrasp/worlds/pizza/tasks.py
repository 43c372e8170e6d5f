"""The tasks in the pizza kitchen: a pizza by its recipe, and three simple ones."""

from __future__ import annotations

from regrasp.core.errors import RegraspError
from regrasp.core.fact import Literal
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.pizza.scene import BOTTLES, BOWLS, DOUGH, OVEN, add_pizza_kitchen
from regrasp.worlds.recipes import judged_recipe
from regrasp.worlds.task_options import TaskOptions, plain_task
from regrasp.worlds.world import Setup, Task

__all__ = ["DEFAULT_PIZZA", "TASKS", "build"]

DEFAULT_PIZZA = "margherita"
_PAPER = "CoPAL pizza"
TASKS = (
    Task("salt-on-tray", "put the salt_bottle on the tray", _PAPER),
    Task("add-ham", "put ham on the pizza_dough", _PAPER),
    Task("switch-oven-on", "open the oven and switch the oven on", _PAPER),
    Task("make-pizza", "make a pizza margherita", _PAPER),
)
_GOALS = {
    "salt-on-tray": [Literal.of("on", "salt_bottle", "tray")],
    "add-ham": [Literal.of("contains", DOUGH, "ham")],
    "switch-oven-on": [Literal.of("open", OVEN), Literal.of("switched_on", OVEN)],
}
_BLOCKED = {"add-ham": ("ham_bowl",)}


def build(scene: Scene, task: str) -> Setup:
    """The kitchen on a task; a recipe and faults may follow the colon of its name."""
    options, plain = TaskOptions.parse(task), plain_task(task)
    options.check((*BOTTLES, *BOWLS), (*BOTTLES, *BOWLS), (OVEN,))
    if plain in _GOALS:
        start = add_pizza_kitchen(scene, options, _BLOCKED.get(plain, BOWLS))
        return Setup(_GOALS[plain], start)
    recipe = judged_recipe(options.recipe or DEFAULT_PIZZA, pizza=True)
    bowls = {f"{name}_bowl" for name in recipe.mandatory} & set(BOWLS)
    absent = recipe.mandatory - {name.rpartition("_")[0] for name in (*BOTTLES, *BOWLS)}
    if absent:
        raise RegraspError(
            f"a pizza {recipe.name} needs {', '.join(sorted(absent))}, which this kitchen does not "
            "have; choose another recipe."
        )
    start = add_pizza_kitchen(scene, options, bowls or BOWLS)
    words = recipe.name.replace("_", " ")
    return Setup([Literal.of("topped", recipe.name)], start, f"make a pizza {words}")
