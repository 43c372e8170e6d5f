"""The grammar of steps over a scene: only forms that the scene's objects allow.

`Open the …` is followed by an object that opens, `Place the …` by an object that can be picked up.
This limits a small model to what the robot can do, before any verifier runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from regrasp.core.object_description import Affordance
from regrasp.prompts.grammar import choice, literal
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import ATTRIBUTES, Verb

__all__ = ["step_rules"]

_FIRST = {
    Verb.OPEN: "opens",
    Verb.CLOSE: "opens",
    Verb.PULL: "pulls",
    Verb.PRESS: "presses",
    Verb.TURN: "turns",
    Verb.PICK: "picks",
    Verb.LIFT: "picks",
    Verb.PUT_IN: "moved",
    Verb.PUT_ON: "moved",
    Verb.PUT_BY: "moved",
    Verb.MOVE_AWAY: "picks",
    Verb.TAKE_OUT: "picks",
    Verb.LOOK_IN: "holds",
    Verb.LOOK_AT: "thing",
    Verb.LOOK_FOR: "thing",
    Verb.CHECK: "thing",
}
_SECOND = {
    Verb.PUT_IN: "holds",
    Verb.PUT_ON: "bears",
    Verb.PUT_BY: "thing",
    Verb.MOVE_AWAY: "place",
    Verb.TAKE_OUT: "holds",
}


def step_rules(scene: SceneDescription) -> dict[str, str]:
    """GBNF rules for `step` and what it is made of; empty where the scene allows no step."""
    rules = {name: choice(texts) for name, texts in _names(scene).items() if texts}
    if "thing" not in rules:
        return {}
    rules["property"] = choice(ATTRIBUTES)
    if "picks" in rules:
        alike = ' | kind " with the same " property " as the " thing' if "kind" in rules else ""
        rules["moved"] = f"picks{alike}"
    forms = [
        _form(verb)
        for verb in Verb
        if _FIRST[verb] in rules and _SECOND.get(verb, "thing") in rules
    ]
    return {"step": " | ".join(forms), **rules}


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
        "opens": _once(scene.that_can(Affordance.OPEN), doors),
        "pulls": scene.that_can(Affordance.PULL),
        "presses": scene.that_can(Affordance.PRESS),
        "turns": scene.that_can(Affordance.TURN),
        "picks": scene.that_can(Affordance.PICK),
        "holds": scene.that_can(Affordance.OPEN, Affordance.PUT_IN),
        "bears": scene.that_can(Affordance.PUT_ON),
        "kind": tuple(kind for kind, count in kinds.items() if count > 1),
    }


def _once(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in groups for name in group))


def _form(verb: Verb) -> str:
    """The form of `verb` with its slots replaced by rules."""
    slots = {"a}": _FIRST[verb], "b}": _SECOND.get(verb, ""), "p}": "property"}
    pieces: list[str] = []
    rest = verb.value
    while "{" in rest:
        before, _, after = rest.partition("{")
        pieces += [literal(before), slots[after[:2]]]
        rest = after[2:]
    return " ".join(pieces + ([literal(rest)] if rest else []))
