"""The claims of a sentence about the scene: blocks, lies on, is in, is locked, unlocks.

Reads the causes given to a planner and the vision model's explanations. A sentence of no known form
has no claim, and neither has one about the robot itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.prompts.names import Mention

__all__ = ["ACTUATES", "ClaimKind", "SceneClaim", "read_claims"]

ACTUATES = (Affordance.PULL, Affordance.PRESS, Affordance.TURN)
"""What can be done to objects that switch something."""


class ClaimKind(StrEnum):
    """The kinds of claim; `{a}` and `{b}` are names."""

    BLOCKS = "{a} is blocking {b}"
    ON = "{a} is on {b}"
    INSIDE = "{a} is inside {b}"
    UNLOCKS = "{a} unlocks {b}"
    LOCKED = "{a} is locked"
    CLOSED = "{a} is closed"


@dataclass(frozen=True, slots=True)
class SceneClaim:
    """One claim about one or two names."""

    kind: ClaimKind
    a: str
    b: str = ""

    def __str__(self) -> str:
        return self.kind.value.format(a=self.a, b=self.b)


_CLAUSE = re.compile(
    r"[.;!?]+\s|[.;!?]+$|,\s+(?=(?:which|and|so|but)\b)|"
    r"\b(?:is that|is because|because(?! of)|since|but|and so)\b"
)
_RETOLD = re.compile(
    r"\b(?:robot|reason)\b.*\b(?:can ?not|can't|unable|could ?not|couldn't|why)\b", re.I
)
_NEVER = re.compile(
    r"\b(?:not|no|nothing|never|without|isn't|doesn't|aren't|neither)\b(?! (?:be )?(?:able|open))",
    re.I,
)
_MODAL = re.compile(r"\b(?:can ?not|can't|could ?not|couldn't|unable to|will not|won't)\b", re.I)
_BLOCK = re.compile(
    r"\b(?:block\w*|obstruct\w*|imped\w*|hinder\w*|prevent\w*|jam(?:s|med|ming)?|wedged|stuck|"
    r"in front of|in the way|way of|across|between|through|against|stop(?:s|ping)?|due to|"
    r"interfer\w*|because of|"
    r"barring|bars|secur\w*|restrict\w*|keep(?:s|ing)|hold(?:s|ing)?|held|tied|restrain\w*)\b",
    re.I,
)
_ON = re.compile(
    r"\b(?:on|onto|atop|upon|top|occup\w*|cover\w*|taken up|sit(?:s|ting)|rest(?:s|ing)|stack\w*|"
    r"already (?:has|holds|contains)|full)\b",
    re.I,
)
_HAS = re.compile(r"\b(?:has|have|holds?|holding|contains?|carries|full of|filled with)\b", re.I)
_PASSIVE = re.compile(
    r"\b(?:blocked|obstructed|occupied|covered|held|kept|prevented|hindered|stopped|taken|secured|"
    r"jammed|barred|restrained|locked|impeded|restricted)\b[^,]*\bby\b",
    re.I,
)
_IN = re.compile(r"\b(?:in|inside|within|into)\b", re.I)
_LOCK = re.compile(r"\b(?:locked|latched|lock|bolted)\b", re.I)
_UNLOCK = re.compile(r"\b(?:unlock\w*|releas\w*|unlatch\w*|controls?|opens|operates)\b", re.I)
_USE = re.compile(
    r"\b(?:pull\w*|press\w*|push\w*|turn\w*|flip\w*|activat\w*|toggl\w*|used?)\b", re.I
)
_SHUT = re.compile(r"\b(?:closed|shut|not open|not opened|isn't open)\b", re.I)
_ROBOT = re.compile(r"\b(?:robot\w*|gripper|arm|hand|manipulator|palm|fingers?)\b", re.I)


def read_claims(sentence: str, words: SceneLexicon, target: str = "") -> tuple[SceneClaim, ...]:
    """The claims of a sentence; `target` is what "it" and "in the way" refer to."""
    found: list[SceneClaim] = []
    topic = target
    for clause in filter(None, map(str.strip, _CLAUSE.split(sentence))):
        refs = words.refs(clause)
        if not _RETOLD.search(clause):  # the failed action is not its own cause
            found += _clause(clause, refs, words, topic)
        opening = [r.name for r in refs if words.can(r.name, Affordance.OPEN)]
        topic = opening[-1] if opening else topic
    return tuple(dict.fromkeys(found))


def _clause(
    text: str, refs: tuple[Mention, ...], words: SceneLexicon, topic: str
) -> list[SceneClaim]:
    denied = _NEVER.search(_MODAL.sub("", text)) is not None
    shut = _SHUT.search(text)
    if denied and not (shut and "not open" in shut[0].lower()):
        return []
    names = list(dict.fromkeys(ref.name for ref in refs))
    actuators = [n for n in names if words.can(n, *ACTUATES) and not words.can(n, Affordance.PICK)]
    locked = [n for n in names if words.can(n, Affordance.OPEN)] or ([topic] if topic else [])
    if actuators and locked and (_UNLOCK.search(text) or _USE.search(text)):
        return [SceneClaim(ClaimKind.UNLOCKS, actuators[0], words.owner(locked[0]))]
    pair = _pair(text, refs, words, topic)
    if pair is not None:
        return [pair]
    if _ROBOT.search(text) and len(names) < 2:
        return []
    if _LOCK.search(text) and locked:
        return [SceneClaim(ClaimKind.LOCKED, words.owner(locked[0]))]
    if shut and locked:
        return [SceneClaim(ClaimKind.CLOSED, locked[0])]
    return []


def _pair(
    text: str, refs: tuple[Mention, ...], words: SceneLexicon, topic: str
) -> SceneClaim | None:
    """A claim that relates a movable object to another."""
    movers = [r for r in refs if words.can(r.name, Affordance.PICK)]
    if not movers:
        return None
    thing = movers[0]
    others = [r for r in refs if words.owner(r.name) != words.owner(thing.name)]
    if len(movers) > 1 and not any(not words.can(r.name, Affordance.PICK) for r in others):
        passive = _PASSIVE.search(text) or _HAS.search(text[movers[0].end : movers[1].start])
        thing, others = (movers[1], [movers[0]]) if passive else (movers[0], [movers[1]])
    if _ROBOT.search(text) and re.search(
        r"\b(?:hold|holding|grasp\w*|carr\w+|grip\w*)\b", text, re.I
    ):
        return None
    other = words.place(others[0].name) if others else ""
    handle = _is_handle(other, words)
    blocked, on_top, inside = _BLOCK.search(text), _ON.search(text), _IN.search(text)
    physical = blocked or (_LOCK.search(text) and _PASSIVE.search(text))
    if other and not physical and not handle:
        if on_top:
            return SceneClaim(ClaimKind.ON, thing.name, other)
        return SceneClaim(ClaimKind.INSIDE, thing.name, other) if inside else None
    if other and _HAS.search(text) and on_top and not words.can(other, Affordance.OPEN):
        return SceneClaim(ClaimKind.ON, thing.name, other)
    where = other or topic
    if not where or words.owner(where) == words.owner(thing.name):
        return None
    return (
        SceneClaim(ClaimKind.BLOCKS, thing.name, where) if physical or (handle and on_top) else None
    )


def _is_handle(name: str, words: SceneLexicon) -> bool:
    thing = words.scene.owner(name) if name else None
    return thing is not None and any(j.handle == name != thing.name for j in thing.joints)
