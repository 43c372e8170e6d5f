"""`regrasp worlds`: list the worlds, their tasks, and the objects and joints of each."""

from __future__ import annotations

from regrasp.cli.options import AsJson

__all__ = ["worlds"]


def worlds(as_json: AsJson = False) -> None:
    """List the worlds, their tasks, and the names that a reward can use in each."""
    from regrasp.cli.output import print_rows
    from regrasp.worlds.listing import list_tasks

    rows = [
        {
            "world": listed.world,
            "task": listed.task.name,
            "instruction": listed.task.instruction,
            "paper_task": listed.task.paper,
            "things": listed.things if as_json else ", ".join(listed.things),
            "joints": listed.joints if as_json else ", ".join(listed.joints),
        }
        for listed in list_tasks()
    ]
    print_rows(rows, list(rows[0]), as_json, "regrasp worlds")
