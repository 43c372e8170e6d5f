"""Whether a goal has things in the order in which an instruction lists them.

"Stack them in the order red, green, blue" is `tower(red, green, blue)`, the lowest first; a tower
the other way round is another tower. "Open a, b and c in that order" has a stage for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from regrasp.core.goal_description import Clause, GoalDescription, Selection

__all__ = ["keeps_listed_order"]

_FROM_THE_TOP = frozenset({"top", "down", "downwards", "oben", "haut", "arriba", "上"})
_FEWEST = 2


def keeps_listed_order(
    goal: GoalDescription, tokens: Sequence[str], start: int, stop: int, arranged: Sequence[str]
) -> bool:
    """Whether the objects of `goal` have the order of the list before or after tokens[start:stop].

    `arranged` are the predicates whose objects are in order, such as `tower`. What is not in the
    list, such as the place of a tower, may stand anywhere. True where no list is found, or where
    the goal is in single clauses without an order, such as on(a, b) and on(b, c).
    """
    names = list(dict.fromkeys(_ordered_names(goal, arranged)))
    for part in (tokens[stop:], tokens[:start]):
        listed = [place for name in names if (place := _mentioned(name, names, part)) >= 0]
        if len(listed) >= _FEWEST:
            upwards = listed == sorted(listed)
            return upwards or (bool(_FROM_THE_TOP & set(tokens)) and listed == sorted(listed)[::-1])
    return True


def _ordered_names(goal: GoalDescription, arranged: Sequence[str]) -> Iterator[str]:
    """The names of the first arrangement; else those of every stage, if there are several."""
    clauses: tuple[Clause, ...] = tuple(c for c in goal.clauses if c.predicate in arranged)[:1]
    if not clauses and len(goal.stages) > 1:
        clauses = tuple(clause for stage in goal.stages for clause in stage)
    for clause in clauses:
        yield from (term for term in clause.args if not isinstance(term, Selection))


def _mentioned(name: str, names: Sequence[str], tokens: Sequence[str]) -> int:
    """The first token that is a word of this name and of no other one; -1 if there is none."""
    others = {word for other in names if other != name for word in other.lower().split("_")}
    own = set(name.lower().split("_")) - others
    return next((place for place, token in enumerate(tokens) if token in own), -1)
