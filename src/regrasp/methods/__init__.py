"""Methods: one file each over the same parts, and the names by which commands call them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from regrasp.core.errors import UnknownNameError

if TYPE_CHECKING:
    from regrasp.core.claim import Claim
    from regrasp.core.robot import Robot
    from regrasp.methods.method import Method
    from regrasp.methods.motion import FeedbackStyle
    from regrasp.models.language import LanguageModel
    from regrasp.models.vision import VisionModel
    from regrasp.perception.eyes import Tell

# ruff: noqa: PLC0415  -- a name imports what it needs when it is used

__all__ = ["METHODS", "open_method"]


def replan(
    goal: str,
    robot: Robot,
    language: LanguageModel,
    vision: VisionModel,
    tell: Tell,
    *,
    verify: bool = True,
    perceive: bool = True,
    replanning: bool = True,
    feedback: FeedbackStyle = "evidence",
) -> Claim:
    """REPLAN with the language model in every part, or with a part left out.

    Without its perceiver it is told, like the baseline, which objects are in sight at the start.
    """
    from regrasp.methods.replan import Replan
    from regrasp.perception.eyes import Eyes
    from regrasp.perception.perceiver import Perceiver
    from regrasp.perception.scan import scan
    from regrasp.planners.language import LanguagePlanner
    from regrasp.planners.rewards import RewardPlanner
    from regrasp.verifiers.language import LanguageVerifier

    eyes, planner = Eyes(robot, vision, tell), LanguagePlanner(language)
    verifier = LanguageVerifier(language) if verify else None
    method = Replan(
        robot,
        planner,
        RewardPlanner(language, verifier),
        verifier,
        Perceiver(eyes, planner, verifier) if perceive else None,
        tell,
        replanning,
        feedback,
    )
    if not perceive:
        method.unseen = frozenset(thing.name for thing in scan(eyes).objects if not thing.seen)
    return method.run(goal)


def language_to_rewards(
    goal: str, robot: Robot, language: LanguageModel, vision: VisionModel, tell: Tell
) -> Claim:
    """The baseline."""
    from regrasp.methods.language_to_rewards import LanguageToRewards
    from regrasp.perception.eyes import Eyes
    from regrasp.planners.rewards import RewardPlanner

    eyes = Eyes(robot, vision, tell)
    return LanguageToRewards(robot, eyes, RewardPlanner(language), tell).run(goal)


METHODS: Mapping[str, Method] = {
    "replan": replan,
    "replan-float": partial(replan, feedback="float"),
    "replan-no-verifier": partial(replan, verify=False),
    "replan-no-perceiver": partial(replan, perceive=False),
    "replan-no-replan": partial(replan, replanning=False),
    "language-to-rewards": language_to_rewards,
}
"""Every method by name: REPLAN as we run it, as the paper does, its ablations, and the baseline."""


def open_method(name: str) -> Method:
    """The method of that name."""
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    return METHODS[name]
