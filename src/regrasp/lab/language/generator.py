"""Generated questions with right answers: from confirmed runs, generators, and changed plans."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from regrasp.embedded.scripted import ScriptedModel
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.generators import GENERATORS
from regrasp.lab.language.phrasings import UNCLEAR, phrased
from regrasp.lab.language.prompt_injection import with_injected_order
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.repairs import sent_back
from regrasp.lab.language.rooms import RoomType
from regrasp.lab.language.skill_worlds import TRAINING_CRAFTS, SkillFamily
from regrasp.lab.language.symbolic_run import SymbolicRun, asked_as, run_symbolic
from regrasp.prompts.plan import LONGEST_PLAN, Plan, PlanPrompt
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.steps import Step, Verb

__all__ = ["ExampleGenerator"]

_WALKED = ("plan", "replan", "new_plan", "step_needed", "questions", "completed", "motion_plan",
           "reasons")  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExampleGenerator:
    """Generates questions over rooms of `types` and skills of `crafts`.

    With `held_out` it uses the words, phrasings, statements and orders held out from training.
    `spoilt` is the share with an order in the perceived text, `unread` the share after a rejected
    reply. `pool` are more words for names in training examples (see `vocabulary.pool_of`).
    """

    rng: random.Random
    types: tuple[RoomType, ...]
    held_out: bool = False
    spoilt: float = 0.0
    unread: float = 0.0
    crafts: tuple[SkillFamily, ...] = TRAINING_CRAFTS
    pool: tuple[str, ...] = ()

    def questions(self, quota: Mapping[str, int]) -> Iterator[LanguageExample]:
        """The questions of each family by `quota`, those from symbolic runs first."""
        left, drill = (
            Counter(quota),
            ExampleSource(self.rng, self.types, self.held_out, self.crafts, self.pool),
        )
        half = {f: n // 2 for f, n in quota.items() if f in GENERATORS}  # generators give the rest
        while any(left[f] > half.get(f, 0) for f in _WALKED):
            for question in self._walked(drill):
                if left[question.family] > half.get(question.family, 0):
                    left[question.family] -= 1
                    yield self._maybe_spoilt(question)
        for family, count in left.items():
            for _ in range(count):
                yield self._maybe_spoilt(GENERATORS[family](drill))

    def _maybe_spoilt(self, question: LanguageExample) -> LanguageExample:
        draw = self.rng.random()
        if draw < self.spoilt:
            return with_injected_order(question, self.rng, held_out=self.held_out) or question
        if draw < self.spoilt + self.unread:
            return sent_back(question, self.rng, held_out=self.held_out) or question
        return question

    def _walked(self, drill: ExampleSource) -> Iterator[LanguageExample]:
        """The questions of one run, each in a random phrasing, and those made from its plans."""
        rng, room = self.rng, drill.room()
        went = run_symbolic(
            room, ScriptedModel(), rng, method=rng.choice(("replan", "replan-float"))
        )
        if not went.confirmed:
            return
        plain = room.want.plain()
        for exchange in went.exchanges:
            said = asked_as(exchange, plain, phrased(room.want, room.calls, rng, self.held_out))
            want = room.want if exchange.world is not None else None
            yield LanguageExample(said.messages, said.reply, exchange.world, want, str(room.type))
        yield from self._doubted(went, drill)
        if rng.random() < 0.1:
            yield from self._unclear(went)

    def _doubted(self, went: SymbolicRun, drill: ExampleSource) -> Iterator[LanguageExample]:
        """Plans with an extra step: is it needed?"""
        rng, want = self.rng, went.room.want
        said = phrased(want, went.room.calls, rng, self.held_out)
        for exchange in went.exchanges:
            if exchange.world is None:
                continue
            asked = LanguageExample(exchange.messages, exchange.reply)
            prompt, plan = asked.prompt, asked.prompt.parse(exchange.reply)
            if not isinstance(plan, Plan) or not isinstance(prompt, PlanPrompt):
                continue
            if len(plan.steps) >= LONGEST_PLAN:
                continue
            steps, number = self._padded(plan.steps, prompt, drill)
            texts = tuple(map(str, steps))
            doubt = StepNeededPrompt(
                prompt.goal, prompt.scene, texts, number, prompt.observations, prompt.attempts
            )
            answer = ScriptedModel().complete(doubt.messages()).text
            if answer == "no":
                yield LanguageExample(
                    replace(doubt, goal=said).messages(), "no", room=str(went.room.type)
                )

    def _padded(
        self, steps: tuple[Step, ...], prompt: PlanPrompt, drill: ExampleSource
    ) -> tuple[tuple[Step, ...], int]:
        """`steps` with an unneeded step, and its number."""
        rng = self.rng
        at = rng.randrange(len(steps) + 1)
        carried = [i for i, s in enumerate(steps) if s.verb.carries and isinstance(s.object, str)]
        if carried and rng.random() < 0.3:
            at = rng.choice(carried)
            extra = Step(Verb.PICK, steps[at].object)
        elif rng.random() < 0.2:
            extra, at = rng.choice(steps), len(steps)
        else:
            extra = drill.step(prompt.scene)
        return (*steps[:at], extra, *steps[at:]), at + 1

    def _unclear(self, went: SymbolicRun) -> Iterator[LanguageExample]:
        """Instructions that no step can follow."""
        scene = went.room.world.scan()
        goal = self.rng.choice(UNCLEAR).format(x=self.rng.choice(scene.objects).name)
        prompt = PlanPrompt(goal, scene)
        answer = ScriptedModel().complete(prompt.messages()).text
        if answer.startswith("Cannot: "):
            yield LanguageExample(prompt.messages(), answer)
