"""The seam to a simulated world's ground truth: for scoring and oracle swaps only.

No method, planner, verifier, perceiver or monitor may hold a Judge. tests/test_wall.py checks it.
"""

from __future__ import annotations

from typing import Protocol

from regrasp.core.fact import Fact

__all__ = ["Judge"]


class Judge(Protocol):
    """Ground truth of a simulated world."""

    def holds(self, predicate: str, *args: str) -> bool:
        """Whether `predicate(*args)` is true now, e.g. `holds("inside", "apple", "microwave")`.

        Raises UnknownNameError for a predicate or an object that does not exist.
        """
        ...

    def observe(self, fact: Fact) -> bool | None:
        """The answer of a perfect vision model: None where no camera shows whether it is true."""
        ...

    def truths(self) -> tuple[str, ...]:
        """Every ground predicate that is true now, as text, sorted."""
        ...

    def done(self) -> bool:
        """Whether the task's goal holds now."""
        ...

    def check_start(self) -> None:
        """Raise an error unless every start literal holds and the goal does not."""
        ...
