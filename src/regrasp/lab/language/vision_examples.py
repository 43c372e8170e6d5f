"""Examples about answers of a vision model: claims, wrong names, questions, conclusions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from regrasp.core.object_description import Affordance, kind_of
from regrasp.embedded.rules.belief import SceneBelief
from regrasp.embedded.rules.instructions import read_instruction
from regrasp.embedded.rules.visual_checks import goal_checks
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.lab.language.example_source import ExampleSource, scripted
from regrasp.lab.language.phrasings import phrased
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.statements import HELD_OUT_IDLE, HELD_OUT_STATEMENTS, IDLE, STATEMENTS
from regrasp.lab.language.vocabulary import SYNONYMS
from regrasp.prompts.completed import CompletedPrompt
from regrasp.prompts.observations import Observation
from regrasp.prompts.question_type import QuestionType, QuestionTypePrompt
from regrasp.prompts.questions import QuestionsPrompt
from regrasp.prompts.reasons import ReasonsPrompt
from regrasp.prompts.rewrite_names import RewriteNamesPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import ATTRIBUTES, Step, Verb
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion
from regrasp.prompts.wrong_names import WrongNamesPrompt

__all__ = ["completed", "question_type", "questions", "reasons", "rewrite_names", "wrong_names"]


def _claim(drill: ExampleSource) -> tuple[SceneDescription, str, str, str, Step]:
    """A scene, a claim in its fixed form, its two names, and a step that it may prevent."""
    rng = drill.rng
    while True:
        scene, form = drill.room().world.truth, rng.choice((*STATEMENTS, "{a} is blocking {b}"))
        things, opens = scene.that_can(Affordance.PICK), scene.that_can(Affordance.OPEN)
        places = scene.that_can(Affordance.PUT_ON) if form == "{a} is on {b}" else opens
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


def _statement(drill: ExampleSource, form: str, a: str, b: str) -> str:
    table = HELD_OUT_STATEMENTS if drill.held_out else STATEMENTS
    return drill.rng.choice(table[form]).format(a=a, b=b)


def _idle(drill: ExampleSource, scene: SceneDescription, but: tuple[str, ...]) -> str:
    others = [o.name for o in scene.objects if o.name not in but] or ["wall"]
    idle = HELD_OUT_IDLE if drill.held_out else IDLE
    return drill.rng.choice(idle).format(o=drill.rng.choice(others))


def reasons(drill: ExampleSource) -> LanguageExample:
    """The claim of several answers: the most frequent, and a second if nearly as frequent."""
    rng = drill.rng
    scene, form, a, b, step = _claim(drill)
    said: list[tuple[str, str]] = []
    agreed = rng.choice((0, 1, 2, 3, 4, 6))
    said += [(form.format(a=a, b=b), _statement(drill, form, a, b)) for _ in range(agreed)]
    rivals = [t for t in scene.that_can(Affordance.PICK) if t not in (a, str(step.object))]
    if a and rivals and rng.random() < 0.35:
        other = rng.choice(rivals)
        for _ in range(rng.choice((1, 1, 2, agreed))):
            said.append((form.format(a=other, b=b), _statement(drill, form, other, b)))
    said += [("", _idle(drill, scene, (a, b))) for _ in range(rng.choice((0, 0, 1, 2)))]
    rng.shuffle(said)
    said = said or [("", _idle(drill, scene, (a, b)))]
    votes = Counter(claim for claim, _ in said if claim)
    ranked = votes.most_common(2)
    kept = [claim for claim, count in ranked if 2 * count > ranked[0][1]]
    answer = "\n".join(f"Reason: {claim}" for claim in kept) or "Reason: none"
    prompt = ReasonsPrompt(str(step), scene, tuple(text for _, text in said))
    return LanguageExample(prompt.messages(), answer)


def _alias(drill: ExampleSource, name: str, names: tuple[str, ...]) -> str:
    """An unambiguous synonym of a name; "" if there is none."""
    noun = kind_of(name)
    words = [word for n in names for word in n.split("_")]
    if words.count(noun) != 1:
        return ""
    calls = [noun] if noun != name and noun.isalpha() else []
    first = name.split("_", maxsplit=1)[0]
    for other in SYNONYMS.get(noun, ()):
        if other not in words:
            calls += [other] + ([f"{first} {other}"] if first != noun else [])
    return drill.rng.choice(calls) if calls else ""


def _sentence(drill: ExampleSource) -> tuple[tuple[str, ...], str, str, bool]:
    """Names, a sentence, the sentence with exact names, and whether it misnames something."""
    rng = drill.rng
    scene, form, a, b, _ = _claim(drill)
    names = tuple(o.name for o in scene.objects)
    table = HELD_OUT_STATEMENTS if drill.held_out else STATEMENTS
    said = rng.choice(table[form])
    said = said if said.endswith(".") else f"{said}."
    calls, wrong = {}, False
    for name in sorted({a, b} - {""}):
        draw = rng.random()
        alias = _alias(drill, name, names) if draw < 0.5 and name in names else ""
        if draw > 0.93:
            gone = rng.choice(drill.words.gone)
            return names, said.format(a=gone, b=gone), "", True
        calls[name] = alias or rng.choice((name, name.replace("_", " ")))
        wrong = wrong or bool(alias)
    sentence = said.format(a=calls.get(a, a), b=calls.get(b, b))
    places = scene.places.known
    return (places, sentence, said.format(a=a, b=b), wrong)


def wrong_names(drill: ExampleSource) -> LanguageExample:
    """Does the sentence use the exact names?"""
    names, sentence, _, wrong = _sentence(drill)
    prompt = WrongNamesPrompt(sentence, names)
    return LanguageExample(prompt.messages(), "yes" if wrong else "no")


def rewrite_names(drill: ExampleSource) -> LanguageExample:
    """The sentence with the names that the robot knows."""
    names, sentence, meant, _ = _sentence(drill)
    answer = f"Sentence: {meant}" if meant else "Cannot: no listed name is like what was named"
    return LanguageExample(RewriteNamesPrompt(sentence, names).messages(), answer)


def question_type(drill: ExampleSource) -> LanguageExample:
    """Presence, attribute or neither."""
    rng, scene = drill.rng, drill.room().world.truth
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
            str(VisualQuestion(look, name, other))
            for look in ObjectQuestion
            if look not in (ObjectQuestion.ATTRIBUTE, ObjectQuestion.OPEN, ObjectQuestion.CLOSED)
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
    asks = rng.choice(
        (QuestionType.ATTRIBUTE, QuestionType.PRESENCE, QuestionType.PRESENCE, QuestionType.NEITHER)
    )
    table = {
        QuestionType.ATTRIBUTE: attributes,
        QuestionType.PRESENCE: presence,
        QuestionType.NEITHER: neither,
    }
    return LanguageExample(QuestionTypePrompt(rng.choice(table[asks])).messages(), str(asks))


def questions(drill: ExampleSource) -> LanguageExample:
    """The questions for a looking step, or for the goal itself."""
    rng, room = drill.rng, drill.room()
    scene, plain = room.world.scan(), room.want.plain()
    step = drill.step(scene)
    whole = rng.random() < 0.5 or not step.looks
    prompt = QuestionsPrompt(plain, scene, plain if whole else str(step), ())
    said = phrased(room.want, room.calls, rng, drill.held_out)
    answer = scripted(prompt)
    asked = replace(prompt, goal=said, action=said if whole else prompt.action)
    if not isinstance(asked.parse(answer), tuple):
        return questions(drill)
    return LanguageExample(asked.messages(), answer)


def completed(drill: ExampleSource) -> LanguageExample:
    """Is the goal reached, given answers that confirm it, deny it, or are about other objects?"""
    rng, room = drill.rng, drill.room()
    scene, plain = room.world.scan(), room.want.plain()
    words = SceneLexicon(scene)
    goals = read_instruction(plain, words).goals
    checks = [sight for goal in goals for sight, _ in goal_checks(goal, SceneBelief(words))]
    answers = [Observation(str(s), rng.choice(("yes", "no", "no", "unknown"))) for s in checks]
    for _ in range(rng.choice((0, 0, 1, 2))):
        name = rng.choice(scene.places.known)
        extra = rng.choice((f"Do you see the {name}?", f"Is the {name} open?"))
        answers.append(Observation(extra, rng.choice(("yes", "no", "unknown"))))
    rng.shuffle(answers)
    if not answers or len({a.question for a in answers}) < len(answers):
        return completed(drill)
    plan = tuple(str(drill.step(scene)) for _ in range(rng.choice((0, 1, 2, 3))))
    prompt = CompletedPrompt(plain, scene, tuple(answers), plan)
    said = phrased(room.want, room.calls, rng, drill.held_out)
    return LanguageExample(replace(prompt, action=said).messages(), scripted(prompt))
