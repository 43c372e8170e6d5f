"""Sentences with variables: matched, filled in and turned into their opposites, word by word.

`X is held by the Z` fits `gin_bottle is held by the left_hand`; `anything` fits any name. Rules for
CoPAL's commander reason over such sentences, which the prompt lists for each command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from regrasp.prompts.skills import VARIABLES
from regrasp.prompts.visual_question import ANYTHING

__all__ = ["Binding", "after", "fill", "is_true", "match", "opposite"]

Binding = Mapping[str, str]
"""The name of each variable."""

_NOT = " not "


def match(pattern: str, sentence: str, given: Binding | None = None) -> dict[str, str] | None:
    """The binding with which a pattern becomes the sentence, consistent with `given`; else None."""
    words, said = pattern.split(), sentence.split()
    if len(words) != len(said):
        return None
    found = dict(given or {})
    for word, name in zip(words, said, strict=True):
        if word in VARIABLES:
            if found.setdefault(word, name) != name:
                return None
        elif word not in (name, ANYTHING) and name != ANYTHING:
            return None
    return found


def fill(pattern: str, binding: Binding) -> str:
    """The pattern with names in place of its variables; a variable without a name stays."""
    return " ".join(binding.get(word, word) for word in pattern.split())


def opposite(sentence: str) -> str:
    """The sentence with `not` taken out, or put after its `is` or `has`."""
    if _NOT in sentence:
        return sentence.replace(_NOT, " ", 1)
    for verb in (" is ", " has ", " are "):
        if verb in sentence:
            return sentence.replace(verb, f"{verb}not ", 1)
    return sentence


def is_true(sentence: str, state: frozenset[str]) -> bool:
    """Whether a sentence is true, where `state` lists every true one without `not`."""
    return opposite(sentence) not in state if _NOT in sentence else sentence in state


def after(
    state: frozenset[str], makes: Iterable[str], ends: Iterable[str], binding: Binding
) -> frozenset[str]:
    """The state after a command.

    A made sentence about anything is about what an ended one was about: the hand that held X is
    free. If none was, it is left out: it names nothing.
    """
    patterns = [fill(one, binding) for one in ends]
    ended = set(_matching(state, patterns))
    about = sorted({name for one in patterns for s in ended for name in _anything(one, s)})
    made = [fill(one, binding) for one in makes]
    made += [fill(one, {ANYTHING: name}) for one in made for name in about]
    return (state - ended) | {one for one in made if ANYTHING not in one.split()}


def _anything(pattern: str, sentence: str) -> Iterator[str]:
    """What a sentence has in the places where a pattern that fits it has `anything`."""
    if match(pattern, sentence) is not None:
        pairs = zip(pattern.split(), sentence.split(), strict=True)
        yield from (name for word, name in pairs if word == ANYTHING)


def _matching(state: Iterable[str], patterns: list[str]) -> Iterator[str]:
    for sentence in state:
        if any(match(one, sentence) is not None for one in patterns):
            yield sentence
