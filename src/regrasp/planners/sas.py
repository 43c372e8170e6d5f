"""A ground problem in the input format of Fast Downward's search (translator format 3).

Problems are grounded here, so the engine's own translator is not run: it is a Python program that
takes longer to start than the search takes. Every fact that changes is a variable of two values: 0
is true, 1 is false. A goal with several alternatives becomes one extra fact, which a zero-cost step
from each alternative makes true.
"""

from __future__ import annotations

from collections.abc import Iterator

from regrasp.domains.grounding import Conjunction, GroundTask, Operator

__all__ = ["has_conditional_effects", "sas_text"]


def has_conditional_effects(task: GroundTask) -> bool:
    """Whether the problem has conditional effects, which not every lower bound can handle."""
    return any(c.when != Conjunction() for operator in task.operators for c in operator.changes)


def sas_text(task: GroundTask) -> str:
    """The text; operator i is called `i`, steps to the goal have higher numbers."""
    bits = list(_bits(task.fluent_mask))
    numbers = {bit: number for number, bit in enumerate(bits)}
    choice = len(task.goal) > 1
    count = len(bits) + choice
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(count)]
    for number in range(count):
        lines += ["begin_variable", f"var{number}", "-1", "2"]
        lines += [f"Atom f{number}()", f"NegatedAtom f{number}()", "end_variable"]
    lines += ["0", "begin_state"]  # no groups of facts that exclude each other
    lines += [str(int(not task.init >> bit & 1)) for bit in bits]
    lines += ["1"] * choice + ["end_state", "begin_goal"]
    goal = [(len(bits), 0)] if choice else list(_pairs(task.goal[0], numbers))
    lines += [str(len(goal)), *(f"{variable} {value}" for variable, value in goal), "end_goal"]
    lines.append(str(len(task.operators) + len(task.goal) * choice))
    for index, operator in enumerate(task.operators):
        lines += _operator(str(index), operator, numbers)
    if choice:
        for index, conjunction in enumerate(task.goal, len(task.operators)):
            effects = [f"0 {len(bits)} -1 0"]
            lines += _written(str(index), list(_pairs(conjunction, numbers)), effects, cost=0)
    return "\n".join([*lines, "0", ""])


def _operator(name: str, operator: Operator, numbers: dict[int, int]) -> Iterator[str]:
    needs = dict(_pairs(operator.precondition, numbers))
    effects: list[str] = []
    touched: set[int] = set()
    for value in (1, 0):  # first what becomes false, then what becomes true: an add wins
        for change in operator.changes:
            mask = change.deletes if value else change.adds
            when = [f"{variable} {v}" for variable, v in _pairs(change.when, numbers)]
            for bit in _bits(mask):
                variable = numbers[bit]
                touched.add(variable)
                before = needs.get(variable, -1)
                effects.append(" ".join([str(len(when)), *when, f"{variable} {before} {value}"]))
    prevail = [(variable, value) for variable, value in needs.items() if variable not in touched]
    yield from _written(name, prevail, effects, cost=1)


def _written(
    name: str, prevail: list[tuple[int, int]], effects: list[str], cost: int
) -> Iterator[str]:
    yield from ("begin_operator", name, str(len(prevail)))
    yield from (f"{variable} {value}" for variable, value in prevail)
    yield str(len(effects))
    yield from effects
    yield from (str(cost), "end_operator")


def _pairs(conjunction: Conjunction, numbers: dict[int, int]) -> Iterator[tuple[int, int]]:
    """(variable, value) of each bit of a conjunction, in order."""
    for bit in _bits(conjunction.true | conjunction.false):
        yield numbers[bit], int(not conjunction.true >> bit & 1)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
