"""Verbs that ask for a condition of an object: "cook the pie" means that it is cooked or hot.

Which of these conditions exist depends on the robot's forms, so a verb names several in order of
preference. "In the oven" and "with the knife" describe how it is done and are not part of the goal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regrasp.embedded.rules.words import SceneLexicon

__all__ = ["CONDITION_VERBS", "Wanted", "read_condition"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """An object ("" if unclear) and the acceptable conditions, the best first.

    A condition with False must not hold.
    """

    object: str
    conditions: tuple[tuple[str, bool], ...]


def _true(*words: str) -> tuple[tuple[str, bool], ...]:
    return tuple((word, True) for word in words)


_TAIL = r"(?=\s*(?:$|[.,;!?]|\band\b|\bthen\b))"
_TABLE: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...] = (
    (r"cook|boil|bake|roast|fry|grill|simmer", _true("cooked", "hot")),
    (r"heat(?: up)?|warm(?: up)?|reheat", _true("hot", "warm", "cooked")),
    (r"chill|cool(?: down)?|refrigerate", (("cold", True), ("hot", False))),
    (r"freeze", _true("frozen")),
    (r"thaw|defrost", (("thawed", True), ("frozen", False))),
    (r"halve|bisect", _true("halved", "cut", "sliced")),
    (r"cut|slice|chop|carve", _true("sliced", "cut", "halved")),
    (r"fill(?: up)?", _true("filled", "full")),
    (r"pour out|drain", (("filled", False), ("full", False))),
    (r"wash|clean|rinse|scrub|wipe", (("clean", True), ("dirty", False), ("stained", False))),
    (
        rf"(?:turn|switch|power) on|start|(?:turn|switch)(?= [^.,;]* on{_TAIL})",
        _true("turned on", "switched on"),
    ),
    (
        rf"(?:turn|switch|power) off|(?:turn|switch)(?= [^.,;]* off{_TAIL})",
        (("turned on", False), ("turned off", True), ("switched on", False)),
    ),
)
CONDITION_VERBS = "|".join(pattern for pattern, _ in _TABLE)
"""Every verb, as one pattern."""

_ENDING = r"(?:s|d|ed|ing|ted|ped|ling|ting|ping)?\b"
_VERBS = tuple(
    (re.compile(rf"\b(?:{pattern}){_ENDING}", re.IGNORECASE), conditions)
    for pattern, conditions in _TABLE
)
_IN_A_NAME = re.compile(r"\b(?:the|an?|this|that|these|my|your)\s+(?:[\w-]+\s+)?$", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:do not|don't|never|avoid|must not|should not)\b", re.IGNORECASE)


def read_condition(clause: str, words: SceneLexicon, before: str = "") -> Wanted | None:
    """The condition that a clause asks for, or None where its verb is of another kind.

    `before` is the object that "it" refers to.
    """
    if _NEGATED.search(clause):
        return None
    for pattern, conditions in _VERBS:
        match = pattern.search(clause)
        if match is None or _IN_A_NAME.search(clause[: match.start()]):
            continue
        blank = "the".ljust(len(match[0]))[: len(match[0])]
        blanked = clause[: match.start()] + blank + clause[match.end() :]
        refs = words.refs(blanked)
        after = [words.owner(ref.name) for ref in refs if ref.start >= match.start()]
        earlier = [words.owner(ref.name) for ref in refs if ref.start < match.start()]
        if re.match(r"\s*(?:it|them)\b", clause[match.end() :], re.IGNORECASE):
            after = [earlier[0] if earlier else before]
        return Wanted(next(iter((*after, *earlier)), ""), conditions)
    return None
