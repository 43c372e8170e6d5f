"""Folders as a stranger would send them: made here, then changed, and read by another user."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tiny_runs import Tiny

from regrasp.bench.layout import EPISODE_FILE, read_note
from regrasp.bench.manifest import new_manifest, read_manifest, write_manifest
from regrasp.bench.record import EpisodeJob
from regrasp.bench.run_job import JobResult, run_job
from regrasp.core.codec import to_json

PLANT = """
from pathlib import Path

Path({planted!r}).touch()
raise SystemExit("a stranger's file ran")
"""


def become_another_user(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """From here on the state folder is another user's, as after a folder was sent by mail."""
    monkeypatch.setenv("REGRASP_STATE", str(home))


def plant(folder: Path) -> tuple[Path, Path]:
    """A Python file that makes another file as soon as it is run: both paths."""
    folder.mkdir(parents=True, exist_ok=True)
    code, planted = folder / "evil.py", folder / "planted"
    code.write_text(PLANT.format(planted=str(planted)))
    return code, planted


def edit_json(path: Path, change: Callable[[Any], None]) -> None:
    """Change a JSON file in place."""
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def edit_line(path: Path, number: int, change: Callable[[Any], None]) -> None:
    """Change one line of a JSON Lines file in place."""
    lines = path.read_text().splitlines()
    data = json.loads(lines[number])
    change(data)
    lines[number] = json.dumps(data)
    path.write_text("\n".join(lines) + "\n")


def forge_models(root: Path, **names: str) -> None:
    """Make manifest and notes say, without a contradiction, that other models were used."""
    manifest = read_manifest(root)
    configured = {**manifest.configuration, **names}
    like = replace(manifest.like, key=replace(manifest.like.key, **names))
    forged = new_manifest(configured, like, manifest.asked, manifest.wall_started_s)
    write_manifest(root, forged)
    for folder in root.glob("episodes/*/*/*"):
        note = read_note(folder)
        key = replace(note.key, **names)
        note = replace(note, key=key, job=forged.job_digest(key))
        (folder / EPISODE_FILE).write_text(json.dumps(to_json(note)))


class InThisProcess:
    """An executor that starts no process, so that it is quick."""

    def run(
        self, jobs: Sequence[EpisodeJob], root: Path
    ) -> Generator[tuple[EpisodeJob, JobResult], None, None]:
        for job in jobs:
            yield job, run_job(job, root)


def quick_run(root: Path, seeds: int = 2, *, resume: bool = False) -> Tiny:
    """A run of the tiny suite in `root`."""
    tiny = Tiny(root)
    tiny.run(seeds=seeds, executor=InThisProcess(), resume=resume)
    return tiny
