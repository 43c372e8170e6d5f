"""Killed at any moment, a run that is resumed ends as one that was left alone.

A worker, the runner, or the disk goes; what was finished before is neither lost nor run again, and
the results are those of a run that nothing happened to. Once each here, by the command line; twenty
times each, by the runner alone, with `pytest -m long tests/bench/test_kills.py`.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tiny_runs import Tiny, comparable

EPISODES = 4 * 2 * 3
LONGEST_S = 600  # for machines that have other things to do

Start: TypeAlias = Callable[..., Any]
"""Starts or resumes a run: `Tiny.start` or `Tiny.fork`."""


def by_command(tiny: Tiny, resume: bool = False) -> Any:
    return tiny.start(*(["--resume"] if resume else []))


def by_runner(tiny: Tiny, resume: bool = False) -> Any:
    return tiny.fork(resume=resume)


@pytest.fixture(scope="module")
def left_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("left_alone") / "run"
    assert Tiny(root).fork().wait(LONGEST_S) == 0
    return root


def children(pid: int) -> list[int]:
    """The workers of a runner; the process that tracks its resources is not one."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += [int(child) for child in task.read_text().split()]
    return [c for c in found if b"spawn_main" in Path(f"/proc/{c}/cmdline").read_bytes()]


def after(tiny: Tiny, dice: random.Random, process: Any) -> None:
    """Wait until some of the episodes have been begun, and a little, or until it is all over."""
    deadline, share = time.monotonic() + LONGEST_S, dice.random()
    while len(tiny.begun()) < share * EPISODES and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    time.sleep(dice.uniform(0.0, 0.05))


def resume_and_compare(tiny: Tiny, left_alone: Path, start: Start) -> None:
    """Resume; nothing is broken then, and all is as in a run that was left alone."""
    finished, begun = tiny.finished(), len(tiny.begun())
    assert start(tiny, resume=True).wait(LONGEST_S) == 0
    again = tiny.begun()[begun:]
    assert sorted(again) == sorted(set(again))
    broken = 1  # at most: the episode that a killed worker was at
    assert len([line for line in again if line in finished]) <= broken
    assert comparable(tiny.root) == comparable(left_alone)
    assert not list(tiny.root.glob("episodes/*/*/.*"))


def kill_a_worker(tiny: Tiny, left_alone: Path, dice: random.Random, start: Start) -> None:
    process = start(tiny)
    after(tiny, dice, process)
    with suppress(ProcessLookupError, FileNotFoundError, IndexError):
        os.kill(dice.choice(children(process.pid)), signal.SIGKILL)
    assert process.wait(LONGEST_S) in (0, 1)  # 1: an episode is broken, and said to be
    resume_and_compare(tiny, left_alone, start)


def kill_the_runner(tiny: Tiny, left_alone: Path, dice: random.Random, start: Start) -> None:
    process = start(tiny)
    after(tiny, dice, process)
    workers = children(process.pid) if process.poll() is None else []
    process.kill()
    process.wait(LONGEST_S)
    deadline = time.monotonic() + LONGEST_S
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline, "a worker outlived its runner"
        time.sleep(0.005)
    resume_and_compare(tiny, left_alone, start)


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[None]:
    folder.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, check=False, capture_output=True).stderr:
        pytest.skip("a small disk is a tmpfs, and mounting one needs root")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill_the_disk(tiny: Tiny, left_alone: Path, dice: random.Random, start: Start) -> None:
    disk = tiny.root.with_name("disk")
    with small_disk(disk, dice.randint(40, 220)):
        full = Tiny(disk / "run")
        full.log = tiny.log  # elsewhere: a disk that is full has no room for it
        assert start(full).wait(LONGEST_S) == 2  # refused, and said to be full
        subprocess.run(["mount", "-o", "remount,size=16m", str(disk)], check=True)
        resume_and_compare(full, left_alone, start)


KILLS = pytest.mark.parametrize("kill", [kill_a_worker, kill_the_runner, fill_the_disk])
LINUX = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds workers in /proc")


@KILLS
@LINUX
def test_killed_and_resumed(kill: Callable[..., None], tiny: Tiny, left_alone: Path) -> None:
    kill(tiny, left_alone, random.Random(kill.__name__), by_command)


@pytest.mark.long
@KILLS
@LINUX
@pytest.mark.parametrize("turn", range(20))
def test_killed_and_resumed_often(
    kill: Callable[..., None], turn: int, tiny: Tiny, left_alone: Path
) -> None:
    kill(tiny, left_alone, random.Random(f"{kill.__name__} {turn}"), by_runner)
