"""What the robot knows, as the text of the prompts tells it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from regrasp.core.object_description import KnownObject
from regrasp.prompts.scene import Can, JointLine, ObjectLine, SceneDescription
from regrasp.prompts.text import plain_name

__all__ = ["scene_text"]


def scene_text(
    known: Iterable[KnownObject],
    unseen: Collection[str] = (),
    now: Mapping[str, str] | None = None,
) -> SceneDescription:
    """The scene of `known` objects, those `unseen` marked so; `now` gives the state of some."""
    return SceneDescription(
        tuple(
            ObjectLine(
                thing.name,
                frozenset(Can(str(use)) for use in thing.can),
                tuple(JointLine(joint.name, joint.handle) for joint in thing.joints),
                thing.spot,
                plain_name(thing.kind),
                (now or {}).get(thing.name, ""),
                thing.name not in unseen,
            )
            for thing in known
        )
    )
