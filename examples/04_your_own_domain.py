"""A task of your own for DKPROMPT: a problem in PDDL, asked about in the words of a lexicon.

The household has a pie in its refrigerator. Here it is to be served, frozen as it is, on the table;
the refrigerator may stay shut, the pie may fall; what the eyes see of that decides what is done.

    python examples/04_your_own_domain.py
"""

import sys
import tempfile
from pathlib import Path

from regrasp.core.goal import parse_goal
from regrasp.domains.household import household_domain, skill
from regrasp.domains.household_lexicon import household_lexicon
from regrasp.domains.pddl_read import read_problem
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import oracle, run_method
from regrasp.methods.dkprompt import DKPrompt, effects, preconditions
from regrasp.perception.facts import FactObserver, hand_of
from regrasp.perception.observer import Observer

PROBLEM = """
(define (problem serve-pie) (:domain household)
  (:objects pie - edible  refrigerator - receptacle  table - surface  floor - floor_area
            kitchen - room)
  (:init (handempty) (closed refrigerator) (inside pie refrigerator) (frozen pie)
         (inroom pie kitchen) (inroom refrigerator kitchen) (inroom table kitchen)
         (inroom floor kitchen))
  (:goal (and (ontop pie table) (closed refrigerator))))
"""


def serve(goal, robot, language, vision, emit):
    """A method: what every command and bench calls with a goal, a robot and two models."""
    problem = read_problem(PROBLEM, household_domain(), "serve-pie.pddl")
    lexicon = household_lexicon()
    facts = FactObserver(Observer(robot, vision, emit, views=3), lexicon, hand_of(robot))
    return DKPrompt(
        robot, problem, lexicon, facts, skill, emit, before=preconditions, after=effects
    ).run(goal)


def main() -> bool:
    out = Path(tempfile.mkdtemp()) / "run"
    ended = run_method(
        world="household", task="frozen-pie", seed=4, instruction="serve the pie", method=serve,
        out=out, name="serve", language=ScriptedModel(), seeing=oracle(), video=False,
        goal=parse_goal(["ontop(pie, table)", "closed(refrigerator)"]),
    )  # fmt: skip
    print(f"{'served' if ended.done else 'not served'}: {ended.claim}; regrasp view {out}")
    return ended.done


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
