"""The household domain for a robot: types of its objects, its skills, rooms and water."""

from __future__ import annotations

from regrasp.core.fact import State
from regrasp.core.feedback import FailureCode
from regrasp.domains.action_phrases import ACTION_PHRASES, LIQUID
from regrasp.domains.domain import Object
from regrasp.domains.household import SKILLS
from regrasp.domains.household_lexicon import household_lexicon
from regrasp.domains.lexicon import Access
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["TYPES", "household_skills"]

TYPES = {
    "mug": "vessel",
    "bottle": "vessel",
    "pie": "edible",
    "egg": "edible",
    "knife": "blade",
    "stick": "item",
    "toy": "item",
    "container": "basket",
    "cabinet": "receptacle",
    "refrigerator": "receptacle",
    "microwave": "microwave_oven",
    "oven": "baking_oven",
    "sink": "basin",
    "counter": "surface",
    "table": "surface",
    "floor": "floor_area",
}
"""The type of an object by its kind."""

_FELT_BY_NONE = ("hot",)
"""Predicates that the paper's robot senses and ours does not: a vision model is asked."""


def household_skills(
    init: State, rooms: tuple[str, ...], cameras: tuple[str, ...] = ()
) -> SkillDomain:
    """The domain of a robot in a home with these rooms, in which `init` holds at first.

    Rooms and the liquid of the taps are objects of the problem that no robot can act on. There is
    no skill for waiting.
    """
    return SkillDomain(
        household_lexicon().with_access(Access.SEEN, *_FELT_BY_NONE),
        kinds=TYPES,
        init=init,
        skills=SKILLS,
        denied_by={FailureCode.DROPPED: ("inhand",), FailureCode.NOT_GRASPED: ("inhand",)},
        objects=(*(Object(room, "room") for room in rooms), Object(LIQUID, "liquid")),
        phrases=ACTION_PHRASES,
        cameras=cameras,
    )
