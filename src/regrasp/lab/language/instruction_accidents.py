"""The accidents of typing and speaking: case, full stops, slips, fillers."""

from __future__ import annotations

import random
import re

__all__ = ["with_accidents"]

_CONTRACTIONS = {
    "fr": ((r"\bde les? ", "du "), (r"\bà le ", "au "), (r"\bà les ", "aux "),
           (r"\b([Ll])[ea] (?=[aeiouéèêh])", r"\1'"), (r"l' ", "l'"),
           (r"\b[Ll]'(?=[bcdfgjklmnpqrstvwxz])", "le ")),
    "es": ((r"\bde el ", "del "), (r"\ba el ", "al ")),
}  # fmt: skip
_FILLERS = ("uh", "um", "er", "like", "you know", "hm", "erm")
_HOMOPHONES = (
    ("the", "da"), ("you", "u"), ("please", "pls"), ("because", "cuz"), ("going to", "gonna"),
    ("want to", "wanna"), ("into", "in to"), ("their", "there"), ("onto", "on to"),
)  # fmt: skip


def with_accidents(text: str, language: str, rng: random.Random) -> str:
    """A text as it is typed or heard: not always with capitals, points and the right letters."""
    text = re.sub(r"\s+", " ", text).strip()
    for pattern, replacement in _CONTRACTIONS.get(language, ()):
        text = re.sub(pattern, replacement, text)
    if language == "en" and rng.random() < 0.04:
        return _heard(text, rng)
    if rng.random() < 0.5:
        text = text[:1].upper() + text[1:]
    elif rng.random() < 0.2:
        text = text.lower()
    if text[-1:] not in ".!?。" and rng.random() < 0.35:
        text += rng.choice("...!")
    elif rng.random() < 0.2:
        text = text.rstrip(".!")
    for chance in (0.1, 0.3):
        if rng.random() > chance:
            break
        text = _misspelt(text, rng)
    if rng.random() < 0.03:
        text = text.replace(",", "")
    return text


def _heard(text: str, rng: random.Random) -> str:
    """As a machine writes down speech: no signs, fillers, a word said twice, a word misheard."""
    words = re.sub(r"[.,;:!?]+(?=\s|$)", "", text.lower()).split()
    for _ in range(rng.choice((0, 1, 1, 2)) if words else 0):
        place = rng.randrange(len(words))
        words.insert(place, rng.choice((rng.choice(_FILLERS), words[place])))
    heard = " ".join(words)
    for right, wrong in rng.sample(_HOMOPHONES, 3):
        heard = re.sub(rf"\b{right}\b", wrong, heard, count=1)
    return heard


def _misspelt(text: str, rng: random.Random) -> str:
    """One slip: a letter dropped, doubled, or two exchanged."""
    places = [i for i in range(1, len(text) - 1) if text[i - 1 : i + 2].isalpha()]
    if not places:
        return text
    i = rng.choice(places)
    return rng.choice(
        (
            text[:i] + text[i + 1 :],
            text[:i] + text[i] + text[i:],
            text[:i] + text[i + 1] + text[i] + text[i + 2 :],
        )
    )
