"""Model calls as folded HTML: every message to a model, and every reply."""

from __future__ import annotations

from regrasp.core.event import ModelCalled
from regrasp.view.html import Html, el
from regrasp.view.pictures import Pictures

__all__ = ["model_calls"]


def model_calls(calls: tuple[ModelCalled, ...], pictures: Pictures) -> Html | None:
    """The calls that led to an entry, folded under one line."""
    if not calls:
        return None
    failed = sum(bool(call.error_kind) for call in calls)
    count = f"{len(calls)} model call{'s' if len(calls) != 1 else ''}"
    return el(
        "details",
        el("summary", f"{count}, {failed} failed" if failed else count),
        [_call(call, pictures) for call in calls],
        cls="calls failed" if failed else "calls",
    )


def _call(event: ModelCalled, pictures: Pictures) -> Html:
    tokens = f"{event.prompt_tokens} + {event.completion_tokens} tokens"
    money = f", ${event.usd:.4f}" if event.usd else ""
    tries = f", {event.calls} tries" if event.calls > 1 else ""
    cost = f"{tokens}, {event.wall_latency_s:.2f} s{money}{tries}"
    result = event.error or " | ".join(event.replies) or event.verdict
    confidence = f", {event.confidence:.0%} sure" if event.confidence is not None else ""
    return el(
        "details",
        el(
            "summary",
            el("b", event.purpose or "call"),
            " ",
            el("span", result.partition("\n")[0], cls="result"),
            el("span", f"{event.model}, {cost}", cls="quiet"),
        ),
        [
            el(
                "div",
                el("h4", message.role),
                el("pre", message.text),
                [pictures.show(name, "shown to the model") for name in message.images],
                cls="message",
            )
            for message in event.messages
        ],
        [el("div", el("h4", "reply"), el("pre", reply), cls="message") for reply in event.replies],
        el("p", f"Taken as: {event.verdict}{confidence}", cls="quiet") if event.verdict else None,
        el("p", f"{event.error_kind}: {event.error}", cls="wrong") if event.error_kind else None,
        el("p", "Not done by this model: ", ", ".join(event.losses)) if event.losses else None,
        cls="call failed" if event.error_kind else "call",
    )
