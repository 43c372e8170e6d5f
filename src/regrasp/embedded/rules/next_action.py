"""The scripted planner of IALP: how likely each action is, from how near it brings the goal.

It reads domain and problem from the prompt. With d(a) the length of a shortest plan that begins
with action a, and u(a) the number of its preconditions that are false, the weight of a is

    w(a) = -d(a)            if it can be done now and the goal can be reached after it,
    w(a) = -d* - 3 - u(a)   otherwise,

with d* the longest d. The log-probability is the logarithm of the softmax of w over all actions
that the types allow. To give up counts as one of the other actions; it is the likeliest where no
plan leads to the goal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError
from regrasp.domains.distances import plan_lengths
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.grounding import ground_task
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.domains.rules import Rules
from regrasp.embedded.rules.parsed_prompt import ParsedPrompt

__all__ = ["HOPELESS", "next_action", "next_action_likelihoods"]

_SHARPNESS = 2.0
"""How much likelier, in nats, an action is that saves one further action."""

_USELESS = 3.0
HOPELESS = "Cannot: no action leads to the goal from what is observed"
"""The reply where no plan exists."""

_UNREADABLE = "Cannot: I cannot read this domain or this problem"


def next_action(asked: ParsedPrompt) -> str:
    """The likeliest reply."""
    return max(next_action_likelihoods(asked), key=lambda one: one[1])[0]


def next_action_likelihoods(asked: ParsedPrompt) -> tuple[tuple[str, float], ...]:
    """Every reply with its log-probability."""
    try:
        domain = read_domain("\n".join(asked.sections["Domain"].lines))
        problem = read_problem("\n".join(asked.sections["Problem"].lines), domain)
        weights = dict(_weights(domain, problem))
    except (RegraspError, KeyError):
        return ((_UNREADABLE, 0.0),)
    highest = max(weights.values())
    total = highest + math.log(math.fsum(math.exp(w - highest) for w in weights.values()))
    return tuple((text, weight - total) for text, weight in weights.items())


def _weights(domain: Domain, problem: Problem) -> Iterator[tuple[str, float]]:
    rules = Rules.of(domain, problem)
    task = ground_task(domain, problem)
    lengths = plan_lengths(task) if task.goal else {}
    useful = {action: length for action, length in lengths.items() if length is not None}
    farthest = max(useful.values(), default=0) + _USELESS
    for schema in domain.actions:
        for binding in rules.bindings(schema.parameters):
            action = Action(schema.name, tuple(binding.values()))
            if len(set(action.args)) < len(action.args):
                continue
            far = farthest + len(rules.unmet_preconditions(action, problem.init))
            yield str(action), -_SHARPNESS * useful.get(action, far)
    yield HOPELESS, -_SHARPNESS * (farthest if useful else 0.0)
