"""The constraint set (DoReMi, section 4.2): what must be so while the plan goes on.

Nothing is listed by task. Every update follows from what the domain says an action needs, makes
and undoes, kept to what eyes can be asked. In the marks of the paper's tables 1, 5 and 8:

| an action | and the set | mark |
|---|---|---|
| needs it and leaves it so | gets it while the skill runs | `+c` |
| needs it and undoes it | keeps it until the skill lets go (`EffectTiming.deleted_at`) | `c-` |
| undoes it without need | loses it before the skill | `-c` |
| makes it so | gets it once the skill has made it (`EffectTiming.added_at`, else its end) | `c+` |
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
    """What is watched while a skill runs: at first, while it lets go, and once its effect is there.

    Without `timing` the second and third never begin.
    """

    before_release: tuple[Literal, ...]
    during_release: tuple[Literal, ...] = ()
    after_effect: tuple[Literal, ...] = ()
    timing: EffectTiming | None = None

    @property
    def until_release(self) -> tuple[Literal, ...]:
        """What must be true only until the skill lets go."""
        return tuple(one for one in self.before_release if one not in self.during_release)

    @property
    def effects(self) -> tuple[Literal, ...]:
        """What the skill itself makes true."""
        return tuple(one for one in self.after_effect if one not in self.during_release)


@dataclass(frozen=True, slots=True)
class RejectedConstraint:
    """A proposed constraint that is none of ours, and why."""

    text: str
    why: str

    def __str__(self) -> str:
        return f"{self.text!r} cannot be watched: {self.why}"


@dataclass(frozen=True, slots=True)
class ConstraintSet:
    """What is believed (`state`), and the constraints, oldest first (`literals`).

    `inferred` is what is believed only because something else was seen not to be so: nobody has
    seen it, and it is not watched.

    A value: each update gives a new set. The set as it was before a skill gives the skill's
    `schedule` and, once that has worked, the set `after` it.
    """

    skills: SkillDomain
    rules: Rules
    state: State
    literals: tuple[Literal, ...] = ()
    inferred: tuple[Literal, ...] = ()

    @classmethod
    def of(cls, skills: SkillDomain, known: Iterable[ObjectDescription]) -> ConstraintSet:
        """The set before anything was done: empty."""
        return cls(skills, skills.rules(known), skills.init)

    @property
    def believed_statements(self) -> tuple[str, ...]:
        """What is believed, in sentences."""
        return tuple(self.skills.lexicon.statement(Literal(fact)) for fact in sorted(self.state))

    def schedule(self, action: Action) -> ConstraintSchedule:
        """What is watched while `action` is carried out."""
        after = self.rules.successor(self.state, action)
        timing = self.skills.timing.get(action.name)
        needed = self._visible(self.rules.preconditions(action, self.state))
        lasting = self._not_undone(needed, after)
        until = tuple(one for one in needed if one not in lasting) if timing else ()
        between = _once(self._not_undone(self.literals, after), lasting)
        first = _once((one for one in self.literals if one in (*between, *until)), lasting, until)
        return ConstraintSchedule(first, between, _once(between, self.effects(action)), timing)

    def effects(self, action: Action) -> tuple[Literal, ...]:
        """What `action` makes so that eyes can see: by this one tells that it has worked."""
        return self._visible(self.rules.effects(action, self.state))

    def preconditions_and_effects(self, action: Action) -> tuple[Literal, ...]:
        """What `action` needs, and what it makes so that eyes can see.

        A need that no camera shows counts too: that a door is locked is felt as it resists.
        """
        return _once(self.rules.preconditions(action, self.state), self.effects(action))

    def after(self, action: Action) -> ConstraintSet:
        """The set once `action` has worked."""
        after = self.rules.successor(self.state, action)
        literals = _once(self._not_undone(self.literals, after), self.effects(action))
        inferred = tuple(one for one in self.inferred if one.fact in after)
        return replace(self, state=after, literals=literals, inferred=inferred)

    @property
    def initial_literals(self) -> tuple[Literal, ...]:
        """What an agent asks its eyes for before it plans for the first time."""
        return self.skills.seen_at_start(self.rules)

    def after_observation(self, answers: Mapping[Literal, bool | None]) -> ConstraintSet:
        """The set once all this was looked at: the belief follows, and nothing is watched.

        What is not so is not believed any more, and nothing is concluded from it.
        """
        state = frozenset(self.state - {one.fact for one, so in answers.items() if so is False})
        for one in (one for one, so in answers.items() if so):
            state = self.skills.lexicon.update_state(state, one, self.rules)
        inferred = (one for one in self.inferred if one.fact in state and not answers.get(one))
        return replace(self, state=state, inferred=tuple(inferred))

    def after_violation(self, literals: Iterable[Literal]) -> ConstraintSet:
        """The set once these were seen not to be so: they are popped, and the belief follows."""
        state, wrong = self.state, tuple(literals)
        for one in wrong:
            denied = Literal(one.fact, not one.positive)
            state = self.skills.lexicon.update_state(state, denied, self.rules)
        left = tuple(one for one in self.literals if one not in wrong)
        new = self._visible(map(Literal, sorted(state - self.state)))
        inferred = tuple(one for one in _once(self.inferred, new) if one.fact in state)
        return replace(self, state=state, literals=left, inferred=inferred)

    def with_proposed(self, text: str) -> ConstraintSet | RejectedConstraint:
        """The set with a constraint in plain words, which must be one that the lexicon can ask."""
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
        """Those that an action with this outcome does not undo."""
        return tuple(
            one
            for one in literals
            if (one.fact in after) is one.positive
            or (one.fact in after) is (one.fact in self.state)
        )

    def _visible(self, literals: Iterable[Literal]) -> tuple[Literal, ...]:
        """Those that eyes can be asked: what is not so only where there are words for that."""
        found = []
        for one in literals:
            entry = self.skills.lexicon.entry(one.fact.predicate)
            if entry.access is Access.SEEN and (one.positive or entry.negated_questions):
                found.append(one)
        return tuple(found)


def _once(*groups: Iterable[Literal]) -> tuple[Literal, ...]:
    return tuple(dict.fromkeys(one for group in groups for one in group))
