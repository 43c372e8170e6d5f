"""The domain of a robot with two hands. Its PDDL is beside this file, its words in another."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from regrasp.core.action import EffectTiming, Quantity
from regrasp.core.fact import Fact, State
from regrasp.core.feedback import FailureCode
from regrasp.domains.domain import Object
from regrasp.domains.lexicon import Lexicon
from regrasp.domains.pddl_read import load_domain
from regrasp.domains.skill_domain import SkillDomain
from regrasp.domains.two_hands_words import TWO_HANDS_WORDS

__all__ = ["HANDS", "PHRASES", "QUANTITIES", "TYPES", "two_hands_domain", "two_hands_lexicon"]

HANDS = ("left_hand", "right_hand")
"""The hands, constants of the domain."""

TYPES = {
    "bottle": "bottle",
    "bowl": "bowl",
    "glass": "glass",
    "dough": "dough",
    "block": "block",
    "table": "surface",
    "shelf": "surface",
    "tray": "surface",
    "mixer": "machine",
    "refrigerator": "container",
    "oven": "oven",
}
"""The type of an object by its kind."""

PHRASES = {
    "get": "take the {0} from the {1} with the {2}",
    "put": "put the {0} on or into the {1}",
    "pour": "pour {2} ml from the {0} into the {1}",
    "open_door": "open the door of the {0}",
    "close_door": "close the door of the {0}",
    "screw": "screw the cap onto the {0}",
    "unscrew": "screw the cap off the {0}",
    "finger_push": "push the switch of the {0}",
    "wait": "wait for {0} s",
}
"""The actions in words; `{0}` is the first argument."""

QUANTITIES = {"pour": Quantity("ml", 40, 1, 1000), "wait": Quantity("s", 5, 0.1, 600)}
"""The numbers that actions take after their objects."""

_TIMING = {
    "get": EffectTiming(deleted_at="grasp", added_at="lift"),
    "put": EffectTiming(deleted_at="release", added_at="retreat"),
}


@cache
def two_hands_lexicon() -> Lexicon:
    """The lexicon."""
    return Lexicon(load_domain(Path(__file__).parent / "two_hands.pddl"), TWO_HANDS_WORDS)


def two_hands_domain(
    inventory: State, substances: Iterable[str] = (), cameras: tuple[str, ...] = ()
) -> SkillDomain:
    """The domain of a robot that is told the `inventory`; both hands are free at first.

    `substances` are what vessels may contain: objects of the problem that no robot can take.
    """
    return SkillDomain(
        two_hands_lexicon(),
        kinds=TYPES,
        init=inventory | {Fact.of("free", hand) for hand in HANDS},
        timing=_TIMING,
        denied_by={
            FailureCode.DROPPED: ("holding",),
            FailureCode.NOT_GRASPED: ("holding",),
        },
        objects=tuple(Object(name, "substance") for name in substances),
        phrases=PHRASES,
        cameras=cameras,
        quantities=QUANTITIES,
        optional={"get": 1},
        unrecoverable={"get": ("free",), "pour": ("full", "inside")},
        shown_by={FailureCode.EMPTY: (("empty", 0),), FailureCode.OVERFLOW: (("full", 1),)},
    )
