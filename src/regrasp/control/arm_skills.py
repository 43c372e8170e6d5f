"""The named skills of an arm. Each is a reward program for the controller.

A named skill has an object as its argument. The robot's description of its objects (affordances,
joints, spot) gives the joint or point for the reward:

    open(x), pull(x), press(x)   first joint of x to 1
    close(x)                     every joint of x to 0
    pick(x)                      palm at x, x at `LIFT_M` above the floor
    place(x, y)                  x to the spot of y, or on top of y
    move_away(x, y)              x at least 0.3 m from the handle of y, or from y

No state is read here, so the same action always gives the same program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from regrasp.control.reward_terms import (
    PALM,
    JointFraction,
    MaximizeDistance,
    MinimizeDistance,
    ObjectHeight,
    RewardProgram,
    Success,
)
from regrasp.core.action import Action, EffectTiming, SkillSpec
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription

__all__ = ["ARM_SKILLS", "LIFT_M", "reward_for"]

LIFT_M = 0.4
"""Metres above the floor at which a picked object is held."""

_LETS_GO = EffectTiming(deleted_at="release", added_at="rest")

ARM_SKILLS = (
    SkillSpec("open", ("object",), "open the first door or drawer of an object by its handle"),
    SkillSpec("close", ("object",), "close every door and drawer of an object"),
    SkillSpec("pull", ("object",), "pull a lever to its stop"),
    SkillSpec("press", ("object",), "press a button down to its stop, then let it go"),
    SkillSpec(
        "pick", ("object",), "grasp an object, lift it, and keep it in the hand",
        EffectTiming(deleted_at="lift", added_at="lift"),
    ),
    SkillSpec(
        "place", ("object", "where"),
        "put an object in a container, on a surface or on another object, and let it go; "
        "it is picked first unless the hand holds it",
        _LETS_GO,
    ),
    SkillSpec(
        "move_away", ("object", "from"),
        "put an object down elsewhere, at least 0.3 m away from another one and from its handle",
        _LETS_GO,
    ),
)  # fmt: skip
"""The named skills of an arm with a gripper."""

_JOINT_S = 20.0  # seconds that one joint may take
_PICK_S = 20.0
_CARRY_S = 30.0

_JOINT_USE = {
    "open": Affordance.OPEN,
    "close": Affordance.OPEN,
    "pull": Affordance.PULL,
    "press": Affordance.PRESS,
}  # of the skills that move joints: the affordance that an object needs

_Objects: TypeAlias = Mapping[str, ObjectDescription]


def reward_for(action: Action, known: Iterable[ObjectDescription]) -> RewardProgram:
    """The program of a named skill, given the descriptions of the robot's objects.

    An object with several joints can also be named by one of its joints or handles; then only that
    joint is used. Raises UnknownNameError for a skill that is not in `ARM_SKILLS`, and for an
    argument without the affordance; the error lists the names that have it.
    """
    spec = next((spec for spec in ARM_SKILLS if spec.name == action.name), None)
    if spec is None:
        raise UnknownNameError("skill", action.name, (spec.name for spec in ARM_SKILLS))
    if len(action.args) != len(spec.parameters):
        raise RegraspError(f"{spec} takes {len(spec.parameters)} argument(s): {action!r}.")
    objects = {one.name: one for one in known}
    if action.name in _JOINT_USE:
        return _move_joint(objects, action.name, *action.args)
    programs: Mapping[str, Callable[..., RewardProgram]] = {
        "pick": _pick,
        "place": _place,
        "move_away": _move_away,
    }
    return programs[action.name](objects, *action.args)


# ---- joints ------------------------------------------------------------------------------------


def _move_joint(objects: _Objects, verb: str, name: str) -> RewardProgram:
    joints = _joints(objects, _JOINT_USE[verb], verb, name)
    if verb == "close":
        terms = tuple(JointFraction(joint.name, 0.0) for joint in joints)
    else:
        terms = (JointFraction(joints[0].name, 1.0),)
    # A button springs back once the hand is gone, so it is enough that it was down once.
    success = Success.ONCE if verb == "press" else Success.EVERY
    return RewardProgram(terms, _JOINT_S * len(terms), success)


def _joints(
    objects: _Objects, use: Affordance, verb: str, name: str
) -> tuple[JointDescription, ...]:
    """The joints that `name` denotes: all joints of an object with the affordance, or one joint."""
    fitting = [one for one in objects.values() if use in one.affordances and one.joints]
    for one in fitting:
        if name == one.name:
            return one.joints
        named = tuple(joint for joint in one.joints if name in (joint.name, joint.handle))
        if named:
            return named
    raise UnknownNameError(f"object to {verb}", name, (one.name for one in fitting))


# ---- objects -----------------------------------------------------------------------------------


def _pick(objects: _Objects, name: str) -> RewardProgram:
    # The height alone would also be met by an object that stands that high on a shelf.
    _pickable(objects, "pick", name)
    terms = (MinimizeDistance(PALM, name), ObjectHeight(name, LIFT_M))
    return RewardProgram(terms, _PICK_S, Success.EVERY)


def _place(objects: _Objects, name: str, where: str) -> RewardProgram:
    _pickable(objects, "place", name)
    spots = {one.place_name: one.place_name for one in objects.values() if one.place_name}
    tops = {
        one.name: one.place_name or one.name
        for one in objects.values()
        if {Affordance.PUT_IN, Affordance.PUT_ON, Affordance.PICK} & set(one.affordances)
        and one.name != name
    }
    if where not in tops | spots:
        raise UnknownNameError(f"place for {name}", where, tops | spots)
    return RewardProgram((MinimizeDistance(name, (tops | spots)[where]),), _CARRY_S, Success.EVERY)


def _move_away(objects: _Objects, name: str, other: str) -> RewardProgram:
    """Away from the handle of `other` if it has one: a door needs free space in front of it."""
    _pickable(objects, "move away", name)
    points = {
        one.name: one.joints[0].handle if one.joints else one.name
        for one in objects.values()
        if one.name != name
    }
    parts = [one.place_name for one in objects.values() if one.place_name]
    parts += [joint.handle for one in objects.values() for joint in one.joints]
    points |= {part: part for part in parts}
    if other not in points:
        raise UnknownNameError(f"object to move {name} away from", other, points)
    return RewardProgram((MaximizeDistance(name, points[other]),), _CARRY_S, Success.EVERY)


def _pickable(objects: _Objects, verb: str, name: str) -> None:
    fitting = [one.name for one in objects.values() if Affordance.PICK in one.affordances]
    if name not in fitting:
        raise UnknownNameError(f"object to {verb}", name, fitting)
