"""A run of a suite: select the remaining episodes, run them, and record each one."""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from regrasp.bench.executor import Executor
from regrasp.bench.layout import (
    EpisodeNote,
    LeftOut,
    clear_drafts,
    drafts_of,
    episode_path,
    finish,
    new_draft,
    scan_episodes,
)
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
from regrasp.bench.run_names import is_own_manifest, mark_manifest
from regrasp.bench.store import load_results, note
from regrasp.bench.suite import Suite, refused
from regrasp.bench.suite_registry import is_suite_file, open_suite
from regrasp.core.errors import RegraspError
from regrasp.core.estimates import Estimates
from regrasp.core.run_folder import inside
from regrasp.worlds.registry import world_plan

__all__ = ["LOCK_FILE", "Run", "lock_run_folder", "prepare", "run_jobs"]

LOCK_FILE = ".lock"
"""The file that a runner locks; it is the first that a run writes."""

_LISTED = 10  # paths in a message


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
    out; broken ones are run again. `only` leaves out all others. A folder with episodes and no
    manifest is refused: nobody knows what they are episodes of.
    """
    where = str(Path(address).resolve()) if is_suite_file(address) else address
    suite = open_suite(where)
    like = replace(like, address=where, key=replace(like.key, suite=suite.name))
    _check_models(suite, like.key)
    _check_estimates(suite, asked, like)
    _check_cameras(suite, asked, like)
    found = configuration(suite, like)
    left_out: tuple[LeftOut, ...] = ()
    if (root / MANIFEST_FILE).exists():
        if not resume:
            raise RegraspError(f"{root} holds a run already: --resume goes on with it.")
        manifest = read_manifest(root)
        manifest.check_same(found)
        wanted = manifest.asked if asked is None else asked
        changed = manifest.source != source_digest()
        new = replace(manifest, asked=manifest.asked | wanted)
        clear_drafts(root)
        results = load_results(root, checks=False)
        done, left_out = {r.key for r in results.records if r.ended}, results.left_out
        ours = is_own_manifest(manifest) or (manifest.suite, manifest.like.key) == (where, like.key)
    else:
        _check_empty(root)
        wanted = asked or all_episodes(suite)
        new, changed, done = new_manifest(found, like, wanted, time.time()), False, set()
        ours = True
    left = (key for key in episode_keys(suite, wanted, like.key) if key not in done)
    jobs = tuple(
        replace(like, key=key, digest=new.job_digest(key))
        for key in left
        if only is None or key in only
    )
    _check_places(root, jobs, left_out)
    write_manifest(root, new)
    if ours:  # the user gave every name in it, now or when it was written
        mark_manifest(new)
    return Run(root, suite, new, jobs, changed)


def _check_empty(root: Path) -> None:
    """Raise if the folder of a new run has episodes already: they would be taken for its own."""
    paths, left_out = scan_episodes(root)
    if paths or left_out:
        first = paths[0] if paths else left_out[0].path
        raise RegraspError(
            f"{root} has no {MANIFEST_FILE}, but {first}: nobody knows what those are episodes of, "
            "so no run begins there. Give another --out, or move them away."
        )


def _check_places(root: Path, jobs: Sequence[EpisodeJob], left_out: Sequence[LeftOut]) -> None:
    """Raise if the place of an episode to run is taken by what does not belong to the run."""
    places = [PurePosixPath(episode_path(job.key)) for job in jobs]
    needed = {str(path) for place in places for path in (place, *place.parents)}
    taken = [one for one in left_out if one.path in needed]
    if taken:
        listed = "\n".join(f"  {root / one.path}: {one.why}" for one in taken[:_LISTED])
        more = f"\n  and {len(taken) - _LISTED} more" if len(taken) > _LISTED else ""
        raise RegraspError(
            "these are no episodes of this run, and stand where its episodes belong. Move them "
            f"away, and --resume runs those episodes:\n{listed}{more}"
        )


def _check_estimates(suite: Suite, asked: EpisodeSelection | None, like: EpisodeJob) -> None:
    """Raise before anything is written if a robot of the run has no such estimates."""
    if like.estimates is Estimates.PRIVILEGED or suite.run_job is not None:
        return
    for task in suite.chosen_tasks(asked.tasks if asked is not None else None):
        world_plan(task.world).robot_with(like.estimates)


def _check_cameras(suite: Suite, asked: EpisodeSelection | None, like: EpisodeJob) -> None:
    """Raise before anything is written if a robot of the run has no such camera."""
    if not like.cameras:
        return
    if suite.run_job is not None:
        raise RegraspError(f"the suite {suite.name} has no method that looks: leave --cameras out.")
    from regrasp.episodes.runner import WorldTask, open_place  # noqa: PLC0415

    tasks = suite.chosen_tasks(asked.tasks if asked is not None else None)
    for task in {task.world: task for task in tasks}.values():
        with open_place(WorldTask(task.world, task.task), size=(8, 8)) as setting:
            setting.seen_by(like.cameras)


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
    chosen = (suite.chosen_tasks(), suite.chosen_methods())
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
                note(root, record, job.digest)
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
        place = finish(draft, root, EpisodeNote(job.key, 0.0, 0.0, str(why), job.digest))
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
    with inside(root, LOCK_FILE).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RegraspError(
                f"another process runs in {root}: wait for it, or give another --out."
            ) from None
        yield
