"""The kinds of question that a vision model is asked, and the kinds of answer it gives."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["QuestionKind", "Verdict"]


class QuestionKind(StrEnum):
    """The kind of answer that a question expects."""

    YES_NO = "yes_no"
    OPEN = "open"


class Verdict(StrEnum):
    """The answer. Only `TEXT` answers an open question; `UNKNOWN` is a valid answer."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    TEXT = "text"
