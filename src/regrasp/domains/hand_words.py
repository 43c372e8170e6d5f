"""The words that domains of a robot with one hand share: holding, an empty hand, lying on."""

from __future__ import annotations

from regrasp.domains.lexicon import Access, PredicateWords
from regrasp.prompts.visual_question import ObjectQuestion

__all__ = ["HANDEMPTY", "HOLDING", "ON"]

HOLDING = PredicateWords(
    "holding",
    Access.SEEN,
    "{a} is {not}held by the robot",
    (ObjectQuestion.HELD, "Does the robot hold the {a}?", "Is the {a} in the gripper?"),
)
HANDEMPTY = PredicateWords(
    "handempty",
    Access.GROUNDED,
    "the hand of the robot is {not}empty",
    ("Is the hand of the robot empty?",),
    ("Is the robot holding anything?",),
)
ON = PredicateWords(
    "on",
    Access.SEEN,
    "{a} is {not}on {b}",
    (ObjectQuestion.ON, "Does the {a} lie on the {b}?", "Has the {a} been put on the {b}?"),
)
