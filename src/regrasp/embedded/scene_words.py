"""Say an instruction with the nouns of the scene: "the fridge" where the list has a refrigerator.

The embedded model copies the noun that a person said. A table of synonyms in five languages knows
which listed thing it can be; the noun is exchanged only if one kind of thing alone fits.
"""

from __future__ import annotations

import re

from regrasp.core.object_description import kind_endings
from regrasp.prompts.known_nouns import KNOWN_NOUNS, noun_phrases, singular

__all__ = ["in_scene_words", "with_scene_words"]

_OBJECTS = re.compile(r"(?m)^Objects: (.*)$")
_INSTRUCTION = re.compile(r"(?m)^Instruction: (.*)$")
_SPELLINGS = (("grey", "gray"), ("gray", "grey"))


def with_scene_words(prompt: str) -> str:
    """The text of a goal prompt, its instruction in the nouns of its objects."""
    objects, said = _OBJECTS.search(prompt), _INSTRUCTION.search(prompt)
    if objects is None or said is None:
        return prompt
    names = re.findall(r"\w+", objects[1])
    return prompt[: said.start(1)] + in_scene_words(said[1], names) + prompt[said.end(1) :]


def in_scene_words(instruction: str, names: list[str]) -> str:
    """The instruction with synonyms exchanged for the nouns of `names`."""
    words = {word for name in names for word in name.lower().split("_")}
    nouns = {ending for name in names for ending in kind_endings(name.lower())[:2]}
    text = instruction
    for phrase in noun_phrases(instruction):
        written = phrase.words[-1] if phrase.words else ""
        if not written or written in words or singular(written) in words:
            continue
        meant = KNOWN_NOUNS.get(phrase.head, frozenset())
        fitting = {phrase.head} if phrase.head in words else nouns & meant
        kinds = {one for one in fitting if not any(o != one and o.endswith(one) for o in fitting)}
        if len(kinds) == 1:
            text = _exchanged(text, written, kinds.pop().replace("_", " "))
    for said, listed in _SPELLINGS:
        if said not in words and listed in words:
            text = _exchanged(text, said, listed)
    return text


def _exchanged(text: str, written: str, noun: str) -> str:
    if written.isascii() or not re.search(r"[\u4e00-\u9fff]", written):
        return re.sub(rf"(?i)(?<!\w){re.escape(written)}(?:s|es)?(?!\w)", noun, text)
    return text.replace(written, noun)
