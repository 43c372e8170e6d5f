"""The words of the household domain, for its lexicon.

How each predicate is known follows DKPROMPT's table of predicates: the robot itself senses what is
in its hand and what is hot; whether a switch worked, what a tap gives, how full a vessel is and in
which room an object is are assumed. For a better vision model, use `with_access(Access.SEEN,
"filled", "turnedon")`.
"""

from __future__ import annotations

from regrasp.domains.lexicon import Access, PredicateWords
from regrasp.prompts.visual_question import ConditionQuestion, ObjectQuestion

__all__ = ["HOUSEHOLD_WORDS"]

_ELSEWHERE = """
  (forall (?c - (either receptacle basket)) (not (inside ?a ?c)))
  (forall (?s - surface) (not (ontop ?a ?s)))
  (forall (?f - floor_area) (not (onfloor ?a ?f)))"""
"""The object is at none of its believed places."""

_LET_GO = "(when (inhand ?a) (handempty)) (not (inhand ?a))"

_WITH_B = """
  (forall (?q - room) (and (when (inroom ?b ?q) (inroom ?a ?q))
                           (when (not (inroom ?b ?q)) (not (inroom ?a ?q)))))"""
"""The object is in the room of the place where it is."""

_HERE = """
  (or (exists (?y - thing) (and (inview ?y) (inroom ?y ?q)))
      (and (not (exists (?y - thing) (inview ?y))) (inroom ?a ?q)))"""
"""The robot is in room ?q: the object in view is there, or else the object it held."""

_FALLEN = f"""
  (forall (?q - room) (and
    (when {_HERE} (and (inroom ?a ?q)
                       (forall (?g - floor_area) (when (inroom ?g ?q) (onfloor ?a ?g)))))
    (when (not {_HERE}) (not (inroom ?a ?q)))))"""
"""The object is on the floor of the robot's room."""


def _is_at(place: str) -> str:
    return f"(and ({place} ?a ?b) {_ELSEWHERE} {_LET_GO} {_WITH_B})"


def _is_not_at(place: str) -> str:
    """An object that is neither at its believed place nor in the hand has fallen to the floor."""
    return f"""(and (not ({place} ?a ?b))
      (when (and ({place} ?a ?b) (not (inhand ?a))) {_FALLEN}))"""


