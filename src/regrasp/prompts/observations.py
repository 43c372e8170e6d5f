"""Questions to the vision model and its answers, as later prompts list them.

Observations:
- Q: "What colour is the crate?" A: "red"
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.prompts.sections import bullets, section
from regrasp.prompts.text import quoted

__all__ = ["OBSERVATIONS", "Observation", "observed", "with_observation"]

OBSERVATIONS = "Observations"
"""The title of the section."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A question and its answer, in the vision model's own words."""

    question: str
    answer: str

    def __str__(self) -> str:
        return f"Q: {quoted(self.question)} A: {quoted(self.answer)}"

    @classmethod
    def read(cls, line: str) -> Observation | None:
        """The observation that `str` wrote, or None if the line is not of that form."""
        match = re.fullmatch(r'(?:- )?Q: "([^"]*)" A: "([^"]*)"', line)
        return cls(match[1], match[2]) if match else None


def observed(observations: Iterable[Observation]) -> str:
    """The section."""
    return section(OBSERVATIONS, bullets(str(o) for o in observations))


def with_observation(
    observations: tuple[Observation, ...], new: Observation
) -> tuple[Observation, ...]:
    """`observations` with `new` at the end; an older answer to the same question is left out."""
    return (*(o for o in observations if o.question != new.question), new)
