"""Reads back which action a "why did it fail?" question is about, in whichever wording it came."""

from __future__ import annotations

import re

from regrasp.prompts.why import WORDINGS

__all__ = ["action_asked_about"]


def _pattern(wording: str) -> re.Pattern[str]:
    spelt = re.escape(wording.replace("{action}", "<action>").replace("{names}", "<names>"))
    spelt = spelt.replace("<action>", "(?P<action>.+?)").replace("<names>", ".*?")
    return re.compile(spelt, re.DOTALL)


_PATTERNS = tuple(map(_pattern, WORDINGS))


def action_asked_about(question: str) -> str | None:
    """The action, e.g. `open the microwave`; None if the question is of another kind."""
    matches = (pattern.fullmatch(question.strip()) for pattern in _PATTERNS)
    return next((match["action"] for match in matches if match), None)
