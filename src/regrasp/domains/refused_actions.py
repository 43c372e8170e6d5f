"""What the robot found impossible binds the planner: the same domain without those actions.

A robot that plans its motions tells before it moves that a hand does not reach, or what it would
hit. The same command in the same situation fails again. `refused_action` has the situation:

| the action | it stays impossible while |
|---|---|
| names its hand (`get x y left_hand`) | always, with that hand |
| is about an object in a hand | that hand holds the object |
| any other | the hands hold what they hold |

and, where the robot names an object that it would hit, while that object is where it is. Once an
object that was to be taken or poured into, or that was in the way, is moved, nothing is known. What
a hand holds is in the way in the same manner whenever that hand holds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from regrasp.core.action import Action
from regrasp.core.fact import Fact, State
from regrasp.core.feedback import FailureCode, Feedback
from regrasp.core.object_description import ObjectDescription
from regrasp.core.refused_action import RefusedAction
from regrasp.domains.domain import ActionSchema, Predicate
from regrasp.domains.formula import And, Atom, Condition, Effect, Equal, joined, negated
from regrasp.domains.hands_and_doors import hands_of
from regrasp.domains.skill_domain import SkillDomain

__all__ = [
    "BEGINNING", "IMPOSSIBLE", "UNREACHABLE", "refusal_reasons", "refused_action", "still_valid",
    "with_beginning", "without_refused",
]  # fmt: skip

UNREACHABLE = frozenset({FailureCode.OUT_OF_REACH, FailureCode.JOINT_LIMIT})
"""Failures that are about a hand and a place alone."""

IMPOSSIBLE = UNREACHABLE | {FailureCode.COLLISION}
"""Failures that a robot computes before it moves: they repeat themselves."""

BEGINNING = Fact("at_the_beginning")
"""True before the first action of a plan, in a domain `with_beginning`."""


def with_beginning(skills: SkillDomain) -> SkillDomain:
    """The domain in which `BEGINNING` can be true, and every action makes it false."""
    ends = Effect(Atom(BEGINNING.predicate), positive=False)
    domain = replace(
        skills.domain,
        predicates=(*skills.domain.predicates, Predicate(BEGINNING.predicate)),
        actions=tuple(replace(a, effects=(*a.effects, ends)) for a in skills.domain.actions),
    )
    return replace(skills, lexicon=replace(skills.lexicon, domain=domain))


def refused_action(
    skills: SkillDomain, action: Action, feedback: Feedback, state: State
) -> RefusedAction:
    """A complete `action` that the robot refused in `state`, with its `feedback`.

    Of the hands that a command leaves open, the one counts that the feedback names.
    """
    done = _with_named_hand(skills, action, feedback)
    hit = [str(one.value) for one in feedback.evidence if one.name == "would_hit"]
    at_hand = () if done.name in skills.optional else _hands(skills, done, state)
    hands = hands_of(skills.domain)
    held = {f: hands.held_object(f) for f in state} if hands is not None else {}
    where = [
        f for f in sorted(state) if held.get(f) in hit or (len(f.args) == 2 and f.args[0] in hit)
    ]
    during = tuple(dict.fromkeys((*at_hand, *where)))
    still = done.args[1:] if at_hand else done.args[:1]
    moved = (name for name in hit if name not in held.values())
    return RefusedAction(done, during, (*still, *moved), feedback.error)


def refusal_reasons(skills: SkillDomain, action: Action, state: State) -> tuple[str, ...]:
    """Why a complete action cannot be done in `state`: what the robot reported of it."""
    return tuple(
        f"the robot tried this before: {one.why.rstrip('.')}"
        for one in skills.refused
        if one.action == action and state.issuperset(one.during)
    )


def _with_named_hand(skills: SkillDomain, action: Action, feedback: Feedback) -> Action:
    if action.name not in skills.optional:
        return action
    wanted = skills.domain.action(action.name).parameters[-1].types
    hands = [one.name for one in skills.domain.constants if skills.domain.is_a(one.type, wanted)]
    said = re.findall(r"\w+", f"{feedback.error} {feedback.reason}")
    named = next((one for one in said if one in hands), action.args[-1])
    return Action(action.name, (*action.args[:-1], named))


def still_valid(refused: Iterable[RefusedAction], succeeded: Action) -> tuple[RefusedAction, ...]:
    """The refusals that still say something after an action that moved its first object."""
    moved = succeeded.args[:1]
    return tuple(one for one in refused if not set(moved) & set(one.objects))


def without_refused(
    skills: SkillDomain, refused: Iterable[RefusedAction], known: Iterable[ObjectDescription]
) -> SkillDomain:
    """The domain in which no action repeats what was refused; `skills` is the one without any."""
    failed = tuple(dict.fromkeys(refused))
    if not failed:
        return skills
    rules = skills.rules(known)
    named = {name for one in failed for name in _names(one)}
    constants = (one for one in rules.objects if one.name in named)
    required = skills.domain.requirements
    domain = replace(
        skills.domain,
        actions=tuple(_without(schema, failed) for schema in skills.domain.actions),
        constants=tuple(dict.fromkeys((*skills.domain.constants, *constants))),
        requirements=required if not required or ":adl" in required else (*required, ":adl"),
    )
    return replace(skills, lexicon=replace(skills.lexicon, domain=domain), refused=failed)


def _hands(skills: SkillDomain, action: Action, state: State) -> tuple[Fact, ...]:
    """Which hand holds the first object; else all that the hands hold, and which are free."""
    hands = hands_of(skills.domain)
    if hands is None:
        return ()
    held = [one for one in sorted(state) if one.predicate == hands.held]
    own = tuple(one for one in held if one.args[hands.object] in action.args[:1])
    free = [one for one in sorted(state) if one.predicate == hands.free]
    return own or (*held, *free)


def _without(schema: ActionSchema, failed: tuple[RefusedAction, ...]) -> ActionSchema:
    """The action with a precondition that excludes what was refused."""
    own = schema.precondition
    parts = own.parts if isinstance(own, And) else (own,)
    mine = (one for one in failed if one.action.name == schema.name)
    excluded = (negated(_situation(schema, one)) for one in mine)
    return replace(schema, precondition=joined(And(), (*parts, *excluded)))


def _situation(schema: ActionSchema, refusal: RefusedAction) -> Condition:
    """The same objects, while the facts of the refusal are true."""
    pairs = zip(schema.parameters, refusal.action.args, strict=True)
    same = [Equal(parameter.name, name) for parameter, name in pairs]
    return And((*same, *(Atom(one.predicate, one.args) for one in refusal.during)))


def _names(refusal: RefusedAction) -> Iterator[str]:
    yield from refusal.action.args
    for fact in refusal.during:
        yield from fact.args
