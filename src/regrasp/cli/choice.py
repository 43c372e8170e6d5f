"""The default language model of a command."""

from __future__ import annotations

__all__ = ["default_language"]


def default_language() -> str:
    """`embedded` if it can run here; else `scripted`, with a note that names what is missing."""
    from regrasp.cli.output import print_note
    from regrasp.embedded.language import default_language_model

    name, told = default_language_model()
    if told:
        print_note(f"note: {told}")
    return name
