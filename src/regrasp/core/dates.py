"""A date in words, for seconds that a file claims."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["date_text"]


def date_text(seconds: float, form: str = "%Y-%m-%d %H:%M UTC") -> str:
    """Seconds since the epoch as a date; `an unknown date` where no calendar has it."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime(form)
    except (OverflowError, ValueError, OSError):
        return "an unknown date"
