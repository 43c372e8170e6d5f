"""What to ask the eyes, and what their answers come to."""

from __future__ import annotations

import re
from collections import Counter

from regrasp.embedded.rules.belief import Belief, read_step
from regrasp.embedded.rules.claims import Claim, Says, read_claims
from regrasp.embedded.rules.goals import Goal, Wants
from regrasp.embedded.rules.instructions import Instruction
from regrasp.embedded.rules.planning import alike
from regrasp.embedded.rules.words import Lexicon
from regrasp.prompts.observations import Observation
from regrasp.prompts.question_type import Asks
from regrasp.prompts.questions import MOST_QUESTIONS
from regrasp.prompts.reading import read_sight
from regrasp.prompts.replan import MOST_REASONS
from regrasp.prompts.scene import Can
from regrasp.prompts.sight import Look, Sight
from regrasp.prompts.steps import Likeness, Step, Verb

__all__ = ["causes", "goal_checks", "question_type", "step_questions", "verdict"]

_RELATED = {Wants.PUT_IN: Look.INSIDE, Wants.PUT_ON: Look.ON, Wants.PUT_BY: Look.NEXT_TO}


def goal_checks(goal: Goal, words: Lexicon, belief: Belief) -> tuple[tuple[Sight, bool], ...]:
    """Questions that show whether a goal holds, with the answer that it needs."""
    thing = goal.thing
    if isinstance(thing, Likeness):
        thing = alike(thing, words, belief) or ""
        if not thing:
            return ()
    match goal.wants:
        case Wants.FIND:
            return ((Sight(Look.SEEN, thing), True),)
        case Wants.OPEN:
            return ((Sight(Look.OPEN, goal.place), True),)
        case Wants.CLOSE:
            return ((Sight(Look.CLOSED, goal.place), True),)
        case Wants.PUT_IN | Wants.PUT_ON | Wants.PUT_BY:
            return ((Sight(_RELATED[goal.wants], thing, goal.place), True),)
        case Wants.REMOVE if goal.place:
            place = words.scene.owner(goal.place)
            within = place is not None and Can.PUT_IN in place.can
            return ((Sight(Look.INSIDE if within else Look.ON, thing, goal.place), False),)
        case Wants.AWAY:
            return ((Sight(Look.BLOCKING, thing, goal.place), False),)
        case Wants.PICK:
            return ((Sight(Look.HELD, thing), True),)
        case Wants.CLEAR | Wants.ROOM:
            return tuple((sight, False) for sight in _clutter(goal, words))
    return ()


def _clutter(goal: Goal, words: Lexicon) -> list[Sight]:
    place = words.scene.owner(goal.place)
    within = place is not None and Can.OPEN in place.can
    look = Look.IN_FRONT if goal.wants is Wants.ROOM else Look.INSIDE if within else Look.ON
    movers = [n for n in words.scene.that_can(Can.PICK) if n != goal.place]
    return [Sight(look, name, goal.place) for name in movers]


def _around(name: str, thing: str, words: Lexicon) -> list[Sight]:
    """Is anything in the way of `name`, or on it? Not `thing`, which belongs there."""
    line = words.scene.owner(name)
    opens = line is not None and Can.OPEN in line.can
    movers = [n for n in words.scene.that_can(Can.PICK) if n not in (name, thing)]
    asked = [Sight(Look.BLOCKING if opens else Look.ON, other, name) for other in movers]
    return [Sight(Look.OPEN, name), *asked] if opens and len(asked) < MOST_QUESTIONS else asked


def step_questions(
    step: Step, instruction: Instruction, words: Lexicon, belief: Belief
) -> tuple[Sight, ...]:
    """What to ask at a looking step: for what the goal is after, in the place it looks at."""
    name = str(step.object)
    if step.verb is Verb.CHECK:
        known = (name, step.attribute) in belief.attributes
        return () if known else (Sight(Look.ATTRIBUTE, name, attribute=step.attribute),)
    if step.verb is Verb.LOOK_FOR:
        return (Sight(Look.SEEN, name),)
    asked: list[Sight] = []
    for goal in instruction.goals:
        if goal.wants in (Wants.CLEAR, Wants.ROOM):
            open_ones = [s for s in _clutter(goal, words) if str(s) not in belief.absent]
            asked += open_ones or _clutter(goal, words)
        elif step.verb is Verb.LOOK_IN and not isinstance(goal.thing, Likeness) and goal.thing:
            asked.append(Sight(Look.SEEN, goal.thing))
        elif step.verb is Verb.LOOK_AT:
            asked += _around(name, str(goal.thing), words)
    return tuple(dict.fromkeys(asked))[:MOST_QUESTIONS]


