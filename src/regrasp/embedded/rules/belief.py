"""The belief that follows from the observations and failed attempts of a prompt, in their order."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from regrasp.embedded.rules.claims import ClaimKind, SceneClaim, read_claims
from regrasp.embedded.rules.words import COLOURS, SceneLexicon
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.observations import Observation
from regrasp.prompts.parsing import Line
from regrasp.prompts.steps import Step, Verb, parse_step
from regrasp.prompts.visual_question import ObjectQuestion, QuestionTemplate
from regrasp.prompts.visual_question_parser import parse_visual_question

__all__ = ["SceneBelief", "believe", "read_step"]

_CLUMSY = re.compile(r"not[ _]grasped|dropped|slipped|lost|missed|timed?[ _]out|out of time", re.I)
_SPELT = {"gray": "grey", "gold": "golden"}
_USES = (Verb.PULL, Verb.PRESS, Verb.TURN)


@dataclass(slots=True)
class SceneBelief:
    """Facts believed true now, and the attempts so far. Names of objects, not of parts."""

    words: SceneLexicon
    open: set[str] = field(default_factory=set)
    blocks: list[tuple[str, str]] = field(default_factory=list)  # obstacle, blocked part
    on: list[tuple[str, str]] = field(default_factory=list)
    inside: list[tuple[str, str]] = field(default_factory=list)
    front: list[tuple[str, str]] = field(default_factory=list)
    locked: set[str] = field(default_factory=set)
    unlocks: list[tuple[str, str]] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)
    looked: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    unexplained: Counter[str] = field(default_factory=Counter)  # failed steps with no cause
    attributes: dict[tuple[str, str], str] = field(default_factory=dict)
    seen: dict[str, bool] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)  # relations that the vision model denied

    def attribute(self, name: str, which: str) -> str:
        """The attribute of `name`, as seen, or for a colour as in its name; "" if not known."""
        observed = self.attributes.get((name, which), "")
        words = [word for word in name.lower().split("_") if word in COLOURS]
        return observed or (_SPELT.get(words[0], words[0]) if which == "colour" and words else "")

    def forget(self, thing: str) -> None:
        """`thing` was moved: its earlier place no longer holds."""
        for facts in (self.blocks, self.on, self.inside, self.front):
            facts[:] = [fact for fact in facts if fact[0] != thing]


def read_step(text: str, words: SceneLexicon) -> Step | None:
    """The step that a line of a prompt states, or None."""
    step = parse_step(text, Line(text.strip(), 0), words.scene)
    return step if isinstance(step, Step) else None


def believe(
    words: SceneLexicon, observations: tuple[Observation, ...], attempts: tuple[FailedAttempt, ...]
) -> SceneBelief:
    """Apply attempts from the oldest on, then observations, then the present scan.

    A prompt does not give the time of an observation. Applied last, an old observation costs at
    most a needless step; applied first, it could be overruled by a step that did nothing.
    """
    belief = SceneBelief(words)
    for attempt in attempts:
        for did in attempt.did:
            if (step := read_step(did, words)) is not None:
                _did(belief, step)
        failed = read_step(attempt.failed, words) if attempt.failed else None
        target = words.owner(failed.other or str(failed.object)) if failed is not None else ""
        claims = [c for why in attempt.reasons for c in read_claims(why, words, target)]
        for claim in claims:
            _hold(belief, claim)
        if failed is not None:
            if failed.verb is Verb.OPEN:
                belief.open.discard(target)
            if not claims and not _CLUMSY.search(attempt.robot):
                belief.unexplained[str(failed)] += 1
        elif attempt.did:
            belief.unexplained[attempt.did[-1]] += 1
    for observation in observations:
        _observe(belief, observation)
    for thing in words.scene.objects:
        if thing.state == "open":
            belief.open.add(thing.name)
        elif thing.state == "closed":
            belief.open.discard(thing.name)
    return belief


def _add(facts: list[tuple[str, str]], fact: tuple[str, str]) -> None:
    if fact not in facts:
        facts.append(fact)


def _observe(belief: SceneBelief, observation: Observation) -> None:
    words = belief.words
    sight = parse_visual_question(observation.question)
    if sight is None:
        for claim in read_claims(observation.answer, words):
            _hold(belief, claim)
        return
    name = words.find(sight.object) or sight.object
    other = (words.find(sight.other) or sight.other) if sight.other else ""
    answer = observation.answer.strip().lower().rstrip(".")
    if sight.template is ObjectQuestion.ATTRIBUTE:
        answer_words = answer.split()
        colours = [word for word in answer_words if word in COLOURS]
        value = (colours if sight.attribute == "colour" and colours else answer_words)[:1]
        if value and value[0] != "unknown":
            belief.attributes[name, sight.attribute] = _SPELT.get(value[0], value[0])
        return
    yes, no = answer.startswith("yes"), answer.startswith("no")
    relations: dict[QuestionTemplate, list[tuple[str, str]]] = {
        ObjectQuestion.ON: belief.on,
        ObjectQuestion.INSIDE: belief.inside,
        ObjectQuestion.BLOCKING: belief.blocks,
        ObjectQuestion.IN_FRONT: belief.front,
    }
    facts = relations.get(sight.template)
    if facts is not None:
        if yes:
            _add(facts, (name, other))
        elif no:
            belief.absent.add(observation.question)
            if facts is not belief.blocks:  # a cause found since then has priority
                facts[:] = [fact for fact in facts if fact != (name, other)]
    elif sight.template is ObjectQuestion.SEEN and (yes or no):
        belief.seen[name] = yes
    elif sight.template in (ObjectQuestion.OPEN, ObjectQuestion.CLOSED) and (yes or no):
        opened = yes is (sight.template is ObjectQuestion.OPEN)
        (belief.open.add if opened else belief.open.discard)(words.owner(name))


def _did(belief: SceneBelief, step: Step) -> None:
    name, words = str(step.object), belief.words
    belief.done.append(str(step))
    if step.verb is Verb.OPEN:
        belief.open.add(words.owner(name))
        belief.locked.discard(words.owner(name))
        belief.blocks = [b for b in belief.blocks if words.owner(b[1]) != words.owner(name)]
    elif step.verb is Verb.CLOSE:
        belief.open.discard(words.owner(name))
    elif step.verb in _USES:
        belief.used.append(name)
    elif step.verb is Verb.LOOK_IN:
        belief.searched.append(words.owner(name))
    elif step.verb in (Verb.LOOK_AT, Verb.LOOK_FOR):
        belief.looked.append(name)
    elif step.verb.carries or step.verb in (Verb.PICK, Verb.LIFT):
        belief.forget(name)
        if step.verb is Verb.PUT_ON:
            belief.on.append((name, step.other))
        elif step.verb is Verb.PUT_IN:
            belief.inside.append((name, words.owner(step.other)))


def _hold(belief: SceneBelief, claim: SceneClaim) -> None:
    relations = {
        ClaimKind.BLOCKS: belief.blocks,
        ClaimKind.ON: belief.on,
        ClaimKind.INSIDE: belief.inside,
        ClaimKind.UNLOCKS: belief.unlocks,
    }
    if claim.kind in relations:
        _add(relations[claim.kind], (claim.a, claim.b))
    if claim.kind is ClaimKind.UNLOCKS:
        belief.locked.add(claim.b)
        belief.used = [name for name in belief.used if name != claim.a]
    elif claim.kind is ClaimKind.LOCKED:
        belief.locked.add(claim.a)
    elif claim.kind is ClaimKind.CLOSED:
        belief.open.discard(belief.words.owner(claim.a))
