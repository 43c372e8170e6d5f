"""Every action that begins a shortest plan, at each state along one: the answers of the lessons."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.grounding import GroundTask, ground_task
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.prompts.next_action import NextActionPrompt

__all__ = ["ShortestPlans", "first_actions", "read_pddl", "shortest_plans"]

_MOST_STATES = 20_000


@dataclass(frozen=True, slots=True)
class ShortestPlans:
    """The actions of all shortest plans, by the state they are done in; empty without a plan."""

    length: int
    actions: dict[int, tuple[tuple[Action, int], ...]]

    def walk(self, start: int, rng: random.Random) -> Iterator[tuple[int, tuple[Action, ...]]]:
        """The states of one shortest plan, each with every action that begins one there."""
        state = start
        while state in self.actions:
            yield state, tuple(action for action, _ in self.actions[state])
            _, state = rng.choice(self.actions[state])


def read_pddl(prompt: NextActionPrompt) -> tuple[Domain, Problem]:
    """The domain and the problem of a prompt."""
    domain = read_domain(prompt.domain)
    return domain, read_problem(prompt.problem, domain)


def first_actions(domain: Domain, problem: Problem) -> tuple[Action, ...]:
    """Every action that begins a shortest plan; none where there is no plan, or none is found."""
    task = ground_task(domain, problem)
    plans = shortest_plans(task, _MOST_STATES)
    found = plans.actions.get(task.init, ()) if plans is not None else ()
    return tuple(dict.fromkeys(action for action, _ in found))


def shortest_plans(task: GroundTask, most_states: int) -> ShortestPlans | None:
    """All shortest plans, layer by layer; None if `most_states` are too few to know them."""
    if task.is_goal(task.init):
        return ShortestPlans(0, {})
    seen, layer = {task.init}, [task.init]
    layers: list[dict[int, list[tuple[Action, int]]]] = []
    while layer and task.goal:
        edges: dict[int, list[tuple[Action, int]]] = {}
        following: dict[int, None] = {}
        for state in layer:
            for operator in task.operators:
                if operator.precondition.holds(state):
                    after = operator.successor(state)
                    if after not in seen:
                        following[after] = None
                        edges.setdefault(state, []).append((operator.action, after))
        layers.append(edges)
        if goals := {state for state in following if task.is_goal(state)}:
            return ShortestPlans(len(layers), _towards(goals, layers))
        layer = list(following)
        seen.update(layer)
        if len(seen) > most_states:
            return None
    return ShortestPlans(0, {})


def _towards(
    goals: set[int], layers: list[dict[int, list[tuple[Action, int]]]]
) -> dict[int, tuple[tuple[Action, int], ...]]:
    """The edges on a way to the goals, from the last layer back."""
    good, found = goals, dict[int, tuple[tuple[Action, int], ...]]()
    for edges in reversed(layers):
        kept = {
            state: tuple(dict.fromkeys((action, after) for action, after in out if after in good))
            for state, out in edges.items()
        }
        good = {state for state, out in kept.items() if out}
        found.update((state, kept[state]) for state in good)
    return found
