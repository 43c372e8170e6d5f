"""Steps that make another step possible: open, unlock, move away, take off.

Before a container is opened, obstacles are moved away and its lock is released. Before an obstacle
is moved, the objects on it are moved.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.belief import SceneBelief
from regrasp.embedded.rules.claims import ACTUATES
from regrasp.embedded.rules.clauses import use_of
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.prompts.steps import Step, Verb

__all__ = ["PlanBuilder"]

_MAX_DEPTH = 3  # of objects on top of each other


@dataclass(slots=True)
class PlanBuilder:
    """A plan under construction; each step changes `belief` as if it had succeeded."""

    belief: SceneBelief
    unlocking_steps: tuple[tuple[Step, str], ...] = ()
    steps: list[Step] = field(default_factory=list)
    thought: str = ""
    failure_reason: str = ""

    @property
    def words(self) -> SceneLexicon:
        """The lexicon of the scene."""
        return self.belief.words

    def set_thought(self, thought: str) -> None:
        """Set the reason of the plan; only the first is kept: it explains the first step."""
        self.thought = self.thought or thought

    def fail(self, why: str) -> None:
        """Set the reason why there is no plan; only the first reason is kept."""
        self.failure_reason = self.failure_reason or why

    def add(self, step: Step) -> None:
        """Add a step, once."""
        if step not in self.steps:
            self.steps.append(step)

    def open(self, place: str, why: str = "") -> None:
        """Open `place`, after the steps that unblock and unlock it."""
        if place in self.belief.open:
            return
        if not self.words.can(place, Affordance.OPEN):
            self.fail(f"{place} does not open")
            return
        self.unblock(place)
        instructed = any(where in ("", place) for _, where in self.unlocking_steps)
        failures = self.belief.unexplained[str(Step(Verb.OPEN, place))]
        may_be_locked = instructed or place in self.belief.locked or failures
        unlocked = may_be_locked and self.unlock(place)
        if failures and not unlocked and not self.steps and place not in self.belief.looked:
            self.set_thought(f"I do not know what keeps the {place} shut, so I look at it first.")
            self.add(Step(Verb.LOOK_AT, place))
        self.set_thought(why or f"I open the {place}.")
        self.add(Step(Verb.OPEN, place))
        self.belief.open.add(place)

    def unlock(self, place: str) -> bool:
        """Add a step that may unlock `place`; return whether there is one.

        First choice is the instructed step, then the lever or button that was seen to unlock it,
        then one that has not been used yet.
        """
        for step, where in self.unlocking_steps:
            if where not in ("", place):
                continue
            there = (str(step.object), step.other) in self.belief.on
            if not (there and str(step) in self.belief.done):
                self.set_thought(f"The {place} is locked, so I undo its lock first.")
                self.reach(str(step.object))
                self.clear(step.other, keep=str(step.object))
                self.add(step)
            return True
        named = [lever for lever, where in self.belief.unlocks if where == place]
        levers = named or [n for n in self.words.scene.that_can(*ACTUATES) if n != place]
        unused = [lever for lever in levers if lever not in self.belief.used]
        use = use_of(unused[0], self.words) if unused else None
        if use is None:
            return False
        self.set_thought(f"The {place} may be locked, so I use the {unused[0]} first.")
        self.unblock(unused[0])
        self.add(use)
        self.belief.used.append(unused[0])
        return True

    def unblock(self, place: str) -> None:
        """Move away whatever blocks `place` or a part of it."""
        for thing, part in list(self.belief.blocks):
            if self.words.owner(part) == self.words.owner(place):
                self.move_away(thing, part)

    def move_away(self, thing: str, part: str, depth: int = 0) -> None:
        """Move `thing` away from `part`, after what lies on it; close it if it is a door."""
        if depth > _MAX_DEPTH or self.words.owner(part) == self.words.owner(thing):
            return
        for above, below in list(self.belief.on):
            if below == thing:
                self.move_away(above, thing, depth + 1)
        self.belief.forget(thing)
        if self.words.can(thing, Affordance.PICK):
            self.set_thought(f"{thing} is in the way, so I move it first.")
            self.add(Step(Verb.MOVE_AWAY, thing, part))
        elif self.words.can(thing, Affordance.OPEN):
            self.set_thought(f"{thing} is in the way, so I close it first.")
            self.add(Step(Verb.CLOSE, thing))

    def clear(self, place: str, keep: str = "") -> None:
        """Move away what lies on `place`, except `keep`."""
        for thing, where in list(self.belief.on):
            if self.words.owner(where) == self.words.owner(place) and thing != keep:
                self.move_away(thing, place)

    def reach(self, thing: str) -> None:
        """Make `thing` reachable: open what it is in, take off what lies on it or blocks it."""
        for what, where in list(self.belief.inside):
            if what == thing and self.words.can(where, Affordance.OPEN):
                self.open(self.words.owner(where))
        self.unblock(thing)
        self.clear(thing)
