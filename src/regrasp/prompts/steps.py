"""The steps of a plan: a small closed language of sentences that people and parsers both read.

A step is one of the forms of `Verb` with known names in it. In place of an object to move, a step
may describe it by a likeness ("the cube with the same colour as the crate"); which object that is
must be found out by looking before the step is done.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from regrasp.core.action import Action
from regrasp.core.object_description import Affordance
from regrasp.prompts.grammar import choice, fill, literal
from regrasp.prompts.names import Names
from regrasp.prompts.parsing import Line, ParseError
from regrasp.prompts.scene import SceneDescription

__all__ = [
    "ATTRIBUTES",
    "Likeness",
    "Step",
    "Verb",
    "parse_step",
    "step_forms",
    "step_rules",
    "verb_of",
]

ATTRIBUTES = ("colour", "size", "shape", "material", "state")
"""The attributes of an object that can be checked by looking."""


class Verb(StrEnum):
    """The forms a step can take; `{a}` and `{b}` are names, `{p}` an attribute."""

    OPEN = "Open the {a}"
    CLOSE = "Close the {a}"
    PULL = "Pull the {a}"
    PRESS = "Press the {a}"
    TURN = "Turn the {a}"
    PICK = "Pick up the {a}"
    LIFT = "Lift the {a}"
    PUT_IN = "Place the {a} in the {b}"
    PUT_ON = "Place the {a} on the {b}"
    PUT_BY = "Place the {a} next to the {b}"
    MOVE_AWAY = "Move the {a} away from the {b}"
    TAKE_OUT = "Take the {a} out of the {b}"
    LOOK_IN = "Look inside the {a}"
    LOOK_AT = "Look at the {a}"
    LOOK_FOR = "Look for the {a}"
    CHECK = "Check the {p} of the {a}"

    @property
    def looks(self) -> bool:
        """Whether it is done by looking alone."""
        return self in (Verb.LOOK_IN, Verb.LOOK_AT, Verb.LOOK_FOR, Verb.CHECK)

    @property
    def carries(self) -> bool:
        """Whether it moves an object from one place to another."""
        return self in _CARRIES


_CARRIES = (Verb.PUT_IN, Verb.PUT_ON, Verb.PUT_BY, Verb.MOVE_AWAY, Verb.TAKE_OUT)


@dataclass(frozen=True, slots=True)
class Likeness:
    """An object described by an attribute that it shares with another."""

    kind: str
    attribute: str
    like: str

    def __str__(self) -> str:
        return f"{self.kind} with the same {self.attribute} as the {self.like}"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a verb, its object, and a second object or an attribute where the form has one."""

    verb: Verb
    object: str | Likeness
    other: str = ""
    attribute: str = ""

    def __str__(self) -> str:
        return self.verb.value.format(a=self.object, b=self.other, p=self.attribute)

    @property
    def looks(self) -> bool:
        """Whether it is done by looking alone."""
        return self.verb.looks

    def action(self) -> Action:
        """The step as an `Action`, e.g. `put_in(yellow_cube, wooden_cabinet)`."""
        args = (str(self.object), self.other, self.attribute)
        return Action(self.verb.name.lower(), tuple(arg for arg in args if arg))


