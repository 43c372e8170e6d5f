"""Run one episode of a suite and write it to the run's folder; the job is its only input."""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from regrasp.bench.free_memory import free_memory
from regrasp.bench.layout import EpisodeNote, finish, new_draft
from regrasp.bench.pool import BrokenJob
from regrasp.bench.reading import read_record
from regrasp.bench.record import EpisodeJob, EpisodeRecord
from regrasp.bench.suite import SuiteMethod, SuiteTask
from regrasp.bench.suite_registry import open_suite
from regrasp.bench.used_code import note_used_code
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.users_code import describe_error

# ruff: noqa: PLC0415  -- a worker sets its number of threads before numpy is imported

__all__ = ["DiskFullError", "JobResult", "raise_if_disk_full", "run_job", "run_method"]


class DiskFullError(RegraspError):
    """The disk is full. The run ends, and the episode does not count against the method."""


JobResult: TypeAlias = EpisodeRecord | BrokenJob | DiskFullError
"""The result of a job: its row, why there is none, or a full disk, which ends the run."""


def run_job(job: EpisodeJob, root: Path) -> EpisodeRecord:
    """Run `job` in this process and write its folder under `root`; return its record.

    If the method or the world raises an exception, the episode is broken. A full disk ends the run.
    """
    suite, draft = open_suite(job.address), new_draft(root, job.key)
    (task,), (method,) = suite.chosen_tasks([job.key.task]), suite.chosen_methods([job.key.method])
    wall, cpu, broken = time.monotonic(), time.process_time(), ""
    try:
        with raise_if_disk_full(root):
            (suite.run_job or run_method)(job, task, method, draft)
    except DiskFullError:
        raise
    except (Exception, SystemExit) as error:  # a user's method that exits has not succeeded
        broken = describe_error(error)
    spent = time.monotonic() - wall, time.process_time() - cpu
    free_memory()
    with raise_if_disk_full(root):
        note_used_code(root)
        place = finish(draft, root, EpisodeNote(job.key, *spent, broken, job.digest))
    return read_record(place, root)


def run_method(job: EpisodeJob, task: SuiteTask, method: SuiteMethod, folder: Path) -> None:
    """Run a method in a world, as `regrasp run` does."""
    from regrasp.bench.naming import seeded
    from regrasp.bench.swap import SWAPS, swapped_language
    from regrasp.core.goal import parse_goal
    from regrasp.embedded.resolve import resolve_language
    from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
    from regrasp.episodes.vision import vision_factory
    from regrasp.methods.registry import open_method
    from regrasp.models.budget import Budget
    from regrasp.models.errors import BudgetExceededError
    from regrasp.worlds.registry import world_plan

    key, function = job.key, method.method
    if job.swap and job.swap not in SWAPS:
        raise UnknownNameError("swap", job.swap, SWAPS)
    vision = SWAPS["vision"] if job.swap == "vision" else seeded(key.vlm, key.seed)
    plan = world_plan(task.world)
    robot = plan.robot_with(job.estimates)
    if job.swap == "controller":
        if robot is not None:
            raise RegraspError("an oracle controller knows the state: leave --estimates out.")
        robot = plan.oracle_robot
        if robot is None:
            raise RegraspError(f"the world {task.world} has no robot with an oracle controller.")
    spec = EpisodeSpec(
        WorldTask(task.world, task.task, key.seed, robot),
        open_method(function) if isinstance(function, str) else function,
        function if isinstance(function, str) else method.name,
        swapped_language(resolve_language(seeded(key.llm, key.seed)), job.swap),
        vision_factory(vision),
        instruction=task.instruction or None,
        goal=parse_goal(task.goal) if task.goal else None,
        recording=Recording(job.video, size=job.size, renderer=job.renderer),
        budget=Budget(calls=job.limits.calls),
        limit_s=task.limits(job.limits).sim_s,
        read_first=method.read_first,
        cameras=job.cameras,
    )
    with suppress(BudgetExceededError):  # a method that uses up its calls has failed
        run_episode(spec, folder)


@contextmanager
def raise_if_disk_full(root: Path) -> Iterator[None]:
    """Raise `DiskFullError` in place of an error that a full disk caused."""
    try:
        yield
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFullError(
                    f"the disk is full while writing in {root}. Finished episodes are complete: "
                    "free some space and continue with --resume."
                ) from error
            cause = cause.__cause__ or cause.__context__
        raise
