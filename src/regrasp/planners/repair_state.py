"""What a repair knows between two commands: the believed state, what was put down or opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from regrasp.core.action import Action
from regrasp.core.fact import Fact
from regrasp.domains.hands_and_doors import Door
from regrasp.domains.partial_state import PartialState
from regrasp.planners.repair_rule import Repair, RepairRule
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = ["RepairState"]


@dataclass(slots=True)
class RepairState:
    """The actions so far (`done`), and what follows from them.

    `inserted` are the indices of the actions in `done` that the plan does not have. `put_down` are
    the objects that an inserted action took out of a hand, with the fact that they were in it;
    objects that the repair itself had `taken` are not among them. `origins` gives the place from
    which an object was taken, `earlier` the actions that were inserted before a command needed
    them.
    """

    checker: LogicalChecker
    doors: tuple[Door, ...]
    state: PartialState
    done: list[Action] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    inserted: set[int] = field(default_factory=set)
    opened: dict[str, Door] = field(default_factory=dict)
    put_down: dict[str, Fact] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    earlier: set[Action] = field(default_factory=set)
    origins: dict[str, str] = field(default_factory=dict)

    def copy(self) -> RepairState:
        """A copy that changes by itself."""
        return replace(
            self,
            done=self.done.copy(),
            repairs=self.repairs.copy(),
            inserted=self.inserted.copy(),
            opened=self.opened.copy(),
            put_down=self.put_down.copy(),
            taken=self.taken.copy(),
            earlier=self.earlier.copy(),
            origins=self.origins.copy(),
        )

    def run(self, command: Action, action: Action) -> None:
        """Do a command of the plan; `action` is its complete action."""
        self.done.append(command)
        self._advance(action)
        for name in command.args:  # from here on, the plan decides where it goes
            self.put_down.pop(name, None)

    def insert(self, index: int, action: Action, rule: RepairRule | None = None) -> None:
        """Do an action that the plan does not have, for its command with this index."""
        self.repairs.append(Repair(rule or self._rule(action), index, action))
        self.inserted.add(len(self.done))
        self.done.append(action)
        before = self.held()
        self._advance(action)
        after = self.held()
        for door in self.doors:
            if action.name == door.opening:
                self.opened[action.args[0]] = door
        for name in sorted(before.keys() - after.keys() - self.taken):
            self.put_down[name] = before[name]
        self.taken |= after.keys() - before.keys()

    def in_a_hand(self, name: str, fact: Fact) -> Iterator[Fact]:
        """The `fact` that the object is in the hand that held it, then that it is in any other."""
        yield fact
        hands = self.checker.hands
        if hands is not None and hands.hand is not None:
            types = self.checker.rules.domain.predicate(hands.held).parameters[hands.hand].types
            for hand in self.checker.rules.objects_of(types):
                yield Fact(hands.held, (hand, name) if hands.hand == 0 else (name, hand))

    def uses(self, command: Action, name: str, door: Door) -> bool:
        """Whether a command names an object with a door, or an object inside it."""
        return name in command.args or any(
            Fact.of(inside, arg, name) in self.state.true
            for arg in command.args
            for inside in door.inside
        )

    def _rule(self, action: Action) -> RepairRule:
        if any(action.name == door.opening for door in self.doors):
            return RepairRule.OPEN
        if self.checker.object_put_down(action) is not None:
            return RepairRule.FREE_HAND
        taken = any(name in self.put_down for name in action.args)
        return RepairRule.TAKE_BACK if taken else RepairRule.MAKE_TRUE

    def _advance(self, action: Action) -> None:
        before = self.state
        self.state = before.after(self.checker.rules, action)
        held = self.held()
        for fact in before.true - self.state.true:
            if len(fact.args) == 2 and fact.args[0] in held:
                self.origins[fact.args[0]] = fact.args[1]
        for name in held:
            self.put_down.pop(name, None)
        for name, door in tuple(self.opened.items()):
            if (Fact.of(door.predicate, name) in self.state.true) is not door.passable:
                del self.opened[name]

    def held(self) -> dict[str, Fact]:
        """The objects in the hands, with the facts that say so."""
        hands = self.checker.hands
        if hands is None:
            return {}
        facts = (fact for fact in self.state.true if fact.predicate == hands.held)
        return {fact.args[hands.object]: fact for fact in facts}
