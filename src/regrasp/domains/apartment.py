"""The domain of a mobile manipulator in an apartment. Its PDDL is beside this file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from regrasp.core.action import EffectTiming
from regrasp.core.fact import State
from regrasp.core.feedback import FailureCode
from regrasp.domains.apartment_words import APARTMENT_WORDS
from regrasp.domains.lexicon import Lexicon
from regrasp.domains.pddl_read import load_domain
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["PHRASES", "TYPES", "apartment_lexicon", "apartment_skills"]

TYPES = {
    "box": "item",
    "book": "item",
    "bucket": "item",
    "jacket": "item",
    "table": "surface",
    "shelf": "shelf",
    "stand": "stand",
    "drawer": "container",
    "person": "human",
    "door": "exit",
}
"""The type of an object by its kind; in PDDL no object has the name of a type."""

PHRASES = {
    "move": "move to the {0}",
    "scan": "look around for the {0}",
    "adjust": "adjust base, head and lift for the {0}",
    "grasp": "grasp the {0}",
    "place": "place the {0} on the {1}",
    "lift": "lift the {0}",
    "pull": "pull the {0} open",
    "insert": "insert the {0} into the {1}",
}
"""The actions in words; `{0}` is the first argument."""

_TIMING = {
    "grasp": EffectTiming(deleted_at="grasp", added_at="raise"),
    "place": EffectTiming(deleted_at="release", added_at="retreat"),
    "insert": EffectTiming(deleted_at="release", added_at="retreat"),
}


@cache
def apartment_lexicon() -> Lexicon:
    """The lexicon."""
    return Lexicon(load_domain(Path(__file__).parent / "apartment.pddl"), APARTMENT_WORDS)


def apartment_skills(known: State, cameras: tuple[str, ...] = ()) -> SkillDomain:
    """The domain of a robot that is told the facts `known` at first."""
    return SkillDomain(
        apartment_lexicon(),
        kinds=TYPES,
        init=known,
        timing=_TIMING,
        denied_by={
            FailureCode.DROPPED: ("holding",),
            FailureCode.NOT_GRASPED: ("holding",),
            FailureCode.OUT_OF_REACH: ("reachable",),
            FailureCode.UNREACHED: ("reachable",),  # something stands in the way of the hand
            FailureCode.NOT_OBSERVED: ("detected",),
        },
        phrases=PHRASES,
        cameras=cameras,
    )
