"""How far the goal is: for each action that can be done now, the shortest plan that begins with it.

States are searched breadth first from the present one. Each remembers the states it was reached
from, so that one pass back from the goals gives the distance of every state that was met.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from regrasp.core.action import Action
from regrasp.domains.grounding import GroundTask

__all__ = ["plan_lengths"]

_MOST_STATES = 20_000


def plan_lengths(task: GroundTask, most_states: int = _MOST_STATES) -> dict[Action, int | None]:
    """For every action that can be done in `task.init`, the length of a shortest plan from it on.

    None for an action after which no plan reaches the goal within the `most_states` nearest states.
    """
    left = _distances(task, most_states)
    lengths: dict[Action, int | None] = {}
    for operator in task.operators:
        if operator.precondition.holds(task.init):
            after = left.get(operator.successor(task.init))
            lengths[operator.action] = None if after is None else after + 1
    return lengths


def _distances(task: GroundTask, most_states: int) -> dict[int, int]:
    """The number of actions from a state to the nearest goal, for the states that were met."""
    before: dict[int, list[int]] = {task.init: []}
    queue = deque([task.init])
    while queue and len(before) < most_states:
        state = queue.popleft()
        for operator in task.operators:
            if operator.precondition.holds(state):
                after = operator.successor(state)
                if after not in before:
                    before[after] = []
                    queue.append(after)
                before[after].append(state)
    return _from_goals(filter(task.is_goal, before), before)


def _from_goals(goals: Iterable[int], before: dict[int, list[int]]) -> dict[int, int]:
    left = dict.fromkeys(goals, 0)
    queue = deque(left)
    while queue:
        state = queue.popleft()
        for earlier in before[state]:
            if earlier not in left:
                left[earlier] = left[state] + 1
                queue.append(earlier)
    return left
