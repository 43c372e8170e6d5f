"""The cost of a run's model calls, by model and by purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from regrasp.view.moments import ModelCall

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


def by_model(calls: Iterable[ModelCall]) -> tuple[Cost, ...]:
    """One row for each model, in the order in which they were first asked."""
    return _rows(calls, lambda call: (call.event.model, ""))


def by_purpose(calls: Iterable[ModelCall]) -> tuple[Cost, ...]:
    """One row for each model and purpose."""
    return _rows(calls, lambda call: (call.event.model, call.event.purpose))


def total(calls: Iterable[ModelCall]) -> Cost:
    """The sum over all calls."""
    return _sum("", "", list(calls))


def _rows(
    calls: Iterable[ModelCall], key: Callable[[ModelCall], tuple[str, str]]
) -> tuple[Cost, ...]:
    groups: dict[tuple[str, str], list[ModelCall]] = {}
    for call in calls:
        groups.setdefault(key(call), []).append(call)
    return tuple(_sum(model, purpose, group) for (model, purpose), group in groups.items())


def _sum(model: str, purpose: str, calls: list[ModelCall]) -> Cost:
    events = [call.event for call in calls]
    return Cost(
        model,
        purpose,
        len(events),
        sum(event.calls for event in events),
        sum(bool(event.error_kind) for event in events),
        sum(event.prompt_tokens for event in events),
        sum(event.completion_tokens for event in events),
        sum(event.usd for event in events),
        sum(event.wall_latency_s for event in events),
        max((event.wall_latency_s for event in events), default=0.0),
    )
