"""The layout of the folder of a benchmark run, and moving a finished episode into it.

    DIR/manifest.json
    DIR/episodes/TASK/METHOD/SEED/       a finished episode: trace.jsonl, images/, episode.json
    DIR/episodes/TASK/METHOD/.SEED.…     an episode being written, or left by a killed process
    DIR/records.jsonl, DIR/checks.jsonl  a cache of the data in the traces
    DIR/results.parquet                  the same data for other tools

An episode is written to a draft folder and moved by one rename, so it is complete or absent.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from regrasp.bench.record import EpisodeKey
from regrasp.core.codec import to_json
from regrasp.core.document import decode_document, read_json_file
from regrasp.core.errors import RegraspError

__all__ = [
    "EPISODE_FILE",
    "EpisodeNote",
    "clear_drafts",
    "drafts_of",
    "episode_folder",
    "episode_paths",
    "finish",
    "new_draft",
    "read_note",
    "stray_paths",
]

EPISODE_FILE = "episode.json"
"""The note beside a trace: the episode's key, and data that is not in the trace."""

_EPISODES = "episodes"
_SEED = re.compile(r"0|[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class EpisodeNote:
    """The key of an episode, the time it took, and the error that broke it, if any."""

    key: EpisodeKey
    wall_s: float
    cpu_s: float
    broken: str = ""


def episode_folder(root: Path, key: EpisodeKey) -> Path:
    """The folder of the finished episode."""
    return root / _EPISODES / key.task / key.method / str(key.seed)


def episode_paths(root: Path) -> Iterator[str]:
    """The paths in `root` of finished and broken episodes, sorted by task, method and seed."""
    for task in _folders(root / _EPISODES):
        for method in _folders(root / _EPISODES / task):
            names = _folders(root / _EPISODES / task / method)
            for seed in sorted(filter(_SEED.fullmatch, names), key=int):
                # strings, because ten thousand Path objects are slow
                yield f"{_EPISODES}/{task}/{method}/{seed}"


def stray_paths(root: Path) -> tuple[str, ...]:
    """The paths below `episodes/` that are not the folder of an episode, sorted.

    They are no results: a note of the user's, a copy (`0.bak`), something that a tool left behind.
    """
    found: list[str] = []

    def keep(within: str, is_known: Callable[[str], bool]) -> list[str]:
        folders = [name for name in _folders(root / within) if is_known(name)]
        strays = set(_names(root / within)) - set(folders)
        found.extend(f"{within}/{name}" for name in strays)
        return [f"{within}/{name}" for name in folders]

    for task in keep(_EPISODES, lambda name: True):
        for method in keep(task, lambda name: True):
            keep(method, lambda name: _SEED.fullmatch(name) is not None)
    return tuple(sorted(found))


def _folders(within: Path) -> list[str]:
    return _names(within, only_folders=True)


def _names(within: Path, *, only_folders: bool = False) -> list[str]:
    """The names in a folder, sorted, without hidden ones; none where there is no such folder."""
    try:
        with os.scandir(within) as found:
            return sorted(
                entry.name
                for entry in found
                if not entry.name.startswith(".") and (entry.is_dir() or not only_folders)
            )
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise RegraspError(f"cannot read the folder {within}: {error.strerror}.") from error


def new_draft(root: Path, key: EpisodeKey) -> Path:
    """A new, unique folder name for an episode in progress, beside its final folder."""
    folder = episode_folder(root, key)
    return folder.with_name(f".{folder.name}.{os.getpid()}.{os.urandom(4).hex()}")


def drafts_of(root: Path, key: EpisodeKey) -> list[Path]:
    """The unfinished drafts of this episode."""
    folder = episode_folder(root, key)
    return sorted(folder.parent.glob(f".{folder.name}.*"))


def clear_drafts(root: Path) -> int:
    """Remove all unfinished drafts. Returns their number."""
    drafts = sorted((root / _EPISODES).glob("*/*/.*"))
    for draft in drafts:
        shutil.rmtree(draft, ignore_errors=True)
    return len(drafts)


def finish(draft: Path, root: Path, note: EpisodeNote) -> Path:
    """Move a draft to its final folder. It replaces a broken episode, never a finished one."""
    folder = episode_folder(root, note.key)
    draft.mkdir(parents=True, exist_ok=True)
    (draft / EPISODE_FILE).write_text(json.dumps(to_json(note), indent=1) + "\n")
    if folder.exists() and not read_note(folder).broken:
        shutil.rmtree(draft)
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
    path = folder / EPISODE_FILE
    remedy = f"Remove the folder {folder}; --resume runs that episode again."
    try:
        return decode_document(EpisodeNote, read_json_file(path, remedy), path, remedy)
    except FileNotFoundError:
        raise RegraspError(f"there is no {path}. {remedy}") from None
