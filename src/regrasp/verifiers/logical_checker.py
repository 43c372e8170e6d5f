"""The logical checker: can a command be done in the believed state? (CoPAL, section III-C)

It checks names, types and quantity (`domains.command_language`), then the precondition. The
feedback has the three parts of CoPAL: what is wrong (`error`), why (`reason`, the unmet facts as
sentences of the lexicon), and what may help (`suggestion`, the command that makes them true).

The believed state may be partial: pass a `PartialState`. An unknown fact is never a reason: the
command is let through, and after it, what it needed is believed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from regrasp.core.action import Action
from regrasp.core.fact import Literal, State
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.achievers import Achievers
from regrasp.domains.command_language import CommandLanguage
from regrasp.domains.hands_and_doors import Hands, hands_of
from regrasp.domains.kept import broken_literals, kept_statement
from regrasp.domains.partial_state import PartialState
from regrasp.domains.refused_actions import refusal_reasons
from regrasp.domains.rules import Rules
from regrasp.domains.skill_domain import SkillDomain
from regrasp.domains.substitutes import purpose, substitutes

__all__ = ["LogicalChecker", "PlanFault"]

_MOST_REASONS = 6

S = TypeVar("S", State, PartialState)


@dataclass(frozen=True, slots=True)
class PlanFault:
    """The first command of a plan that cannot be done: its index from 0, and why."""

    index: int
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class LogicalChecker:
    """Checks commands of a domain over the objects that the robot knows."""

    skills: SkillDomain
    known: tuple[ObjectDescription, ...]
    language: CommandLanguage = field(init=False, repr=False, compare=False)
    achievers: Achievers = field(init=False, repr=False, compare=False)
    hands: Hands | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        language = CommandLanguage(self.skills, tuple(self.known))
        object.__setattr__(self, "language", language)
        object.__setattr__(self, "achievers", Achievers(language.rules))
        object.__setattr__(self, "hands", hands_of(self.skills.domain))

    @property
    def rules(self) -> Rules:
        """The domain with its objects."""
        return self.language.rules

    def check(self, action: Action, state: State | PartialState) -> Feedback | None:
        """Why the command cannot be done in the state; None if it can.

        A command that leaves out optional objects can be done if it can be done with some.
        """
        wrong = self.language.check(action)
        if wrong is not None:
            return wrong
        believed = PartialState.of(state)
        choices = self.completions(action)
        if any(self.is_possible(one, believed) for one in choices):
            return None
        return self._unmet(action, choices, believed)

    def after(self, action: Action, state: S) -> S:
        """The state after a command that `check` accepts."""
        believed = PartialState.of(state)
        following = believed.after(self.rules, self.complete(action, believed))
        return following if isinstance(state, PartialState) else following.true

    def check_plan(self, plan: Sequence[Action], state: State | PartialState) -> PlanFault | None:
        """The first command that cannot be done when its turn comes; None if all can."""
        believed = PartialState.of(state)
        for index, action in enumerate(plan):
            wrong = self.check(action, believed)
            if wrong is not None:
                return PlanFault(index, wrong)
            believed = self.after(action, believed)
        return None

    def complete(self, action: Action, state: State | PartialState) -> Action:
        """The action of the planning domain: optional objects chosen, quantity left out.

        The first choice whose precondition may hold, else the first.
        """
        believed = PartialState.of(state)
        choices = self.completions(action)
        return next((one for one in choices if self.is_possible(one, believed)), choices[0])

    def completions(self, action: Action) -> tuple[Action, ...]:
        """The action with every choice of the optional objects that it leaves out."""
        symbolic, _ = self.skills.split_quantity(action)
        open_parameters = self.skills.domain.action(action.name).parameters[len(symbolic.args) :]
        choices = (self.rules.objects_of(one.types) for one in open_parameters)
        every = (Action(action.name, (*symbolic.args, *one)) for one in itertools.product(*choices))
        return tuple(every) or (symbolic,)

    def is_possible(self, action: Action, state: PartialState) -> bool:
        """Whether the precondition of a complete action may hold."""
        schema, binding = self.rules.bind(action)
        return state.may_hold(self.rules, schema.precondition, binding)

    def unmet(self, action: Action, state: PartialState) -> tuple[Literal, ...]:
        """The literals that a complete action needs and that are false, with all alternatives."""
        schema, binding = self.rules.bind(action)
        return state.unmet(self.rules, schema.precondition, binding)

    def is_achieved(self, action: Action, state: PartialState) -> bool:
        """Whether the purpose of a complete action is already reached, so that it can be left out.

        An action with a quantity is never superfluous: pouring again pours more.
        """
        if action.name in self.skills.quantities:
            return False
        wanted = purpose(self.rules, self.hands, action, state)
        return bool(wanted) and all(
            (one.fact in state.true) is one.positive and one.fact not in state.unknown
            for one in wanted
        )

    def substitutes(self, action: Action, state: PartialState) -> tuple[Action, ...]:
        """Other actions for the same purpose (`domains.substitutes`)."""
        return substitutes(self.skills, self.achievers, self.hands, action, state)

    def _unmet(self, action: Action, choices: tuple[Action, ...], state: PartialState) -> Feedback:
        literals = dict.fromkeys(one for choice in choices for one in self.unmet(choice, state))
        broken = broken_literals(self.skills, self.rules, choices[0], state.true)
        sentences = [
            *dict.fromkeys(
                one for c in choices for one in refusal_reasons(self.skills, c, state.true)
            ),
            *(kept_statement(self.skills, one) for one in broken),
            *(self.skills.lexicon.statement(one.opposite) for one in literals),
        ]
        if not sentences:
            schema, binding = self.rules.bind(choices[0])
            sentences = list(self.rules.missing(schema.precondition, state.true, binding))
            sentences = [f"this does not hold: {one}" for one in sentences]
        return Feedback(
            FeedbackLevel.LOGICAL,
            FailureCode.UNMET_PRECONDITION,
            f"{self.language.write(action)} cannot be done.",
            "; ".join(sentences[:_MOST_REASONS]) + ".",
            self._suggestion(choices, tuple(literals), state),
        )

    def _suggestion(
        self, choices: tuple[Action, ...], literals: tuple[Literal, ...], state: PartialState
    ) -> str:
        """The first command that makes one of the literals true, those that can be done first."""
        if any(self.is_achieved(one, state) for one in choices):
            return "Leave it out: what it is for is already true."
        others = (other for one in choices for other in self.substitutes(one, state))
        other = next((one for one in others if self.is_possible(one, state)), None)
        if other is not None:
            return f"{self.language.write(other)} can be done instead."
        helping = tuple(self._helping(literals, state))
        if not helping:
            return ""
        ready = (one for one in helping if self.is_possible(one[1], state))
        literal, action = next(ready, helping[0])
        made = self.skills.lexicon.statement(literal)
        return f"{self.language.write(action)} would help: then {made}."

    def _helping(
        self, literals: tuple[Literal, ...], state: PartialState
    ) -> Iterator[tuple[Literal, Action]]:
        for literal in literals:
            for action in self.achievers.actions(literal, state):
                if action.name not in self.skills.quantities:
                    yield literal, action
