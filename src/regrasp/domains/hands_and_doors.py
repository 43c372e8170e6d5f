"""How a domain speaks of hands and of doors, found from the effects of its actions.

A repair takes up again what a hand held, and closes again what it opened. No predicate is known by
its name: `free(hand)` and `holding(hand, x)` exclude each other in every action, as `handempty()`
and `inhand(x)` do, and a door is what one action opens, another closes, and what decides whether an
object can be put in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from regrasp.core.fact import Fact, State
from regrasp.domains.domain import ActionSchema, Domain, Predicate
from regrasp.domains.formula import And, Atom, Condition, Exists, ForAll, Imply, Not, Or
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["Door", "Hands", "atoms", "doors_of", "hands_of"]


@dataclass(frozen=True, slots=True)
class Hands:
    """The predicates of a free hand and of a hand with an object.

    `hand` is the position of the hand in `held`, None where the robot has one hand without a name;
    `object` is the position of the held object.
    """

    free: str
    held: str
    hand: int | None
    object: int

    def held_objects(self, state: State) -> tuple[str, ...]:
        """The objects in the hands, sorted by their facts."""
        return tuple(f.args[self.object] for f in sorted(state) if f.predicate == self.held)

    def held_object(self, fact: Fact) -> str | None:
        """The object that a fact says to be in a hand; None for any other fact."""
        return fact.args[self.object] if fact.predicate == self.held else None


@dataclass(frozen=True, slots=True)
class Door:
    """A predicate of one object that says whether it is open, and the actions that change it.

    `passable` is the value that lets objects in and out: true for `open`, false for `closed`. The
    predicates `inside` relate an object to the one with the door, which is their last argument.
    """

    predicate: str
    passable: bool
    opening: str
    closing: str
    inside: tuple[str, ...]


def hands_of(domain: Domain) -> Hands | None:
    """The hands of the robot; None where no pair of predicates behaves like that."""
    for held in (one for one in domain.predicates if one.parameters):
        for free in domain.predicates:
            if len(free.parameters) >= len(held.parameters) or not _is_hand(domain, free):
                continue
            for hand in range(len(held.parameters)) if free.parameters else (None,):
                if _exclude(domain, free, held, hand):
                    return Hands(free.name, held.name, hand, 0 if hand != 0 else 1)
    return None


def _is_hand(domain: Domain, free: Predicate) -> bool:
    """Whether the predicate may be about a hand: it has no object, or one constant of the domain.

    Without this, a block that is clear would be a hand that is free.
    """
    if not free.parameters:
        return True
    types = free.parameters[0].types
    constant = any(domain.is_a(one.type, types) for one in domain.constants)
    return len(free.parameters) == 1 and constant


def _exclude(domain: Domain, free: Predicate, held: Predicate, hand: int | None) -> bool:
    """Whether every action that makes one of the two true makes the other false."""
    taken = False
    for schema in domain.actions:
        for effect in (one for one in schema.effects if one.atom.predicate == held.name):
            terms = () if hand is None else (effect.atom.terms[hand],)
            partner = Atom(free.name, terms)
            if not any(
                one.atom == partner and one.positive is not effect.positive
                for one in schema.effects
            ):
                return False
            taken = taken or effect.positive
    return taken


def doors_of(skills: SkillDomain) -> tuple[Door, ...]:
    """The doors of a domain: predicates that one action makes true and another false, alone."""
    domain, hands = skills.domain, hands_of(skills.domain)
    if hands is None:
        return ()
    still = {one.predicate for one in skills.lexicon.entries if not one.moves}
    movable = domain.predicate(hands.held).parameters[hands.object].types
    found: list[Door] = []
    for predicate in (one for one in domain.predicates if len(one.parameters) == 1):
        inside = tuple(_inside(domain, predicate, movable, hands.held))
        pair = {
            value: schema.name
            for schema in reversed(domain.actions)
            if (value := _only_effect(schema, predicate.name, still)) is not None
        }
        if inside and len(pair) == 2:
            passable = _needed_value(domain, predicate.name, inside)
            if passable is not None:
                opening, closing = pair[passable], pair[not passable]
                found.append(Door(predicate.name, passable, opening, closing, inside))
    return tuple(found)


def atoms(condition: Condition, positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """Every atom of a condition, and whether it counts as true there."""
    match condition:
        case Atom():
            yield condition, positive
        case Not(part):
            yield from atoms(part, not positive)
        case And(parts) | Or(parts):
            for part in parts:
                yield from atoms(part, positive)
        case Imply(premise, conclusion):
            yield from atoms(premise, not positive)
            yield from atoms(conclusion, positive)
        case ForAll(_, part) | Exists(_, part):
            yield from atoms(part, positive)
        case _:
            return


def _only_effect(schema: ActionSchema, predicate: str, still: set[str]) -> bool | None:
    """The value that an action of one object gives to the predicate, if it changes nothing else."""
    changes = [one for one in schema.effects if one.atom.predicate not in still]
    if len(changes) != 1 or len(schema.parameters) != 1:
        return None
    atom = Atom(predicate, (schema.parameters[0].name,))
    return changes[0].positive if changes[0].atom == atom else None


def _inside(domain: Domain, door: Predicate, movable: tuple[str, ...], held: str) -> Iterator[str]:
    """The predicates of an object that can be held and an object that has the door."""
    for one in domain.predicates:
        if len(one.parameters) == 2 and one.name != held:
            first, last = one.parameters
            if _overlap(domain, first.types, movable) and _overlap(
                domain, last.types, door.parameters[0].types
            ):
                yield one.name


def _overlap(domain: Domain, types: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return any(domain.is_a(one, others) for one in types) or any(
        domain.is_a(one, types) for one in others
    )


def _needed_value(domain: Domain, predicate: str, inside: tuple[str, ...]) -> bool | None:
    """The value that actions need which put objects in or take them out; None if they differ."""
    values = {
        positive
        for schema in domain.actions
        if any(one.atom.predicate in inside for one in schema.effects)
        for atom, positive in atoms(schema.precondition)
        if atom.predicate == predicate
    }
    return values.pop() if len(values) == 1 else None
