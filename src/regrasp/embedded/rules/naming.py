"""Whether a sentence uses only names of the scene, and the corrected sentence."""

from __future__ import annotations

import difflib
import re

from regrasp.core.object_description import ObjectDescription
from regrasp.embedded.rules.words import COLOURS, SceneLexicon, phrases, word_set
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.text import identifier

__all__ = ["misnamed", "renamed"]

_NOT_THINGS = word_set(
    "way scene image picture robot arm gripper hand object objects side left right middle center "
    "centre floor ground room reason path access space obstacle something anything nothing yes it "
    "one other position view camera background place action task"
)
_VERBISH = re.compile(r"(?:ing|ed|able|ly)$")


def _lexicon(names: tuple[str, ...]) -> SceneLexicon:
    """The lexicon of a scene in which only names are known."""
    things = (ObjectDescription(name) for name in dict.fromkeys(names) if identifier(name))
    return SceneLexicon(SceneDescription(tuple(things)))


def _things(sentence: str) -> list[tuple[str, int, int]]:
    """Phrases that follow an article, or are spelt like_this: the object names of a sentence."""
    found = []
    for phrase, start, _ in phrases(sentence):
        words = phrase.split()
        while words and (_VERBISH.search(words[-1].lower()) or words[-1].lower() in _NOT_THINGS):
            words = words[:-1]
        kept = " ".join(words)
        article = re.search(r"\b(?:a|an|the|this|that)\s+$", sentence[:start], re.I)
        if kept and (article or "_" in kept):
            found.append((kept, start, start + len(kept)))
    return found


def misnamed(sentence: str, names: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """The phrases of a sentence that name objects by no listed name."""
    known = _lexicon(names).names
    return [
        thing
        for thing in _things(sentence)
        if known.find(thing[0]) is None and not known.mentions(thing[0])
    ]


def renamed(sentence: str, names: tuple[str, ...]) -> str | None:
    """The sentence with each wrong name replaced by the nearest listed one; None if none is."""
    words = _lexicon(names)
    text = sentence
    for phrase, start, end in reversed(misnamed(sentence, names)):
        name = words.find(phrase) or _nearest(phrase, names)
        if name is None:
            return None
        text = text[:start] + name + text[end:]
    for mention in reversed(words.names.mentions(text)):
        text = text[: mention.start] + mention.name + text[mention.end :]
    return text


def _nearest(phrase: str, names: tuple[str, ...]) -> str | None:
    """The name that shares most words with a phrase, then the one most similar in spelling."""
    words = set(re.findall(r"[a-z0-9]+", phrase.lower()))
    scored = []
    for name in names:
        own = set(name.lower().split("_"))
        shared = len(words & own)
        clash = bool(words & COLOURS) and bool(own & COLOURS) and not words & own & COLOURS
        spelt = difflib.SequenceMatcher(
            None, phrase.lower().replace(" ", "_"), name.lower()
        ).ratio()
        scored.append((-1.0 if clash else shared + spelt, -len(own), name))
    best = max(scored, default=(0.0, 0, ""))
    return best[2] if best[0] >= 0.6 else None