_PUT = "place|put|move|set|drop|insert|store|stow|tuck|lay|stack|push|slide|bring|carry"
_FORMS: tuple[tuple[Verb, str], ...] = (
    (Verb.CHECK, r"(?:check|look at|identify|determine|observe|inspect|see) (?:the )?P of A"),
    (
        Verb.LOOK_IN,
        r"(?:look|check|search|peek|peer|see)(?: for .+?)? (?:inside of|inside|into|in) A",
    ),
    (Verb.LOOK_FOR, r"(?:look for|search for|find|locate|spot) A"),
    (Verb.LOOK_AT, r"(?:look at|inspect|examine|observe|check|identify) A"),
    (Verb.TAKE_OUT, r"(?:take|get|remove|pull|lift|bring) A (?:out of|out from|from inside) B"),
    (
        Verb.MOVE_AWAY,
        r"(?:move|take|remove|push|slide|pull|get|lift|clear) A "
        r"(?:away from|out of the way of|off of|off|from) B",
    ),
    (Verb.PUT_BY, rf"(?:{_PUT}) A (?:next to|beside|near|close to|by) B"),
    (Verb.PUT_IN, rf"(?:{_PUT}) A (?:inside of|inside|into|within|in) B"),
    (Verb.PUT_ON, rf"(?:{_PUT}) A (?:on top of|onto|upon|on|to) B"),
    (Verb.OPEN, r"(?:open up|open|pull open) A"),
    (Verb.CLOSE, r"(?:close|shut|push shut) A"),
    (Verb.PICK, r"(?:pick up|pick|grab|grasp|take|hold) A"),
    (Verb.LIFT, r"(?:lift up|lift|raise) A"),
    (Verb.PULL, r"pull(?: down| up| on)? A"),
    (Verb.PRESS, r"(?:press|push)(?: down| on)? A"),
    (Verb.TURN, r"(?:turn|rotate|twist) A"),
)
_REF = r"(?:(?:the|a|an) )?(?P<{}>.+?)"


def _compiled(pattern: str) -> re.Pattern[str]:
    spelt = re.sub(r"\b[AB]\b", lambda m: _REF.format(m[0].lower()), pattern)
    spelt = spelt.replace("P of", rf"(?P<p>{'|'.join(ATTRIBUTES)}|color) of")
    return re.compile(spelt.replace(" ", r"[ \t]+") + r"[ \t.,;:!]*", re.IGNORECASE)


_PATTERNS = tuple((verb, _compiled(pattern)) for verb, pattern in _FORMS)
_LIKENESS = re.compile(
    rf"(\w+) (?:with|of|in) the same ({'|'.join(ATTRIBUTES)}|color) as (?:the |an? )?(.+)", re.I
)


def step_forms() -> str:
    """Every form on one line each, as the heads of prompts show them."""
    shown = (v.value.format(a="X", b="Y", p="colour") for v in Verb)
    return "\n".join(f"- {form}" for form in shown)


def verb_of(sentence: str) -> Verb | None:
    """The form of a sentence, whatever names it uses; None if it has none of them."""
    stripped = sentence.strip()
    return next((verb for verb, pattern in _PATTERNS if pattern.fullmatch(stripped)), None)


def parse_step(text: str, line: Line, scene: SceneDescription) -> Step | ParseError:
    """Read `line`, a piece of the reply `text`, as a step over the names of `scene`."""
    refused: ParseError | None = None
    for verb, pattern in _PATTERNS:
        match = pattern.fullmatch(line.text)
        if match is None:
            continue
        found = _step(verb, match, text, line, scene)
        if isinstance(found, Step):
            return found
        refused = refused or found
    forms = "; ".join(v.value.format(a="X", b="Y", p="colour") for v in Verb)
    hint = f"Write each step in one of these forms: {forms}."
    return refused or ParseError.on(text, line, hint)


def _step(
    verb: Verb, match: re.Match[str], text: str, line: Line, scene: SceneDescription
) -> Step | ParseError:
    names = scene.names
    groups = match.groupdict()
    mention = Line(groups["a"], line.start + match.start("a"))
    thing: str | Likeness | None = names.find(mention.text)
    if thing is None and verb.carries:
        thing = _likeness(mention.text, scene, names)
    if thing is None:
        return names.unknown(text, mention)
    other = ""
    if "b" in groups:
        found = names.find(groups["b"])
        if found is None:
            return names.unknown(text, Line(groups["b"], line.start + match.start("b")))
        other = found
    if verb is Verb.MOVE_AWAY and re.match(r"(?:remove|take)\b.*\bfrom\b", match[0], re.I):
        owner = scene.owner(other)
        holds = owner is not None and owner.allows(Affordance.PUT_IN)
        if holds and "away" not in match[0].lower():
            verb = Verb.TAKE_OUT
    attribute = groups.get("p") or ""
    return Step(verb, thing, other, "colour" if attribute.lower() == "color" else attribute.lower())


