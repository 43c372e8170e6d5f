"""Examples about named skills: the remaining calls after some events, and constraints to watch.

A robot makes up to six calls that may fail, be stopped or succeed, mostly towards its goal and
sometimes at random. The question about the resulting state is put in a phrasing. The answer is the
scripted reasoner's answer to the plain sentence, kept only if its calls reach the goal.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from regrasp.core.action import Action
from regrasp.embedded.rules.call_plans import plan_calls
from regrasp.embedded.rules.ground_skills import played
from regrasp.lab.language.aims import SkillGoal, draw_aim, draw_impossible
from regrasp.lab.language.example_source import ExampleSource, scripted
from regrasp.lab.language.grading import reaches
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.skill_variations import with_variations
from regrasp.lab.language.skill_worlds import (
    EMPTY,
    TRAINING_CRAFTS,
    WAYS,
    SkillWorld,
    make_skill_world,
)
from regrasp.lab.language.statements import HELD_OUT_REPORTS, REPORTS
from regrasp.prompts.constraints import ConstraintsPrompt
from regrasp.prompts.parsing import Declined
from regrasp.prompts.skill_plan import CallResult, CallStatus, SkillPlan, SkillPlanPrompt
from regrasp.prompts.skills import bound
from regrasp.prompts.visual_question import ConditionQuestion, VisualQuestion

__all__ = ["constraints", "skill_plan"]

_MOST_EVENTS = 6
_LONGEST = 600
"""Characters of the longest plan in training, some 200 tokens: longer ones would be slow."""

_CANNOT, _DONE, _DONE_TAUGHT = 0.08, 0.10, 0.20
"""How often the goal is impossible, and how often it is reached already: in the evaluation, and in
training, because a robot asks for the remaining calls whenever a plan ends."""

_BESIDE = 0.1
"""How often an irrelevant fact is known."""

_VARIED = 0.5
"""How often a robot in training has a condition that no skill family has."""

_NOTHING, _PASSED_OVER = "While: none", {0: 0.75, 1: 0.5}
"""How often training leaves out a skill with this many facts that must stay true. Two of them occur
only with a variation, and in the skill family that is held out from training."""

_LOSES = {CallStatus.DID: 0.15, CallStatus.FAILED: 0.5, CallStatus.STOPPED: 1.0}
"""How often a detector finds that a fact was lost, by the result of the call."""

_HOLDS = " is held by the robot"
_LIES = re.compile(r" is (?:on|inside) ")


def _world(drill: ExampleSource) -> SkillWorld:
    rng, words, craft = drill.rng, drill.words, drill.rng.choice(drill.crafts)
    world = make_skill_world(craft, words, rng, drill.held_out)
    taught = not drill.held_out and craft in TRAINING_CRAFTS
    return with_variations(world, words, rng) if taught and rng.random() < _VARIED else world


def _call(world: SkillWorld, rng: random.Random) -> Action | None:
    """A skill with fitting arguments; None if this draw finds none."""
    skill = rng.choice(world.skills)
    choices = skill.choices(world.scene)
    args = tuple(rng.choice(names) for names in choices if names)
    fits = len(args) == len(choices) == len(set(args))
    return Action(skill.name, args) if fits else None


@dataclass
class _Life:
    """The history of a robot: its state, and the calls that it remembers."""

    world: SkillWorld
    rng: random.Random
    held_out: bool
    state: frozenset[str]
    events: tuple[CallResult, ...] = ()

    def after(self, call: Action) -> frozenset[str] | None:
        """The state after a call that works."""
        return played((call,), self.world.skills, self.world.scene, self.state)

    def live(self, goals: tuple[str, ...], count: int) -> None:
        """Make up to `count` calls towards `goals`."""
        plan: list[Action] = []
        for _ in range(count):
            whim = _call(self.world, self.rng) if self.rng.random() < 0.2 else None
            if whim is not None and self.after(whim) is not None:
                plan = [whim]
            if not plan:
                found = plan_calls(goals, self.world.skills, self.world.scene, self.state)
                plan = [*found.calls] if found is not None else []
            if not plan:
                return
            if not self.attempt(plan.pop(0)):
                plan = []

    def finish(self, goals: tuple[str, ...]) -> None:
        """Make all remaining calls, and remember the last ones: all of them succeed."""
        found = plan_calls(goals, self.world.skills, self.world.scene, self.state)
        for call in found.calls if found is not None else ():
            self.state = self.after(call) or self.state
            self.events = (*self.events, CallResult(CallStatus.DID, str(call), ()))[-_MOST_EVENTS:]

    def attempt(self, call: Action) -> bool:
        """One call and its result. Returns whether it went as planned."""
        rng, loose = self.rng, self.loose()
        ended = rng.choice(
            (*[CallStatus.DID] * 5, CallStatus.FAILED, *[CallStatus.STOPPED] * (2 if loose else 0))
        )
        if ended is CallStatus.DID and (after := self.after(call)) is not None:
            self.state = after
            loose = self.loose()
        lost = rng.sample(loose, min(len(loose), rng.choice((1, 1, 1, 2))))
        if rng.random() > _LOSES[ended]:
            lost = []
        for one in lost:
            self.lose(one)
        said = [one.replace(" is ", " is not ", 1) for one in lost]
        if ended is CallStatus.FAILED:
            said.append(
                rng.choice(HELD_OUT_REPORTS if self.held_out else REPORTS).format(call=call)
            )
        self.events = (*self.events, CallResult(ended, str(call), tuple(said)))
        return ended is CallStatus.DID and not said

    def loose(self) -> list[str]:
        """Facts that may become false: often holding, else also a placement or a clear path."""
        held = [one for one in sorted(self.state) if one.endswith(_HOLDS)]
        lying = [one for one in sorted(self.state) if _LIES.search(one) or one in WAYS]
        return held if held and self.rng.random() < 0.6 else held + lying

    def lose(self, sentence: str) -> None:
        """Make a fact false; if an object is no longer held, the hand is empty."""
        self.state -= {sentence}
        if sentence.endswith(_HOLDS):
            tells = any(EMPTY in skill.needs for skill in self.world.skills)
            fallen = filter(None, (self.world.fallen,))
            self.state |= {*bound(fallen, (sentence.removesuffix(_HOLDS),))}
            self.state |= {EMPTY} if tells else set()


def _known(life: _Life) -> tuple[str, ...]:
    """The true facts, and sometimes an irrelevant one."""
    rng, said = life.rng, sorted(life.state)
    names = [line.name for line in life.world.scene.objects]
    for _ in range(rng.choice((1, 1, 2)) if rng.random() < _BESIDE else 0):
        said.append(
            VisualQuestion(rng.choice(tuple(ConditionQuestion)), rng.choice(names)).statement(True)
        )
    if rng.random() < 0.5:
        rng.shuffle(said)
    return tuple(dict.fromkeys(said))


def _sound(prompt: SkillPlanPrompt, answer: str, aim: SkillGoal) -> bool:
    """Whether the answer reaches the goal, or declines an impossible one."""
    plan = prompt.parse(answer)
    if not aim.goals:
        return isinstance(plan, Declined)
    if not isinstance(plan, SkillPlan) or len(answer) > _LONGEST:
        return False
    return reaches(plan, prompt, aim.goals)


def skill_plan(drill: ExampleSource) -> LanguageExample:
    """Which calls remain?"""
    rng = drill.rng
    draw = rng.random()
    drawn = draw_impossible if draw < _CANNOT else draw_aim
    done = draw > 1.0 - (_DONE if drill.held_out else _DONE_TAUGHT)
    while True:
        world = _world(drill)
        aim = drawn(world, rng, drill.held_out)
        if aim is None:
            continue
        life = _Life(world, rng, drill.held_out, world.start)
        life.live(aim.goals, rng.choice((0, 0, *range(_MOST_EVENTS + 1))))
        if done and not drill.held_out:
            life.finish(aim.goals)
        if aim.goals and life.state.issuperset(aim.goals) is not done:
            continue
        prompt = SkillPlanPrompt(aim.plain, world.scene, world.skills, _known(life), life.events)
        answer = scripted(prompt)
        if _sound(prompt, answer, aim):
            asked = replace(prompt, goal=aim.phrasing).messages()
            return LanguageExample(asked, answer, room=str(world.craft), goals=aim.goals)


def constraints(drill: ExampleSource) -> LanguageExample:
    """Which facts must be true while a skill runs, and which after it?"""
    while True:
        world = _world(drill)
        call = _call(world, drill.rng)
        if call is None or not world.forms:
            continue
        (line,) = (skill for skill in world.skills if skill.name == call.name)
        names = tuple(one.name for one in world.scene.objects)
        prompt = ConstraintsPrompt(str(call), line, names, world.forms)
        answer = scripted(prompt)
        watched = 0 if _NOTHING in answer else answer.count("While: ")
        if not drill.held_out and drill.rng.random() < _PASSED_OVER.get(watched, 0.0):
            continue
        return LanguageExample(prompt.messages(), answer, room=str(world.craft))
