"""Blocks without physics: the bar's robot over blocks, with the reports of real hands."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from symbolic_bar import BlindVision, Events, SymbolicBar

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import ReplanLevel, Replanned
from regrasp.core.fact import Fact
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.two_hands import two_hands_domain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.method import Assignment
from regrasp.methods.registry import open_method
from regrasp.worlds.blocks.problems import TABLE, BlocksProblem, draw_problem


def blocks_robot(problem: BlocksProblem) -> SymbolicBar:
    known = (*(ObjectDescription(one, "block") for one in problem.blocks), ObjectDescription(TABLE))
    towers = frozenset(Fact.of("on", x, y) for x, y in problem.start)
    return SymbolicBar(felt, two_hands_domain(towers), known, "blocks")


def felt(robot: SymbolicBar, action: Action) -> Feedback | None:
    """What the two-armed robot reports of a get or put that cannot be done."""
    held = {f.args[1]: f.args[0] for f in sorted(robot.truth) if f.predicate == "holding"}
    above = {f.args[1]: f.args[0] for f in sorted(robot.truth) if f.predicate == "on"}
    thing, place = action.args[:2]
    if action.name == "get":
        what = f"Could not get {thing} from {place}"
        full = [f"the {hand} holds {one}" for one, hand in held.items()]
        if len(held) == 2:
            reason, first = "A hand holds one thing at a time.", next(iter(held))
            return _physical(
                FailureCode.NOT_GRASPED, f"{what}: {' and '.join(full)}.", reason,
                f"Put {first} down first.",
            )  # fmt: skip
        hand = "right_hand" if "left_hand" in held.values() else "left_hand"
        return _in_the_way(what, hand, _pile(above, thing))
    what = f"Could not put {thing} on {place}"
    if place in held:
        return _in_the_way(what, held[thing], [place])
    return _in_the_way(what, held[thing], _pile(above, place) if place != TABLE else [])


def _pile(above: Mapping[str, str], block: str) -> list[str]:
    """What stands on a block, from the top down: the hand meets the top first."""
    return [*_pile(above, above[block]), above[block]] if block in above else []


def _in_the_way(what: str, hand: str, things: list[str]) -> Feedback | None:
    if not things:
        return None
    reason = f"With the {hand} from above, the {hand} would hit the {things[0]}."
    error = f"{what}: {' and '.join(things)} {'is' if len(things) == 1 else 'are'} in the way."
    suggestion = f"Move the {' and the '.join(things)} away first."
    hit = (Evidence("would_hit", thing) for thing in things)
    return _physical(FailureCode.COLLISION, error, reason, suggestion, *hit)


def _physical(
    code: FailureCode, error: str, reason: str, suggestion: str, *evidence: Evidence
) -> Feedback:
    return Feedback(FeedbackLevel.PHYSICAL, code, error, reason, suggestion, evidence)


class Stacked:
    """One drawn problem with one method; `solved` is the truth."""

    def __init__(self, method: str, count: int, seed: int) -> None:
        problem = draw_problem(np.random.default_rng(seed), count)
        self.robot, self.events = blocks_robot(problem), Events()
        says = " and ".join(f"{x} on {'the table' if y == TABLE else y}" for x, y in problem.goal)
        model, vision = ScriptedModel(), BlindVision()
        self.claim: Claim = open_method(method)(
            Assignment(f"put {says}", self.robot, self.robot.domain, model, vision, self.events)
        )
        self.solved = all(Fact.of("on", x, y) in self.robot.truth for x, y in problem.goal)
        self.replans = sum(one.level is ReplanLevel.HIGH for one in self.events.of(Replanned))
