"""The words of the apartment's domain, for its lexicon.

Promptable predicates are seen: a vision model answers them. The six of the grounding mechanism are
grounded: they are computed from RGB-D, joints and odometry (`perception`).
"""

from __future__ import annotations

from regrasp.domains.lexicon import Access, PredicateWords
from regrasp.prompts.visual_question import ObjectQuestion

__all__ = ["APARTMENT_WORDS", "GROUNDED"]

GROUNDED = ("at", "find", "detected", "graspable", "placeable", "reachable")
"""The predicates of IALP's grounding mechanism (its table 1)."""

_FROM_PLACES = """
  (forall (?s - (either surface shelf stand)) (not (on ?a ?s)))
  (forall (?d - container) (not (in ?a ?d)))"""
"""The item is at none of its believed places."""


def _grounded(predicate: str, statement: str, *questions: str) -> PredicateWords:
    return PredicateWords(predicate, Access.GROUNDED, statement, questions, moves=False)


APARTMENT_WORDS = (
    PredicateWords(
        "on",
        Access.SEEN,
        "{a} is {not}on {b}",
        (ObjectQuestion.ON, "Does the {a} stand on the {b}?", "Does the {a} hang on the {b}?"),
        if_yes=f"(and (on ?a ?b) {_FROM_PLACES} (not (holding ?a)))",
    ),
    PredicateWords(
        "in",
        Access.SEEN,
        "{a} is {not}in {b}",
        (ObjectQuestion.INSIDE, "Does the {a} lie in the {b}?", "Is the {a} in the {b}?"),
        if_yes=f"(and (in ?a ?b) {_FROM_PLACES} (not (holding ?a)))",
    ),
    PredicateWords(
        "holding",
        Access.SEEN,
        "{a} is {not}held by the robot",
        (
            "Is the robot holding the {a}?",
            "Does the robot hold the {a}?",
            "Is the {a} in a hand of the robot?",
        ),
    ),
    PredicateWords(
        "opened",
        Access.SEEN,
        "{a} is {not}open",
        (ObjectQuestion.OPEN, "Is the {a} pulled out?", "Has the {a} been opened?"),
        (ObjectQuestion.CLOSED, "Is the {a} shut?", "Has the {a} been closed?"),
    ),
    _grounded("at", "the robot is {not}at {a}", "Is the robot at the {a}?"),
    _grounded("find", "a way to {a} is {not}known", "Is there a path to the {a}?"),
    _grounded("detected", "{a} is {not}in view", ObjectQuestion.SEEN, "Can you see the {a}?"),
    _grounded("graspable", "{a} has {not}a grasp", "Can a hand grasp the {a}?"),
    _grounded("placeable", "{a} has {not}a free place", "Is there a free place on the {a}?"),
    _grounded("reachable", "{a} is {not}within reach", "Is the {a} within reach?"),
)
