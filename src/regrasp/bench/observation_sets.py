"""IALP's planning test: is the chosen action executable under a random set of observations?

Every predicate over the objects of a task is true with probability ½ (the paper's figure 6). No
robot moves: the method's choice is compared with the domain. A robot can always call a person, so
that call counts only where no plan leads from the observations to the goal.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from regrasp.bench.record import EpisodeJob
from regrasp.bench.suite import SuiteMethod, SuiteTask
from regrasp.core.action import Action
from regrasp.core.errors import RegraspError
from regrasp.core.event import Judged, PlanMade, RunEnded, RunStarted
from regrasp.core.fact import State
from regrasp.core.outcome import Outcome
from regrasp.core.trace import Clock, TraceWriter
from regrasp.domains.distances import plan_lengths
from regrasp.domains.domain import Problem
from regrasp.domains.grounding import ground_task
from regrasp.domains.rules import Rules
from regrasp.embedded.resolve import resolve_language
from regrasp.episodes.recording import versions
from regrasp.episodes.setting import world_setting
from regrasp.methods.ialp_choice import ActionChoice, Impasse
from regrasp.methods.registry import METHODS
from regrasp.models.budget import Meter
from regrasp.models.metered import MeteredLanguage
from regrasp.models.tracing import tracing
from regrasp.planners.candidates import CandidatePlanner
from regrasp.planners.goals import goal_condition
from regrasp.planners.task_objects import named_objects, task_objects
from regrasp.worlds.registry import open_world

__all__ = ["SHORTEST", "ObservationTask", "observation_task", "run_observation_set", "score_choice"]

SHORTEST = "-shortest"
"""A task with this ending asks for more: the action begins a shortest plan."""

_HALF = 0.5


@dataclass(frozen=True, slots=True)
class ObservationTask:
    """What a task of a world gives to the test: its instruction, its objects and its goal."""

    instruction: str
    rules: Rules
    problem: Problem

    def draw(self, rng: np.random.Generator) -> Problem:
        """The problem under random observations, in which the goal is not reached yet."""
        facts = [
            fact
            for predicate in self.rules.domain.predicates
            for fact in self.rules.facts(predicate.name)
            if len(set(fact.args)) == len(fact.args)
        ]
        while True:
            true = rng.random(len(facts)) < _HALF
            state: State = frozenset(fact for fact, one in zip(facts, true, strict=True) if one)
            if not self.rules.holds(self.problem.goal, state):
                return replace(self.problem, init=state)


@cache
def observation_task(world: str, task: str | None) -> ObservationTask:
    """The task of a world, with the objects that its instruction and its goal name."""
    built = open_world(world, task)
    with world_setting(built, size=(32, 24)) as setting:
        domain, known = setting.domain, setting.robot.knowledge()
    named = named_objects(built.task.instruction, known)
    objects = task_objects(built.goal, named, domain, known)
    rules = domain.rules([one for one in known if one.name in objects])
    goal = goal_condition(built.goal, domain, known)
    name = domain.domain.name
    problem = Problem(f"{name}-now", name, rules.objects, goal=goal)
    return ObservationTask(built.task.instruction, rules, problem)


def score_choice(rules: Rules, problem: Problem, chosen: Action | Impasse) -> tuple[bool, bool]:
    """Whether a choice can be executed, and whether it begins a shortest plan."""
    lengths = plan_lengths(ground_task(rules.domain, problem))
    useful = {action: length for action, length in lengths.items() if length is not None}
    if isinstance(chosen, Impasse):
        return not useful, not useful
    executable = not rules.unmet_preconditions(chosen, problem.init)
    return executable, executable and useful.get(chosen) == min(useful.values(), default=0)


def run_observation_set(
    job: EpisodeJob, task: SuiteTask, method: SuiteMethod, folder: Path
) -> None:
    """One set of observations, drawn by the seed: the same for every method."""
    if not isinstance(method.method, str) or method.method not in METHODS:
        raise RegraspError(f"{method.name} is no variant of IALP by name: {method.method}.")
    given = observation_task(task.world, task.task)
    draw = np.random.default_rng([job.key.seed, zlib.crc32((task.task or "").encode())])
    problem = given.draw(draw)
    clock = Clock(lambda: 0.0)
    with TraceWriter(folder, clock) as trace:
        language = MeteredLanguage(
            resolve_language(job.key.llm), Meter(None), observe=tracing(trace)
        )
        options = METHODS[method.method].options
        planner = CandidatePlanner(language, per_token=bool(options.get("per_token", False)))
        choice = ActionChoice(
            planner,
            given.rules.domain,
            given.rules,
            bool(options.get("feasibility", True)),
            bool(options.get("selection", True)),
        )
        parts = {**versions(), "language model": language.name}
        trace.write(
            RunStarted(task.world, task.name, job.key.seed, given.instruction, method.name, parts)
        )
        chosen = choice.choose(given.instruction, problem, job.key.seed)
        executable, shortest = score_choice(given.rules, problem, chosen)
        text = f"alert: {chosen}" if isinstance(chosen, Impasse) else str(chosen)
        trace.write(PlanMade(given.instruction, "; ".join(map(str, choice.candidates)), (text,)))
        right = shortest if task.name.endswith(SHORTEST) else executable
        trace.write(Judged(right, tuple(sorted(map(str, problem.init)))))
        trace.write(RunEnded(Outcome.SUCCEEDED, text))
