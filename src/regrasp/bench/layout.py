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
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from regrasp.bench.record import EpisodeKey
from regrasp.core.codec import from_json, to_json
from regrasp.core.errors import RegraspError
from regrasp.core.files import write_json

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
]

EPISODE_FILE = "episode.json"
"""The note beside a trace: the episode's key, and data that is not in the trace."""

_EPISODES = "episodes"


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
    for task in _names(root / _EPISODES):
        for method in _names(root / _EPISODES / task):
            for seed in sorted(_names(root / _EPISODES / task / method), key=int):
                # strings, because ten thousand Path objects are slow
                yield f"{_EPISODES}/{task}/{method}/{seed}"


def _names(within: Path) -> list[str]:
    try:
        with os.scandir(within) as found:
            return sorted(entry.name for entry in found if not entry.name.startswith("."))
    except FileNotFoundError:
        return []


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
    write_json(draft / EPISODE_FILE, to_json(note))
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
    try:
        return from_json(EpisodeNote, json.loads(path.read_text()))
    except (OSError, ValueError, RegraspError) as error:
        raise RegraspError(
            f"{path} cannot be read ({error}). Remove the folder {folder}; --resume runs that "
            "episode again."
        ) from error
