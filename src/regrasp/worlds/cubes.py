"""Coloured cubes and a crate for one: match the colour (Task 6), make room first (Task 7)."""

from __future__ import annotations

from regrasp.core.fact import Literal
from regrasp.worlds.arm import arm_world
from regrasp.worlds.kit.crate import add_crate
from regrasp.worlds.kit.cube import add_cube
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.world import Setup, Task

__all__ = ["PLAN"]

_COLOURS = ("red", "yellow")


def build(scene: Scene, task: str) -> Setup:
    """A crate in front of the arm, a cube on either side, or one of them on the crate.

    In the matching task the crate's colour is drawn, so that a guess is right half the time.
    """
    jitter = scene.layout.uniform
    x, y = 0.50 + jitter(-0.03, 0.03), jitter(-0.04, 0.04)
    colour = _COLOURS[int(scene.layout.integers(2))] if task == "match" else "red"
    sides = (1, -1) if scene.layout.random() < 0.5 else (-1, 1)
    add_crate(scene, "crate", (x, y, 0.0), colour=colour)
    setup = Setup()
    for name, side in zip(_COLOURS, sides, strict=True):
        at = (0.46 + jitter(-0.03, 0.03), y + side * (0.20 + jitter(-0.02, 0.02)), 0.0)
        turn = jitter(-0.4, 0.4)
        if task == "occupied" and name == "yellow":
            at, turn = (x, y, 0.08), 0.0
            setup.start.append(Literal.of("on", "yellow_cube", "crate"))
        add_cube(scene, f"{name}_cube", at, yaw=turn, colour=name)
    setup.goal.append(Literal.of("on", f"{colour}_cube", "crate"))
    setup.start.append(Literal.of("on", f"{colour}_cube", "crate", positive=False))
    return setup


PLAN = arm_world(
    "cubes",
    "two cubes and a crate that holds one of them",
    (
        Task(
            "match", "place the cube with the same color as the crate on the crate", "REPLAN Task 6"
        ),
        Task("occupied", "place the red_cube on the crate", "REPLAN Task 7"),
    ),
    build,
)
