"""What the robot knows, as the text of the prompts has it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from regrasp.core.object_description import ObjectDescription
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.text import plain_name

__all__ = ["scene_text"]


def scene_text(
    known: Iterable[ObjectDescription],
    unseen: Collection[str] = (),
    states: Mapping[str, str] | None = None,
) -> SceneDescription:
    """The scene of `known` objects, those `unseen` marked so; `states` gives the state of some."""
    return SceneDescription(
        tuple(
            ObjectDescription(
                one.name,
                plain_name(one.kind),
                one.affordances,
                one.joints,
                one.place_name,
                state=(states or {}).get(one.name, ""),
                visible=one.name not in unseen,
            )
            for one in known
        )
    )
