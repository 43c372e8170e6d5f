"""The answers of the embedded vision model: yes, no, unknown, or a word."""

from __future__ import annotations

__all__ = ["ANSWERS", "NO", "UNKNOWN", "YES"]

_COLOURS = (
    "red", "green", "blue", "yellow", "orange", "purple",
    "white", "black", "grey", "brown", "pink", "cyan",
)  # fmt: skip

ANSWERS = ("yes", "no", "unknown", "open", "closed", *_COLOURS)
"""Every answer, in the order of the network's outputs."""

YES, NO, UNKNOWN = (ANSWERS.index(word) for word in ("yes", "no", "unknown"))
