"""The wooden cabinet: doors open (Task 1), closed (Task 2), closed with a bar through (Task 3)."""

from __future__ import annotations

from regrasp.core.fact import Literal
from regrasp.worlds.arm import arm_world
from regrasp.worlds.kit.bar import add_bar
from regrasp.worlds.kit.cabinet import DOOR_OPEN, add_cabinet
from regrasp.worlds.kit.cube import add_cube
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.world import Setup, Task

__all__ = ["PLAN"]

_INSTRUCTION = "move the yellow_cube to target_position inside the wooden_cabinet"
_DOORS = ("wooden_cabinet_left_door", "wooden_cabinet_right_door")


def build(scene: Scene, task: str) -> Setup:
    """A cabinet in front of the arm and a yellow cube on the floor between them."""
    jitter = scene.layout.uniform
    # A little to the right, so that a bar drawn out to the left stays within reach.
    at = (0.68 + jitter(-0.02, 0.02), -0.06 + jitter(-0.03, 0.03), 0.0)
    cube = (0.47 + jitter(-0.03, 0.03), -0.05 + jitter(-0.06, 0.06), 0.0)
    turn = jitter(-0.4, 0.4)
    add_cabinet(scene, "wooden_cabinet", at)
    add_cube(scene, "yellow_cube", cube, yaw=turn, colour="yellow")
    setup = Setup(goal=[Literal.of("inside", "yellow_cube", "wooden_cabinet")])
    if task == "open":
        for door in _DOORS:
            scene.start[door] = DOOR_OPEN + jitter(-0.1, 0.1)
            setup.start.append(Literal.of("open", door))
    else:
        setup.start += [Literal.of("closed", door) for door in _DOORS]
    if task == "barred":
        add_bar(scene, "red_bar", at)
    return setup


PLAN = arm_world(
    "cabinet",
    "a wooden cabinet with two doors, a yellow cube, and perhaps a bar through the handles",
    (
        Task("open", _INSTRUCTION, "REPLAN Task 1"),
        Task("closed", _INSTRUCTION, "REPLAN Task 2"),
        Task("barred", _INSTRUCTION, "REPLAN Task 3"),
    ),
    build,
)
