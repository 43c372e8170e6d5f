"""Examples about one step: camera or arm, whether it moves an object, its motion plan, rewards."""

from __future__ import annotations

from dataclasses import replace

from regrasp.embedded.rules.belief import SceneBelief
from regrasp.embedded.rules.motion import motions_of, reward_of
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.lab.language.example_source import ExampleSource, scripted
from regrasp.lab.language.phrasings import phrased
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.wants import RoomGoalKind
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.motion_plan import MotionPlanPrompt
from regrasp.prompts.motions import MotionLine, Relation
from regrasp.prompts.primary_step import PrimaryStepPrompt
from regrasp.prompts.relocation import RelocationPrompt
from regrasp.prompts.reward_step import RewardStepPrompt
from regrasp.prompts.rewards import RewardsPrompt
from regrasp.prompts.scene import PALM, SceneDescription
from regrasp.prompts.steps import Step

__all__ = ["is_vision", "motion_plan", "primary_step", "relocation", "reward_step", "rewards"]


def is_vision(drill: ExampleSource) -> LanguageExample:
    """Does the camera or the arm do this step?"""
    step = drill.step(drill.room().world.scan())
    prompt = IsVisionPrompt(str(step))
    return LanguageExample(prompt.messages(), "yes" if step.looks else "no")


def relocation(drill: ExampleSource) -> LanguageExample:
    """Does a step, or a whole instruction, change an object's place?"""
    room = drill.room()
    if drill.rng.random() < 0.7:
        step = drill.step(room.world.scan())
        return LanguageExample(
            RelocationPrompt(str(step)).messages(), "yes" if step.verb.carries else "no"
        )
    stays = (
        RoomGoalKind.FIND,
        RoomGoalKind.OPEN,
        RoomGoalKind.CLOSE,
        RoomGoalKind.USE,
        RoomGoalKind.UNLOCK,
    )
    said = phrased(room.want, room.calls, drill.rng, drill.held_out)
    if room.want.kind in (RoomGoalKind.PICK, RoomGoalKind.OPEN_BY_WEIGHT):
        return relocation(drill)
    return LanguageExample(
        RelocationPrompt(said).messages(), "no" if room.want.kind in stays else "yes"
    )


def motion_plan(drill: ExampleSource) -> LanguageExample:
    """How does the hand do this step, or this instruction?"""
    room, rng = drill.room(), drill.rng
    scene = room.world.scan()
    single = (
        RoomGoalKind.STORE, RoomGoalKind.PUT_ON, RoomGoalKind.PUT_BY, RoomGoalKind.OPEN,
        RoomGoalKind.CLOSE, RoomGoalKind.TAKE_OUT, RoomGoalKind.AWAY, RoomGoalKind.USE,
    )  # fmt: skip
    if rng.random() < 0.15 and room.want.kind in single and room.solvable:
        plain = MotionPlanPrompt(
            room.want.plain(), scene, relocates=room.want.kind not in single[3:5] + single[7:]
        )
        said = phrased(room.want, room.calls, rng, drill.held_out)
        return LanguageExample(replace(plain, action=said).messages(), scripted(plain))
    step = drill.step(scene)
    others = tuple(str(drill.step(scene)) for _ in range(rng.choice((0, 0, 1, 2))))
    plan = (*others, str(step)) if rng.random() < 0.8 else ()
    prompt = MotionPlanPrompt(str(step), scene, plan, (), step.verb.carries)
    return LanguageExample(prompt.messages(), scripted(prompt))


def _motions(drill: ExampleSource) -> tuple[SceneDescription, Step, tuple[MotionLine, ...]]:
    rng = drill.rng
    while True:
        scene = drill.room().world.scan()
        step = drill.step(scene)
        found = motions_of(step, SceneBelief(SceneLexicon(scene)))
        if isinstance(found, str):
            continue
        lines = list(found)
        if rng.random() < 0.25:
            name = rng.choice(scene.places.known)
            lines.append(
                rng.choice(
                    (
                        MotionLine(Relation.HEIGHT, name, value=round(rng.uniform(0.1, 1.5), 1)),
                        MotionLine(Relation.TILT, name, value=float(rng.randrange(10, 181, 10))),
                        MotionLine(Relation.NEAR, PALM, name),
                    )
                )
            )
        return scene, step, tuple(dict.fromkeys(lines))


def rewards(drill: ExampleSource) -> LanguageExample:
    """The motion plan as calls of reward functions."""
    scene, step, motions = _motions(drill)
    prompt = RewardsPrompt(str(step), motions, scene.places.known, scene.joints.known)
    return LanguageExample(prompt.messages(), scripted(prompt))


def reward_step(drill: ExampleSource) -> LanguageExample:
    """Which line is this call for? For none, three times in ten."""
    rng = drill.rng
    scene, _, motions = _motions(drill)
    chosen = rng.choice(motions)
    if rng.random() < 0.3:
        other = motions_of(drill.step(scene), SceneBelief(SceneLexicon(scene)))
        chosen = chosen if isinstance(other, str) else rng.choice(other)
        if chosen.relation is Relation.NEAR and rng.random() < 0.5:
            chosen = replace(chosen, relation=Relation.FAR)
    call = reward_of(chosen)
    if rng.random() < 0.3:
        call = call[:-1] + ", primary_reward=True)"
    prompt = RewardStepPrompt(motions, call)
    return LanguageExample(prompt.messages(), scripted(prompt))


def primary_step(drill: ExampleSource) -> LanguageExample:
    """Which line decides?"""
    _, step, motions = _motions(drill)
    prompt = PrimaryStepPrompt(str(step), motions)
    return LanguageExample(prompt.messages(), scripted(prompt))
