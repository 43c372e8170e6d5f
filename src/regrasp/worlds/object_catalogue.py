"""Descriptions of a scene's objects, from their affordances; without the present state."""

from __future__ import annotations

from collections.abc import Iterator

from regrasp.control.affordance import SceneObject
from regrasp.control.rewards import PALM, REST_POSITION
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.worlds.kit.scene import Scene

__all__ = ["known_objects"]


def known_objects(scene: Scene) -> tuple[ObjectDescription, ...]:
    """Every object of a scene that is not the hand, a handle or the spot of another object."""
    things = [thing for thing in scene.things.values() if thing.name not in (PALM, REST_POSITION)]
    spots = {thing.name: _spot(scene, thing) for thing in things}
    parts = {t.name for t in things if t.of and (t.joint or spots.get(t.of) == t.name)}
    return tuple(
        ObjectDescription(
            thing.name,
            thing.kind,
            tuple(_uses(scene, thing)),
            _joints(scene, thing),
            spots[thing.name],
            thing.of,
            _takes_one(scene, thing),
            bool(thing.joint and thing.place),
        )
        for thing in things
        if thing.name not in parts
    )


def _spot(scene: Scene, thing: SceneObject) -> str:
    """The part that marks the place to put objects, if it has a name."""
    parts = (t.name for t in scene.things.values() if t.of == thing.name and t.site == thing.place)
    return next(parts, "")


def _takes_one(scene: Scene, thing: SceneObject) -> bool:
    """Whether two of the smallest movable objects do not fit on it side by side."""
    widths = [2 * one.extent[0] for one in scene.things.values() if one.movable and one.extent[0]]
    top = scene.tops.get(thing.name)
    return bool(widths) and top is not None and 2 * max(top.half[:2]) < 2 * min(widths)


def _joints(scene: Scene, thing: SceneObject) -> tuple[JointDescription, ...]:
    """The joints that its parts drive, and its own joint unless objects are put on it."""
    handles = [t for t in scene.things.values() if t.of == thing.name and t.joint]
    if thing.joint and not thing.place:
        handles.append(thing)
    return tuple(JointDescription(handle.joint, handle.name) for handle in handles)


def _uses(scene: Scene, thing: SceneObject) -> Iterator[Affordance]:
    if any(part.of == thing.name and part.joint for part in scene.things.values()):
        yield Affordance.OPEN
    if thing.joint and not thing.place and not thing.of:
        yield Affordance.PULL if thing.grasps else Affordance.PRESS
    if thing.movable:
        yield Affordance.PICK
    if thing.place:
        yield Affordance.PUT_IN if thing.name in scene.insides else Affordance.PUT_ON
