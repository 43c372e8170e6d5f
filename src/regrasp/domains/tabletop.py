"""The tabletop domain: its lexicon and the stages of its skills. Its PDDL is beside this file."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from regrasp.core.action import Action, EffectTiming
from regrasp.core.fact import Fact
from regrasp.core.feedback import FailureCode
from regrasp.domains.hand_words import HANDEMPTY, HOLDING, ON
from regrasp.domains.lexicon import Lexicon
from regrasp.domains.pddl_read import load_domain
from regrasp.domains.skill_domain import SkillCall, SkillDomain

__all__ = ["tabletop_domain"]

_ENTRIES = (
    replace(
        HOLDING,
        if_yes="(and (holding ?a) (not (handempty)) (forall (?y - place) (not (on ?a ?y))))",
        if_no="(and (when (holding ?a) (handempty)) (not (holding ?a)))",
    ),
    HANDEMPTY,
    replace(ON, if_yes="(and (on ?a ?b) (when (holding ?a) (handempty)) (not (holding ?a)))"),
)


@cache
def tabletop_domain() -> SkillDomain:
    """Blocks, a fixture and a table; the skills are `pick` and `place`."""
    domain = load_domain(Path(__file__).parent / "tabletop.pddl")
    putting = EffectTiming(deleted_at="release", added_at="retreat")
    return SkillDomain(
        Lexicon(domain, _ENTRIES),
        kinds={"block": "block", "fixture": "fixture", "table": "table"},
        init=frozenset({Fact("handempty")}),
        timing={
            "pick": EffectTiming(deleted_at="suck", added_at="lift"),
            "place": putting,
            "set_aside": putting,
        },
        skills={"set_aside": SkillCall("place")},
        denied_by={FailureCode.DROPPED: ("holding",), FailureCode.NOT_GRASPED: ("holding",)},
        wait_action=Action("rest"),
    )
