"""The cost of a run's model calls, by model and by purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from regrasp.core.event import ModelCalled

__all__ = ["Cost", "by_model", "by_purpose", "total"]


@dataclass(frozen=True, slots=True)
class Cost:
    """A sum over calls; `requests` counts retries too, `longest_s` is the slowest call."""

    model: str
    purpose: str
    calls: int
    requests: int
    failed: int
    prompt_tokens: int
    completion_tokens: int
    usd: float
    seconds: float
    longest_s: float


def by_model(calls: Iterable[ModelCalled]) -> tuple[Cost, ...]:
    """One row for each model, in the order in which they were first asked."""
    return _rows(calls, lambda call: (call.model, ""))


def by_purpose(calls: Iterable[ModelCalled]) -> tuple[Cost, ...]:
    """One row for each model and purpose."""
    return _rows(calls, lambda call: (call.model, call.purpose))


def total(calls: Iterable[ModelCalled]) -> Cost:
    """The sum over all calls."""
    return _sum("", "", tuple(calls))


def _rows(
    calls: Iterable[ModelCalled], key: Callable[[ModelCalled], tuple[str, str]]
) -> tuple[Cost, ...]:
    groups: dict[tuple[str, str], list[ModelCalled]] = {}
    for call in calls:
        groups.setdefault(key(call), []).append(call)
    return tuple(_sum(model, purpose, group) for (model, purpose), group in groups.items())


def _sum(model: str, purpose: str, calls: Sequence[ModelCalled]) -> Cost:
    return Cost(
        model,
        purpose,
        len(calls),
        sum(call.calls for call in calls),
        sum(bool(call.error_kind) for call in calls),
        sum(call.prompt_tokens for call in calls),
        sum(call.completion_tokens for call in calls),
        sum(call.usd for call in calls),
        sum(call.wall_latency_s for call in calls),
        max((call.wall_latency_s for call in calls), default=0.0),
    )
