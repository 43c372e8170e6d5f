"""Which hand holds which object, by the robot's own sensors after a skill.

A skill may change more than it was asked for: it takes an object with the other hand, or loses it.
A hand's force sensor shows that it holds something, not what. That follows from what the hands held
before, from the action, and from what the robot's report says of a hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.feedback import Feedback
from regrasp.core.robot import JointReading
from regrasp.domains.hands_and_doors import Hands, hands_of
from regrasp.domains.rules import Rules
from regrasp.perception.facts import holds_something

__all__ = ["SensedHands", "loaded_hands"]

_LOAD_G = 1.0
"""A hand with more weight than this in it holds an object."""


def loaded_hands(reading: JointReading, hands: Iterable[str]) -> dict[str, bool]:
    """Whether each hand holds something; a hand without a sensor is left out.

    The hand `left_hand` has the sensor `left_load`, in g. A robot with one hand without a name (the
    empty one) has the sensors of `holds_something`.
    """
    loads = dict(zip(reading.names, reading.positions, strict=True))
    found: dict[str, bool | None] = {}
    for hand in hands:
        load = loads.get(f"{hand.removesuffix('_hand')}_load")
        sensed = None if load is None else load > _LOAD_G
        found[hand] = sensed if hand else holds_something(reading)
    return {hand: full for hand, full in found.items() if full is not None}


@dataclass(frozen=True, slots=True)
class SensedHands:
    """What the hands of a domain hold in a believed state, corrected by what they sense."""

    hands: Hands
    names: tuple[str, ...]

    @classmethod
    def of(cls, rules: Rules) -> SensedHands | None:
        """The hands of a domain; None where it has none."""
        hands = hands_of(rules.domain)
        if hands is None:
            return None
        if hands.hand is None:
            return cls(hands, ("",))
        parameter = rules.domain.predicate(hands.held).parameters[hands.hand]
        return cls(hands, rules.objects_of(parameter.types))

    def corrections(
        self,
        state: State,
        sensed: Mapping[str, bool],
        candidates: Iterable[str],
        report: Feedback | None = None,
    ) -> Iterator[Literal]:
        """The literals that differ from `state`: which hand holds what, and what was lost.

        `candidates` may be in a hand that is unexpectedly full. What is missing from another hand
        comes before them: it changed hands. What the `report` says of a hand has priority.
        """
        believed = {self._hand(one): one for one in state if one.predicate == self.hands.held}
        held = {hand: one.args[self.hands.object] for hand, one in believed.items()}
        missing = [name for hand, name in held.items() if sensed.get(hand) is False]
        reported = self._reported(report, sensed)
        still = {name for hand, name in held.items() if sensed.get(hand, True)}
        others = dict.fromkeys((*missing, *candidates))
        open_names = [one for one in others if one not in still and one not in reported.values()]
        for hand in (one for one in self.names if sensed.get(one)):
            name = reported.get(hand) or held.get(hand) or next(iter(open_names), "")
            open_names = [one for one in open_names if one != name]
            missing = [one for one in missing if one != name]
            if name and name != held.get(hand):
                yield Literal(self.fact(hand, name))
        for hand, name in held.items():
            if name in missing:
                yield Literal(believed[hand], False)

    def fact(self, hand: str, name: str) -> Fact:
        """The fact that a hand holds an object."""
        if self.hands.hand is None:
            return Fact(self.hands.held, (name,))
        return Fact(self.hands.held, (hand, name) if self.hands.hand == 0 else (name, hand))

    def candidates(self, action: Action, *states: State) -> tuple[str, ...]:
        """The objects of an action that a hand holds in one of the states."""
        held = {name for state in states for name in self.hands.held_objects(state)}
        return tuple(name for name in action.args if name in held)

    def _hand(self, fact: Fact) -> str:
        return "" if self.hands.hand is None else fact.args[self.hands.hand]

    def _reported(self, report: Feedback | None, sensed: Mapping[str, bool]) -> dict[str, str]:
        """What the evidence of a report says of full hands, e.g. `left_hand = gin_bottle`."""
        evidence = report.evidence if report is not None else ()
        return {one.name: str(one.value) for one in evidence if sensed.get(one.name) and one.value}
