"""The best of several primitives, found with as little planning as possible."""

from __future__ import annotations

from collections.abc import Iterable

from regrasp.control.primitive_trial import PrimitiveTrial

__all__ = ["best_first"]

_THOROUGH = 3  # so many primitives are tried again if none can be carried out


def best_first(trials: Iterable[PrimitiveTrial]) -> list[PrimitiveTrial]:
    """The trials, the best one first; only that one is surely planned to its end.

    The rank of a trial can only grow while it is planned. So the one with the smallest rank is
    planned further, until that one is finished: it is better than what any other can still become.
    If it cannot be carried out, those that only lack a way are tried again thoroughly.
    """
    known = list(trials)
    best = _plan_the_best(known)
    if best.feasible:
        return sorted(known, key=_order)
    lacking = [trial for trial in known if trial.lacks_way and not trial.thorough]
    lacking = sorted(lacking, key=_order)[:_THOROUGH]
    if not lacking:
        return sorted(known, key=_order)
    again = [trial.again() for trial in lacking]
    others = [trial for trial in known if trial not in lacking]
    _plan_the_best([*again, *others])
    return sorted([*again, *others], key=_order)


def _plan_the_best(trials: list[PrimitiveTrial]) -> PrimitiveTrial:
    """Plan further what promises most until the best one is finished."""
    while not (best := min(trials, key=_order)).finished:
        best.advance()
    return best


def _order(trial: PrimitiveTrial) -> tuple[tuple[int, int, float], bool]:
    return (trial.rank, not trial.finished)
