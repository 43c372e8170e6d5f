"""A task of your own for DKPROMPT: a problem in PDDL, asked about in the words of a lexicon.

The household has a pie in its refrigerator. Here it is to be served, frozen as it is, on the table;
the refrigerator may stay shut, the pie may fall; what is seen of that decides what is done next.

    python examples/04_your_own_domain.py
"""

import sys
import tempfile
from pathlib import Path

from regrasp.core.claim import Claim
from regrasp.core.goal import parse_goal
from regrasp.domains.pddl_read import read_problem
from regrasp.domains.rules import Rules
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory
from regrasp.methods.dkprompt import DKPrompt
from regrasp.methods.dkprompt_checks import check_effects, check_preconditions
from regrasp.methods.method import Assignment
from regrasp.methods.parts import observer
from regrasp.perception.facts import FactObserver, gripper_sensor
from regrasp.perception.state_belief import StateBelief

PROBLEM = """
(define (problem serve-pie) (:domain household)
  (:objects pie - edible  refrigerator - receptacle  table - surface  floor - floor_area
            kitchen - room)
  (:init (handempty) (closed refrigerator) (inside pie refrigerator) (frozen pie)
         (inroom pie kitchen) (inroom refrigerator kitchen) (inroom table kitchen)
         (inroom floor kitchen))
  (:goal (and (ontop pie table) (closed refrigerator))))
"""


def serve(assignment: Assignment) -> Claim:
    """A method: DKPROMPT on the problem above instead of one made from the instruction."""
    robot, domain = assignment.robot, assignment.domain
    problem = read_problem(PROBLEM, domain.domain, "serve-pie.pddl")
    facts = FactObserver(observer(assignment), domain.lexicon, gripper_sensor(robot))
    estimate = StateBelief(facts, domain, Rules.of(domain.domain, problem))
    method = DKPrompt(
        robot,
        problem,
        domain,
        estimate,
        assignment.emit,
        before=check_preconditions,
        after=check_effects,
    )
    return method.run(assignment.instruction)


def main() -> bool:
    out = Path(tempfile.mkdtemp()) / "run"
    spec = EpisodeSpec(
        place=WorldTask("household", "frozen-pie", seed=4),
        method=serve,
        method_name="serve",
        language=ScriptedModel(),
        vision=oracle_factory(),
        instruction="serve the pie",
        goal=parse_goal(["ontop(pie, table)", "closed(refrigerator)"]),
        recording=Recording(video=False),
    )
    ended = run_episode(spec, out)
    print(f"{'served' if ended.done else 'not served'}: {ended.claim}; regrasp view {out}")
    return ended.done


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
