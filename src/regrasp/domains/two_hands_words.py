"""The words of the domain of two hands, for its lexicon.

The robot itself senses its fingers and the weight in its hands. Where things are and whether a door
is open can be seen. Caps, contents and switches are assumed: the inventory tells them, and the
effects of actions and the robot's reports change them.
"""

from __future__ import annotations

from regrasp.domains.lexicon import Access, PredicateWords
from regrasp.prompts.visual_question import ConditionQuestion, ObjectQuestion

__all__ = ["TWO_HANDS_WORDS"]

_FROM_HANDS = "(forall (?h - hand) (and (when (holding ?h ?a) (free ?h)) (not (holding ?h ?a))))"
_FROM_PLACES = """
  (forall (?s - (either surface block)) (not (on {0} ?s)))
  (forall (?c - container) (not (inside {0} ?c)))"""
"""The object is at none of its believed places."""

_LOST = "(when (holding ?a ?b) (and (free ?a) (on ?b table))) (not (holding ?a ?b))"
"""What a hand has lost is believed to have fallen onto the table."""

TWO_HANDS_WORDS = (
    PredicateWords(
        "holding",
        Access.GROUNDED,
        "{b} is {not}held by the {a}",
        (
            "Is the {a} holding the {b}?",
            "Does the {a} hold the {b}?",
            "Is the {b} in the {a}?",
        ),
        if_yes=f"""(and (holding ?a ?b) (not (free ?a)) {_FROM_PLACES.format("?b")}
          (forall (?x - portable) (when (not (= ?x ?b)) (not (holding ?a ?x))))
          (forall (?h - hand) (when (not (= ?h ?a))
            (and (when (holding ?h ?b) (free ?h)) (not (holding ?h ?b))))))""",
        if_no=f"(and {_LOST})",
    ),
    PredicateWords(
        "free",
        Access.GROUNDED,
        "the {a} is {not}free",
        ("Is the {a} free?", "Does the {a} hold nothing?"),
        ("Is the {a} holding anything?", "Does the {a} hold something?"),
        if_yes="(and (free ?a) (forall (?x - portable) (and (not (holding ?a ?x)) "
        "(when (holding ?a ?x) (on ?x table)))))",
    ),
    PredicateWords(
        "on",
        Access.SEEN,
        "{a} is {not}on {b}",
        (
            ObjectQuestion.ON,
            "Does the {a} stand on the {b}?",
            "Has the {a} been put on the {b}?",
        ),
        if_yes=f"(and (on ?a ?b) {_FROM_PLACES.format('?a')} {_FROM_HANDS})",
    ),
    PredicateWords(
        "inside",
        Access.SEEN,
        "{a} is {not}inside {b}",
        (
            ObjectQuestion.INSIDE,
            "Does the {a} stand inside the {b}?",
            "Has the {a} been put into the {b}?",
        ),
        if_yes=f"(and (inside ?a ?b) {_FROM_PLACES.format('?a')} {_FROM_HANDS})",
    ),
    PredicateWords(
        "open",
        Access.SEEN,
        "{a} is {not}open",
        (ObjectQuestion.OPEN, "Does the {a} stand open?", "Has the {a} been opened?"),
        (ObjectQuestion.CLOSED, "Is the {a} shut?", "Has the {a} been closed?"),
    ),
    PredicateWords(
        "capped",
        Access.ASSUMED,
        "{a} is {not}closed with its cap",
        (ConditionQuestion.CAPPED, "Is the cap on the {a}?", "Is the {a} screwed shut?"),
        (ConditionQuestion.UNCAPPED, "Is the {a} without its cap?", "Is the cap off the {a}?"),
    ),
    PredicateWords(
        "contains",
        Access.ASSUMED,
        "there is {not}some {b} in {a}",
        (
            "Does the {a} contain the {b}?",
            "Is some of the {b} in the {a}?",
            "Has the {b} been poured into the {a}?",
        ),
        if_yes="(and (contains ?a ?b) (not (empty ?a)))",
    ),
    PredicateWords(
        "empty",
        Access.ASSUMED,
        "{a} is {not}empty",
        (ConditionQuestion.EMPTY, "Is there nothing left in the {a}?"),
        ("Is there anything in the {a}?",),
        if_yes="(and (empty ?a) (not (full ?a)) (forall (?s - substance) (not (contains ?a ?s))))",
    ),
    PredicateWords(
        "full",
        Access.ASSUMED,
        "{a} is {not}full",
        ("Is the {a} full to the brim?", "Is the {a} full?"),
        ("Is there room left in the {a}?",),
        if_yes="(and (full ?a) (not (empty ?a)))",
    ),
    PredicateWords(
        "switched_on",
        Access.ASSUMED,
        "{a} is {not}switched on",
        (ConditionQuestion.TURNED_ON, "Is the {a} running?", "Has the {a} been switched on?"),
        (ConditionQuestion.TURNED_OFF, "Has the {a} been switched off?"),
    ),
    PredicateWords(
        "baked",
        Access.ASSUMED,
        "{a} is {not}baked",
        ("Is the {a} baked?", "Has the {a} been baked?"),
        (ConditionQuestion.RAW,),
        moves=False,
    ),
)
