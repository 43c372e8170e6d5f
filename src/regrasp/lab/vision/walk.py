"""The walker's scene sampler: questions on holding, place and obstacles, with clear answers.

The truth is that of its judge, as for the oracle. Only the head camera shows that the hands are
empty and that the path is clear.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from regrasp.embedded.vision.picture import EDGE
from regrasp.lab.vision.arm import ArmSceneSampler
from regrasp.lab.vision.clear import depth
from regrasp.lab.vision.kinds import KNOWN
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Candidate, Ids, Need, Shows, Visibility
from regrasp.lab.vision.walk_poses import APART_M, WalkerPoseSampler
from regrasp.lab.vision.wording import Topic
from regrasp.worlds.kit.walker import BASE, HEAD
from regrasp.worlds.render.raycast import RaycastRenderer
from regrasp.worlds.walker_room.judge import FLOOR, SIDES, WalkerJudge
from regrasp.worlds.walker_room.tasks import GATE, OBSTACLE
from regrasp.worlds.walker_room.world import CAMERAS, WalkerWorld

__all__ = ["WalkerSceneSampler"]

_OF_ONE = {Topic.HELD: "held", Topic.COLOUR: "colour", Topic.AT: "at"}
_HANDS, _AHEAD = "hands", "way ahead"  # visible only in the walker's own camera
_LEAST, _FAR = (4, 24), (6, 60)  # pixels when hidden, visible; gate and robot, pillar
_AT_M, _AHEAD_M = 0.12, 0.03  # margin: clearly at a place; pillar clearly in front
_EDGE_M, _OVER_M = 0.015, 0.03  # margin: box clearly on a table; clearly above


class WalkerSceneSampler(ArmSceneSampler):
    """The walking humanoid, seen by the camera in its head and by one over the room."""

    cameras: tuple[str, ...] = CAMERAS
    more: tuple[str, ...] = ()

    def __init__(self, room: VisionRoom, world: WalkerWorld, rng: np.random.Generator) -> None:
        self._poser = WalkerPoseSampler(room, world, rng)
        super().__init__(room, self._poser.pose)
        self._walker, self._judge = world, WalkerJudge(world)

    def shown(self, ids: Ids, renderer: RaycastRenderer) -> Shows:
        """Objects as for an arm; the walker, its hands and its path by their own cameras."""
        shows, model = super().shown(ids, renderer), self._walker.model
        bodies = [str(model.body(b).name) for b in range(model.nbody)]
        for camera, view in shows.items():
            seen = ids[camera]
            counts = np.bincount(seen[seen >= 0], minlength=model.ngeom) * (EDGE / len(seen)) ** 2
            roots = np.bincount(model.body_rootid[model.geom_bodyid], counts, minlength=model.nbody)
            own = camera == HEAD
            for name in (one for one in bodies if one.startswith(OBSTACLE)):
                pixels = float(roots[model.body(name).id])
                view[name] = _how(pixels, _FAR) if own else Visibility.HIDDEN
            if GATE in view:
                view[GATE] = _how(float(roots[model.body(GATE).id]), _LEAST)
            robot = _how(float(roots[model.body(BASE).id]), _LEAST)
            view[BASE] = Visibility.YES if own else robot
            view[_AHEAD] = Visibility.YES if own else Visibility.HIDDEN
            boxes = [view[box] for box in self.room.truth.movable if box in view]
            view[_HANDS] = (
                Visibility.YES if own else min([*boxes, robot]) if boxes else Visibility.HIDDEN
            )
        return shows

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """See `SceneSampler`."""
        scene = self._walker.scene
        things = [name for name in self.room.spoken if name in scene.things]
        missing = [self.room.absent(rng)[0] for _ in range(6)]
        for name in (*things, *missing):
            yield Candidate(Topic.SEEN, name, "", "yes", ((name,),), sought=True)
        for name in missing[:2]:  # the answer about an absent object is unknown
            for topic, question in _OF_ONE.items():
                if KNOWN.has(question, self.room.kind(name)) and rng.random() < 0.4:
                    yield Candidate(topic, name, "", "unknown", ((name,),))
        for box in (name for name in things if scene.things[name].movable):
            yield from self._of_box(box, seen)
        held = self._walker.holding
        if held or all(self._poser.near_a_hand(b) > APART_M for b in self.room.truth.movable):
            yield Candidate(Topic.ANY_HELD, "", "", _word(bool(held)), (self._grip(held),))
        for place in (name for name in things if not scene.things[name].movable):
            nearer = self._judge.nearer(place)
            if abs(nearer) > _AT_M:
                yield Candidate(Topic.AT, place, "", _word(nearer > 0), ((place,), (BASE,)))
        if GATE in scene.things or rng.random() < 0.2:  # there are no obstacles between two tables
            yield from self._of_way(seen)
        for name, colour in self.room.colours.items():
            if name in things and scene.things[name].movable:
                yield Candidate(Topic.COLOUR, name, "", colour, ((name,),))
        if rng.random() < 0.5:
            a, b = (str(rng.choice([*things, *missing])) for _ in range(2))
            yield Candidate(Topic.NONSENSE, a, b, "unknown", ())

    def _of_box(self, box: str, seen: set[str]) -> Iterator[Candidate]:
        """Whether the box is held, and its support."""
        held = self._judge.holds("holding", box)
        if held or self._poser.near_a_hand(box) > APART_M:
            yield Candidate(Topic.HELD, box, "", _word(held), (self._grip(box if held else ""),))
        tops = self._walker.scene.tops
        under = [place for place in (*tops, FLOOR) if self._judge.holds("on", box, place)]
        if len(under) > 1 or (not under and self._poser.over(box) < _OVER_M):
            return
        if any(
            top not in seen or depth(self.room, box, tops[top], axes=2) < _EDGE_M
            for top in under
            if top != FLOOR
        ):
            return
        for place in (*(top for top in tops if top in self.room.spoken), FLOOR):
            yield Candidate(Topic.ON, box, place, _word(place in under), ((box,),))

    def _of_way(self, seen: set[str]) -> Iterator[Candidate]:
        """Whether the path is clear on a side; not if an obstacle is borderline or invisible."""
        for side in SIDES:
            found = self._judge.before(side)
            doubtful = self._judge.before(side, _AHEAD_M) != self._judge.before(side, -_AHEAD_M)
            if doubtful or not set(found) <= seen:
                continue
            yield Candidate(Topic.CLEAR, side, "", _word(not found), ((_AHEAD,),))
            yield Candidate(Topic.OBSTACLE, side, "", _word(bool(found)), ((_AHEAD,),))

    def _grip(self, held: str) -> Need:
        """The need that shows that an object is held, or that none is."""
        return (held,) if held else (_HANDS,)


def _how(pixels: float, bounds: tuple[int, int]) -> Visibility:
    none, enough = bounds
    return (
        Visibility.HIDDEN
        if pixels < none
        else Visibility.YES
        if pixels >= enough
        else Visibility.DOUBTFUL
    )


def _word(so: bool) -> str:
    return "yes" if so else "no"
