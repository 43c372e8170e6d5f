"""The kitchen: a cabinet, a microwave that hides a green apple, a kettle in its way (Task 4).

The counter has a raised front edge: the kettle stands between it and the microwave's door, so the
door jams against the kettle and the kettle against the edge, until the kettle is taken away.
"""

from __future__ import annotations

from regrasp.core.fact import Literal
from regrasp.worlds.arm import arm_world
from regrasp.worlds.kit.cabinet import add_cabinet
from regrasp.worlds.kit.counter import add_counter
from regrasp.worlds.kit.fruit import add_apple
from regrasp.worlds.kit.kettle import add_kettle
from regrasp.worlds.kit.microwave import add_microwave
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.world import Setup, Task

__all__ = ["PLAN"]

_TOP = 0.10


def build(scene: Scene, task: str) -> Setup:
    """Microwave to the right on a counter, kettle before it, cabinet to the left."""
    jitter = scene.layout.uniform
    x, y = 0.68 + jitter(-0.01, 0.01), -0.03 + jitter(-0.02, 0.02)
    kettle = (x - 0.145 + jitter(-0.004, 0.004), y - 0.06 + jitter(-0.03, 0.03), _TOP)
    cabinet = (0.50 + jitter(-0.01, 0.01), 0.46 + jitter(-0.02, 0.02), 0.0)
    apple = (x + 0.12 + jitter(-0.02, 0.02), y + 0.07 + jitter(-0.03, 0.03), _TOP + 0.02)
    add_counter(scene, "counter", (x - 0.235, -0.26, 0.0), size=(0.56, 0.84), height=_TOP)
    add_microwave(scene, "microwave", (x, y, _TOP))
    add_kettle(scene, "kettle", kettle, yaw=jitter(-0.3, 0.3))
    add_apple(scene, "green_apple", apple)
    add_cabinet(
        scene, "wooden_cabinet", cabinet, yaw=0.8, width=0.44, height=0.36, depth=0.26,
        door_friction=0.3,
    )  # fmt: skip
    return Setup(
        goal=[Literal.of("visible", "green_apple")],
        start=[
            Literal.of("closed", "microwave_door"),
            Literal.of("closed", "wooden_cabinet_left_door"),
            Literal.of("closed", "wooden_cabinet_right_door"),
            Literal.of("inside", "green_apple", "microwave"),
            Literal.of("upright", "kettle"),
            Literal.of("visible", "green_apple", positive=False),
        ],
    )


PLAN = arm_world(
    "kitchen",
    "a cabinet, a microwave that hides a green apple, and a kettle in front of its door",
    (Task("apple", "find the green_apple", "REPLAN Task 4"),),
    build,
)
