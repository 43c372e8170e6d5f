"""Methods: one file each over the same parts, and the names by which commands call them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

from regrasp.core.errors import UnknownNameError

if TYPE_CHECKING:
    from regrasp.core.claim import Claim
    from regrasp.core.event import EventSink
    from regrasp.core.robot import Robot
    from regrasp.methods.method import Method
    from regrasp.methods.motion import FeedbackStyle
    from regrasp.models.language import LanguageModel
    from regrasp.models.vision import VisionModel

# ruff: noqa: PLC0415  -- a name imports what it needs when it is used

__all__ = ["METHODS", "open_method"]


def replan(
    goal: str,
    robot: Robot,
    language: LanguageModel,
    vision: VisionModel,
    emit: EventSink,
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
    from regrasp.perception.observer import Observer
    from regrasp.perception.perceiver import Perceiver
    from regrasp.perception.scan import scan
    from regrasp.planners.language import LanguagePlanner
    from regrasp.planners.rewards import RewardPlanner
    from regrasp.verifiers.language import LanguageVerifier

    eyes, planner = Observer(robot, vision, emit), LanguagePlanner(language)
    verifier = LanguageVerifier(language) if verify else None
    method = Replan(
        robot,
        planner,
        RewardPlanner(language, verifier),
        verifier,
        Perceiver(eyes, planner, verifier) if perceive else None,
        emit,
        replanning,
        feedback,
    )
    if not perceive:
        method.unseen = frozenset(thing.name for thing in scan(eyes).objects if not thing.seen)
    return method.run(goal)


def language_to_rewards(
    goal: str, robot: Robot, language: LanguageModel, vision: VisionModel, emit: EventSink
) -> Claim:
    """The baseline."""
    from regrasp.methods.language_to_rewards import LanguageToRewards
    from regrasp.perception.observer import Observer
    from regrasp.planners.rewards import RewardPlanner

    eyes = Observer(robot, vision, emit)
    return LanguageToRewards(robot, eyes, RewardPlanner(language), emit).run(goal)


def doremi(
    goal: str,
    robot: Robot,
    language: LanguageModel,
    vision: VisionModel,
    emit: EventSink,
    *,
    looks: Literal["never", "at ends", "always"] = "always",
    repeats: bool = False,
    ensemble: Literal["streak", "single", "odds", "unheeded"] = "streak",
    proposes: bool = False,
    period_s: float = 0.1,
) -> Claim:
    """DoReMi, its ablation and its baselines, on any robot whose skills make up a known domain.

    `ensemble` is how many answers stop a skill: four in a row as in the paper, a single one, or
    as many as the odds ask for; "unheeded" none do, so that the looks go on to the skill's end and
    any rule can be tried on them afterwards.
    """
    from regrasp.domains.skill_domains import domain_of
    from regrasp.methods.doremi import Doremi, Looks
    from regrasp.monitors.constraints import ConstraintSet
    from regrasp.monitors.evidence import Evidence, Odds, Streak
    from regrasp.monitors.monitor import Monitor
    from regrasp.perception.observer import Observer
    from regrasp.planners.skills import SkillPlanner
    from regrasp.prompts.scene_text import scene_text

    skills, known = domain_of(robot.skills()), robot.knowledge()
    evidence: Mapping[str, Evidence] = {
        "streak": Streak(4),
        "single": Streak(1),
        "odds": Odds(alarm=0.9, doubt=0.5),
        "unheeded": Streak(sys.maxsize),
    }
    return Doremi(
        robot,
        SkillPlanner(language, skills, scene_text(known)),
        Monitor(Observer(robot, vision, emit), skills.lexicon, evidence[ensemble], period_s),
        ConstraintSet.of(skills, known),
        emit,
        Looks(looks),
        repeats,
        proposes,
    ).run(goal)


def dkprompt(
    goal: str,
    robot: Robot,
    language: LanguageModel,
    vision: VisionModel,
    emit: EventSink,
    *,
    before: Literal["preconditions", "affordance", "nothing"] = "preconditions",
    after: Literal["effects", "success", "nothing"] = "effects",
    belief: Literal["crisp", "bayes"] = "crisp",
    seen: tuple[str, ...] = ("hot",),
) -> Claim:
    """DKPROMPT in the household, its ablations and its baselines: what is asked, and when.

    `seen` are predicates that eyes are asked for although the paper's robot knows or assumes them:
    ours feels no heat.
    """
    from regrasp.domains.household import problem_for, skill
    from regrasp.domains.household_lexicon import household_lexicon
    from regrasp.domains.lexicon import Access
    from regrasp.methods.dkprompt import (
        Check,
        DKPrompt,
        affordance,
        effects,
        preconditions,
        success,
    )
    from regrasp.perception.beliefs import Bayes, Believe, crisp
    from regrasp.perception.facts import FactObserver, hand_of
    from regrasp.perception.observer import Observer

    checks: Mapping[str, Check | None] = {
        "preconditions": preconditions,
        "affordance": affordance,
        "effects": effects,
        "success": success,
        "nothing": None,
    }
    believe: Believe = Bayes() if belief == "bayes" else crisp
    lexicon = household_lexicon().with_access(Access.SEEN, *seen)
    eyes = Observer(robot, vision, emit, views=len(robot.cameras()))
    facts = FactObserver(eyes, lexicon, hand_of(robot))
    return DKPrompt(
        robot, problem_for(goal), lexicon, facts, skill, emit, checks[before], checks[after],
        believe,
    ).run(goal)  # fmt: skip


def vlm_planner(
    goal: str, robot: Robot, language: LanguageModel, vision: VisionModel, emit: EventSink
) -> Claim:
    """The eyes are asked what to do next, and nobody plans."""
    from regrasp.methods.vlm_planner import VlmPlanner
    from regrasp.perception.observer import Observer

    return VlmPlanner(robot, Observer(robot, vision, emit, views=len(robot.cameras())), emit).run(
        goal
    )


METHODS: Mapping[str, Method] = {
    "replan": replan,
    "replan-float": partial(replan, feedback="float"),
    "replan-no-verifier": partial(replan, verify=False),
    "replan-no-perceiver": partial(replan, perceive=False),
    "replan-no-replan": partial(replan, replanning=False),
    "language-to-rewards": language_to_rewards,
    "doremi": doremi,
    "doremi-single": partial(doremi, ensemble="single"),
    "doremi-odds": partial(doremi, ensemble="odds"),
    "doremi-unheeded": partial(doremi, ensemble="unheeded"),
    "doremi-proposing": partial(doremi, proposes=True),
    "inner-monologue": partial(doremi, looks="at ends"),
    "cliport": partial(doremi, looks="at ends", repeats=True),
    "saycan": partial(doremi, looks="never"),
    "dkprompt": dkprompt,
    "dkprompt-bayes": partial(dkprompt, belief="bayes", seen=("hot", "filled", "turnedon")),
    "dkprompt-effects": partial(dkprompt, before="nothing"),
    "dkprompt-preconditions": partial(dkprompt, after="nothing"),
    "affordance-question": partial(dkprompt, before="affordance", after="nothing"),
    "success-question": partial(dkprompt, before="nothing", after="success"),
    "affordance-success-question": partial(dkprompt, before="affordance", after="success"),
    "classical-planner": partial(dkprompt, before="nothing", after="nothing"),
    "vlm-planner": vlm_planner,
}
"""Every method by name: REPLAN as we run it, as the paper does, its ablations, and the baseline;
DoReMi without its ensemble, with our filter, with constraints of the model's own, its baselines;
DKPROMPT, ours of it, its halves and its baselines."""


def open_method(name: str) -> Method:
    """The method of that name."""
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    return METHODS[name]
