"""Exhibits as arrays: made by a pool of processes, shard by shard, and put together for the GPU.

A shard is some rooms of one world. Every shard has its own seeds, so the data is the same whatever
the number of processes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from regrasp.bench.protocol import training_seeds
from regrasp.domains.action_phrases import ACTION_PHRASES
from regrasp.embedded.vision.answers import ANSWERS
from regrasp.embedded.vision.picture import EDGE
from regrasp.embedded.vision.words import LONGEST, Vocabulary
from regrasp.lab.vision.kinds import KNOWN
from regrasp.lab.vision.labelled_scene import generate_scenes
from regrasp.lab.vision.pictured import PICTURED_WORLDS
from regrasp.lab.vision.questions import in_sight
from regrasp.lab.vision.scene_sampler import MOST_NEEDS, Visibility
from regrasp.lab.vision.wording import WORDINGS, Topic

CAMERAS = 3  # pictures of a state at most
QUESTIONS = 32
ROOMS = 40
STATES = 2
"""Few of each room: another room costs a quarter of another state, and teaches more."""
_LARGE = ("bar", "pizza")
"""Worlds of which half as many rooms have twice as many states: such a room costs half a state."""
TOPICS = tuple(Topic)


@dataclass(frozen=True, slots=True)
class Shard:
    """Which rooms of which world; seeds of `split` begin far from those of any other."""

    split: str
    world: str
    number: int

    @property
    def seeds(self) -> list[int]:
        """The seeds of its rooms, none of which the bench reserves."""
        start = {"train": 0, "tune": 8_000_000, "test": 9_000_000}[self.split]
        first = start + self.number * ROOMS
        return training_seeds(range(first, first + ROOMS))


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """S states with Q questions each.

    `pictures` (S, cameras, EDGE, EDGE, 3), `has` (S, cameras) whether there is one, `views_of` (S,)
    how many of the first agents look at; `words` (S, Q, LONGEST) the question in numbers, all 0 if
    it is not understood; `answer` (S, Q) number in ANSWERS or -1 for no question; `topic` (S, Q) in
    TOPICS; `shown` (S, Q, MOST_NEEDS, cameras) how much each picture shows of the things needed,
    `sought` (S, Q) whether the answer is no where the first of them is not shown;
    `unseen` (S, Q) held out from training; `world` (S,) in GALLERY_WORLDS.
    """

    pictures: npt.NDArray[np.uint8]
    has: npt.NDArray[np.bool_]
    views_of: npt.NDArray[np.uint8]
    words: npt.NDArray[np.uint8]
    answer: npt.NDArray[np.int16]
    topic: npt.NDArray[np.uint8]
    shown: npt.NDArray[np.uint8]
    sought: npt.NDArray[np.bool_]
    unseen: npt.NDArray[np.bool_]
    world: npt.NDArray[np.uint8]


def make_shard(shard: Shard) -> Arrays:
    """Render and ask."""
    fold = 2 if shard.world in _LARGE else 1
    made = list(
        generate_scenes(
            shard.world, list(shard.seeds)[::fold], states=STATES * fold, count=QUESTIONS,
            held_out=shard.split == "test",
        )
    )  # fmt: skip
    states, cameras = len(made), CAMERAS
    one = Arrays(
        np.zeros((states, cameras, EDGE, EDGE, 3), np.uint8),
        np.zeros((states, cameras), bool),
        np.array([exhibit.views for exhibit in made], np.uint8),
        np.zeros((states, QUESTIONS, LONGEST), np.uint8),
        np.full((states, QUESTIONS), -1, np.int16),
        np.zeros((states, QUESTIONS), np.uint8),
        np.full((states, QUESTIONS, MOST_NEEDS, cameras), Visibility.YES, np.uint8),
        np.zeros((states, QUESTIONS), bool),
        np.zeros((states, QUESTIONS), bool),
        np.full(states, PICTURED_WORLDS.index(shard.world), np.uint8),
    )
    known = vocabulary()
    for s, exhibit in enumerate(made):
        for c, picture in enumerate(exhibit.pictures.values()):
            one.pictures[s, c], one.has[s, c] = picture, True
        for q, asking in enumerate(exhibit.questions):
            spelt = KNOWN.canonical(asking.text)
            one.words[s, q] = (known.numbers(spelt) if spelt else None) or 0
            one.answer[s, q] = ANSWERS.index(asking.answer)
            one.topic[s, q], one.unseen[s, q] = TOPICS.index(asking.topic), asking.unseen
            one.sought[s, q] = asking.sought
            one.shown[s, q, : len(asking.needs), exhibit.views :] = Visibility.HIDDEN
            for c, view in enumerate(exhibit.shows.values()):
                one.shown[s, q, : len(asking.needs), c] = in_sight(asking.needs, view)
    return one


def _store(job: tuple[Shard, Path]) -> Path:
    shard, folder = job
    path = folder / f"{shard.split}-{shard.world}-{shard.number:04d}.npz"
    if path.exists():
        return path
    made = make_shard(shard)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, **{name: getattr(made, name) for name in Arrays.__slots__})
    part.rename(path)
    return path


def make(folder: Path, shards: list[Shard], processes: int) -> None:
    """Make what is not there yet; told to stop, it stops its processes first."""
    folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    os.nice(5)  # whoever is being trained goes first
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for _ in pool.imap_unordered(_store, [(shard, folder) for shard in shards], chunksize=1):
            pass


def load(paths: list[Path]) -> Arrays:
    """Some shards, one after the other."""
    parts = [np.load(path) for path in paths]
    return Arrays(*(np.concatenate([part[name] for part in parts]) for name in Arrays.__slots__))


def vocabulary() -> Vocabulary:
    """The words of what agents ask, and those that names are made of."""
    forms = [str(forms[0]).format(a="", b="", do="") for forms in WORDINGS.values()]
    return Vocabulary.of([*forms, *ACTION_PHRASES.values(), *KNOWN.tints, *KNOWN.kinds])
