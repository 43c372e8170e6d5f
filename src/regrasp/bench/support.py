"""Which methods of a suite cannot work on the robot of a task, and why."""

from __future__ import annotations

from functools import cache

from regrasp.bench.suite import SuiteMethod, SuiteTask

# ruff: noqa: PLC0415  -- a world is opened only when needed

__all__ = ["refused"]


def refused(task: SuiteTask, method: SuiteMethod) -> str:
    """Why a method cannot work on the robot of a task; empty if it can, or is a function."""
    return _refused(task.world, task.task, method.method) if isinstance(method.method, str) else ""


@cache
def _refused(world: str, task: str | None, method: str) -> str:
    from regrasp.episodes.setting import world_setting
    from regrasp.methods.registry import refusal
    from regrasp.worlds.registry import open_world

    with world_setting(open_world(world, task), size=(32, 24)) as setting:
        return refusal(method, setting.robot, setting.domain)
