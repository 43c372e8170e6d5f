"""Preconditions of actions that the agent does not know: DKPROMPT's hidden constraints.

An action with an unmet constraint does nothing. They are the paper's, with two remarks. *Same room*
is always met, because the doorway between the rooms is open. *Container empty* means not filled:
a half-full vessel can be filled up.
"""

from __future__ import annotations

import math

from regrasp.core.action import Action
from regrasp.core.fact import Fact
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.world import HouseholdWorld

__all__ = ["unmet"]

_NEAR_SINK_M = 1.3
_UPRIGHT = 0.5  # cosine of the largest tilt of an upright container


def unmet(action: Action, world: HouseholdWorld, judge: HouseholdJudge) -> tuple[Fact, ...]:
    """The unmet constraints of `action`, as the facts that should hold."""
    args = action.args
    needed: dict[str, tuple[Fact, ...]] = {
        "find": (),
        "grasp": (Fact.of("inview", *args), Fact("handempty")),
        "placein": (Fact.of("inhand", *args[:1]), Fact.of("inview", *args[1:])),
        "placeon": (Fact.of("inhand", *args[:1]), Fact.of("inview", *args[1:])),
        "placefloor": (Fact.of("inhand", *args[:1]), Fact.of("inview", *args[1:])),
        "fillsink": (Fact.of("inview", *args),),
        "fill": (Fact.of("inhand", *args[:1]),),
        "open": (Fact.of("inview", *args),),
        "close": (Fact.of("inview", *args),),
        "turnon": (Fact.of("inview", *args),),
        "cut": (Fact.of("inview", *args[:1]), Fact.of("inhand", *args[1:])),
    }
    wrong = [fact for fact in needed[action.name] if not judge.holds(fact.predicate, *fact.args)]
    if action.name == "placein" and judge.holds("closed", args[1]):
        wrong.append(Fact.of("open", args[1]))
    if action.name == "fill":
        base, sink = world.body.base[:2], world.at(args[1])[:2]
        if math.dist(base, sink) > _NEAR_SINK_M:
            wrong.append(Fact.of("near", args[1]))
        if judge.holds("filled", args[0]):
            wrong.append(Fact.of("empty", args[0]))
    if action.name == "grasp" and _lies_over(world, args[0]):
        wrong.append(Fact.of("upright", args[0]))
    return tuple(wrong)


def _lies_over(world: HouseholdWorld, thing: str) -> bool:
    """Whether it is a container upside down: the hand cannot reach under its rim."""
    if world.scene.things[thing].kind != "container":
        return False
    return bool(world.data.body(thing).xmat[8] < _UPRIGHT)
