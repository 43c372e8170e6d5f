"""The layout of the folder of a benchmark run, and moving a finished episode into it.

    DIR/manifest.json
    DIR/episodes/TASK/METHOD/SEED/       a finished episode: trace.jsonl, images/, episode.json
    DIR/episodes/TASK/METHOD/.SEED.…     an episode being written, or left by a killed process
    DIR/records.jsonl, DIR/checks.jsonl  a cache of the data in the traces
    DIR/results.parquet                  the same data for other tools
    DIR/code/                            the modules that the episodes used (used_code.py)

An episode is written to a draft folder and moved by one rename, so it is complete or absent. What
has no place in this layout (a stray file, a link, a name that is no seed) is found and listed, and
never read.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from regrasp.bench.record import EpisodeKey
from regrasp.core.codec import to_json
from regrasp.core.document import decode_document, read_json_file
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import open_regular
from regrasp.core.files import write_json
from regrasp.core.run_folder import inside, leads_out
from regrasp.core.trace import TRACE_FILE

__all__ = [
    "EPISODE_FILE",
    "EpisodeNote",
    "LeftOut",
    "clear_drafts",
    "drafts_of",
    "episode_folder",
    "episode_path",
    "finish",
    "new_draft",
    "read_note",
    "scan_episodes",
    "trace_digest",
]

EPISODE_FILE = "episode.json"
"""The note beside a trace: the episode's key, and data that is not in the trace."""

_EPISODES = "episodes"
_SEED = re.compile(r"0|[1-9][0-9]{0,17}")
_LINK = "it is a symbolic link, and links in a run's folder are not followed"


@dataclass(frozen=True, slots=True)
class EpisodeNote:
    """The key of an episode, the time it took, and the error that broke it, if any.

    `job` is the digest of its job, `trace` the SHA-256 of its trace file; both are empty in a note
    of an earlier version, and `trace` also where an episode broke before it had a trace.
    """

    key: EpisodeKey
    wall_s: float
    cpu_s: float
    broken: str = ""
    job: str = ""
    trace: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A path in a run's folder that is no episode of the run, and why."""

    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


def episode_path(key: EpisodeKey) -> str:
    """The path of the finished episode in its run's folder."""
    return f"{_EPISODES}/{key.task}/{key.method}/{key.seed}"


def episode_folder(root: Path, key: EpisodeKey) -> Path:
    """The folder of the finished episode."""
    return root / episode_path(key)


def scan_episodes(root: Path) -> tuple[list[str], list[LeftOut]]:
    """The paths in `root` of episodes, sorted by task, method and seed; and what is none."""
    found: list[str] = []  # strings, because ten thousand Path objects are slow
    left_out: list[LeftOut] = []
    if (root / _EPISODES).is_symlink():
        return found, [LeftOut(_EPISODES, _LINK)]
    for task in _folders(root, _EPISODES, left_out):
        for method in _folders(root, task, left_out):
            seeds = []
            for path in _folders(root, method, left_out):
                if _SEED.fullmatch(path.rpartition("/")[2]):
                    seeds.append(path)
                else:
                    left_out.append(LeftOut(path, "its name is no seed"))
            found += sorted(seeds, key=lambda path: int(path.rpartition("/")[2]))
    return found, left_out


def _folders(root: Path, within: str, left_out: list[LeftOut]) -> list[str]:
    """The paths of the folders in `within`, sorted; drafts are passed over."""
    found = []
    try:
        with os.scandir(root / within) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                path = f"{within}/{entry.name}"
                if entry.name.startswith("."):
                    continue
                if entry.is_symlink():
                    left_out.append(LeftOut(path, _LINK))
                elif not entry.is_dir():
                    left_out.append(LeftOut(path, "it is a file, where folders are"))
                else:
                    found.append(path)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise RegraspError(f"cannot read the folder {root / within}: {error.strerror}.") from error
    return found


def new_draft(root: Path, key: EpisodeKey) -> Path:
    """A new, unique folder name for an episode in progress, beside its final folder."""
    folder = episode_folder(root, key)
    return folder.with_name(f".{folder.name}.{os.getpid()}.{os.urandom(4).hex()}")


def drafts_of(root: Path, key: EpisodeKey) -> list[Path]:
    """The unfinished drafts of this episode."""
    folder = episode_folder(root, key)
    found = sorted(folder.parent.glob(f".{folder.name}.*"))
    return [draft for draft in found if not draft.is_symlink()]


def clear_drafts(root: Path) -> int:
    """Remove all unfinished drafts. Returns their number."""
    found = sorted((root / _EPISODES).glob("*/*/.*"))
    drafts = [d for d in found if not leads_out(root, d.parent.relative_to(root).as_posix())]
    for draft in drafts:
        if draft.is_symlink():
            draft.unlink()
        else:
            shutil.rmtree(draft, ignore_errors=True)
    return len(drafts)


def finish(draft: Path, root: Path, note: EpisodeNote) -> Path:
    """Move a draft to its final folder. It replaces a broken episode, never a finished one.

    If the episode was finished before, with the same job, it stays. A finished episode of another
    job is neither replaced nor taken for this one.
    """
    folder = inside(root, episode_path(note.key))
    draft.mkdir(parents=True, exist_ok=True)
    note = replace(note, trace=note.trace or trace_digest(draft))
    write_json(draft / EPISODE_FILE, to_json(note))
    if folder.exists() and not (there := read_note(folder)).broken:
        shutil.rmtree(draft)
        if (there.key, there.job) != (note.key, note.job):
            raise RegraspError(
                f"{folder} holds an episode of another job ({there.key}). Move it away; --resume "
                "runs this one again."
            )
        return folder
    if folder.exists():
        old = new_draft(root, note.key)
        folder.rename(old)
        draft.rename(folder)
        shutil.rmtree(old)
    else:
        draft.rename(folder)
    return folder


def read_note(folder: Path) -> EpisodeNote:
    """The note of an episode's folder."""
    path = inside(folder, EPISODE_FILE)
    remedy = f"Remove the folder {folder}; --resume runs that episode again."
    try:
        data = read_json_file(path, remedy)
    except FileNotFoundError:
        raise RegraspError(f"there is no {path}. {remedy}") from None
    if isinstance(data, dict):
        data = {"job": "", "trace": "", **data}  # an earlier version had neither
    return decode_document(EpisodeNote, data, path, remedy)


def trace_digest(folder: Path) -> str:
    """SHA-256 of the bytes of an episode's trace; empty without one."""
    try:
        with open_regular(inside(folder, TRACE_FILE)) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""
