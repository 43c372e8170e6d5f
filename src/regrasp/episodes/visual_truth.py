"""The true answer to a visual question, computed from the full state of a world.

Used by oracles that answer agents and for labels of training pictures. The caller decides what
counts as in sight: the judge's line of sight, or the pixels of some pictures.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.errors import UnknownNameError
from regrasp.core.judge import Judge
from regrasp.prompts.scene import SceneDescription, scene_text
from regrasp.prompts.visual_question import (
    ANYTHING,
    ConditionQuestion,
    ObjectQuestion,
    PathQuestion,
    SideQuestion,
    VisualQuestion,
)
from regrasp.worlds.kit.look import PALETTE
from regrasp.worlds.object_catalogue import known_objects
from regrasp.worlds.render.base import ALPHA_MIN, GROUPS
from regrasp.worlds.render.solids import geom_rgba
from regrasp.worlds.world import World

__all__ = ["BEFORE", "BESIDE", "NEAR", "VisualTruth"]

NEAR, BEFORE, BESIDE = 0.22, 0.45, 0.20  # m: next to; in front of: distance ahead, distance aside
_LEAST = 0.02  # m: how much nearer to the arm an object in front of another is


class VisualTruth:
    """The truth of a `VisualQuestion` in `world`; `sees` is whether an object is in sight."""

    def __init__(
        self,
        world: World,
        judge: Judge,
        sees: Callable[[str], bool] | None = None,
    ) -> None:
        self.world, self.judge = world, judge
        self.scene: SceneDescription = scene_text(known_objects(world.scene))
        self.movable = tuple(t.name for t in world.scene.things.values() if t.movable)
        self._sees = sees or (lambda name: self.judge.holds("visible", name))

    def sees(self, name: str) -> bool:
        """Whether an object of that name exists and is in sight."""
        return name in self.world.scene.things and self._sees(name)

    def is_true(self, sight: VisualQuestion) -> bool | None:
        """Whether it is true; None where no camera shows it, or the question does not apply."""
        a, b = sight.object, sight.other
        if isinstance(sight.template, ConditionQuestion | PathQuestion):
            return None
        if sight.template is ObjectQuestion.SEEN:
            return self.sees(a)
        if a == ANYTHING:
            found = [
                self.is_true(VisualQuestion(sight.template, name, b))
                for name in self.movable
                if name != b
            ]
            return True if True in found else None if None in found else False
        shown = [name for name in (a, b) if name and name in self.world.scene.things]
        if not all(map(self.sees, shown)):
            return None
        with contextlib.suppress(UnknownNameError):  # a judge that does not know the predicate
            return self.fact(sight)
        return None

    def fact(self, sight: VisualQuestion) -> bool:
        """Whether it is true, in sight or not; for a named object, not for `anything`."""
        a, b = sight.object, sight.other
        relations: dict[
            ObjectQuestion | SideQuestion | ConditionQuestion | PathQuestion, Callable[[], bool]
        ] = {
            ObjectQuestion.SEEN: lambda: self.sees(a),
            ObjectQuestion.OPEN: lambda: self.is_open(a),
            ObjectQuestion.CLOSED: lambda: self._is_closed(a),
            ObjectQuestion.ON: lambda: self._is_on(a, b),
            ObjectQuestion.INSIDE: lambda: self._is_inside(a, b),
            ObjectQuestion.NEXT_TO: lambda: self._is_beside(a, b),
            ObjectQuestion.IN_FRONT: lambda: self._is_before(a, b),
            ObjectQuestion.BLOCKING: lambda: (
                a in self.movable and self.judge.holds("blocking", a, b)
            ),
            ObjectQuestion.HELD: lambda: a in self.movable and self.judge.holds("holding", a),
            SideQuestion.LEFT: lambda: self.leftward(a, b) > 0,
            SideQuestion.RIGHT: lambda: self.leftward(a, b) < 0,
        }
        return relations[sight.template]()

    def joints(self, name: str) -> list[str]:
        """The joint that `name` is or drives, or all joints of the object."""
        owner = self.scene.owner(name)
        joints = owner.joints if owner is not None else ()
        own = [j.name for j in joints if name in (j.name, j.handle)]
        return own or [j.name for j in joints]

    def place(self, name: str) -> str:
        """The object that a spot belongs to."""
        owner = self.scene.owner(name)
        return owner.name if owner is not None else name

    def is_open(self, name: str) -> bool:
        """Whether any of its joints is open."""
        return any(self.judge.holds("open", joint) for joint in self.joints(name))

    def offset(self, a: str, b: str) -> tuple[float, float, float]:
        """Distance of `a` before `b` as the robot faces, aside, and in total (m, horizontal)."""
        at, to = self._at(a)[:2], self._at(b)[:2]
        line = to / max(float(np.linalg.norm(to)), 1e-9)  # from the arm's base, the origin
        ahead = float((to - at) @ line)
        aside = float(abs(line[0] * (at - to)[1] - line[1] * (at - to)[0]))
        return ahead, aside, float(np.linalg.norm(at - to))

    def leftward(self, a: str, b: str) -> float:
        """How far `a` is to the left of `b`, in the robot's view (m)."""
        return float(self._at(a)[1] - self._at(b)[1])

    def upward(self, a: str, b: str) -> float:
        """How far `a` is higher than `b` (m)."""
        return float(self._at(a)[2] - self._at(b)[2])

    def colour(self, name: str) -> tuple[str, float]:
        """The palette's nearest name for an object's largest shape, and the distance in colour."""
        model = self.world.model
        site = model.site(self.world.scene.things[name].site).id
        body = model.site_bodyid[site]
        rgba = geom_rgba(model)
        seen = (model.geom_group < GROUPS) & (rgba[:, 3] >= ALPHA_MIN)
        shown = np.flatnonzero((model.geom_bodyid == body) & seen)
        largest = shown[np.argmax(model.geom_rbound[shown])]
        paint = rgba[largest, :3]
        off = {word: float(np.linalg.norm(PALETTE[word] - paint)) for word in PALETTE}
        nearest = min(off, key=off.__getitem__)
        return nearest, off[nearest]

    def _at(self, name: str) -> Array:
        """The position of an object (m); for a joint, e.g. a door, that of its handle."""
        scene = self.world.scene
        thing = name if name in scene.things else scene.joints[name].handle
        return np.array(self.world.data.site(scene.things[thing].site).xpos)

    def _is_closed(self, name: str) -> bool:
        joints = self.joints(name)
        return bool(joints) and all(self.judge.holds("closed", joint) for joint in joints)

    def _is_on(self, a: str, b: str) -> bool:
        place = b if b in self.world.scene.tops else self.place(b)
        known = place in self.world.scene.tops or place in self.movable
        return a in self.movable and a != place and known and self.judge.holds("on", a, place)

    def _is_inside(self, a: str, b: str) -> bool:
        place = self.place(b)
        inside = place in self.world.scene.insides
        return a in self.movable and inside and self.judge.holds("inside", a, place)

    def _is_beside(self, a: str, b: str) -> bool:
        near = self.offset(a, b)[2] < NEAR
        return near and not self._is_on(a, b) and not self._is_on(b, a)

    def _is_before(self, a: str, b: str) -> bool:
        ahead, aside, _ = self.offset(a, b)
        return _LEAST < ahead < BEFORE and aside < BESIDE and not self._is_on(a, b)
