"""Words of other languages for the nouns and colours of generated scenes."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

__all__ = ["translated"]

_FILE = Path(__file__).parent / "frames" / "words.json"


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = json.loads(_FILE.read_text("utf-8"))
    return found


def translated(word: str, language: str, rng: random.Random) -> str:
    """The word in `language`, one of its translations; unknown words stay as they are."""
    choices = _words().get(language, {}).get(word, ()) if language != "en" else ()
    return rng.choice(choices) if choices else word
