"""Ground truth of a simulated world: predicates computed from its full state.

For scoring and oracle swaps only; agents cannot import this package (tests/test_wall.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Fact
from regrasp.core.goal import Goal
from regrasp.worlds.blocking import joints_of, obstructs
from regrasp.worlds.kit.scene import Region
from regrasp.worlds.world import World, WorldError

__all__ = ["CLOSED", "OPEN", "WorldJudge"]

OPEN, CLOSED = 0.6, 0.1  # fractions of a joint's range


class WorldJudge:
    """The `Judge` of a `World`. Predicates, with x and y for objects and j for a joint:

    open(j), closed(j), locked(j), pulled(j), pressed(j), inside(x, y), on(x, y), holding(x),
    handempty(), upright(x), visible(x), apart(x, y), blocking(x, y).

    j may also be an object with joints: it is open if one of its joints is, closed if all are.
    """

    CAMERAS: ClassVar[tuple[str, ...]] = ("front", "side")
    """The cameras for `visible`."""
    UNSEEN: ClassVar[tuple[str, ...]] = ("locked", "pulled", "pressed", "apart")
    """Predicates that no camera shows."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._predicates: dict[str, Callable[..., bool]] = {
            "open": self._open,
            "closed": lambda j: all(self._fraction(one) <= CLOSED for one in self._joints(j)),
            "locked": lambda j: any(map(self._locked, self._joints(j))),
            "pulled": self._open,
            "pressed": self._open,
            "inside": lambda x, y: self._within(x, world.scene.insides, y),
            "on": self._on,
            "holding": self._holding,
            "handempty": lambda: not any(map(self._holding, self._movable())),
            "upright": self._upright,
            "visible": self._visible,
            "apart": lambda x, y: bool(np.linalg.norm(self._at(x) - self._at(y)) > 0.25),
            "blocking": self._blocking,
        }

    def holds(self, predicate: str, *args: str) -> bool:
        """Whether a ground predicate is true now."""
        if predicate not in self._predicates:
            raise UnknownNameError("predicate", predicate, self._predicates)
        try:
            return self._predicates[predicate](*args)
        except TypeError:
            raise RegraspError(f"{predicate} does not take {len(args)} argument(s).") from None

    def truths(self) -> tuple[str, ...]:
        """Every true fact about joints, containment, support, holding and visibility."""
        return tuple(sorted(str(fact) for fact in self._facts() if self._true(fact)))

    def _facts(self) -> Iterator[Fact]:
        """The facts that may be true."""
        scene = self._world.scene
        movable = self._movable()
        yield from (Fact.of(p, j) for j in scene.joints for p in ("open", "closed", "locked"))
        yield from (Fact.of("inside", x, y) for x in movable for y in scene.insides)
        yield from (Fact.of("on", x, y) for x in movable for y in scene.tops)
        yield from (Fact.of(p, x) for x in movable for p in ("holding", "visible", "upright"))

    def observe(self, fact: Fact) -> bool | None:
        """The answer of a perfect vision model about a fact; None if no camera shows it."""
        if fact.predicate not in self._predicates or fact.predicate in self.UNSEEN:
            return None
        shown = [name for name in fact.args if name in self._world.scene.things]
        if fact.predicate != "visible" and not all(map(self._visible, shown)):
            return None
        return self._true(fact)

    def done(self) -> bool:
        """Whether every literal of the goal holds."""
        return self.reached(self._world.goal)

    def reached(self, goal: Goal) -> bool:
        """Whether a goal holds."""
        kinds = {thing.name: thing.kind for thing in self._world.scene.things.values()}
        return goal.holds(self._true, kinds)

    def check_start(self) -> None:
        """Raise `WorldError` unless every start literal holds and the goal does not."""
        wrong = [one for one in self._world.start if self._true(one.fact) is not one.positive]
        if wrong or self.done():
            facts = ", ".join(map(str, wrong)) or "the goal already holds"
            world = self._world
            raise WorldError(
                f"world {world.plan.name!r}, task {world.task.name!r}, seed {world.seed}: "
                f"wrong at the start: {facts}. This is a fault of the world; report it."
            )

    # ---- predicates ----------------------------------------------------------------------------

    def _true(self, fact: Fact) -> bool:
        return self.holds(fact.predicate, *fact.args)

    def _movable(self) -> list[str]:
        return [thing.name for thing in self._world.scene.things.values() if thing.movable]

    def _joints(self, name: str) -> tuple[str, ...]:
        """The joint of that name, or the joints of the object of that name."""
        joints = joints_of(self._world.scene, name)
        if not joints:
            raise UnknownNameError("joint", name, self._world.scene.joints)
        return joints

    def _open(self, name: str) -> bool:
        return any(self._fraction(joint) >= OPEN for joint in self._joints(name))

    def _fraction(self, joint: str) -> float:
        if joint not in self._world.scene.joints:
            raise UnknownNameError("joint", joint, self._world.scene.joints)
        return self._world.fraction(joint)

    def _at(self, thing: str) -> Array:
        things = self._world.scene.things
        if thing not in things:
            raise UnknownNameError("thing", thing, things)
        return self._world.at(thing)

    def _locked(self, joint: str) -> bool:
        self._fraction(joint)
        return self._world.locked(joint)

    def _within(self, thing: str, regions: dict[str, Region], place: str) -> bool:
        if place not in regions:
            raise UnknownNameError("place", place, regions)
        self._at(thing)
        return self._world.within(thing, regions[place])

    def _on(self, thing: str, place: str) -> bool:
        """Within the region above a top, and touching something that is not the hand.

        For a support without a top region, such as a cube: touching it, and higher.
        """
        things = self._world.scene.things
        if place in things and things[place].movable:
            higher = self._at(thing)[2] > self._at(place)[2] + 0.5 * things[place].extent[1]
            return bool(higher) and place in self._touching(thing)
        inside = self._world.scene.insides
        return (
            self._within(thing, self._world.scene.tops, place)
            and not any(self._within(thing, inside, name) for name in inside)
            and self._supported(thing)
            and not self._holding(thing)
        )

    def _touching(self, thing: str) -> set[str]:
        model, data = self._world.model, self._world.data
        body = model.body(thing).id
        pairs = model.geom_bodyid[data.contact.geom]
        mine = pairs[(pairs == body).any(axis=1)]
        return {model.body(b).name for b in mine.ravel() if b != body}

    def _supported(self, thing: str) -> bool:
        return bool(self._touching(thing) - {"finger_left", "finger_right", "hand"})

    def _holding(self, thing: str) -> bool:
        return {"finger_left", "finger_right"} <= self._touching(thing)

    def _upright(self, thing: str) -> bool:
        self._at(thing)
        return bool(self._world.data.body(thing).xmat[8] > 0.9)

    def _blocking(self, thing: str, other: str) -> bool:
        """Whether a joint of `other` that is not open would collide with `thing` when it opens."""
        self._at(thing)
        shut = (j for j in joints_of(self._world.scene, other) if self._fraction(j) < OPEN)
        return any(obstructs(self._world, thing, joint) for joint in shut)

    def _visible(self, thing: str) -> bool:
        """Whether a fixed camera has a free line of sight to the object, inside its image."""
        model, data = self._world.model, self._world.data
        targets, root = [self._at(thing), *self._points(thing)], self._root(thing)
        groups = np.array([1, 1, 1, 0, 0, 0], np.uint8)
        hit = np.array([-1], np.int32)
        for camera in self.CAMERAS:
            eye = data.camera(camera).xpos
            right, up, back = data.camera(camera).xmat.reshape(3, 3).T
            limit = np.tan(np.deg2rad(model.camera(camera).fovy[0]) / 2)
            for line in (target - eye for target in targets):
                depth = -(line @ back)
                inside = depth > 0 and max(abs(line @ right), abs(line @ up)) < limit * depth
                mujoco.mj_ray(model, data, eye, line, groups, True, -1, hit, None)
                if inside and hit[0] >= 0 and model.body_rootid[model.geom_bodyid[hit[0]]] == root:
                    return True
        return False

    def _points(self, thing: str) -> Sequence[Array]:
        """Other visible points of an object than its centre: for furniture the centres of parts."""
        if self._world.scene.things[thing].movable:
            return []
        return list(self._world.data.geom_xpos[self._shapes(thing)])

    def _root(self, thing: str) -> int:
        model = self._world.model
        site = model.site(self._world.scene.things[thing].site).id
        return int(model.body_rootid[model.site_bodyid[site]])

    def _shapes(self, thing: str) -> npt.NDArray[np.intp]:
        """The geoms of an object."""
        model = self._world.model
        return np.flatnonzero(model.body_rootid[model.geom_bodyid] == self._root(thing))