def _likeness(text: str, scene: SceneDescription, names: Names) -> Likeness | None:
    match = _LIKENESS.fullmatch(text)
    if match is None:
        return None
    kind, attribute, like = match[1].lower(), match[2].lower(), names.find(match[3])
    if like is None or kind not in {thing.kind.lower() for thing in scene.objects}:
        return None
    return Likeness(kind, "colour" if attribute == "color" else attribute, like)


_SLOTS: dict[Verb, tuple[str, ...]] = {
    Verb.OPEN: ("opens",),
    Verb.CLOSE: ("opens",),
    Verb.PULL: ("pulls",),
    Verb.PRESS: ("presses",),
    Verb.TURN: ("turns",),
    Verb.PICK: ("picks",),
    Verb.LIFT: ("picks",),
    Verb.PUT_IN: ("moved", "holds"),
    Verb.PUT_ON: ("moved", "bears"),
    Verb.PUT_BY: ("moved", "thing"),
    Verb.MOVE_AWAY: ("picks", "place"),
    Verb.TAKE_OUT: ("picks", "holds"),
    Verb.LOOK_IN: ("holds",),
    Verb.LOOK_AT: ("thing",),
    Verb.LOOK_FOR: ("thing",),
    Verb.CHECK: ("thing",),
}
"""The rules for the objects of each form."""


def step_rules(scene: SceneDescription, unlike: Step | None = None) -> dict[str, str]:
    """GBNF rules for `step` and what it is made of; empty where the scene allows no step.

    `Open the …` is followed by an object that opens, `Place the …` by one that can be picked up.
    This limits a small model to what the robot can do, before any verifier runs. The rule `first`
    is any step but `unlike`.
    """
    names = _names(scene)
    rules = {name: choice(texts) for name, texts in names.items() if texts}
    if "thing" not in rules:
        return {}
    rules["property"] = choice(ATTRIBUTES)
    if "picks" in rules:
        alike = ' | kind " with the same " property " as the " thing' if "kind" in rules else ""
        rules["moved"] = f"picks{alike}"
    verbs = {
        verb: {**dict(zip(("{a}", "{b}"), slots, strict=False)), "{p}": "property"}
        for verb, slots in _SLOTS.items()
        if all(slot in rules for slot in slots)
    }
    forms = {verb: fill(verb.value, places) for verb, places in verbs.items()}
    found = {"step": " | ".join(forms.values())}
    if unlike is not None and unlike.verb in verbs:
        del forms[unlike.verb]
        others = _others(unlike, verbs[unlike.verb], names)
        found["first"] = " | ".join((*forms.values(), *others))
    return {**found, **rules}


def _others(
    step: Step, places: Mapping[str, str], names: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    """The forms of the steps with the verb of `step` that differ from it in one name at least."""
    values = {"{a}": str(step.object), "{b}": step.other, "{p}": step.attribute}
    same: dict[str, str] = {}
    for place, slot in places.items():
        if place not in step.verb.value:
            continue
        listed = names.get("picks" if slot == "moved" else slot, ATTRIBUTES)
        if rest := [name for name in listed if name != values[place]]:
            yield fill(step.verb.value, {**places, **same, place: choice(rest)})
        same[place] = literal(values[place])


def _names(scene: SceneDescription) -> dict[str, tuple[str, ...]]:
    """The names for each slot. A likeness is offered where two objects are of the same kind."""
    doors = (
        j.name
        for o in scene.objects
        if Affordance.OPEN in o.affordances and len(o.joints) > 1
        for j in o.joints
    )
    kinds = Counter(o.kind for o in scene.objects if Affordance.PICK in o.affordances)
    return {
        "thing": tuple(o.name for o in scene.objects),
        "place": scene.places.known,
        "opens": Names.of(scene.that_can(Affordance.OPEN), doors).known,
        "pulls": scene.that_can(Affordance.PULL),
        "presses": scene.that_can(Affordance.PRESS),
        "turns": scene.that_can(Affordance.TURN),
        "picks": scene.that_can(Affordance.PICK),
        "holds": scene.that_can(Affordance.OPEN, Affordance.PUT_IN),
        "bears": scene.that_can(Affordance.PUT_ON),
        "kind": tuple(kind for kind, count in kinds.items() if count > 1),
    }
