"""IALP: an instruction becomes a PDDL problem at every step; the likeliest feasible action runs.

Fangyuan Wang, Shipeng Lyu, Peng Zhou, Anqing Duan, Guodong Guo, David Navarro-Alarcon:
"Instruction-Augmented Long-Horizon Planning: Embedding Grounding Mechanisms in Embodied Mobile
Manipulation", AAAI 2025. docs/methods/ialp.md compares the paper with this file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import FeedbackGiven, PlanMade, StepStarted
from regrasp.core.execution import run_skill
from regrasp.core.fact import State
from regrasp.core.outcome import Outcome
from regrasp.domains.domain import Problem
from regrasp.domains.rules import Rules
from regrasp.methods.ialp_choice import ActionChoice, Impasse
from regrasp.methods.ialp_person import call_person
from regrasp.methods.instructions import follow_instruction
from regrasp.methods.method import Assignment
from regrasp.methods.parts import fact_observer
from regrasp.perception.present_state import PresentState
from regrasp.planners.candidates import CandidatePlanner
from regrasp.planners.goals import goal_condition
from regrasp.planners.task_objects import named_objects, stated_places, task_objects

__all__ = ["Ialp", "ialp"]


def ialp(
    assignment: Assignment,
    *,
    feasibility: bool = True,
    selection: bool = True,
    candidates: int = 4,
    per_token: bool = False,
    named: tuple[str, ...] = (),
    stated: State = frozenset(),
) -> Claim:
    """IALP on any robot, and its two ablations.

    Without `feasibility` no feasibility predicate is shown, and no candidate is refused for one.
    Without `selection` the first feasible candidate is taken. `candidates` is K; `per_token` makes
    the score a mean. `named` are the objects of the instruction, `stated` says where they are.
    """
    domain, known = assignment.domain, assignment.robot.knowledge()
    if assignment.goal is None:
        again = partial(
            ialp, feasibility=feasibility, selection=selection, candidates=candidates,
            per_token=per_token, named=named_objects(assignment.instruction, known),
            stated=stated_places(assignment.instruction, domain, known),
        )  # fmt: skip
        return follow_instruction(assignment, again, look_at_end=False)
    wanted = frozenset(literal.fact for literal in assignment.goal.literals if literal.positive)
    told = stated - wanted
    if assignment.grounding is not None:
        assignment.grounding.expect(told, wanted)
    objects = task_objects(assignment.goal, named, domain, known)
    rules = domain.rules([one for one in known if one.name in objects])
    goal = goal_condition(assignment.goal, domain, known)
    present = PresentState(fact_observer(assignment), rules)
    problem = Problem(f"{domain.domain.name}-now", domain.domain.name, rules.named, goal=goal)
    planner = CandidatePlanner(assignment.language, candidates, per_token)
    choice = ActionChoice(planner, domain.domain, rules, feasibility, selection)
    believed = frozenset(one for one in domain.init | told if rules.is_well_typed(one))
    wider = domain.rules(known) if len(objects) < len(known) else None
    return Ialp(assignment, problem, present, choice, believed, wider).run()


@dataclass(slots=True)
class Ialp:
    """A run: an action with `max_failures` failures in the last `memory` actions is infeasible.

    `wider` are the rules over all known objects, for a goal that those of the task do not reach.
    """

    assignment: Assignment
    problem: Problem
    present: PresentState
    choice: ActionChoice
    believed: State
    wider: Rules | None = None
    max_actions: int = 60
    max_failures: int = 3
    memory: int = 8
    failures: list[tuple[int, Action]] = field(default_factory=list)

    def run(self) -> Claim:
        """Observe, choose and act until the goal is observed, or a person is needed in vain."""
        before: tuple[Action, State] | None = None
        for step in range(self.max_actions):
            state = self.present.observe(self.believed)  # s_t: promptable and grounded predicates
            if before is not None and before[1] == state:  # it changed nothing that is observed
                self.failures.append((step, before[0]))
            problem = replace(self.problem, init=state)  # P
            if self.present.rules.holds(self.problem.goal, state):
                seen = self.present.is_observed(self.problem.goal, state)
                return Claim(True, f"after {step} actions", seen=seen, believed=state)
            recent = Counter(one for at, one in self.failures if step - at <= self.memory)
            tired = [one for one, count in recent.items() if count >= self.max_failures]
            chosen = self.choice.choose(self.assignment.instruction, problem, step, tired)  # a_t*
            self.emit_choice(chosen)
            if isinstance(chosen, Impasse):
                if self.wider is not None:
                    self.believed, before = self.widened(self.wider, state), None
                    continue
                if not call_person(self.assignment, self.problem, chosen):
                    return Claim(False, f"a person is needed: {chosen}", believed=state)
                self.failures.clear()
                self.believed, before = state, None
                continue
            self.believed, done = self.act(chosen, state)
            before = (chosen, state) if done else None
            if not done:
                self.failures.append((step, chosen))
        return Claim(False, f"after {self.max_actions} actions, the most there may be")

    def widened(self, rules: Rules, state: State) -> State:
        """Plan over all objects of `rules`, those of the task first; what is believed of them."""
        narrow, self.wider = self.present.rules, None
        self.present.rules = self.choice.rules = rules
        objects = dict.fromkeys((*self.problem.objects, *rules.named))
        self.problem = replace(self.problem, objects=tuple(objects))
        told = (one for one in self.assignment.domain.init if not narrow.is_well_typed(one))
        return state | frozenset(one for one in told if rules.is_well_typed(one))

    def act(self, action: Action, state: State) -> tuple[State, bool]:
        """Execute an action: what is believed until it is observed, and whether it succeeded."""
        domain, emit = self.assignment.domain, self.assignment.emit
        emit(StepStarted(domain.describe(action), "arm"))
        report = run_skill(self.assignment.robot, domain.open_skill(action))
        if report.outcome is Outcome.SUCCEEDED:
            return self.present.rules.successor(state, domain.chosen(action, report.action)), True
        if report.feedback is not None:
            emit(FeedbackGiven(domain.describe(action), report.feedback))
        concerned = self.present.rules.preconditions(action, state)
        denied = domain.denied_literals(report, concerned)
        self.present.denied = frozenset(each.fact for each in denied)
        return state - self.present.denied, False

    def emit_choice(self, chosen: Action | Impasse) -> None:
        """Record the candidates with their scores, and the choice."""
        thought = "; ".join(map(str, self.choice.candidates)) or "no candidate"
        steps = (self.assignment.domain.describe(chosen),) if isinstance(chosen, Action) else ()
        self.assignment.emit(PlanMade(self.assignment.instruction, thought, steps))
