"""Draws the evidence of grounded predicates into the recording of a run.

A predicate that becomes true with evidence gets a picture in the trace, just before the event that
says so: grasps, a free place or a pose of the hand in the camera's view, a path on the map.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from regrasp.core.arrays import Picture
from regrasp.core.event import EVIDENCE_OF
from regrasp.core.fact import Fact, State
from regrasp.core.grounded import (
    GraspEvidence,
    Grounded,
    PathEvidence,
    PlacementEvidence,
    ReachEvidence,
)
from regrasp.core.robot import CameraImage, Robot
from regrasp.core.trace import TraceWriter
from regrasp.perception.evidence_predicates import EvidencePredicates
from regrasp.perception.perceived_grounding import PerceivedGrounding
from regrasp.view.draw_evidence import draw_on_image, draw_path

__all__ = ["RecordedGrounding"]

_MAP_SCALE = 4
_MARGIN_CELLS = 3


class RecordedGrounding:
    """See `PredicateGrounding`: the values of `inner`, and pictures of what became true."""

    def __init__(self, inner: EvidencePredicates, robot: Robot, trace: TraceWriter) -> None:
        self._inner, self._robot, self._trace = inner, robot, trace
        self._before: dict[Fact, bool] = {}

    @property
    def predicates(self) -> tuple[str, ...]:
        """See `PredicateGrounding`."""
        return self._inner.predicates

    def look(self) -> None:
        """See `PredicateGrounding`."""
        self._inner.look()

    def expect(self, facts: State, wanted: State = frozenset()) -> None:
        """See `PredicateGrounding`."""
        self._inner.expect(facts, wanted)

    def can_ground(self, fact: Fact) -> bool:
        """See `PredicateGrounding`."""
        return self._inner.can_ground(fact)

    def ground(self, fact: Fact) -> Grounded:
        """See `PredicateGrounding`."""
        found = self._inner.ground(fact)
        if found.value and not self._before.get(fact, False):
            self._draw(found)
        self._before[fact] = found.value
        return found

    def _draw(self, found: Grounded) -> None:
        image = self._robot.look(self._robot.cameras()[0])
        match found.evidence:
            case GraspEvidence() | PlacementEvidence() | ReachEvidence():
                drawn = draw_on_image(image, found.evidence)
            case PathEvidence() if isinstance(self._inner.evidence, PerceivedGrounding):
                drawn = _on_map(self._inner.evidence, found.evidence)
            case _:
                return
        self._trace.write_image(_as_image(image, drawn, f"{EVIDENCE_OF}{found.fact}"))


def _on_map(evidence: PerceivedGrounding, path: PathEvidence) -> Picture:
    """The part of the map that is known, with a path that is in the frame of the odometry."""
    grid, moved = evidence.floor_grid(), evidence.correction
    points = moved.apply(np.column_stack([path.points, np.zeros(len(path.points))]))[:, :2]
    rows, columns = (np.flatnonzero(grid.known.any(axis=axis)) for axis in (1, 0))
    if not len(rows) or not len(columns):
        return np.zeros((1, 1, 3), np.uint8)
    first = np.maximum(np.array([rows[0], columns[0]]) - _MARGIN_CELLS, 0)
    part = (
        slice(int(first[0]), int(rows[-1]) + _MARGIN_CELLS),
        slice(int(first[1]), int(columns[-1]) + _MARGIN_CELLS),
    )
    low = grid.low + first * grid.cell
    shown = replace(path, points=points)
    return draw_path(
        grid.blocked[part], grid.known[part], grid.free[part], low, grid.cell, shown, _MAP_SCALE
    )


def _as_image(image: CameraImage, rgb: Picture, name: str) -> CameraImage:
    depth = np.full(rgb.shape[:2], np.nan, np.float32)
    return replace(image, camera=name, rgb=rgb, depth=depth)
