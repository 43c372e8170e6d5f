"""The robot's known objects as a scene of the prompts."""

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
    """The scene of `known` objects; `unseen` ones are marked; `states` gives some states."""
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
