"""A free path between two postures by random search: RRT-Connect (Kuffner and LaValle 2000).

Two trees of postures grow from both ends, each towards random samples and then towards the other.
The path that joins them is shortened by cutting corners. Where postures have to keep a constraint,
every step is projected onto it (CBiRRT, Berenson et al. 2009). The generator is passed in, so that
the same search finds the same path.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from regrasp.core.arrays import Array

__all__ = ["search_path"]

_STEP = 0.4  # rad: the largest step of a joint between two postures of a tree
_NEARER = 0.05  # rad: a projected step that comes less near to its target ends there
_CUTS = 30


def search_path(
    start: Array,
    goal: Array,
    sample: Callable[[], Array | None],
    free: Callable[[Array], bool],
    rng: np.random.Generator,
    tries: int,
    project: Callable[[Array], Array] = lambda q: q,
) -> Array | None:
    """Knots (m, n) from `start` to `goal` (n,), or None after so many samples.

    `sample` draws a posture (None: no luck), `free` says whether knots (m, n) are free, `project`
    gives the nearest posture that keeps the constraint.
    """
    if free(np.array([start, goal])):
        return np.array([start, goal])
    trees = [_Tree(start, project), _Tree(goal, project)]
    for _ in range(tries):
        target = sample()
        if target is None:
            continue
        reached = trees[0].grow(target, free)
        if reached is not None:
            met = trees[1].grow(trees[0].nodes[reached], free, connect=True)
            if met is not None and np.allclose(trees[1].nodes[met], trees[0].nodes[reached]):
                first, last = trees[0].path(reached), trees[1].path(met)
                if not np.array_equal(first[0], start):
                    first, last = last, first
                return _shortened(np.array(first + last[::-1][1:]), free, rng)
        trees.reverse()
    return None


class _Tree:
    """Postures and, for each, the number of the one it was reached from."""

    def __init__(self, root: Array, project: Callable[[Array], Array]) -> None:
        self.nodes, self._parents, self._project = [root], [-1], project

    def grow(
        self, target: Array, free: Callable[[Array], bool], connect: bool = False
    ) -> int | None:
        """Step towards `target`, or all the way; the number of the last new posture."""
        near = int(np.argmin(np.abs(np.array(self.nodes) - target).max(axis=1)))
        last = None
        while True:
            away = target - self.nodes[near]
            far = float(np.abs(away).max())
            if far == 0.0:
                return near
            step = target
            if far > _STEP:
                step = self._project(self.nodes[near] + away * (_STEP / far))
                if float(np.abs(target - step).max()) > far - _NEARER:
                    return last
            if not free(np.array([self.nodes[near], step])):
                return last
            self.nodes.append(step)
            self._parents.append(near)
            near = last = len(self.nodes) - 1
            if not connect or far <= _STEP:
                return last

    def path(self, node: int) -> list[Array]:
        """From the root to a posture."""
        found = []
        while node >= 0:
            found.append(self.nodes[node])
            node = self._parents[node]
        return found[::-1]


def _shortened(path: Array, free: Callable[[Array], bool], rng: np.random.Generator) -> Array:
    for _ in range(_CUTS):
        if len(path) <= 2:
            break
        a, b = sorted(rng.choice(len(path), 2, replace=False))
        if b - a > 1 and free(path[[a, b]]):
            path = np.concatenate([path[: a + 1], path[b:]])
    return path