def verdict(
    action: str,
    instruction: Instruction,
    answers: tuple[Observation, ...],
    words: Lexicon,
    belief: Belief,
) -> tuple[str, Goal | None]:
    """Whether an action or goal is done (`yes`, `no`, `unknown`), and the goal that is not."""
    known = {a.question: a.answer.strip().lower() for a in answers}
    told = [text for text in known.values() if text and not text.startswith("unknown")]
    step = read_step(action, words)
    if step is not None and step.looks and step.verb is not Verb.LOOK_FOR:
        return ("yes" if told else "unknown"), None
    goals = instruction.goals
    if step is not None and step.verb is Verb.LOOK_FOR:
        goals = (Goal(Wants.FIND, step.object),)
    said: list[str] = []
    for goal in goals:
        checks = goal_checks(goal, words, belief)
        met = [_met(sight, needed, known) for sight, needed in checks]
        if "no" in met or ("yes" not in met and _outside(goal, words, belief)):
            return "no", goal
        said.append("yes" if met and all(m == "yes" for m in met) else "unknown")
    return ("yes" if said and set(said) == {"yes"} else "unknown"), None


def _outside(goal: Goal, words: Lexicon, belief: Belief) -> bool:
    """Whether what should be in a place was seen while that place was shut."""
    place = words.scene.owner(goal.place)
    shut = place is not None and place.now == "closed" and place.name not in belief.open
    return shut and goal.wants is Wants.PUT_IN and belief.seen.get(str(goal.thing), False)


def _met(sight: Sight, needed: bool, known: dict[str, str]) -> str:
    for question, answer in known.items():
        asked = read_sight(question)
        if asked == sight and answer.startswith(("yes", "no")):
            return "yes" if answer.startswith("yes") is needed else "no"
    return "unknown"


def question_type(question: str) -> Asks:
    """What a question is about."""
    sight = read_sight(question)
    if sight is not None:
        like = sight.look in (Look.ATTRIBUTE, Look.OPEN, Look.CLOSED)
        return Asks.ATTRIBUTE if like else Asks.PRESENCE
    text = question.lower()
    if re.search(r"\b(colou?r|size|shape|material|state|open|closed|big|small|full|empty)\b", text):
        return Asks.ATTRIBUTE
    if re.search(
        r"\b(see|there|where|visible|on|in|inside|near|next|block\w*|front|holding)\b", text
    ):
        return Asks.PRESENCE
    return Asks.NEITHER


def causes(action: str, explanations: tuple[str, ...], words: Lexicon) -> tuple[Claim, ...]:
    """The claims about a failed action that most explanations agree on, at most two."""
    step = read_step(action, words)
    about = {words.owner(n) for n in (str(step.object), step.other) if n} if step else set()
    target = words.owner(step.other or str(step.object)) if step else ""
    votes: Counter[tuple[Says, str, str]] = Counter()
    wordings: dict[tuple[Says, str, str], Counter[Claim]] = {}
    for text in explanations:
        for claim in read_claims(text, words, target):
            if not _matters(claim, step, about, words):
                continue
            key = (claim.says, claim.a, words.owner(claim.b) if claim.b else "")
            votes[key] += 1
            wordings.setdefault(key, Counter())[claim] += 1
    ranked = votes.most_common(MOST_REASONS)
    kept = [key for key, count in ranked if 2 * count > ranked[0][1]]
    return tuple(max(wordings[k].items(), key=lambda i: (i[1], len(i[0].b)))[0] for k in kept)


def _matters(claim: Claim, step: Step | None, about: set[str], words: Lexicon) -> bool:
    """Whether a claim can be why the step failed."""
    if step is None:
        return True
    if claim.says is Says.CLOSED:
        return step.verb is not Verb.OPEN and words.owner(claim.a) in about
    if claim.says in (Says.LOCKED, Says.UNLOCKS):
        return words.owner(claim.b or claim.a) in about
    if claim.says is Says.INSIDE and step.verb is Verb.OPEN:
        return False
    moved = str(step.object) if step.verb.carries else ""
    return claim.a != moved and words.owner(claim.b) in about
