"""Shards on the GPU: taken in while others are still being made, so that neither waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from train.vision.data import CAMERAS, QUESTIONS, load

from regrasp.embedded.vision.answers import NO, UNKNOWN
from regrasp.embedded.vision.picture import EDGE
from regrasp.embedded.vision.words import LONGEST
from regrasp.lab.vision.scene_sampler import MOST_NEEDS, Visibility


class Store:
    """Room for `most` states on `device`, the first `count` of them filled from shards.

    With `spend` a shard's file is emptied once it is here: pictures of an hour fill a disk. That it
    is there still tells who makes shards that it has been made.
    """

    def __init__(
        self, folder: Path, split: str, most: int, device: str, *, spend: bool = False
    ) -> None:
        self._folder, self._split, self._spend = folder, split, spend
        self._taken: set[Path] = set()
        cameras, shape = CAMERAS, (most, QUESTIONS)
        self.count, self.longest, self.asked = 0, 8, 0
        self.pictures = torch.zeros(
            (most, cameras, EDGE, EDGE, 3), dtype=torch.uint8, device=device
        )
        self.words = torch.zeros((*shape, LONGEST), dtype=torch.uint8, device=device)
        self.answer = torch.full(shape, -1, dtype=torch.int16, device=device)
        self.topic = torch.zeros(shape, dtype=torch.uint8, device=device)
        self.shown = torch.zeros((*shape, MOST_NEEDS, cameras), dtype=torch.uint8, device=device)
        self.sought = torch.zeros(shape, dtype=torch.bool, device=device)
        self.unseen = torch.zeros(shape, dtype=torch.bool, device=device)
        self.world = torch.zeros(most, dtype=torch.uint8, device=device)
        self.views_of = torch.zeros(most, dtype=torch.uint8, device=device)
        self.three = torch.zeros(0, dtype=torch.long, device=device)

    @contextmanager
    def growing(self) -> Iterator[None]:
        """Take in shards beside whatever is done meanwhile."""
        done = threading.Event()

        def follow() -> None:
            while not done.is_set():
                if self.count == len(self.world) or not self.take_in(1):
                    done.wait(0.2)

        thread = threading.Thread(target=follow, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def take_in(self, at_once: int) -> int:
        """Take in the next shards that are there, if any; how many."""
        there = set(self._folder.glob(f"{self._split}-*.npz")) - self._taken
        found = [path for path in sorted(there) if path.stat().st_size][:at_once]
        for path in found:
            self._taken.add(path)
            self._add(path)
            if self._spend:
                path.write_bytes(b"")
        return len(found)

    def _add(self, path: Path) -> None:
        arrays = load([path])
        start, end = self.count, min(self.count + len(arrays.world), len(self.world))
        for name in (
            "pictures",
            "words",
            "answer",
            "topic",
            "shown",
            "sought",
            "unseen",
            "world",
            "views_of",
        ):
            into, values = getattr(self, name), getattr(arrays, name)[: end - start]
            into[start:end] = torch.from_numpy(values).to(into.device)
        all_three = np.flatnonzero(arrays.has[: end - start, -1]) + start
        self.three = torch.cat([self.three, torch.from_numpy(all_three).to(self.three.device)])
        self.longest = max(self.longest, int((arrays.words > 0).sum(2).max()))
        self.asked += int(((arrays.answer >= 0) & arrays.words.any(2)).sum())
        self.count = end

    def questions(self, states: Tensor) -> Tensor:
        """Questions (B, Q, T) in numbers; all 0 is one that is not understood."""
        return self.words[states, :, : self.longest].long()

    def labels(self, states: Tensor, cameras: Tensor) -> Tensor:
        """The true answers (B, Q) to those who see `cameras` (B, V) of `states` (B,); -1: none."""
        shown = self.shown[states]  # (B, Q, MOST_NEEDS, cameras)
        index = cameras[:, None, None, :].expand(-1, *shown.shape[1:3], -1)
        best = shown.gather(3, index).amax(3)
        hidden, doubtful = (best == Visibility.HIDDEN).any(2), (best == Visibility.DOUBTFUL).any(2)
        truth, sought, first = self.answer[states].long(), self.sought[states], best[..., 0]
        label = torch.where(hidden, UNKNOWN, truth)
        label = torch.where(sought & (first == Visibility.HIDDEN), NO, label)
        left_out = (doubtful & ~hidden) | (sought & (first == Visibility.DOUBTFUL))
        return torch.where((truth < 0) | left_out, -1, label)

    def views(self, states: Tensor, cameras: Tensor) -> Tensor:
        """Pictures (B, V, 3, EDGE, EDGE) as floats 0..255."""
        return self.pictures[states[:, None], cameras].permute(0, 1, 4, 2, 3).float()
