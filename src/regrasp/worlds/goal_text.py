"""Goals as text, so that any instruction can be judged: `inside(cube, cabinet)`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.core.errors import RegraspError
from regrasp.core.judge import Judge

__all__ = ["GoalFact", "parse_goal"]

_FACT = re.compile(r"\s*(not\s+)?(\w+)\s*\(\s*(\w+(?:\s*,\s*\w+)*)\s*\)\s*")


@dataclass(frozen=True, slots=True)
class GoalFact:
    """A predicate of the judge that must be true at the end, or must not."""

    predicate: str
    args: tuple[str, ...]
    true: bool = True

    def __str__(self) -> str:
        return f"{'' if self.true else 'not '}{self.predicate}({', '.join(self.args)})"

    def met(self, judge: Judge) -> bool:
        """Whether it is as it should be; raises for a predicate or name that does not exist."""
        return judge.holds(self.predicate, *self.args) is self.true


def parse_goal(texts: Iterable[str]) -> tuple[GoalFact, ...]:
    """Read each of `texts`, e.g. `on(red_cube, crate)` or `not blocking(kettle, microwave)`."""
    return tuple(map(_fact, texts))


def _fact(text: str) -> GoalFact:
    match = _FACT.fullmatch(text)
    if match is None:
        raise RegraspError(
            f"{text!r} is no goal; write a fact such as inside(yellow_cube, wooden_cabinet), "
            "with not before it for its opposite."
        )
    args = tuple(arg.strip() for arg in match[3].split(","))
    return GoalFact(match[2], args, match[1] is None)
