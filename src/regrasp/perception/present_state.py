"""The present state of a task as facts: IALP's `:init`, observed anew before every action.

Grounded predicates are computed from depth, joints and odometry; where the robot has a map, so are
`on`, `in` and `opened`. Other promptable predicates are asked of the vision model, about objects
that are in view. What nothing can tell stays as it was believed: as an action should have left it,
or as the robot was told at first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from regrasp.core.event import SCAN
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.grounded import Grounded
from regrasp.domains.formula import Condition
from regrasp.domains.rules import Rules
from regrasp.perception.beliefs import first_answer
from regrasp.perception.facts import FactObserver

__all__ = ["PresentState"]

_IN_VIEW = "detected"


@dataclass(slots=True)
class PresentState:
    """Observes the facts over the objects of `rules`.

    `evidence` has what the last look computed, by fact. `observed` are the facts that it found true
    or false; the others are only believed. `denied` are facts that the last skill found to be
    false: the next observation has them so, whatever is computed.
    """

    facts: FactObserver
    rules: Rules
    evidence: dict[Fact, Grounded] = field(default_factory=dict)
    observed: set[Fact] = field(default_factory=set)
    denied: State = frozenset()

    def observe(self, believed: State) -> State:
        """The state now, given what is believed."""
        self.observed = set()
        self.facts.look()
        state = self._grounded(believed)
        for fact in self._promptable():
            literal = Literal(fact)
            sensed = self.facts.sensed(literal, state)
            if sensed is None and self._worth_asking(fact):
                sensed = first_answer(literal, partial(self.facts.ask, literal, SCAN))
            if sensed is None:
                continue
            self.observed.add(fact)
            if sensed is not (fact in state):
                known = literal if sensed else literal.opposite
                state = self.facts.lexicon.update_state(state, known, self.rules)
        state, self.denied = state - self.denied, frozenset()
        return state

    def is_observed(self, goal: Condition, state: State) -> bool:
        """Whether the last look alone shows that `goal` is true, whatever else is believed."""
        seen = state & self.observed
        unseen = set(self._facts(one.name for one in self.rules.domain.predicates)) - self.observed
        return self.rules.holds(goal, seen) and self.rules.holds(goal, seen | unseen)

    def _grounded(self, state: State) -> State:
        """The state with every grounded predicate as it is computed now."""
        earlier, self.evidence = self.evidence, {}
        for fact in self._facts(self._computable):
            found = self.facts.compute(fact)
            if found is None:
                continue
            self.evidence[fact] = found
            self.observed.add(fact)
            if found.value is not (fact in state):
                known = Literal(fact, found.value)
                state = self.facts.lexicon.update_state(state, known, self.rules)
            if fact not in earlier or earlier[fact].value is not found.value:
                self.facts.note(found)
        return state

    @property
    def _computable(self) -> tuple[str, ...]:
        grounding = self.facts.grounding
        return grounding.predicates if grounding is not None else ()

    def _promptable(self) -> Iterator[Fact]:
        names = (entry.predicate for entry in self.facts.lexicon.entries)
        for fact in self._facts(names):
            if fact not in self.evidence and self.facts.is_seen(Literal(fact)):
                yield fact

    def _facts(self, predicates: Iterable[str]) -> Iterator[Fact]:
        """The facts of some predicates over the objects; nothing is on itself."""
        known = {one.name for one in self.rules.domain.predicates}
        for predicate in predicates:
            if predicate in known:
                facts = self.rules.facts(predicate)
                yield from (one for one in facts if len(set(one.args)) == len(one.args))

    def _worth_asking(self, fact: Fact) -> bool:
        """Whether to ask the vision model: geometry does not tell it, and a camera may show it."""
        if fact.predicate in self._computable:
            return False
        seen = [self.evidence.get(Fact(_IN_VIEW, (name,))) for name in fact.args]
        return any(one is None or one.value for one in seen)
