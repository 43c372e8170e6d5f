"""What an action needs that nobody tells the agent: DKPROMPT's hidden constraints.

An action of which one is not met does nothing. They are the paper's, with two remarks. *Same room*
is always met, because the doorway between the rooms stands open. *Container empty* means not filled
already: a vessel that is half full can be filled up.
"""

from __future__ import annotations

import math

from regrasp.core.action import Action
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.world import Fact

__all__ = ["unmet"]

_NEAR_SINK_M = 1.3
_UPRIGHT = 0.5  # cosine of the angle at which a container still stands


def unmet(action: Action, world: HouseholdWorld, judge: HouseholdJudge) -> tuple[Fact, ...]:
    """The facts that keep `action` from being carried out, each as what should hold."""
    args = action.args
    needed: dict[str, tuple[Fact, ...]] = {
        "find": (),
        "grasp": (("inview", *args), ("handempty",)),
        "placein": (("inhand", *args[:1]), ("inview", *args[1:])),
        "placeon": (("inhand", *args[:1]), ("inview", *args[1:])),
        "placefloor": (("inhand", *args[:1]), ("inview", *args[1:])),
        "fillsink": (("inview", *args),),
        "fill": (("inhand", *args[:1]),),
        "open": (("inview", *args),),
        "close": (("inview", *args),),
        "turnon": (("inview", *args),),
        "cut": (("inview", *args[:1]), ("inhand", *args[1:])),
    }
    wrong = [fact for fact in needed[action.name] if not judge.holds(*fact)]
    if action.name == "placein" and judge.holds("closed", args[1]):
        wrong.append(("open", args[1]))
    if action.name == "fill":
        base, sink = world.body.base[:2], world.at(args[1])[:2]
        if math.dist(base, sink) > _NEAR_SINK_M:
            wrong.append(("near", args[1]))
        if judge.holds("filled", args[0]):
            wrong.append(("empty", args[0]))
    if action.name == "grasp" and _lies_over(world, args[0]):
        wrong.append(("upright", args[0]))
    return tuple(wrong)


def _lies_over(world: HouseholdWorld, thing: str) -> bool:
    """Whether it is a container upside down: the hand does not get under its rim."""
    if world.scene.things[thing].kind != "container":
        return False
    return bool(world.data.body(thing).xmat[8] < _UPRIGHT)
