"""One question, one value: what a model said, or None where it would not or could not say it."""

from __future__ import annotations

from typing import TypeVar

from regrasp.models.language import LanguageModel
from regrasp.prompts.exchange import ask
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.prompt import Prompt

__all__ = ["obtain"]

T = TypeVar("T")


def obtain(model: LanguageModel, prompt: Prompt[T]) -> T | None:
    """The value of the reply; what was said instead is in the trace, with the call."""
    result = ask(model, prompt).result
    return None if isinstance(result, Declined | ParseError) else result
