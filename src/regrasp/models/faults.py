"""Ways to degrade a model's text, each a function of the text and a seeded generator.

They work on the text of any reply: a step is a line of a list, an object is a word of a step that
also occurs in the prompt. A fault that finds nothing to change returns the text unchanged.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from regrasp.core.answer import Verdict
from regrasp.models.vision import read_yes_no

__all__ = ["add_step", "drop_step", "flip_verdict", "hallucinate", "swap_steps", "truncate"]

_STEP = re.compile(r"^(?P<mark>\s*(?:\d+[.)]|[-*>•])\s*)(?P<body>\S.*)$")
_NUMBER = re.compile(r"\d+")
_LISTED = re.compile(r"^- (\w+):", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z][A-Za-z_]{2,}")
_SMALL = re.compile(
    "the|and|for|from|into|onto|with|away|inside|outside|under|over|front|behind|near|then|not|"
    "all|any|its|has|was|that|this|there|where|until|while|robot|hand|arm|look"
)
_INVENTED = ("trumpet", "lantern", "umbrella", "violin", "telescope", "anvil", "parrot", "snorkel",
             "cactus", "typewriter")  # fmt: skip


def add_step(text: str, prompt: str, rng: np.random.Generator) -> str:
    """Insert a needless step: one of the steps, applied to another listed object."""
    lines, steps = _split(text)
    listed = sorted(set(_LISTED.findall(prompt)))
    others = [
        (line, match, name)
        for line in steps
        for match in re.finditer(r"\w+", _body(lines[line]))
        if match.group() in listed
        for name in listed
        if name not in _body(lines[line])
    ]
    if not others:
        return text
    line, match, name = others[int(rng.integers(len(others)))]
    body = _body(lines[line])
    mark = lines[line].removesuffix(body)
    at = steps[int(rng.integers(len(steps)))] + int(rng.integers(2))
    lines.insert(at, mark + body[: match.start()] + name + body[match.end() :])
    return _renumber(lines)


def drop_step(text: str, rng: np.random.Generator) -> str:
    """Leave one step out, if there are at least two."""
    lines, steps = _split(text)
    if len(steps) < 2:
        return text
    del lines[steps[int(rng.integers(len(steps)))]]
    return _renumber(lines)


def swap_steps(text: str, rng: np.random.Generator) -> str:
    """Exchange two neighbouring steps that differ."""
    lines, steps = _split(text)
    pairs = [(a, b) for a, b in pairwise(steps) if _body(lines[a]) != _body(lines[b])]
    if not pairs:
        return text
    a, b = pairs[int(rng.integers(len(pairs)))]
    lines[a], lines[b] = lines[b], lines[a]
    return _renumber(lines)


def hallucinate(text: str, prompt: str, rng: np.random.Generator) -> str:
    """Replace an object of the prompt by one that is not in the prompt."""
    known = {word.lower() for word in _WORD.findall(prompt)}
    lines, steps = _split(text)
    spoken = [
        (line, match)
        for line in steps or range(len(lines))
        for match in list(_WORD.finditer(_body(lines[line])))[1:]  # the first word is the verb
        if match.group().lower() in known and not _SMALL.fullmatch(match.group().lower())
    ]
    invented = [name for name in _INVENTED if name not in known]
    if not spoken or not invented:
        return text
    line, match = spoken[int(rng.integers(len(spoken)))]
    start = len(lines[line]) - len(_body(lines[line])) + match.start()
    name = invented[int(rng.integers(len(invented)))]
    lines[line] = lines[line][:start] + name + lines[line][start + len(match.group()) :]
    return "\n".join(lines)


def truncate(text: str, rng: np.random.Generator) -> str:
    """Cut the text somewhere, as a token limit does."""
    return text[: int(rng.integers(len(text)))] if text else text


def flip_verdict(text: str) -> str:
    """Replace yes by no and no by yes, where the text is such an answer."""
    first = re.match(r"\W*([A-Za-z]+)", text)
    if first is None or read_yes_no(first.group(1)) not in (Verdict.YES, Verdict.NO):
        return text
    word = first.group(1)
    other = "no" if read_yes_no(word) is Verdict.YES else "yes"
    other = other.capitalize() if word[0].isupper() else other
    return text[: first.start(1)] + other + text[first.end(1) :]


def _split(text: str) -> tuple[list[str], list[int]]:
    """The lines, and which of them are steps."""
    lines = text.split("\n")
    return lines, [i for i, line in enumerate(lines) if _STEP.match(line)]


def _body(line: str) -> str:
    match = _STEP.match(line)
    return match["body"] if match else line


def _renumber(lines: list[str]) -> str:
    """Join the lines, numbered steps counting from the first number again."""
    number = 0
    fresh = []
    for line in lines:
        match = _STEP.match(line)
        if match is None or not _NUMBER.search(match["mark"]):
            fresh.append(line)
            continue
        number += 1
        fresh.append(_NUMBER.sub(str(number), match["mark"], count=1) + match["body"])
    return "\n".join(fresh)
