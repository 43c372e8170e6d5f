"""CoPAL's high level: the specifier and the commander, asked now or while the robot moves.

A new plan takes a language model seconds, in which a robot could do what is still valid. Then both
agents are asked in a thread, for the state that the valid commands lead to. Nothing else happens in
that thread: what the trace holds of the calls is written afterwards, by the thread that moves the
robot, so the same replies give the same trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from regrasp.core.fact import Literal, State
from regrasp.core.goal import Goal
from regrasp.domains.lexicon import Lexicon
from regrasp.models.metered import CallObservation, hold_observations
from regrasp.planners.commander import Commander
from regrasp.planners.specifier import Specifier
from regrasp.prompts.command_line import FailedCommand
from regrasp.prompts.commands import CommandPlan
from regrasp.prompts.parsing import Declined
from regrasp.prompts.specify import Specification

__all__ = ["HighLevel", "HighLevelPlan", "PlanQuestion", "ReplanBudget"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """What a plan is wanted for: the request in a state, after the commands that were done."""

    request: str
    state: State
    done: tuple[str, ...]
    goal: Goal | None = None
    failures: tuple[FailedCommand, ...] = ()


@dataclass(frozen=True, slots=True)
class HighLevelPlan:
    """What the request comes to, and the commands for it; None where nothing is commanded."""

    specification: Specification | Declined
    commands: CommandPlan | Declined | None


@dataclass(slots=True)
class ReplanBudget:
    """The most new plans of a request, over all stages of its goal, and how many are left."""

    most: int
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.most


@dataclass(slots=True)
class HighLevel:
    """The two agents that plan; `lexicon` says the facts that they are told."""

    specifier: Specifier
    commander: Commander
    lexicon: Lexicon

    def specify(self, question: PlanQuestion) -> Specification | Declined:
        """What the request comes to, and which steps are left."""
        goal = question.goal
        wanted = self.sentences(goal.literals) if goal is not None else ()
        return self.specifier.specify(
            question.request, self.facts(question.state), wanted, question.done, question.failures
        )

    def command(
        self, specification: Specification, question: PlanQuestion
    ) -> CommandPlan | Declined:
        """The commands for the steps that are left."""
        facts = self.facts(question.state)
        return self.commander.write(specification, facts, question.done, question.failures)

    def plan(self, question: PlanQuestion) -> HighLevelPlan:
        """Ask both agents."""
        found = self.specify(question)
        if isinstance(found, Declined) or found.read or not found.steps:
            return HighLevelPlan(found, None)
        return HighLevelPlan(found, self.command(found, question))

    def plan_while(self, act: Callable[[], T], question: PlanQuestion) -> tuple[T, HighLevelPlan]:
        """Ask both agents in a thread while `act` runs in this one; both results."""

        def held() -> tuple[HighLevelPlan, list[CallObservation]]:
            with hold_observations() as observations:
                return self.plan(question), observations

        with ThreadPoolExecutor(1) as thread:
            asked = thread.submit(held)
            acted = act()
        found, observations = asked.result()
        for observe in observations:
            observe()
        return acted, found

    def facts(self, state: State) -> tuple[str, ...]:
        """A state in sentences."""
        return self.sentences(map(Literal, sorted(state)))

    def sentences(self, literals: Iterable[Literal]) -> tuple[str, ...]:
        """Literals as sentences; those without words are left out."""
        known = {entry.predicate for entry in self.lexicon.entries}
        return tuple(self.lexicon.statement(one) for one in literals if one.fact.predicate in known)