HOUSEHOLD_WORDS = (
    PredicateWords(
        "inview",
        Access.SEEN,
        "{a} is {not}in view",
        (
            ObjectQuestion.SEEN,
            "Can you see the {a}?",
            "Is the {a} in sight?",
            "Is the {a} visible?",
        ),
        moves=False,
    ),
    PredicateWords(
        "inhand",
        Access.GROUNDED,
        "{a} is {not}held by the robot",
        (
            ObjectQuestion.HELD,
            "Is the {a} in the gripper?",
            "Does the robot hold the {a}?",
            "Is the {a} in the hand of the robot?",
        ),
        if_yes=f"(and (inhand ?a) (not (handempty)) {_ELSEWHERE} "
        "(forall (?z - movable) (not (inhand ?z))))",
        if_no=f"(and {_LET_GO} (when (inhand ?a) {_FALLEN}))",
    ),
    PredicateWords(
        "handempty",
        Access.GROUNDED,
        "the hand of the robot is {not}empty",
        (
            "Is the hand of the robot empty?",
            "Is the gripper empty?",
            "Is there nothing in the gripper?",
        ),
        (
            "Is the robot holding anything?",
            "Is there anything in the gripper?",
            "Does the robot hold something?",
        ),
        if_yes="(and (handempty) (forall (?a - movable) (and (not (inhand ?a)) "
        f"(when (inhand ?a) {_FALLEN}))))",
    ),
    PredicateWords(
        "closed",
        Access.SEEN,
        "{a} is {not}closed",
        (
            ObjectQuestion.CLOSED,
            "Is the {a} shut?",
            "Has the {a} been closed?",
            "Is the {a} still closed?",
        ),
        (
            ObjectQuestion.OPEN,
            "Has the {a} been opened?",
            "Does the {a} stand open?",
            "Is the {a} opened?",
        ),
    ),
    PredicateWords(
        "inside",
        Access.SEEN,
        "{a} is {not}inside {b}",
        (
            ObjectQuestion.INSIDE,
            "Does the {b} contain the {a}?",
            "Is the {a} located inside the {b}?",
            "Has the {a} been put into the {b}?",
        ),
        if_yes=_is_at("inside"),
        if_no=_is_not_at("inside"),
    ),
    PredicateWords(
        "ontop",
        Access.SEEN,
        "{a} is {not}on {b}",
        (
            ObjectQuestion.ON,
            "Does the {a} lie on the {b}?",
            "Is the {a} placed on the {b}?",
            "Has the {a} been put on the {b}?",
        ),
        if_yes=_is_at("ontop"),
        if_no=_is_not_at("ontop"),
    ),
    PredicateWords(
        "onfloor",
        Access.SEEN,
        "{a} is {not}on {b}",
        (
            ObjectQuestion.ON,
            "Does the {a} lie on the {b}?",
            "Does the {a} rest on the {b}?",
            "Is the {a} located on the {b}?",
        ),
        if_yes=_is_at("onfloor"),
    ),
    PredicateWords(
        "insource",
        Access.ASSUMED,
        "{b} is {not}in the tap of {a}",
        (
            "Does the tap of the {a} give the {b}?",
            "Is the {b} in the tap of the {a}?",
            "Can the {a} be filled with the {b}?",
        ),
    ),
    PredicateWords(
        "filled",
        Access.ASSUMED,
        "{a} is {not}filled",
        (ConditionQuestion.FILLED, "Is the {a} full?", "Has the {a} been filled?"),
        (ConditionQuestion.EMPTY, "Is there nothing in the {a}?"),
    ),
    PredicateWords(
        "turnedon",
        Access.ASSUMED,
        "{a} is {not}turned on",
        (
            ConditionQuestion.TURNED_ON,
            "Is the {a} on?",
            "Is the {a} running?",
            "Has the {a} been switched on?",
        ),
        (ConditionQuestion.TURNED_OFF, "Is the {a} off?"),
    ),
    PredicateWords(
        "cooked",
        Access.SEEN,
        "{a} is {not}cooked",
        (ConditionQuestion.COOKED, "Has the {a} been cooked?", "Is the {a} done cooking?"),
        (ConditionQuestion.RAW, "Is the {a} uncooked?"),
        moves=False,
    ),
    PredicateWords(
        "hot",
        Access.GROUNDED,
        "{a} is {not}hot",
        (ConditionQuestion.HOT, "Is the {a} warm?", "Has the {a} been heated?"),
        (ConditionQuestion.COLD,),
        moves=False,
    ),
    PredicateWords(
        "frozen",
        Access.SEEN,
        "{a} is {not}frozen",
        (ConditionQuestion.FROZEN, "Is the {a} still frozen?", "Is there frost on the {a}?"),
        (ConditionQuestion.THAWED, "Has the {a} thawed?"),
        moves=False,
    ),
    PredicateWords(
        "halved",
        Access.SEEN,
        "{a} is {not}halved",
        (
            ConditionQuestion.HALVED,
            "Is the {a} cut in half?",
            "Has the {a} been cut into halves?",
            "Is the {a} in two halves?",
        ),
        (ConditionQuestion.WHOLE, "Is the {a} in one piece?"),
    ),
    PredicateWords(
        "inroom",
        Access.ASSUMED,
        "{a} is {not}in the room {b}",
        (
            "Is the {a} somewhere in the {b}?",
            "Is the {a} in the {b}?",
            "Is the {b} the room of the {a}?",
        ),
    ),
)
