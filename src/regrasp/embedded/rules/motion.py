"""From a step to motions, from motions to rewards, and the checks between them."""

from __future__ import annotations

import math
from dataclasses import replace

from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.belief import SceneBelief, read_step
from regrasp.embedded.rules.instructions import read_instruction
from regrasp.embedded.rules.planning import alike
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.prompts.motions import MotionLine, Relation
from regrasp.prompts.scene import PALM
from regrasp.prompts.steps import Likeness, Step, Verb

__all__ = ["LIFT_M", "action_step", "guessed_step", "motions_of", "primary_line", "reward_of"]

LIFT_M = 0.4
"""Metres above the floor to which a picked-up object is lifted."""

_REWARDS = {
    Relation.NEAR: 'minimize_l2_distance_reward("{a}", "{b}")',
    Relation.FAR: 'maximize_l2_distance_reward("{a}", "{b}")',
    Relation.OPEN: 'set_joint_fraction_reward("{a}", 1.0)',
    Relation.CLOSED: 'set_joint_fraction_reward("{a}", 0.0)',
    Relation.HEIGHT: 'set_obj_z_position_reward("{a}", {v})',
    Relation.TILT: 'set_obj_orientation_reward("{a}", {angle})',
}
_JOINT_VERBS = (Verb.OPEN, Verb.CLOSE, Verb.PULL, Verb.PRESS, Verb.TURN)


def action_step(action: str, words: SceneLexicon) -> Step | None:
    """The step of an action, or the nearest one to a goal that is given as an action."""
    step = read_step(action, words)
    if step is not None:
        return step
    goals = read_instruction(action, words).goals
    return goals[0].step if goals else None


def guessed_step(step: Step, belief: SceneBelief) -> Step:
    """A step that moves something, for one that must look first but can not.

    Without a plan nothing is looked at. What is to be found may be in the first place that opens,
    and of the things of which one is meant, it may be the first.
    """
    words = belief.words
    if step.looks:
        closed = [p for p in words.scene.that_can(Affordance.OPEN) if p not in belief.open]
        return Step(Verb.OPEN, closed[0]) if closed else step
    thing = step.object
    if isinstance(thing, Likeness) and alike(thing, belief) is None:
        kind = [o.name for o in words.scene.objects if o.kind.lower() == thing.kind]
        candidates = [name for name in kind if name != thing.like]
        return replace(step, object=candidates[0]) if candidates else step
    return step


def motions_of(step: Step, belief: SceneBelief) -> tuple[MotionLine, ...] | str:
    """The motion plan of a step, or why there is none."""
    thing, words = step.object, belief.words
    if isinstance(thing, Likeness):
        found = alike(thing, belief)
        if found is None:
            return f"it is not known which is the {thing}"
        thing = found
    if step.looks:
        return "the action moves nothing"
    if step.verb in _JOINT_VERBS:
        return _joint_motions(step.verb, thing, words)
    reach = MotionLine(Relation.NEAR, PALM, thing)
    if step.verb in (Verb.PICK, Verb.LIFT):
        return reach, MotionLine(Relation.HEIGHT, thing, value=LIFT_M)
    if not step.other:
        return f"it is not said where the {thing} should go"
    place = words.scene.owner(step.other)
    spot = place.place_name if place is not None and step.other == place.name else ""
    if step.verb in (Verb.PUT_IN, Verb.PUT_ON):
        return reach, MotionLine(Relation.NEAR, thing, spot or step.other)
    if step.verb is Verb.PUT_BY:
        return reach, MotionLine(Relation.NEAR, thing, step.other)
    if step.verb is Verb.TAKE_OUT:
        return reach, MotionLine(Relation.FAR, thing, spot or step.other)
    whole = place is not None and step.other == place.name
    near = place.joints[0].handle if place is not None and whole and place.joints else step.other
    return reach, MotionLine(Relation.FAR, thing, words.place(near))


def _joint_motions(verb: Verb, name: str, words: SceneLexicon) -> tuple[MotionLine, ...] | str:
    thing = words.scene.owner(name)
    joints = thing.joints if thing is not None else ()
    named = [j for j in joints if name in (j.name, j.handle)] or list(joints)
    if not named:
        return f"{name} has no joint"
    relation = Relation.CLOSED if verb is Verb.CLOSE else Relation.OPEN
    return MotionLine(Relation.NEAR, PALM, named[0].handle), MotionLine(relation, named[0].name)


def reward_of(motion: MotionLine) -> str:
    """The reward call for one line of a motion plan."""
    angle = math.radians(motion.value)
    return _REWARDS[motion.relation].format(
        a=motion.object, b=motion.other, v=f"{motion.value:g}", angle=f"{angle:.3f}"
    )


def primary_line(verb: Verb | None, motions: tuple[MotionLine, ...]) -> int:
    """The number, from 1, of the line that decides whether the action is done."""

    def last(fits: list[bool]) -> int:
        return max((i for i, fit in enumerate(fits, 1) if fit), default=0)

    joint = last([m.relation.moves_joint for m in motions])
    moved = last([m.relocates for m in motions])
    other = last([m.object != PALM for m in motions])
    if verb in _JOINT_VERBS and joint:
        return joint
    if verb is not None and verb.carries and moved:
        return moved
    return other or len(motions)
