"""The constraint set (DoReMi, section 4.2): literals that must hold while the plan runs.

Nothing is listed per task. Every update follows from the preconditions and effects of an action in
the domain, as far as a vision model can be asked about them. In the marks of the paper's tables 1,
5 and 8:

| a literal that an action | change of the set | mark |
|---|---|---|
| needs and does not delete | added while the skill runs | `+c` |
| needs and deletes | kept until the skill releases it (`EffectTiming.deleted_at`) | `c-` |
| deletes without needing it | removed before the skill | `-c` |
| makes true | added once it is true (`EffectTiming.added_at`, else the skill's end) | `c+` |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from regrasp.core.action import Action, EffectTiming
from regrasp.core.fact import Literal, State
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.lexicon import Access
from regrasp.domains.rules import Rules
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["ConstraintSchedule", "ConstraintSet", "RejectedConstraint"]


@dataclass(frozen=True, slots=True)
class ConstraintSchedule:
    """The constraints of a running skill: before the release, during it, and after the effect.

    Without `timing` the second and third never begin.
    """

    before_release: tuple[Literal, ...]
    during_release: tuple[Literal, ...] = ()
    after_effect: tuple[Literal, ...] = ()
    timing: EffectTiming | None = None

    @property
    def until_release(self) -> tuple[Literal, ...]:
        """The constraints that hold only until the skill releases the object."""
        return tuple(one for one in self.before_release if one not in self.during_release)

    @property
    def effects(self) -> tuple[Literal, ...]:
        """The literals that the skill itself makes true."""
        return tuple(one for one in self.after_effect if one not in self.during_release)


@dataclass(frozen=True, slots=True)
class RejectedConstraint:
    """A proposed constraint that cannot be checked, and the reason."""

    text: str
    why: str

    def __str__(self) -> str:
        return f"{self.text!r} cannot be watched: {self.why}"


@dataclass(frozen=True, slots=True)
class ConstraintSet:
    """The believed `state`, and the constraints, oldest first (`literals`).

    `inferred` are literals that are believed only because another one was seen to be false: no
    camera has shown them, and they are not checked.

    The set is a value: each update returns a new set. The set before a skill gives the skill's
    `schedule` and, once the skill has succeeded, the set `after` it.
    """

    skills: SkillDomain
    rules: Rules
    state: State
    literals: tuple[Literal, ...] = ()
    inferred: tuple[Literal, ...] = ()

    @classmethod
    def of(cls, skills: SkillDomain, known: Iterable[ObjectDescription]) -> ConstraintSet:
        """The empty set before the first action."""
        return cls(skills, skills.rules(known), skills.init)

    @property
    def believed_statements(self) -> tuple[str, ...]:
        """The believed facts, as sentences."""
        return tuple(self.skills.lexicon.statement(Literal(fact)) for fact in sorted(self.state))

    def schedule(self, action: Action) -> ConstraintSchedule:
        """The constraints to check while `action` runs."""
        after = self.rules.successor(self.state, action)
        timing = self.skills.timing.get(action.name)
        needed = self._visible(self.rules.preconditions(action, self.state))
        lasting = self._not_undone(needed, after)
        until = tuple(one for one in needed if one not in lasting) if timing else ()
        between = _once(self._not_undone(self.literals, after), lasting)
        first = _once((one for one in self.literals if one in (*between, *until)), lasting, until)
        return ConstraintSchedule(first, between, _once(between, self.effects(action)), timing)

    def effects(self, action: Action) -> tuple[Literal, ...]:
        """The effects of `action` that a vision model can be asked about."""
        return self._visible(self.rules.effects(action, self.state))

    def preconditions_and_effects(self, action: Action) -> tuple[Literal, ...]:
        """The preconditions of `action`, and its effects that a vision model can be asked about.

        A precondition that no camera shows is included: a locked door is felt when it resists.
        """
        return _once(self.rules.preconditions(action, self.state), self.effects(action))

    def after(self, action: Action) -> ConstraintSet:
        """The set after `action` has succeeded."""
        after = self.rules.successor(self.state, action)
        literals = _once(self._not_undone(self.literals, after), self.effects(action))
        inferred = tuple(one for one in self.inferred if one.fact in after)
        return replace(self, state=after, literals=literals, inferred=inferred)

    @property
    def initial_literals(self) -> tuple[Literal, ...]:
        """The literals that an agent asks about before its first plan."""
        return self.skills.seen_at_start(self.rules)

    def after_observation(self, answers: Mapping[Literal, bool | None]) -> ConstraintSet:
        """The set after these answers: the belief is updated, the constraints stay as they are."""
        state = self.skills.lexicon.update_state_from_scene(self.state, answers, self.rules)
        inferred = (one for one in self.inferred if one.fact in state and not answers.get(one))
        return replace(self, state=state, inferred=tuple(inferred))

    def after_violation(self, literals: Iterable[Literal]) -> ConstraintSet:
        """The set after these were seen to be false: they are removed, the belief is updated."""
        state, wrong = self.state, tuple(literals)
        for one in wrong:
            state = self.skills.lexicon.update_state(state, one.opposite, self.rules)
        left = tuple(one for one in self.literals if one not in wrong)
        new = self._visible(map(Literal, sorted(state - self.state)))
        inferred = tuple(one for one in _once(self.inferred, new) if one.fact in state)
        return replace(self, state=state, literals=left, inferred=inferred)

    def with_proposed(self, text: str) -> ConstraintSet | RejectedConstraint:
        """The set with a constraint given as a sentence that the lexicon has a question for."""
        lexicon = self.skills.lexicon
        literal = lexicon.parse_literal(text, self.rules)
        if literal is None:
            forms = "; ".join(entry.statement.replace("{not}", "") for entry in lexicon.entries)
            names = ", ".join(one.name for one in self.rules.objects)
            return RejectedConstraint(text, f"say one of: {forms}; with a and b among {names}.")
        if not self._visible((literal,)):
            return RejectedConstraint(
                text, f"eyes cannot be asked whether {lexicon.statement(literal)}."
            )
        return replace(self, literals=_once(self.literals, (literal,)))

    def _not_undone(self, literals: Iterable[Literal], after: State) -> tuple[Literal, ...]:
        """The literals that this action does not delete."""
        return tuple(
            one
            for one in literals
            if (one.fact in after) is one.positive
            or (one.fact in after) is (one.fact in self.state)
        )

    def _visible(self, literals: Iterable[Literal]) -> tuple[Literal, ...]:
        """Those that a vision model can be asked about; a negative one needs its own question."""
        found = []
        for one in literals:
            entry = self.skills.lexicon.entry(one.fact.predicate)
            if entry.access is Access.SEEN and (one.positive or entry.negated_questions):
                found.append(one)
        return tuple(found)


def _once(*groups: Iterable[Literal]) -> tuple[Literal, ...]:
    return tuple(dict.fromkeys(one for group in groups for one in group))
