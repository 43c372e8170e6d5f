"""Episodes on a Ray cluster: the same `Executor` protocol, and the same folders at the end.

A node runs an episode in a folder of its own and sends it back as an archive. Here it is unpacked
beside its place and moved there, as a local worker does. A node must have the same Regrasp, MuJoCo,
NumPy and Python; otherwise its jobs are broken, so that no result mixes two versions.
"""

from __future__ import annotations

import faulthandler
import io
import socket
import sys
import tarfile
import tempfile
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from regrasp.bench.layout import finish, new_draft, read_note
from regrasp.bench.manifest import source_digest
from regrasp.bench.pool import BrokenJob
from regrasp.bench.record import EpisodeJob, EpisodeRecord
from regrasp.bench.run_job import DiskFullError, JobResult, raise_if_disk_full, run_job
from regrasp.bench.suite_registry import is_suite_file
from regrasp.core.errors import RegraspError
from regrasp.episodes.recording import versions

__all__ = ["RayCluster"]

_POLL_S = 0.5
_KNOCK_S = 10.0
_AHEAD = 2  # episodes submitted for each core of the cluster, so that no core is idle


@dataclass(frozen=True, slots=True)
class Packed:
    """A transferred episode: its row, and its folder as a tar archive."""

    record: EpisodeRecord
    folder: bytes


@dataclass(frozen=True, slots=True)
class RayCluster:
    """The cluster at `address` (`ray://HOST:PORT`, `HOST:PORT`), or if None an existing one.

    If there is none, Ray starts one on this machine. A node's process is replaced after `recycle`
    episodes.
    """

    address: str | None = None
    recycle: int = 50

    def run(
        self, jobs: Sequence[EpisodeJob], root: Path
    ) -> Generator[tuple[EpisodeJob, JobResult], None, None]:
        """See `Executor.run`."""
        ray = _import_ray()
        with redirect_stdout(sys.stderr):  # Ray prints, and stdout is for our one document
            self._connect(ray)
            try:
                yield from _run(ray, jobs, root, self.recycle)
            finally:
                ray.shutdown()

    def _connect(self, ray: Any) -> None:
        try:
            if self.address and ":" in self.address:  # Ray itself would retry for minutes
                host, _, port = self.address.removeprefix("ray://").rpartition(":")
                socket.create_connection((host, int(port)), _KNOCK_S).close()
            ray.init(address=self.address, log_to_driver=False, logging_level="ERROR")
        except (OSError, RuntimeError, ValueError) as error:
            raise RegraspError(
                f"no Ray cluster answers at {self.address or 'this machine'} ({error}). Start one "
                "with `ray start --head`; from outside it is ray://HOST:10001."
            ) from error


def _import_ray() -> Any:
    try:
        import ray  # noqa: PLC0415
    except ImportError:
        raise RegraspError("--executor ray needs Ray: pip install 'regrasp[ray]'.") from None
    return ray


def _run(
    ray: Any, jobs: Sequence[EpisodeJob], root: Path, recycle: int
) -> Generator[tuple[EpisodeJob, JobResult], None, None]:
    remote = ray.remote(num_cpus=1, max_retries=0, max_calls=recycle)(_play_and_pack)
    cores = int(ray.cluster_resources().get("CPU", 1))
    same, waiting, away = _what_plays(), deque(jobs), dict[Any, EpisodeJob]()
    while waiting or away:
        while waiting and len(away) < _AHEAD * cores:
            job = waiting.popleft()
            away[remote.remote(job, _suite_source(job), same)] = job
        ready, _ = ray.wait(list(away), num_returns=1, timeout=_POLL_S)
        for reference in ready:
            job = away.pop(reference)
            try:
                result = ray.get(reference)
            except ray.exceptions.RayError as error:
                result = _broken(ray, error, job)
            yield job, _unpack(result, root) if isinstance(result, Packed) else result


def _broken(ray: Any, error: Exception, job: EpisodeJob) -> BrokenJob:
    """Why the cluster returned no result."""
    if isinstance(error, ray.exceptions.RayTaskError):
        cause = getattr(error, "cause", None) or error
        return BrokenJob(f"{type(cause).__name__} on the cluster: {cause}", str(error))
    why = f"its process on the cluster died, or was stopped after {job.limits.wall_s:g} s"
    return BrokenJob(why, f"{type(error).__name__}: {error}")


@cache
def _what_plays() -> dict[str, str]:
    """The versions that influence an episode, on this machine."""
    return {**versions(), "source": source_digest()}


def _suite_source(job: EpisodeJob) -> str:
    return Path(job.address).read_text() if is_suite_file(job.address) else ""


# ---- on the node -------------------------------------------------------------------------------


def _play_and_pack(job: EpisodeJob, suite_source: str, same: dict[str, str]) -> Packed | BrokenJob:
    """Run `job` in a temporary folder; a hang ends the process."""
    here = _what_plays()
    other = [f"{k} {here.get(k)} and not {v}" for k, v in same.items() if here.get(k) != v]
    if other:
        return BrokenJob(f"a node of the cluster has {', '.join(other)}: install the same there")
    faulthandler.dump_traceback_later(job.limits.wall_s, exit=True)
    try:
        with tempfile.TemporaryDirectory(prefix="regrasp-") as name:
            folder = Path(name)
            if suite_source:
                file = folder / Path(job.address).name
                file.write_text(suite_source)
                job = replace(job, address=str(file))
            record = run_job(job, folder)
            return Packed(record, _pack(folder / record.trace))
    except DiskFullError as error:
        return BrokenJob(f"a node's disk is full: {error}")
    finally:
        faulthandler.cancel_dump_traceback_later()


def _pack(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.add(folder, arcname=".")
    return buffer.getvalue()


# ---- on this machine ---------------------------------------------------------------------------


def _unpack(packed: Packed, root: Path) -> EpisodeRecord:
    """Move an episode from a node to its place."""
    draft = new_draft(root, packed.record.key)
    with raise_if_disk_full(root):
        with tarfile.open(fileobj=io.BytesIO(packed.folder)) as archive:
            draft.mkdir(parents=True)
            archive.extractall(draft, filter="data")
        finish(draft, root, read_note(draft))
    return packed.record
