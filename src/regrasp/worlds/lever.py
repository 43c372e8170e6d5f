"""The lever: a cabinet that hides a blue cube and is locked until a lever is pulled (Task 5)."""

from __future__ import annotations

from regrasp.core.fact import Literal
from regrasp.worlds.arm import arm_world
from regrasp.worlds.kit.cabinet import add_cabinet
from regrasp.worlds.kit.cube import add_cube
from regrasp.worlds.kit.lever import add_lever
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.world import Setup, Task

__all__ = ["PLAN"]


def build(scene: Scene, task: str) -> Setup:
    """Cabinet to the left with the cube inside, lever to the right."""
    jitter = scene.layout.uniform
    x, y = 0.67 + jitter(-0.02, 0.02), 0.16 + jitter(-0.03, 0.03)
    cube = (x + 0.08 + jitter(-0.02, 0.02), y + jitter(-0.06, 0.06), 0.12)
    lever = (0.60 + jitter(-0.03, 0.03), -0.24 + jitter(-0.05, 0.05), 0.0)
    add_cabinet(scene, "wooden_cabinet", (x, y, 0.0), width=0.34, doors=1, door_friction=0.3)
    add_cube(scene, "blue_cube", cube, yaw=jitter(-0.4, 0.4), colour="blue")
    add_lever(scene, "lever", lever)
    scene.lock("wooden_cabinet_door", trigger="lever", latching=True)
    return Setup(
        goal=[Literal.of("visible", "blue_cube")],
        start=[
            Literal.of("closed", "wooden_cabinet_door"),
            Literal.of("locked", "wooden_cabinet_door"),
            Literal.of("inside", "blue_cube", "wooden_cabinet"),
            Literal.of("visible", "blue_cube", positive=False),
        ],
    )


PLAN = arm_world(
    "lever",
    "a locked cabinet that hides a blue cube, and the lever that unlocks it",
    (Task("locked", "find the blue_cube", "REPLAN Task 5"),),
    build,
)
