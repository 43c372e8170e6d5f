"""A run of a suite: select the remaining episodes, run them, and record each one."""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from regrasp.bench.executor import Executor
from regrasp.bench.layout import EpisodeNote, clear_drafts, drafts_of, finish, new_draft
from regrasp.bench.manifest import (
    MANIFEST_FILE,
    EpisodeSelection,
    Manifest,
    configuration,
    new_manifest,
    read_manifest,
    source_digest,
    write_manifest,
)
from regrasp.bench.naming import checked_name, seeded
from regrasp.bench.pool import BrokenJob
from regrasp.bench.reading import read_record
from regrasp.bench.record import EpisodeJob, EpisodeKey, EpisodeRecord
from regrasp.bench.run_job import DiskFullError, raise_if_disk_full
from regrasp.bench.store import load_results, note
from regrasp.bench.suite import Suite, refused
from regrasp.bench.suite_registry import is_suite_file, open_suite
from regrasp.core.errors import RegraspError

__all__ = ["Run", "lock_run_folder", "prepare", "run_jobs"]


@dataclass(frozen=True, slots=True)
class Run:
    """A prepared run: its folder, its manifest, and the remaining episodes."""

    root: Path
    suite: Suite
    manifest: Manifest
    jobs: tuple[EpisodeJob, ...]
    changed_source: bool = False


def prepare(
    address: str,
    root: Path,
    *,
    asked: EpisodeSelection | None,
    like: EpisodeJob,
    resume: bool = False,
    only: Collection[EpisodeKey] | None = None,
) -> Run:
    """Create or check the run's folder `root`; episodes are as `like` except their key.

    Without `asked`, a resumed run continues with its earlier selection. Finished episodes are left
    out; broken ones are run again. `only` leaves out all others.
    """
    where = str(Path(address).resolve()) if is_suite_file(address) else address
    suite = open_suite(where)
    like = replace(like, address=where, key=replace(like.key, suite=suite.name))
    _check_models(suite, like.key)
    found = configuration(suite, like)
    if (root / MANIFEST_FILE).exists():
        if not resume:
            raise RegraspError(f"{root} holds a run already: --resume goes on with it.")
        manifest = read_manifest(root)
        manifest.check_same(found)
        wanted = manifest.asked if asked is None else asked
        changed = manifest.source != source_digest()
        new = replace(manifest, asked=manifest.asked | wanted)
        clear_drafts(root)
        done = {r.key for r in load_results(root, checks=False).records if r.ended}
    else:
        wanted = asked or all_episodes(suite)
        new, changed, done = new_manifest(found, like, wanted, time.time()), False, set()
    write_manifest(root, new)
    left = (key for key in episode_keys(suite, wanted, like.key) if key not in done)
    jobs = tuple(replace(like, key=key) for key in left if only is None or key in only)
    return Run(root, suite, new, jobs, changed)


def _check_models(suite: Suite, key: EpisodeKey) -> None:
    """Raise before anything is written if a model's name is unknown, or contains an API key."""
    for name in (key.llm, key.vlm):
        checked_name(name)
    if suite.run_job is None:
        from regrasp.embedded.resolve import resolve_language  # noqa: PLC0415
        from regrasp.episodes.vision import vision_factory  # noqa: PLC0415

        resolve_language(seeded(key.llm, key.seed))
        vision_factory(seeded(key.vlm, key.seed))


def all_episodes(suite: Suite) -> EpisodeSelection:
    """All tasks and methods, on the suite's own number of seeds."""
    chosen = (suite.tasks, suite.chosen_methods())
    tasks, methods = (tuple(x.name for x in group) for group in chosen)
    return EpisodeSelection(tasks, methods, tuple(range(suite.episodes)))


def episode_keys(suite: Suite, asked: EpisodeSelection, like: EpisodeKey) -> Iterator[EpisodeKey]:
    """Every requested episode, seed by seed, so that methods can be compared early."""
    tasks, methods = suite.chosen_tasks(asked.tasks), suite.chosen_methods(asked.methods)
    for seed in asked.seeds:
        for task in tasks:
            for method in methods:
                if suite.by_world and refused(task, method):
                    continue
                yield replace(like, suite=suite.name, task=task.name, method=method.name, seed=seed)


def run_jobs(
    jobs: Sequence[EpisodeJob], root: Path, executor: Executor
) -> Generator[EpisodeRecord, None, None]:
    """Run the jobs and yield each row once its episode is in its place; a full disk raises."""
    try:
        with closing(executor.run(jobs, root)) as running:
            for job, result in running:
                if isinstance(result, DiskFullError):
                    raise result
                record = _broken(job, result, root) if isinstance(result, BrokenJob) else result
                note(root, record)
                yield record
    finally:
        clear_drafts(root)


def _broken(job: EpisodeJob, why: BrokenJob, root: Path) -> EpisodeRecord:
    """Keep the partial files of a broken episode, with the reason beside them.

    If the episode was finished after all (its process was killed just after), it stays finished.
    """
    drafts = drafts_of(root, job.key)
    draft = drafts[-1] if drafts else new_draft(root, job.key)
    with raise_if_disk_full(root):
        place = finish(draft, root, EpisodeNote(job.key, 0.0, 0.0, str(why)))
    return read_record(place, root)


@contextmanager
def lock_run_folder(root: Path) -> Iterator[None]:
    """Lock the run's folder; a second runner is refused. The lock ends with its process."""
    try:
        import fcntl  # noqa: PLC0415 - not on Windows, where two runners are not kept apart
    except ImportError:
        yield
        return
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RegraspError(
                f"another process runs in {root}: wait for it, or give another --out."
            ) from None
        yield
