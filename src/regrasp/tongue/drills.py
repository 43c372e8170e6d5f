"""Questions made directly, where walks give too few or too tame ones.

The answer is known by how the question is made, or it is the scripted reasoner's to the same
question in plain words.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from regrasp.models.scripted import ScriptedModel
from regrasp.models.scripted_rules.belief import Belief
from regrasp.models.scripted_rules.instructions import read_instruction
from regrasp.models.scripted_rules.motion import motions_of, reward_of
from regrasp.models.scripted_rules.seeing import goal_checks
from regrasp.models.scripted_rules.words import Lexicon
from regrasp.prompts import (
    Asks,
    Can,
    CompletedPrompt,
    IsVisionPrompt,
    Look,
    Motion,
    MotionPlanPrompt,
    Observation,
    PrimaryStepPrompt,
    Prompt,
    QuestionsPrompt,
    QuestionTypePrompt,
    ReasonsPrompt,
    Relation,
    RelocationPrompt,
    RewardsPrompt,
    RewardStepPrompt,
    RewriteNamesPrompt,
    SceneText,
    Sight,
    Step,
    Verb,
    WrongNamesPrompt,
)
from regrasp.prompts.scene import PALM, kind_of
from regrasp.prompts.steps import ATTRIBUTES
from regrasp.tongue.question import Question
from regrasp.tongue.rooms import Room, RoomType, make_room
from regrasp.tongue.sayings import EXAM_IDLE, EXAM_SAYINGS, IDLE, SAYINGS
from regrasp.tongue.vocabulary import EXAM_WORDS, LESSON_WORDS, SYNONYMS, Words
from regrasp.tongue.wants import EXAM_PHRASINGS, PHRASINGS, Want, WantKind

__all__ = ["DRILLS", "Drill", "phrased"]

_MODEL = ScriptedModel()


def _asked(prompt: Prompt[Any]) -> str:
    """The scripted reasoner's answer."""
    return _MODEL.complete(prompt.messages()).text


def phrased(want: Want, calls: Mapping[str, str], rng: random.Random, exam: bool) -> str:
    """A want in words: plain now and then, else in a phrasing of the lessons or of the exam."""
    if not exam and rng.random() < 0.12:
        return want.plain()
    said = rng.choice((EXAM_PHRASINGS if exam else PHRASINGS)[want.kind])
    text = want.say(said, calls)
    return text[:1].upper() + text[1:] if rng.random() < 0.25 else text


