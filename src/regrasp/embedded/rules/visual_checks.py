"""Questions to the vision model, and conclusions from its answers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.belief import SceneBelief, read_step
from regrasp.embedded.rules.claims import ClaimKind, SceneClaim, read_claims
from regrasp.embedded.rules.goals import GoalKind, RuleGoal
from regrasp.embedded.rules.instructions import Instruction
from regrasp.embedded.rules.planning import alike
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.prompts.observations import Observation
from regrasp.prompts.question_type import QuestionType
from regrasp.prompts.questions import MOST_QUESTIONS
from regrasp.prompts.reasons import MOST_REASONS
from regrasp.prompts.steps import Likeness, Step, Verb
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion
from regrasp.prompts.visual_question_parser import parse_visual_question

__all__ = ["causes", "goal_checks", "question_type", "step_questions", "verdict"]


def goal_checks(goal: RuleGoal, belief: SceneBelief) -> tuple[tuple[VisualQuestion, bool], ...]:
    """Questions that show whether a goal holds, with the required answer."""
    if isinstance(goal.thing, Likeness):
        goal = replace(goal, thing=alike(goal.thing, belief) or "")
        if not goal.thing:
            return ()
    thing, place = str(goal.thing), goal.place
    match goal.kind:
        case GoalKind.GO:
            return ()
        case GoalKind.REMOVE if place:
            within = belief.words.can(place, Affordance.PUT_IN)
            look = ObjectQuestion.INSIDE if within else ObjectQuestion.ON
            return ((VisualQuestion(look, thing, place), False),)
        case GoalKind.AWAY:
            return ((VisualQuestion(ObjectQuestion.BLOCKING, thing, place), False),)
        case GoalKind.CLEAR | GoalKind.ROOM:
            return tuple((sight, False) for sight in _clutter(goal, belief.words))
    return ((goal.question, True),) if goal.question else ()


def _clutter(goal: RuleGoal, words: SceneLexicon) -> list[VisualQuestion]:
    look = ObjectQuestion.ON
    if goal.kind is GoalKind.ROOM:
        look = ObjectQuestion.IN_FRONT
    elif words.can(goal.place, Affordance.OPEN):
        look = ObjectQuestion.INSIDE
    movers = [n for n in words.scene.that_can(Affordance.PICK) if n != goal.place]
    return [VisualQuestion(look, name, goal.place) for name in movers]


def _around(name: str, thing: str, words: SceneLexicon) -> list[VisualQuestion]:
    """Is anything in the way of `name`, or on it? Not `thing`, which belongs there."""
    opens = words.can(name, Affordance.OPEN)
    look = ObjectQuestion.BLOCKING if opens else ObjectQuestion.ON
    movers = [n for n in words.scene.that_can(Affordance.PICK) if n not in (name, thing)]
    asked = [VisualQuestion(look, other, name) for other in movers]
    if opens and len(asked) < MOST_QUESTIONS:
        asked.insert(0, VisualQuestion(ObjectQuestion.OPEN, name))
    return asked


def step_questions(
    step: Step, instruction: Instruction, belief: SceneBelief
) -> tuple[VisualQuestion, ...]:
    """The questions of a looking step: about the objects of the goal, in the place it looks at."""
    name = str(step.object)
    if step.verb is Verb.CHECK:
        if (name, step.attribute) in belief.attributes:
            return ()
        return (VisualQuestion(ObjectQuestion.ATTRIBUTE, name, attribute=step.attribute),)
    if step.verb is Verb.LOOK_FOR:
        return (VisualQuestion(ObjectQuestion.SEEN, name),)
    asked: list[VisualQuestion] = []
    for goal in instruction.goals:
        if goal.kind in (GoalKind.CLEAR, GoalKind.ROOM):
            clutter = _clutter(goal, belief.words)
            asked += [s for s in clutter if str(s) not in belief.absent] or clutter
        elif step.verb is Verb.LOOK_IN and not isinstance(goal.thing, Likeness) and goal.thing:
            asked.append(VisualQuestion(ObjectQuestion.SEEN, goal.thing))
        elif step.verb is Verb.LOOK_AT:
            asked += _around(name, str(goal.thing), belief.words)
    return tuple(dict.fromkeys(asked))[:MOST_QUESTIONS]


def verdict(
    action: str, instruction: Instruction, answers: tuple[Observation, ...], belief: SceneBelief
) -> tuple[str, RuleGoal | None]:
    """Whether an action or goal is done (`yes`, `no`, `unknown`), and the goal that is not."""
    known = {a.question: a.answer.strip().lower() for a in answers}
    answered = [text for text in known.values() if text and not text.startswith("unknown")]
    step = read_step(action, belief.words)
    if step is not None and step.looks and step.verb is not Verb.LOOK_FOR:
        return ("yes" if answered else "unknown"), None
    goals = instruction.goals
    if step is not None and step.verb is Verb.LOOK_FOR:
        goals = (RuleGoal(GoalKind.FIND, step.object),)
    verdicts: list[str] = []
    for goal in goals:
        checks = goal_checks(goal, belief)
        met = [_met(sight, needed, known) for sight, needed in checks]
        if "no" in met or ("yes" not in met and _outside(goal, belief)):
            return "no", goal
        verdicts.append("yes" if met and all(m == "yes" for m in met) else "unknown")
    return ("yes" if verdicts and set(verdicts) == {"yes"} else "unknown"), None


def _outside(goal: RuleGoal, belief: SceneBelief) -> bool:
    """Whether an object that should be in a place was seen while that place was shut."""
    place = belief.words.scene.owner(goal.place)
    shut = place is not None and place.state == "closed" and place.name not in belief.open
    return shut and goal.kind is GoalKind.PUT_IN and belief.seen.get(str(goal.thing), False)


def _met(sight: VisualQuestion, needed: bool, known: dict[str, str]) -> str:
    for question, answer in known.items():
        asked = parse_visual_question(question)
        if asked == sight and answer.startswith(("yes", "no")):
            return "yes" if answer.startswith("yes") is needed else "no"
    return "unknown"


def question_type(question: str) -> QuestionType:
    """The topic of a question."""
    sight = parse_visual_question(question)
    if sight is not None:
        like = sight.template in (
            ObjectQuestion.ATTRIBUTE,
            ObjectQuestion.OPEN,
            ObjectQuestion.CLOSED,
        )
        return QuestionType.ATTRIBUTE if like else QuestionType.PRESENCE
    text = question.lower()
    if re.search(r"\b(colou?r|size|shape|material|state|open|closed|big|small|full|empty)\b", text):
        return QuestionType.ATTRIBUTE
    if re.search(
        r"\b(see|there|where|visible|on|in|inside|near|next|block\w*|front|holding)\b", text
    ):
        return QuestionType.PRESENCE
    return QuestionType.NEITHER


def causes(
    action: str, explanations: tuple[str, ...], words: SceneLexicon
) -> tuple[SceneClaim, ...]:
    """The claims about a failed action that most explanations agree on, at most two."""
    step = read_step(action, words)
    about = {words.owner(n) for n in (str(step.object), step.other) if n} if step else set()
    target = words.owner(step.other or str(step.object)) if step else ""
    votes: Counter[tuple[ClaimKind, str, str]] = Counter()
    wordings: dict[tuple[ClaimKind, str, str], Counter[SceneClaim]] = {}
    for text in explanations:
        for claim in read_claims(text, words, target):
            if not _matters(claim, step, about, words):
                continue
            key = (claim.kind, claim.a, words.owner(claim.b) if claim.b else "")
            votes[key] += 1
            wordings.setdefault(key, Counter())[claim] += 1
    ranked = votes.most_common(MOST_REASONS)
    kept = [key for key, count in ranked if 2 * count > ranked[0][1]]
    return tuple(max(wordings[k].items(), key=lambda i: (i[1], len(i[0].b)))[0] for k in kept)


def _matters(claim: SceneClaim, step: Step | None, about: set[str], words: SceneLexicon) -> bool:
    """Whether a claim can be the cause of the failed step."""
    if step is None:
        return True
    if claim.kind is ClaimKind.CLOSED:
        return step.verb is not Verb.OPEN and words.owner(claim.a) in about
    if claim.kind in (ClaimKind.LOCKED, ClaimKind.UNLOCKS):
        return words.owner(claim.b or claim.a) in about
    if claim.kind is ClaimKind.INSIDE and step.verb is Verb.OPEN:
        return False
    moved = str(step.object) if step.verb.carries else ""
    return claim.a != moved and words.owner(claim.b) in about
