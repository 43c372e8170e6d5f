"""What an action needs that nobody tells the agent: DKPROMPT's hidden constraints.

An action of which one is not met does nothing. They are the paper's, with two remarks. *Same room*
is always met, because the doorway between the rooms stands open. *Container empty* means not filled
already: a vessel that is half full can be filled up.
"""

from __future__ import annotations

import math

from regrasp.core.action import Action
from regrasp.core.fact import FactTuple
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.world import HouseholdWorld

__all__ = ["unmet"]

_NEAR_SINK_M = 1.3
_UPRIGHT = 0.5  # cosine of the angle at which a container still stands


def unmet(action: Action, world: HouseholdWorld, judge: HouseholdJudge) -> tuple[FactTuple, ...]:
    """The facts that keep `action` from being carried out, each as what should hold."""
    args = action.args
    needed: dict[str, tuple[FactTuple, ...]] = {
        "find": (),
        "grasp": (FactTuple.of("inview", *args), FactTuple("handempty")),
        "placein": (FactTuple.of("inhand", *args[:1]), FactTuple.of("inview", *args[1:])),
        "placeon": (FactTuple.of("inhand", *args[:1]), FactTuple.of("inview", *args[1:])),
        "placefloor": (FactTuple.of("inhand", *args[:1]), FactTuple.of("inview", *args[1:])),
        "fillsink": (FactTuple.of("inview", *args),),
        "fill": (FactTuple.of("inhand", *args[:1]),),
        "open": (FactTuple.of("inview", *args),),
        "close": (FactTuple.of("inview", *args),),
        "turnon": (FactTuple.of("inview", *args),),
        "cut": (FactTuple.of("inview", *args[:1]), FactTuple.of("inhand", *args[1:])),
    }
    wrong = [fact for fact in needed[action.name] if not judge.holds(fact.predicate, *fact.args)]
    if action.name == "placein" and judge.holds("closed", args[1]):
        wrong.append(FactTuple.of("open", args[1]))
    if action.name == "fill":
        base, sink = world.body.base[:2], world.at(args[1])[:2]
        if math.dist(base, sink) > _NEAR_SINK_M:
            wrong.append(FactTuple.of("near", args[1]))
        if judge.holds("filled", args[0]):
            wrong.append(FactTuple.of("empty", args[0]))
    if action.name == "grasp" and _lies_over(world, args[0]):
        wrong.append(FactTuple.of("upright", args[0]))
    return tuple(wrong)


def _lies_over(world: HouseholdWorld, thing: str) -> bool:
    """Whether it is a container upside down: the hand does not get under its rim."""
    if world.scene.things[thing].kind != "container":
        return False
    return bool(world.data.body(thing).xmat[8] < _UPRIGHT)
