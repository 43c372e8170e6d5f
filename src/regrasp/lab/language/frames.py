"""Frames: ways to ask for something, by what they mean. They are data, in files of one language.

A clause frame has a goal over the slots {x}, {y}, {z} and texts in which noun phrases replace them;
a phrase frame is a noun phrase; a link joins two clauses, a wrap adds politeness to one; a refusal
is a sentence that no goal stands for.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = [
    "FOLDER", "PARAPHRASES", "Clauses", "Frames", "Links", "Phrases", "Refusals", "frames_of",
    "languages",
]  # fmt: skip

FOLDER = Path(__file__).parent / "frames"
PARAPHRASES = FOLDER / "paraphrases"
"""Frames that a larger language model wrote (`instruction_paraphrases.py`)."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """Texts for one goal: `do` are imperatives, `state` are other sentences."""

    name: str
    goal: tuple[str, ...]
    do: tuple[str, ...] = ()
    state: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Phrases:
    """Noun phrases for one kind of term, e.g. `each {k} on {n}`."""

    name: str
    term: str
    say: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """Sentences of two clauses; `goal` says which comes first or must be kept."""

    name: str
    goal: tuple[str, ...]
    say: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refusals:
    """Sentences that cannot be done, for one reason."""

    name: str
    reason: str
    say: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frames:
    """All frames of one language."""

    clauses: tuple[Clauses, ...]
    phrases: tuple[Phrases, ...]
    links: tuple[Links, ...]
    wraps: tuple[str, ...]
    refusals: tuple[Refusals, ...]


@cache
def languages() -> tuple[str, ...]:
    """Every language that has clause frames, e.g. `("de", "en")`."""
    return tuple(sorted({path.name.split("_")[0] for path in FOLDER.glob("*_clauses*.json")}))


@cache
def frames_of(language: str, folder: Path = FOLDER) -> Frames:
    """The frames in the files of a language."""

    def entries(part: str) -> list[dict[str, list[str]]]:
        paths = sorted(folder.glob(f"{language}_{part}*.json"))
        return [entry for path in paths for entry in json.loads(path.read_text("utf-8"))]

    return Frames(
        tuple(
            Clauses(
                str(e["id"]), tuple(e["goal"]), tuple(e.get("do", ())), tuple(e.get("state", ()))
            )
            for e in entries("clauses")
        ),
        tuple(Phrases(str(e["id"]), str(e["term"]), tuple(e["say"])) for e in entries("phrases")),
        tuple(Links(str(e["id"]), tuple(e["goal"]), tuple(e["say"])) for e in entries("links")),
        tuple(text for e in entries("wraps") for text in e["say"]),
        tuple(
            Refusals(str(e["id"]), str(e["reason"]), tuple(e["say"])) for e in entries("refusals")
        ),
    )
