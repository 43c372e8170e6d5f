"""The walker's domain: its lexicon and the stages of its skills. Its PDDL is beside this file."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from regrasp.core.action import Action, EffectTiming
from regrasp.core.fact import Fact
from regrasp.core.feedback import FailureCode
from regrasp.domains.hand_words import HANDEMPTY, HOLDING, ON
from regrasp.domains.lexicon import Access, Lexicon, PredicateWords
from regrasp.domains.pddl_read import load_domain
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["walker_domain"]

# An object that is no longer held, or not at its believed place, is believed to be on the floor;
# if it is not there either, it is on the table that the robot is at.
_ENTRIES = (
    replace(
        HOLDING,
        questions=(*HOLDING.questions[:2], "Is the {a} between the hands of the robot?"),
        if_yes="(and (holding ?a) (not (handempty)) (forall (?y - support) (not (on ?a ?y))))",
        if_no="(and (when (holding ?a) (and (handempty) (on ?a floor))) (not (holding ?a)))",
    ),
    HANDEMPTY,
    replace(
        ON,
        if_yes="(and (on ?a ?b) (when (holding ?a) (handempty)) (not (holding ?a)))",
        if_no=(
            "(and (not (on ?a ?b)) (when (not (= ?b floor)) (on ?a floor))"
            " (forall (?y - table) (when (and (= ?b floor) (at ?y)) (on ?a ?y))))"
        ),
    ),
    PredicateWords(
        "at",
        Access.SEEN,
        "the robot is {not}at {a}",
        ("Is the robot at the {a}?", "Does the robot stand at the {a}?"),
        moves=False,
    ),
    PredicateWords(
        "clear",
        Access.SEEN,
        "the way ahead on the {a} is {not}clear",
        ("Is the way ahead on the {a} clear?",),
        ("Is there an obstacle ahead on the {a}?",),
        moves=False,
    ),
)


@cache
def walker_domain() -> SkillDomain:
    """Boxes, tables, a gate and the floor; a robot that walks, carries and turns."""
    domain = load_domain(Path(__file__).parent / "walker.pddl")
    taking = EffectTiming(deleted_at="grip", added_at="lift")
    return SkillDomain(
        Lexicon(domain, _ENTRIES),
        kinds={"box": "box", "table": "table", "gate": "gate"},
        init=frozenset({Fact("handempty"), Fact("clear", ("left",)), Fact("clear", ("right",))}),
        timing={
            "pick_up": taking,
            "pick_up_from_floor": taking,
            "put_down": EffectTiming(deleted_at="release", added_at="retreat"),
        },
        denied_by={
            FailureCode.DROPPED: ("holding",),
            FailureCode.NOT_GRASPED: ("holding",),
            FailureCode.UNREACHED: ("at",),
            FailureCode.REFUSED: ("on",),
        },
        felt_predicates=frozenset({"at"}),
        wait_action=Action("stand"),
        initial_predicates=("on",),
    )
