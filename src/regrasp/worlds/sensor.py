"""The weight sensor: a stone cabinet unlocked while a red cube stands on the plate (Task 8)."""

from __future__ import annotations

from regrasp.core.fact import Literal
from regrasp.worlds.arm import arm_world
from regrasp.worlds.kit.cabinet import add_cabinet
from regrasp.worlds.kit.cube import add_cube
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.weight_sensor import add_weight_sensor
from regrasp.worlds.world import Setup, Task

__all__ = ["PLAN"]


def build(scene: Scene, task: str) -> Setup:
    """Cabinet to the left, sensor to the right, the cube between them."""
    jitter = scene.layout.uniform
    x, y = 0.67 + jitter(-0.02, 0.02), 0.17 + jitter(-0.03, 0.03)
    plate = (0.52 + jitter(-0.03, 0.03), -0.27 + jitter(-0.03, 0.03), 0.0)
    cube = (0.45 + jitter(-0.02, 0.02), -0.05 + jitter(-0.03, 0.03), 0.0)
    add_cabinet(
        scene, "stone_cabinet", (x, y, 0.0), width=0.34, doors=1, door_friction=0.3, colour="grey"
    )
    add_weight_sensor(scene, "weight_sensor", plate)
    add_cube(scene, "red_cube", cube, yaw=jitter(-0.4, 0.4), mass=0.25, colour="red")
    scene.lock("stone_cabinet_door", trigger="weight_sensor", threshold=0.5, latching=False)
    return Setup(
        goal=[Literal.of("open", "stone_cabinet_door")],
        start=[
            Literal.of("closed", "stone_cabinet_door"),
            Literal.of("locked", "stone_cabinet_door"),
            Literal.of("on", "red_cube", "weight_sensor", positive=False),
        ],
    )


PLAN = arm_world(
    "sensor",
    "a stone cabinet locked by a weight sensor, and a red cube",
    (
        Task(
            "locked",
            "open the stone_cabinet. The weight sensor lock can be unlocked by putting the "
            "red_cube on it.",
            "REPLAN Task 8",
        ),
    ),
    build,
)
