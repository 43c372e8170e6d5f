"""What the layers of a method found wrong and changed, as HTML: checks, repairs, new plans."""

from __future__ import annotations

from regrasp.core.event import Replanned
from regrasp.core.feedback import Feedback
from regrasp.view.html import Html, el, join

__all__ = ["change_of", "layer_feedback"]


def layer_feedback(feedback: Feedback | None) -> Html | None:
    """Error, reason and suggestion of a checker, one below the other."""
    if feedback is None:
        return None
    parts = (feedback.error, feedback.reason, feedback.suggestion)
    return el("ul", [el("li", part) for part in parts if part])


def change_of(replanned: Replanned) -> Html:
    """Why a plan changes, and the commands that rules put in the place of one."""
    rules = f"Mended by rules: {', '.join(replanned.rules)}." if replanned.rules else None
    commands = el("ol", [el("li", one) for one in replanned.commands], cls="steps")
    return join(
        layer_feedback(replanned.feedback),
        el("p", rules) if rules else None,
        commands if replanned.commands else None,
    )
