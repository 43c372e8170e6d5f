"""The kinds of question that a vision model is asked, and the kinds of answer it gives."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["QuestionKind", "Verdict"]


class QuestionKind(StrEnum):
    """What sort of answer is wanted."""

    YES_NO = "yes_no"
    OPEN = "open"


class Verdict(StrEnum):
    """What was answered. Only `TEXT` answers an open question; unknown is an honest answer."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    TEXT = "text"
