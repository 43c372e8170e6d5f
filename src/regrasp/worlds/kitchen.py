"""The kitchen: a green apple in a microwave or a cabinet, a kettle in the microwave's way (Task 4).

The seed decides where the apple is, with equal odds. Nothing that the robot is told depends on it.
Without replanning, an agent reaches the goal only if the apple is in the cabinet and it looks there
first, or if it knocks the kettle aside.

The counter has a raised front edge: the kettle stands between it and the microwave's door, so the
door jams against the kettle and the kettle against the edge, until the kettle is taken away.
"""

from __future__ import annotations

import math

from regrasp.core.fact import Literal
from regrasp.worlds.arm import arm_world
from regrasp.worlds.kit.cabinet import add_cabinet
from regrasp.worlds.kit.counter import add_counter
from regrasp.worlds.kit.fruit import add_apple
from regrasp.worlds.kit.kettle import add_kettle
from regrasp.worlds.kit.microwave import add_microwave
from regrasp.worlds.kit.scene import FIXED, Scene, Vector
from regrasp.worlds.world import Setup, Task

__all__ = ["PLAN"]

_TOP = 0.10
_YAW = 0.8  # rad, of the cabinet
_IN_CABINET = 1 / 2  # of the seeds
_SHELF = 0.348  # m, height of its top: the arm at rest hides what lies lower in the cabinet


def build(scene: Scene, task: str) -> Setup:
    """Microwave to the right on a counter, kettle before it, cabinet to the left."""
    jitter = scene.layout.uniform
    x, y = 0.68 + jitter(-0.01, 0.01), -0.03 + jitter(-0.02, 0.02)
    kettle = (x - 0.145 + jitter(-0.004, 0.004), y - 0.06 + jitter(-0.03, 0.03), _TOP)
    cabinet = (0.50 + jitter(-0.01, 0.01), 0.46 + jitter(-0.02, 0.02), 0.0)
    apple: Vector = (x + 0.12 + jitter(-0.02, 0.02), y + 0.07 + jitter(-0.03, 0.03), _TOP + 0.02)
    add_counter(scene, "counter", (x - 0.235, -0.26, 0.0), size=(0.56, 0.84), height=_TOP)
    add_microwave(scene, "microwave", (x, y, _TOP))
    turn = jitter(-0.3, 0.3)
    add_kettle(scene, "kettle", kettle, yaw=turn)
    hidden = "wooden_cabinet" if scene.layout.random() < _IN_CABINET else "microwave"
    if hidden == "wooden_cabinet":
        apple = _in_cabinet(cabinet, 0.09 + jitter(-0.01, 0.01), 0.14 + jitter(-0.015, 0.015))
    add_apple(scene, "green_apple", apple)
    add_cabinet(
        scene, "wooden_cabinet", cabinet, yaw=_YAW, width=0.44, height=0.36, depth=0.26,
        door_friction=0.3,
    )  # fmt: skip
    x, y, z = _in_cabinet(cabinet, 0.13, 0.11)
    shelf = scene.body("wooden_cabinet_shelf", (x, y, z - 0.008), yaw=_YAW)
    wood = scene.colour_of("brown", 1.1)
    scene.shape(shelf, "box", (0.115, 0.10, 0.008), rgba=wood, collide=FIXED)
    return Setup(
        goal=[Literal.of("visible", "green_apple")],
        start=[
            Literal.of("closed", "microwave_door"),
            Literal.of("closed", "wooden_cabinet_left_door"),
            Literal.of("closed", "wooden_cabinet_right_door"),
            Literal.of("inside", "green_apple", hidden),
            Literal.of("upright", "kettle"),
            Literal.of("visible", "green_apple", positive=False),
        ],
    )


def _in_cabinet(cabinet: Vector, deep: float, aside: float) -> Vector:
    """A point on the cabinet's shelf, `deep` behind its front, `aside` to the left of its middle.

    To the left (m), so that it is seen once the left door is open.
    """
    x, y, _ = cabinet
    along, across = math.cos(_YAW), math.sin(_YAW)
    return (x + along * deep - across * aside, y + across * deep + along * aside, _SHELF)


PLAN = arm_world(
    "kitchen",
    "a cabinet and a microwave, one of which hides a green apple, and a kettle in front of the "
    "microwave's door",
    (Task("apple", "find the green_apple", "REPLAN Task 4"),),
    build,
)
