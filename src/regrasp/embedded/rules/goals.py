"""The goals of an instruction, and the words that express them.

The verb gives the kind of goal; the words between two objects give their relation ("in", "on top
of", "out of", "away from").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from regrasp.prompts.steps import Likeness, Step, Verb
from regrasp.prompts.visual_question import (
    ObjectQuestion,
    PathQuestion,
    QuestionTemplate,
    VisualQuestion,
)

__all__ = ["VERBS", "GoalKind", "RuleGoal", "relation_in", "verb_in"]


class GoalKind(Enum):
    """The kind of a goal."""

    FIND = auto()
    OPEN = auto()
    CLOSE = auto()
    UNLOCK = auto()
    USE = auto()
    PICK = auto()
    PUT_IN = auto()
    PUT_ON = auto()
    PUT_BY = auto()
    REMOVE = auto()  # out of or off something
    AWAY = auto()  # away from something
    CLEAR = auto()  # nothing on it, or in it
    ROOM = auto()  # nothing in front of it
    LOOK = auto()
    GO = auto()  # the robot itself, to a place


@dataclass(frozen=True, slots=True)
class RuleGoal:
    """A goal about `thing`, relative to `place`; either may be empty."""

    kind: GoalKind
    thing: str | Likeness = ""
    place: str = ""

    @property
    def step(self) -> Step | None:
        """The step that reaches it if nothing is in the way; None if no single step does."""
        verb = _STEPS.get(self.kind)
        if verb is None:
            return None
        of_place = verb in (Verb.OPEN, Verb.CLOSE)
        return Step(verb, self.place) if of_place else Step(verb, self.thing, self.place)

    @property
    def question(self) -> VisualQuestion | None:
        """The question that a yes answers where it is reached; None if there is none."""
        look = _QUESTIONS.get(self.kind)
        if look is None:
            return None
        return VisualQuestion(look, str(self.thing or self.place), self.place if self.thing else "")


_STEPS = {
    GoalKind.OPEN: Verb.OPEN,
    GoalKind.CLOSE: Verb.CLOSE,
    GoalKind.PUT_IN: Verb.PUT_IN,
    GoalKind.PUT_ON: Verb.PUT_ON,
    GoalKind.PUT_BY: Verb.PUT_BY,
    GoalKind.AWAY: Verb.MOVE_AWAY,
    GoalKind.REMOVE: Verb.TAKE_OUT,
    GoalKind.PICK: Verb.PICK,
    GoalKind.USE: Verb.PULL,
}
_QUESTIONS: dict[GoalKind, QuestionTemplate] = {
    GoalKind.PUT_ON: ObjectQuestion.ON,
    GoalKind.PUT_IN: ObjectQuestion.INSIDE,
    GoalKind.PUT_BY: ObjectQuestion.NEXT_TO,
    GoalKind.PICK: ObjectQuestion.HELD,
    GoalKind.OPEN: ObjectQuestion.OPEN,
    GoalKind.CLOSE: ObjectQuestion.CLOSED,
    GoalKind.FIND: ObjectQuestion.SEEN,
    GoalKind.GO: PathQuestion.AT,
}


_VERBS: tuple[tuple[GoalKind, str], ...] = (
    (GoalKind.GO, r"(?<![a-z] )(?:go|walk)(?: forward)? to"),
    (
        GoalKind.FIND,
        r"find|locate|search(?: around)?(?: for)?|look(?:ing)?(?: around| everywhere)? for|seek|"
        r"hunt(?: down| for)?|where(?:'s| is| are)|spot|discover|track down|show me",
    ),
    (GoalKind.ROOM, r"make (?:some |more )?(?:room|space)|(?:clear|free) the (?:way|space|area)"),
    (
        GoalKind.CLEAR,
        r"clear|empty|unload|declutter|free(?: up)?|rid|relieve|tidy up|tidy|unblock|"
        r"(?:take|remove|get|move) (?:everything|anything|all|whatever is)",
    ),
    (GoalKind.UNLOCK, r"unlock|unlatch"),
    (GoalKind.LOOK, r"look (?:inside|in|into|at)|inspect|examine|check"),
    (GoalKind.CLOSE, r"close(?! to)|shut"),
    (GoalKind.OPEN, r"open(?:ed)?(?: up)?"),
    (GoalKind.REMOVE, r"remove|take|fetch|retrieve|extract|unpack|get rid of|bring out|withdraw"),
    (
        GoalKind.PICK,
        r"pick(?: up)?|grab|grasp|lift(?: up)?|raise|(?<!should )hold|(?:bring|hand|give|pass) me",
    ),
    (GoalKind.USE, r"pull|press|push|flip|turn|twist|rotate|toggle|activate|operate|switch on"),
    (
        GoalKind.PUT_IN,
        r"place|put|move|tuck|stow|stash|store|set|drop|lay|stick|slide|insert|bring|transfer|"
        r"relocate|deposit|load|pop|leave|return|stack|hide|shelve|carry|deliver|position|rest|"
        r"contain",
    ),
)
_WEAK = (
    r"get|belongs?|goes|go|should|must|ends? up|want|need|keep|kept|(?:would|I'd) like|"
    r"(?:has|have|had|ought) to|(?:so|such) that|make sure"
)
VERBS = "|".join((*(pattern for _, pattern in _VERBS), _WEAK))
"""Every verb, as one pattern."""

_ENDING = r"(?:s|d|ed|ing)?\b"
_VERB = tuple((wants, re.compile(rf"\b(?:{p}){_ENDING}", re.I)) for wants, p in _VERBS)
_WEAK_VERB = re.compile(rf"\b(?:{_WEAK}){_ENDING}", re.I)
_RELATIONS: tuple[tuple[GoalKind, str], ...] = (
    (GoalKind.AWAY, r"away from|clear of|out of the way of|far from"),
    (GoalKind.ROOM, r"in front of|before"),
    (GoalKind.REMOVE, r"out of|out from|from|off of|off"),
    (GoalKind.PUT_BY, r"next to|beside|near|close to|by"),
    (GoalKind.PUT_ON, r"on top of|on to|onto|on|atop|upon|over"),
    (GoalKind.PUT_IN, r"in|into|inside|within"),
)
_RELATION = tuple((wants, re.compile(rf"\b(?:{p})\b", re.I)) for wants, p in _RELATIONS)


def verb_in(clause: str) -> tuple[GoalKind, int, int] | None:
    """The first verb of a clause: its kind of goal, and its position.

    Words like "should" and "want" count only where there is no other verb: then a place is wanted.
    """
    found = [
        (match.start(), index, match.end())
        for index, (_, pattern) in enumerate(_VERB)
        if (match := pattern.search(clause))
    ]
    if found:
        start, index, end = min(found)
        return _VERB[index][0], start, end
    weak = _WEAK_VERB.search(clause)
    return (GoalKind.PUT_IN, weak.start(), weak.end()) if weak else None


def relation_in(text: str, *, last: bool = False) -> GoalKind | None:
    """The relation of the words between two objects: the first one named, or the last.

    A bare "to" counts only where there is no other relation; it is read as PUT_IN and adapted
    later.
    """
    found: list[tuple[int, int, GoalKind]] = []
    for wants, pattern in _RELATION:
        for match in pattern.finditer(text):
            found.append((-match.end() if last else match.start(), -len(match[0]), wants))
    if found:
        return min(found, key=lambda one: one[:2])[2]
    return GoalKind.PUT_IN if re.search(r"\bto\b", text, re.I) else None
