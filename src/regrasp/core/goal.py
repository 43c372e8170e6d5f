"""A goal: the literals that must be true when an instruction has been carried out.

An argument that begins with `?` is an existential variable named after a kind: any object of that
kind will do, and the same variable is the same object in every literal of the goal.

    inside(toy_duck, ?container), inside(toy_car, ?container), ontop(?container, table)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from regrasp.core.fact import Fact, Literal, parse_literals

__all__ = ["VARIABLE_MARK", "Goal", "is_variable", "parse_goal", "variable_kind"]

VARIABLE_MARK = "?"
"""The first character of an existential variable."""


def is_variable(argument: str) -> bool:
    """Whether an argument of a literal is a variable rather than the name of an object."""
    return argument.startswith(VARIABLE_MARK)


def variable_kind(variable: str) -> str:
    """The kind that a variable ranges over: `?container` stands for some container."""
    return variable.removeprefix(VARIABLE_MARK)


@dataclass(frozen=True, slots=True)
class Goal:
    """Literals that must all be true at the end, under one choice of objects for the variables."""

    literals: tuple[Literal, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.literals))

    @property
    def variables(self) -> tuple[str, ...]:
        """The existential variables, in the order in which they are first named."""
        arguments = (arg for literal in self.literals for arg in literal.fact.args)
        return tuple(dict.fromkeys(filter(is_variable, arguments)))

    def bind(self, objects: Mapping[str, str]) -> Goal:
        """The goal with variables replaced by objects, e.g. `{"?container": "blue_container"}`."""

        def bound(literal: Literal) -> Literal:
            args = tuple(objects.get(arg, arg) for arg in literal.fact.args)
            return Literal(Fact(literal.fact.predicate, args), literal.positive)

        return Goal(tuple(map(bound, self.literals)))

    def holds(
        self, is_true: Callable[[Fact], bool], kinds: Mapping[str, str] | None = None
    ) -> bool:
        """Whether some choice of objects makes every literal true.

        `is_true` answers for one fact, for example from a judge or from a believed state; `kinds`
        gives the kind of every object by name and is needed where the goal has variables.
        """
        return self.witness(is_true, kinds) is not None

    def witness(
        self, is_true: Callable[[Fact], bool], kinds: Mapping[str, str] | None = None
    ) -> Mapping[str, str] | None:
        """The first choice of objects for the variables that makes every literal true, or None."""
        known = kinds or {}
        variables = self.variables
        choices = [
            [name for name, kind in known.items() if kind == variable_kind(variable)]
            for variable in variables
        ]
        for chosen in itertools.product(*choices):
            binding = dict(zip(variables, chosen, strict=True))
            bound = self.bind(binding).literals
            if all(is_true(literal.fact) is literal.positive for literal in bound):
                return binding
        return None


def parse_goal(texts: Iterable[str]) -> Goal:
    """Read each of `texts`, e.g. `on(red_cube, crate)` or `not closed(oven)`."""
    return Goal(parse_literals(*texts))
