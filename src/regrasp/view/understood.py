"""How an instruction was understood, as HTML: the goal, the confidence, questions to the person."""

from __future__ import annotations

from collections.abc import Sequence

from regrasp.core.event import GoalUnderstood, PersonAsked
from regrasp.view.html import Html, el, join

__all__ = ["options_of_question", "reading_of_instruction"]


def reading_of_instruction(read: GoalUnderstood) -> Html:
    """The instruction, the clauses of its goal, the confidence, other readings, words left over."""
    others = [words for words in read.readings if words != read.words]
    return join(
        el("p", f"The instruction: “{read.instruction}”"),
        el("ul", [el("li", el("code", clause)) for clause in read.goal], cls="clauses")
        if read.goal
        else None,
        _confidence(read.confidence) if read.goal else None,
        _listed("It may also mean", others),
        _listed("Words left over", read.unexplained),
    )


def options_of_question(asked: PersonAsked) -> Html:
    """The options of a question to the person; the one that was chosen is marked."""
    rows = [_option(option, option == asked.chosen) for option in asked.options]
    nobody = el("p", "Nobody answered, or none of these was meant.", cls="wrong")
    return join(el("ol", rows, cls="options"), None if asked.chosen else nobody)


def _option(option: str, chosen: bool) -> Html:
    mark = el("span", " ✓ chosen", cls="chosen") if chosen else None
    return el("li", el("span", option), mark, cls="now" if chosen else None)


def _confidence(confidence: float) -> Html:
    sure = f"{confidence:.0%} sure"
    rect = el("rect", width=f"{100 * confidence:.0f}", height=1)
    box = "0 0 100 1"
    bar = el("svg", rect, viewBox=box, preserveAspectRatio="none", aria_hidden="true")
    return el("p", bar, el("span", sure), cls="confidence")


def _listed(title: str, rows: Sequence[str]) -> Html | None:
    if not rows:
        return None
    return join(el("h4", title), el("ul", [el("li", row) for row in rows]))
