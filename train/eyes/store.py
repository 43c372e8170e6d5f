"""Shards on the GPU: taken in while others are still being made, so that neither waits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from train.eyes.data import QUESTIONS, TOPICS, load

from regrasp.models.seeing.answers import NO, UNKNOWN
from regrasp.models.seeing.picture import EDGE
from regrasp.models.seeing.words import LONGEST, Vocabulary
from regrasp.worlds.gallery.exhibit import Shown
from regrasp.worlds.gallery.wording import Topic
from regrasp.worlds.sim_robot import CAMERAS

_AT_ONCE = 6


class Store:
    """Room for `most` states on `device`, the first `count` of them filled from shards."""

    def __init__(self, folder: Path, split: str, words: Vocabulary, most: int, device: str) -> None:
        self._folder, self._split, self._words = folder, split, words
        self._taken: set[Path] = set()
        cameras, shape = len(CAMERAS), (most, QUESTIONS)
        self.count, self.longest, self.asked = 0, 8, 0
        self.pictures = torch.zeros(
            (most, cameras, EDGE, EDGE, 3), dtype=torch.uint8, device=device
        )
        self.words = torch.zeros((*shape, LONGEST), dtype=torch.long, device=device)
        self.answer = torch.full(shape, -1, dtype=torch.long, device=device)
        self.topic = torch.zeros(shape, dtype=torch.long, device=device)
        self.shown = torch.zeros((*shape, 2, cameras), dtype=torch.uint8, device=device)
        self.three = torch.zeros(0, dtype=torch.long, device=device)

    def take_in(self, at_once: int = _AT_ONCE) -> int:
        """Take in the next shards that are there, if any; how many."""
        found = sorted(set(self._folder.glob(f"{self._split}-*.npz")) - self._taken)[:at_once]
        for path in found:
            self._taken.add(path)
            self._add(path)
        return len(found)

    def _add(self, path: Path) -> None:
        arrays = load([path])
        start, end = self.count, min(self.count + len(arrays.world), len(self.answer))
        for into, values in (
            (self.pictures, arrays.pictures), (self.topic, arrays.topic.astype(np.int64)),
            (self.shown, arrays.shown),
        ):  # fmt: skip
            into[start:end] = torch.from_numpy(values[: end - start]).to(into.device)
        numbers = [[self._words.numbers(t) if t else None for t in row] for row in arrays.text]
        none = [0] * LONGEST
        table = np.array([[n or none for n in row] for row in numbers], np.int64)
        known = np.array([[n is not None for n in row] for row in numbers])
        answer = np.where(known, arrays.answer, -1).astype(np.int64)
        self.words[start:end] = torch.from_numpy(table[: end - start]).to(self.words.device)
        self.answer[start:end] = torch.from_numpy(answer[: end - start]).to(self.answer.device)
        with_wrist = np.flatnonzero(arrays.has[: end - start, -1]) + start
        self.three = torch.cat([self.three, torch.from_numpy(with_wrist).to(self.three.device)])
        self.longest = max(self.longest, int((table > 0).sum(2).max()))
        self.asked += int((answer >= 0).sum())
        self.count = end

    def labels(self, states: Tensor, cameras: Tensor) -> Tensor:
        """The true answers (B, Q) to those who see `cameras` (B, V) of `states` (B,); -1: none."""
        shown = self.shown[states]  # (B, Q, 2, cameras)
        index = cameras[:, None, None, :].expand(-1, *shown.shape[1:3], -1)
        best = shown.gather(3, index).amax(3)
        hidden, doubtful = (best == Shown.HIDDEN).any(2), (best == Shown.DOUBTFUL).any(2)
        truth, topic = self.answer[states], self.topic[states]
        seen = topic == TOPICS.index(Topic.SEEN)
        label = torch.where(hidden, torch.where(seen, NO, UNKNOWN), truth)
        return torch.where((truth < 0) | (doubtful & ~hidden), -1, label)

    def views(self, states: Tensor, cameras: Tensor) -> Tensor:
        """Pictures (B, V, 3, EDGE, EDGE) as floats 0..255."""
        return self.pictures[states[:, None], cameras].permute(0, 1, 4, 2, 3).float()