@dataclass(frozen=True, slots=True)
class Drill:
    """Makes questions over rooms of some types, with the words of the lessons or of the exam."""

    rng: random.Random
    types: tuple[RoomType, ...]
    exam: bool = False

    @property
    def words(self) -> Words:
        """The words that rooms are made of."""
        return EXAM_WORDS if self.exam else LESSON_WORDS

    def room(self) -> Room:
        """A room, as its scan would tell it."""
        return make_room(self.rng.choice(self.types), self.words, self.rng)

    def step(self, scene: SceneText) -> Step:
        """Some step that the scene allows."""
        rng = self.rng
        while True:
            verb = rng.choice(tuple(Verb))
            first = self._fitting(verb, scene)
            second = self._second(verb, scene)
            if not first or (second is not None and not second):
                continue
            thing = rng.choice(first)
            other = rng.choice([n for n in second if n != thing] or [""]) if second else ""
            attribute = rng.choice(ATTRIBUTES) if verb is Verb.CHECK else ""
            if second is None or other:
                return Step(verb, thing, other, attribute)

    def _fitting(self, verb: Verb, scene: SceneText) -> tuple[str, ...]:
        uses = {
            Verb.OPEN: (Can.OPEN,),
            Verb.CLOSE: (Can.OPEN,),
            Verb.PULL: (Can.PULL,),
            Verb.PRESS: (Can.PRESS,),
            Verb.TURN: (Can.TURN,),
            Verb.LOOK_IN: (Can.OPEN,),
            Verb.LOOK_AT: tuple(Can),
            Verb.LOOK_FOR: tuple(Can),
            Verb.CHECK: tuple(Can),
        }
        return scene.that_can(*uses.get(verb, (Can.PICK,)))

    def _second(self, verb: Verb, scene: SceneText) -> tuple[str, ...] | None:
        if verb in (Verb.PUT_IN, Verb.TAKE_OUT):
            return scene.that_can(Can.PUT_IN)
        if verb is Verb.PUT_ON:
            return scene.that_can(Can.PUT_ON)
        return scene.places.known if verb in (Verb.PUT_BY, Verb.MOVE_AWAY) else None

    # ---- small questions about a step ----------------------------------------------------------

    def is_vision(self) -> Question:
        """Eyes or arm?"""
        step = self.step(self.room().world.scan())
        prompt = IsVisionPrompt(str(step))
        return Question(prompt.messages(), "yes" if step.looks else "no")

    def relocation(self) -> Question:
        """Does a thing change its place? Of a step, or of a whole instruction."""
        room = self.room()
        if self.rng.random() < 0.7:
            step = self.step(room.world.scan())
            return Question(
                RelocationPrompt(str(step)).messages(), "yes" if step.verb.carries else "no"
            )
        stays = (WantKind.FIND, WantKind.OPEN, WantKind.CLOSE, WantKind.USE, WantKind.UNLOCK)
        said = phrased(room.want, room.calls, self.rng, self.exam)
        if room.want.kind in (WantKind.PICK, WantKind.OPEN_BY_WEIGHT):
            return self.relocation()
        return Question(
            RelocationPrompt(said).messages(), "no" if room.want.kind in stays else "yes"
        )

    # ---- motions and rewards -------------------------------------------------------------------

    def motion_plan(self) -> Question:
        """How does the hand do this step, or this instruction?"""
        room, rng = self.room(), self.rng
        scene = room.world.scan()
        single = (
            WantKind.STORE, WantKind.PUT_ON, WantKind.PUT_BY, WantKind.OPEN, WantKind.CLOSE,
            WantKind.TAKE_OUT, WantKind.AWAY, WantKind.USE,
        )  # fmt: skip
        if rng.random() < 0.15 and room.want.kind in single and room.solvable:
            plain = MotionPlanPrompt(
                room.want.plain(), scene, relocates=room.want.kind not in single[3:5] + single[7:]
            )
            said = phrased(room.want, room.calls, rng, self.exam)
            return Question(replace(plain, action=said).messages(), _asked(plain))
        step = self.step(scene)
        others = tuple(str(self.step(scene)) for _ in range(rng.choice((0, 0, 1, 2))))
        plan = (*others, str(step)) if rng.random() < 0.8 else ()
        prompt = MotionPlanPrompt(str(step), scene, plan, (), step.verb.carries)
        return Question(prompt.messages(), _asked(prompt))

    def _motions(self) -> tuple[SceneText, Step, tuple[Motion, ...]]:
        rng = self.rng
        while True:
            scene = self.room().world.scan()
            step = self.step(scene)
            found = motions_of(step, Lexicon(scene), Belief())
            if isinstance(found, str):
                continue
            lines = list(found)
            if rng.random() < 0.25:
                name = rng.choice(scene.places.known)
                lines.append(
                    rng.choice(
                        (
                            Motion(Relation.HEIGHT, name, value=round(rng.uniform(0.1, 1.5), 1)),
                            Motion(Relation.TILT, name, value=float(rng.randrange(10, 181, 10))),
                            Motion(Relation.NEAR, PALM, name),
                        )
                    )
                )
            return scene, step, tuple(dict.fromkeys(lines))

    def rewards(self) -> Question:
        """The motion plan in calls."""
        scene, step, motions = self._motions()
        prompt = RewardsPrompt(str(step), motions, scene.places.known, scene.joints.known)
        return Question(prompt.messages(), _asked(prompt))

    def reward_step(self) -> Question:
        """Which line is this call for? For none, three times in ten."""
        rng = self.rng
        scene, _, motions = self._motions()
        chosen = rng.choice(motions)
        if rng.random() < 0.3:
            other = motions_of(self.step(scene), Lexicon(scene), Belief())
            chosen = chosen if isinstance(other, str) else rng.choice(other)
            if chosen.relation is Relation.NEAR and rng.random() < 0.5:
                chosen = replace(chosen, relation=Relation.FAR)
        call = reward_of(chosen)
        if rng.random() < 0.3:
            call = call[:-1] + ", primary_reward=True)"
        prompt = RewardStepPrompt(motions, call)
        return Question(prompt.messages(), _asked(prompt))

    def primary_step(self) -> Question:
        """Which line decides?"""
        _, step, motions = self._motions()
        prompt = PrimaryStepPrompt(str(step), motions)
        return Question(prompt.messages(), _asked(prompt))

    # ---- what eyes say -------------------------------------------------------------------------

    def _claim(self) -> tuple[SceneText, str, str, str, Step]:
        """A scene, a claim in its fixed form, its two names, and a step that it may hinder."""
        rng = self.rng
        while True:
            scene, form = self.room().world.truth, rng.choice((*SAYINGS, "{a} is blocking {b}"))
            things, opens = scene.that_can(Can.PICK), scene.that_can(Can.OPEN)
            places = scene.that_can(Can.PUT_ON) if form == "{a} is on {b}" else opens
            if len(things) < 2 or not places:
                continue
            a, moved = rng.sample(things, 2)
            b = rng.choice(places)
            if form == "{a} is on {b}":
                return scene, form, a, b, Step(Verb.PUT_ON, moved, b)
            if form == "{b} is closed":
                return scene, form, "", b, Step(Verb.PUT_IN, moved, b)
            if form == "{b} is locked":
                return scene, form, "", b, Step(Verb.OPEN, b)
            owner = scene.owner(b)
            handles = [joint.handle for joint in owner.joints] if owner is not None else []
            return scene, form, a, rng.choice((b, b, *handles)), Step(Verb.OPEN, b)

    def _say(self, form: str, a: str, b: str) -> str:
        table = EXAM_SAYINGS if self.exam else SAYINGS
        return self.rng.choice(table[form]).format(a=a, b=b)

    def _idle(self, scene: SceneText, but: tuple[str, ...]) -> str:
        others = [o.name for o in scene.objects if o.name not in but] or ["wall"]
        idle = EXAM_IDLE if self.exam else IDLE
        return self.rng.choice(idle).format(o=self.rng.choice(others))

    def reasons(self) -> Question:
        """What several answers come to: the claim of most, a second if it is nearly as frequent."""
        rng = self.rng
        scene, form, a, b, step = self._claim()
        said: list[tuple[str, str]] = []
        agreed = rng.choice((0, 1, 2, 3, 4, 6))
        said += [(form.format(a=a, b=b), self._say(form, a, b)) for _ in range(agreed)]
        rivals = [t for t in scene.that_can(Can.PICK) if t not in (a, str(step.object))]
        if a and rivals and rng.random() < 0.35:
            other = rng.choice(rivals)
            for _ in range(rng.choice((1, 1, 2, agreed))):
                said.append((form.format(a=other, b=b), self._say(form, other, b)))
        said += [("", self._idle(scene, (a, b))) for _ in range(rng.choice((0, 0, 1, 2)))]
        rng.shuffle(said)
        said = said or [("", self._idle(scene, (a, b)))]
        votes = Counter(claim for claim, _ in said if claim)
        ranked = votes.most_common(2)
        kept = [claim for claim, count in ranked if 2 * count > ranked[0][1]]
        answer = "\n".join(f"Reason: {claim}" for claim in kept) or "Reason: none"
        prompt = ReasonsPrompt(str(step), scene, tuple(text for _, text in said))
        return Question(prompt.messages(), answer)

    def _alias(self, name: str, names: tuple[str, ...]) -> str:
        """Another word for a name that still can mean no other; "" if there is none."""
        noun = kind_of(name)
        words = [word for n in names for word in n.split("_")]
        if words.count(noun) != 1:
            return ""
        calls = [noun] if noun != name and noun.isalpha() else []
        first = name.split("_", maxsplit=1)[0]
        for other in SYNONYMS.get(noun, ()):
            if other not in words:
                calls += [other] + ([f"{first} {other}"] if first != noun else [])
        return self.rng.choice(calls) if calls else ""

    def _sentence(self) -> tuple[tuple[str, ...], str, str, bool]:
        """Names, a sentence, the sentence with exact names, and whether it misnames something."""
        rng = self.rng
        scene, form, a, b, _ = self._claim()
        names = tuple(o.name for o in scene.objects)
        table = EXAM_SAYINGS if self.exam else SAYINGS
        said = rng.choice(table[form])
        said = said if said.endswith(".") else f"{said}."
        calls, wrong = {}, False
        for name in sorted({a, b} - {""}):
            draw = rng.random()
            alias = self._alias(name, names) if draw < 0.5 and name in names else ""
            if draw > 0.93:
                return names, said.format(a="spaceship", b="spaceship"), "", True
            calls[name] = alias or rng.choice((name, name.replace("_", " ")))
            wrong = wrong or bool(alias)
        sentence = said.format(a=calls.get(a, a), b=calls.get(b, b))
        places = scene.places.known
        return (places, sentence, said.format(a=a, b=b), wrong)

    def wrong_names(self) -> Question:
        """Does the sentence keep to the names?"""
        names, sentence, _, wrong = self._sentence()
        prompt = WrongNamesPrompt(sentence, names)
        return Question(prompt.messages(), "yes" if wrong else "no")

    def rewrite_names(self) -> Question:
        """The sentence with the names that the robot knows."""
        names, sentence, meant, _ = self._sentence()
        answer = f"Sentence: {meant}" if meant else "Cannot: no listed name is like what was named"
        return Question(RewriteNamesPrompt(sentence, names).messages(), answer)

    # ---- what to ask the eyes, and what follows ------------------------------------------------

    def question_type(self) -> Question:
        """Presence, attribute or neither."""
        rng, scene = self.rng, self.room().world.truth
        name, other = (rng.choice(scene.places.known) for _ in range(2))
        attributes = (
            *(f"What {p} is the {name}?" for p in ATTRIBUTES),
            f"Is the {name} open?",
            f"Is the {name} closed?",
            f"Which colour does the {name} have?",
            f"Is the {name} big or small?",
        )
        presence = (
            *(
                str(Sight(look, name, other))
                for look in Look
                if look not in (Look.ATTRIBUTE, Look.OPEN, Look.CLOSED)
            ),
            f"Is there anything on the {name}?",
            f"Where is the {name}?",
            f"Can you see the {name} anywhere?",
        )
        neither = (
            "What time is it?",
            f"Who owns the {name}?",
            f"How much does the {name} cost?",
            f"Why did the person buy the {name}?",
            f"How heavy is the {name}?",
            "What will happen tomorrow?",
            f"What does the {name} sound like?",
        )
        asks = rng.choice((Asks.ATTRIBUTE, Asks.PRESENCE, Asks.PRESENCE, Asks.NEITHER))
        table = {Asks.ATTRIBUTE: attributes, Asks.PRESENCE: presence, Asks.NEITHER: neither}
        return Question(QuestionTypePrompt(rng.choice(table[asks])).messages(), str(asks))

    def questions(self) -> Question:
        """What to ask about a looking step, or about the want itself."""
        rng, room = self.rng, self.room()
        scene, plain = room.world.scan(), room.want.plain()
        step = self.step(scene)
        whole = rng.random() < 0.5 or not step.looks
        prompt = QuestionsPrompt(plain, scene, plain if whole else str(step), ())
        said = phrased(room.want, room.calls, rng, self.exam)
        answer = _asked(prompt)
        asked = replace(prompt, goal=said, action=said if whole else prompt.action)
        if not isinstance(asked.parse(answer), tuple):
            return self.questions()
        return Question(asked.messages(), answer)

    def completed(self) -> Question:
        """Is the want fulfilled, given answers that show it, deny it, or are about other things?"""
        rng, room = self.rng, self.room()
        scene, plain = room.world.scan(), room.want.plain()
        words = Lexicon(scene)
        goals = read_instruction(plain, words).goals
        checks = [sight for goal in goals for sight, _ in goal_checks(goal, words, Belief())]
        answers = [Observation(str(s), rng.choice(("yes", "no", "no", "unknown"))) for s in checks]
        for _ in range(rng.choice((0, 0, 1, 2))):
            name = rng.choice(scene.places.known)
            extra = rng.choice((f"Do you see the {name}?", f"Is the {name} open?"))
            answers.append(Observation(extra, rng.choice(("yes", "no", "unknown"))))
        rng.shuffle(answers)
        if not answers or len({a.question for a in answers}) < len(answers):
            return self.completed()
        plan = tuple(str(self.step(scene)) for _ in range(rng.choice((0, 1, 2, 3))))
        prompt = CompletedPrompt(plain, scene, tuple(answers), plan)
        said = phrased(room.want, room.calls, rng, self.exam)
        return Question(replace(prompt, action=said).messages(), _asked(prompt))


DRILLS: Mapping[str, Callable[[Drill], Question]] = {
    "is_vision": Drill.is_vision,
    "relocation": Drill.relocation,
    "motion_plan": Drill.motion_plan,
    "rewards": Drill.rewards,
    "reward_step": Drill.reward_step,
    "primary_step": Drill.primary_step,
    "reasons": Drill.reasons,
    "wrong_names": Drill.wrong_names,
    "rewrite_names": Drill.rewrite_names,
    "question_type": Drill.question_type,
    "questions": Drill.questions,
    "completed": Drill.completed,
}
"""Every family that is drilled."""
