"""Valid plans with steps dropped, swapped or with other objects, as a careless planner has them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from regrasp.core.action import Action
from regrasp.domains.rules import Rules


def damaged(dice: Random, plan: Sequence[Action], rules: Rules) -> tuple[Action, ...]:
    """The plan with one to three faults."""
    steps = list(plan)
    for _ in range(dice.choice((1, 1, 2, 3))):
        i, j = dice.randrange(len(steps)), dice.randrange(len(steps))
        kind = dice.choice(("drop", "swap", "replace"))
        if kind == "drop" and len(steps) > 1:
            del steps[i]
        elif kind == "swap":
            steps[i], steps[j] = steps[j], steps[i]
        else:
            steps[i] = _other_object(dice, steps[i], rules)
    return tuple(steps)


def _other_object(dice: Random, action: Action, rules: Rules) -> Action:
    parameters = rules.domain.action(action.name).parameters
    if not parameters:
        return action
    at = dice.randrange(min(len(parameters), len(action.args)))
    name = dice.choice(rules.objects_of(parameters[at].types))
    return Action(action.name, (*action.args[:at], name, *action.args[at + 1 :]))
