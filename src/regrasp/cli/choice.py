"""The language model of a command that was given none."""

from __future__ import annotations

__all__ = ["default_language"]


def default_language() -> str:
    """`embedded` where it can be asked; else `scripted`, and the person is told what is missing."""
    from regrasp.cli.output import print_note
    from regrasp.embedded.language import default_language_model

    name, told = default_language_model()
    if told:
        print_note(f"note: {told}")
    return name
