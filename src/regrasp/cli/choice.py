"""The language model of a command that was given none."""

from __future__ import annotations

__all__ = ["language_of_choice"]


def language_of_choice() -> str:
    """`embedded` where it can be asked; else `scripted`, and the person is told what is missing."""
    from regrasp.cli.output import say
    from regrasp.embedded.language import language_here

    name, told = language_here()
    if told:
        say(f"note: {told}")
    return name
