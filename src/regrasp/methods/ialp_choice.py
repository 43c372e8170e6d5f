"""IALP's choice of the next action: K candidates, the feasibility filter, equation 2."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.grounding import ground_task
from regrasp.domains.rules import Rules
from regrasp.domains.without import domain_without, problem_without
from regrasp.planners.candidates import ActionCandidate, CandidatePlanner, likeliest

__all__ = ["FEASIBILITY", "ActionChoice", "Impasse"]

FEASIBILITY = ("find", "detected", "graspable", "placeable", "reachable")
"""The predicates of feasibility feedback. `at` stays without it: goals are made of it."""

_ADJUST, _ADJUSTABLE = "adjust", ("detected", "graspable", "placeable", "reachable")


@dataclass(frozen=True, slots=True)
class Impasse:
    """No candidate is feasible: the likeliest one, and what it needs that is not true."""

    action: Action | None
    unmet: tuple[str, ...]

    @property
    def thing(self) -> str:
        """The object that it is about; "" if it is about none."""
        return self.action.args[0] if self.action is not None and self.action.args else ""

    def __str__(self) -> str:
        if self.action is None:
            return "; ".join(self.unmet) or "no action was proposed"
        return f"{self.action} needs {' and '.join(self.unmet)}, which is not true"


@dataclass(slots=True)
class ActionChoice:
    """Chooses among the candidates of `planner`; the last ones are in `candidates`."""

    planner: CandidatePlanner
    domain: Domain
    rules: Rules
    feasibility: bool = True
    selection: bool = True
    candidates: tuple[ActionCandidate, ...] = field(default=(), init=False)

    def choose(
        self, instruction: str, problem: Problem, step: int = 0, tired: Collection[Action] = ()
    ) -> Action | Impasse:
        """The likeliest feasible candidate; `tired` are actions that failed too often."""
        dropped = () if self.feasibility else FEASIBILITY
        domain, shown = domain_without(self.domain, dropped), problem_without(problem, dropped)
        self.candidates = self.planner.propose(instruction, domain, shown, step)
        rules = Rules(domain, self.rules.objects)
        declined = any(one.action is None for one in self.candidates)
        # In the delete relaxation: where it has no goal, there is none, and "Cannot" is right.
        hopeful = declined and bool(ground_task(domain, shown).goal)

        def unmet(candidate: ActionCandidate) -> tuple[str, ...]:
            """What keeps a candidate from being done now: S_fb = 0."""
            if candidate.action is None:
                return ("a goal that no action leads to",) if hopeful else ()
            failed = ("an end of its failures",) if candidate.action in tired else ()
            return (*rules.unmet_preconditions(candidate.action, shown.init), *failed)

        feasible = [one for one in self.candidates if not unmet(one)]
        chosen = likeliest(feasible) if self.selection else next(iter(feasible), None)
        if chosen is not None and chosen.action is not None:
            return chosen.action
        actions = [one for one in self.candidates if one.action is not None]
        wished = chosen or likeliest(actions or self.candidates)
        if wished is None or wished.action is None:
            return Impasse(None, (wished.why,) if wished is not None else ())
        return self.adjusted(wished.action, problem, tired) or Impasse(wished.action, unmet(wished))

    def adjusted(
        self, wished: Action, problem: Problem, tired: Collection[Action]
    ) -> Action | None:
        """`adjust` for an action that lacks a manipulation predicate, if that can be done."""
        if not any(one.name == _ADJUST for one in self.domain.actions):
            return None
        lacks = self.rules.unmet_preconditions(wished, problem.init)
        for thing in wished.args:
            action = Action(_ADJUST, (thing,))
            about = any(f"{predicate}({thing})" in lacks for predicate in _ADJUSTABLE)
            ready = about and not self.rules.unmet_preconditions(action, problem.init)
            if ready and action not in tired:
                return action
        return None
