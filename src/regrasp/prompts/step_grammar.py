"""The grammar of steps over a scene: only forms that the scene's objects allow.

`Open the …` is followed by something that opens, `Place the …` by something that can be picked up.
That keeps a small model inside what the robot can do, before any verifier looks.
"""

from __future__ import annotations

from regrasp.prompts.grammar import choice, literal
from regrasp.prompts.scene import Can, SceneText
from regrasp.prompts.steps import ATTRIBUTES, Likeness, Verb

__all__ = ["step_rule"]


def step_rule(scene: SceneText) -> str:
    """The body of a GBNF rule for one step over `scene`; empty where the scene allows none."""
    every = tuple(thing.name for thing in scene.objects)
    opens = scene.that_can(Can.OPEN)
    doors = tuple(
        j.name for o in scene.objects if Can.OPEN in o.can and len(o.joints) > 1 for j in o.joints
    )
    picks = scene.that_can(Can.PICK)
    alike = tuple(
        str(Likeness(kind, "colour", like.name))
        for kind in dict.fromkeys(o.kind for o in scene.objects if Can.PICK in o.can)
        for like in scene.objects
    )
    holders = scene.that_can(Can.PUT_IN)
    tops = scene.that_can(Can.PUT_ON)
    around = scene.places.known
    first: dict[Verb, tuple[str, ...]] = {
        Verb.OPEN: opens + doors,
        Verb.CLOSE: opens + doors,
        Verb.PULL: scene.that_can(Can.PULL),
        Verb.PRESS: scene.that_can(Can.PRESS),
        Verb.TURN: scene.that_can(Can.TURN),
        Verb.PICK: picks,
        Verb.LIFT: picks,
        Verb.PUT_IN: picks + alike,
        Verb.PUT_ON: picks + alike,
        Verb.PUT_BY: picks + alike,
        Verb.MOVE_AWAY: picks,
        Verb.TAKE_OUT: picks,
        Verb.LOOK_IN: tuple(dict.fromkeys(opens + holders)),
        Verb.LOOK_AT: every,
        Verb.LOOK_FOR: every,
        Verb.CHECK: every,
    }
    second: dict[Verb, tuple[str, ...]] = {
        Verb.PUT_IN: holders,
        Verb.PUT_ON: tops,
        Verb.PUT_BY: every,
        Verb.MOVE_AWAY: around,
        Verb.TAKE_OUT: holders,
    }
    options = []
    for verb in Verb:
        if not first[verb] or (verb in second and not second[verb]):
            continue
        options.append(_form(verb, first[verb], second.get(verb, ())))
    return " | ".join(options)


def _form(verb: Verb, first: tuple[str, ...], second: tuple[str, ...]) -> str:
    """The form of `verb` with its slots replaced by choices."""
    slots = {"{a}": first, "{b}": second, "{p}": ATTRIBUTES}
    pieces: list[str] = []
    rest = verb.value
    while "{" in rest:
        before, _, after = rest.partition("{")
        pieces += [literal(before), choice(slots["{" + after[:2]])]
        rest = after[2:]
    return " ".join(pieces + ([literal(rest)] if rest else []))
