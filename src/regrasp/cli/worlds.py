"""`regrasp worlds`: list the worlds, their tasks, and the objects and joints of each."""

from __future__ import annotations

from regrasp.cli.options import AsJson

__all__ = ["worlds"]


def worlds(as_json: AsJson = False) -> None:
    """List the worlds, their tasks, and the names that a reward can use in each."""
    import numpy as np

    from regrasp.cli.output import print_rows
    from regrasp.worlds.kit.scene import Scene
    from regrasp.worlds.registry import WORLDS, world_plan

    rows = []
    for name in WORLDS:
        plan = world_plan(name)
        for task in plan.tasks:  # each is built and not compiled, which is quick
            layout, look = (np.random.default_rng([0, stream]) for stream in (0, 1))
            scene = Scene(layout=layout, look=look, planning=True)
            plan.body(scene)
            plan.build(scene, task.name)
            rows.append(
                {
                    "world": name,
                    "task": task.name,
                    "instruction": task.instruction,
                    "paper_task": task.paper,
                    "things": tuple(scene.things) if as_json else ", ".join(scene.things),
                    "joints": tuple(scene.joints) if as_json else ", ".join(scene.joints),
                }
            )
    print_rows(rows, list(rows[0]), as_json, "regrasp worlds")
