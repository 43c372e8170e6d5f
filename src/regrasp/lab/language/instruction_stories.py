"""Long texts with one request inside, or with none: most of what is said asks for nothing."""

from __future__ import annotations

import random

from regrasp.lab.language.instruction_parts import SpokenInstruction, english_speaker
from regrasp.lab.language.instruction_worlds import make_world
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.goal import DeclineReason

__all__ = ["story"]

_BEFORE = (
    "My sister gave me {x} last summer.", "I bought {x} at the market and it was cheap.",
    "We had a lovely evening yesterday.", "The children played with {x} all morning.",
    "I have been on my feet since six.", "{x} used to belong to my uncle.",
    "You did a great job yesterday, by the way.", "I still remember where we found {x}.",
    "It rained so hard that the cellar is wet.", "My neighbour always admires {x}.",
    "I was on the phone for an hour.", "Somebody moved {x} yesterday, I don't know who.",
    "I never liked {x} much.", "The meeting was long and boring.", "Guests are coming at seven.",
    "I thought about selling {x} once.", "The cat slept next to {x} the whole day.",
    "My back hurts again.", "This morning {x} was still somewhere else.",
    "Anna says hello.", "I had {x} in my hand a minute ago.", "What a day.",
    "Last week we nearly lost {x}.", "I don't care about {x} at the moment.",
    "There was a sale in town and I couldn't resist.", "{x} looks good where it is.",
    "The doctor told me not to lift anything heavy.", "Mum wanted {x} back, but not today.",
)  # fmt: skip
_BEHIND = (
    "I'll be in the next room.", "That's all for now.", "Then I can finally relax.",
    "You know how forgetful I am.", "My hands are full, sorry.", "I'll tell you about {x} later.",
    "The rest can wait until tomorrow.", "Thanks, you are a treasure.", "I'll do the rest myself.",
    "{x} can wait.", "Nothing else, really.",
)  # fmt: skip
_LEADS = (
    "{a}", "Anyway, {a}", "So please {a}", "What I want is this: {a}", "Could you {a}?",
    "But to the point: {a}", "Well then, {a}", "Now {a}", "I'd be glad if you could {a}",
    "So here is what I need you to do: {a}", "Just {a}", "All I ask: {a}", "Right, {a}",
)  # fmt: skip


def story(rng: random.Random, words: Words) -> SpokenInstruction:
    """A scene, an instruction for it and the right reply."""
    world = make_world(rng, words, rng.random() < 0.4)
    speaker = english_speaker(world, rng, words)
    asked = None if rng.random() < 0.12 else speaker.imperative()
    if asked:
        terms = [term for clause in asked.clauses for term in clause.args]
        taken = set[str]().union(*map(speaker.may_mean, terms))
    else:
        taken = set()

    def sentence(text: str) -> str:
        if "{x}" not in text:
            return text
        text = text.format(x=speaker.named("item", taken=taken).words)
        return text[:1].upper() + text[1:]

    told_before = [sentence(text) for text in rng.sample(_BEFORE, rng.choice((1, 2, 2, 3, 4)))]
    if asked is None:
        reply = f"Cannot: {DeclineReason.NO_REQUEST}"
        return world, speaker.finished(" ".join(told_before)), reply
    request = rng.choice(_LEADS).format(a=asked.words)
    request = request[:1].upper() + request[1:]
    if request[-1] not in ".?!":
        request += "."
    after = [sentence(rng.choice(_BEHIND))] if rng.random() < 0.5 else []
    text = " ".join((*told_before, request, *after))
    lines = "\n".join(map(str, dict.fromkeys(asked.clauses)))
    return world, speaker.finished(text), speaker.refusal or f"Goal:\n{lines}"
