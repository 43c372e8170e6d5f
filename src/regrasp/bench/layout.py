"""Where things are in a run's folder, and the step that makes an episode finished.

    DIR/manifest.json
    DIR/episodes/TASK/METHOD/SEED/      a finished episode: trace.jsonl, images/, episode.json
    DIR/episodes/TASK/METHOD/.SEED.…    one that is being written, or was when somebody was killed
    DIR/records.jsonl, DIR/checks.jsonl what was read from the traces: a cache
    DIR/results.parquet                 the same for other tools

An episode is written beside its place and moved there by one rename, so it is whole or not there.
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

__all__ = [
    "EPISODE_FILE",
    "EpisodeNote",
    "clear_drafts",
    "drafts_of",
    "episode_folder",
    "episode_places",
    "finish",
    "new_draft",
    "read_note",
]

EPISODE_FILE = "episode.json"
"""The note beside a trace: which episode it is, and what the trace does not know."""

_EPISODES = "episodes"


@dataclass(frozen=True, slots=True)
class EpisodeNote:
    """Which episode a folder holds, what it cost, and why it is broken if it is."""

    key: EpisodeKey
    wall_s: float
    cpu_s: float
    broken: str = ""


def episode_folder(root: Path, key: EpisodeKey) -> Path:
    """Where the episode is when it is finished."""
    return root / _EPISODES / key.task / key.method / str(key.seed)


def episode_places(root: Path) -> Iterator[str]:
    """Where in `root` each finished or broken episode is, sorted by task, method and seed."""
    for task in _names(root / _EPISODES):
        for method in _names(root / _EPISODES / task):
            for seed in sorted(_names(root / _EPISODES / task / method), key=int):
                yield f"{_EPISODES}/{task}/{method}/{seed}"  # no Path: there are ten thousand


def _names(within: Path) -> list[str]:
    try:
        with os.scandir(within) as found:
            return sorted(entry.name for entry in found if not entry.name.startswith("."))
    except FileNotFoundError:
        return []


def new_draft(root: Path, key: EpisodeKey) -> Path:
    """A folder name beside the episode's place that nobody else writes to."""
    place = episode_folder(root, key)
    return place.with_name(f".{place.name}.{os.getpid()}.{os.urandom(4).hex()}")


def drafts_of(root: Path, key: EpisodeKey) -> list[Path]:
    """What was begun of this episode and not finished."""
    place = episode_folder(root, key)
    return sorted(place.parent.glob(f".{place.name}.*"))


def clear_drafts(root: Path) -> int:
    """Remove what was begun and never finished; how many there were."""
    drafts = sorted((root / _EPISODES).glob("*/*/.*"))
    for draft in drafts:
        shutil.rmtree(draft, ignore_errors=True)
    return len(drafts)


def finish(draft: Path, root: Path, note: EpisodeNote) -> Path:
    """Move a draft to its place, over a broken one if need be; a finished one there stays."""
    place = episode_folder(root, note.key)
    draft.mkdir(parents=True, exist_ok=True)
    (draft / EPISODE_FILE).write_text(json.dumps(to_json(note), indent=1) + "\n")
    if place.exists() and not read_note(place).broken:
        shutil.rmtree(draft)
        return place
    if place.exists():
        old = new_draft(root, note.key)
        place.rename(old)
        draft.rename(place)
        shutil.rmtree(old)
    else:
        draft.rename(place)
    return place


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
