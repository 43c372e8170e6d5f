"""What people say to a robot in CoPAL's lessons, and the request that is meant.

`{x}` is what is ordered. The evaluation has phrasings of its own.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from regrasp.core.fact import Literal
from regrasp.lab.language.copal_words import RECIPE_HEADS
from regrasp.lab.language.copal_worlds import CopalWorld

__all__ = [
    "CHATTER",
    "HELD_OUT_ORDERS",
    "HELD_OUT_STOPS",
    "ORDERS",
    "POLITE",
    "STOPS",
    "a_or_an",
    "fact_request",
    "spoken",
    "with_changes",
]

ORDERS = (
    "make {x}",
    "please make {x}",
    "could you make me {x}?",
    "I would like {x}, please",
    "I'd like {x}",
    "can I have {x}?",
    "{x}, please",
    "{x}",
    "one {n}, please",
    "I'll have {x}",
    "get me {x}",
    "mix {x} for me",
    "prepare {x}",
    "would you prepare {x} for my friend?",
    "how about {x}?",
    "we need {x} over here",
    "hey robot, {x} please",
    "let's start with {x}",
    "I could really use {x} now",
    "may I get {x}?",
    "give me {x}",
    "time for {x}",
    "my guest wants {x}",
    "do me a favour and make {x}",
    "fix me {x}",
    "serve {x}",
)
HELD_OUT_ORDERS = (
    "could I trouble you for {x}?",
    "I am in the mood for {x}",
    "{x} for the gentleman",
    "whip up {x}",
    "I fancy {x}",
)
"""Orders; the request that is meant is `make {x}`."""

POLITE = (
    "{r}",
    "please {r}",
    "{r}, please",
    "could you {r}?",
    "can you {r}",
    "would you {r}, please?",
    "I want you to {r}",
    "{r} for me",
    "robot, {r}",
    "now {r}",
    "next, {r}",
    "{r} when you can",
    "be so kind and {r}",
    "you should {r}",
)
"""Forms of any other request."""

STOPS = (
    "stop",
    "stop it!",
    "halt, please",
    "freeze",
    "hold still",
    "stop what you are doing",
    "don't move any more",
    "that's enough, stop",
    "abort",
    "hey, stop right there",
    "hold on, stop moving",
    "no no, stop",
    "wait, do not go on",
    "cancel everything",
)
HELD_OUT_STOPS = ("cease", "emergency, stand still", "quit moving this instant")
"""What makes the robot hold still."""

CHATTER = (
    (
        ("hello", "hi there", "good evening", "hey", "good morning, robot", "hi, how is it going"),
        "Hello. What shall I do?",
    ),
    (
        ("thanks", "thank you very much", "thanks, that was great", "cheers, well done"),
        "You are welcome.",
    ),
    (("bye", "goodbye", "see you tomorrow", "that was all, good night"), "Goodbye."),
    (("how are you?", "are you well?", "how do you feel today?"), "I am ready. What shall I do?"),
    (
        ("who are you?", "what are you?", "what is your name?"),
        "I am a robot. I do what I am asked to, as far as I can.",
    ),
    (
        (
            "nice weather today",
            "what a day",
            "I am tired",
            "that looks tasty",
            "you are funny",
            "I like your arms",
            "my brother is late again",
            "this place is lovely",
        ),
        "I see. Tell me what I can do for you.",
    ),
    (
        (
            "what is the capital of Peru?",
            "who won the match?",
            "will it rain tomorrow?",
            "what time is it?",
            "how old is the queen?",
            "what is seven times eight?",
        ),
        "I do not know that. I only know what is here.",
    ),
    (
        (
            "sing a song",
            "tell me a joke",
            "do my taxes",
            "call my sister",
            "book a flight for me",
            "drive me home",
            "write a poem",
        ),
        "I cannot do that here.",
    ),
)
"""Remarks, and the answer to each."""


def a_or_an(noun: str) -> str:
    """The noun with its article."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def spoken(name: str, rng: random.Random) -> str:
    """A name as people say it: mostly with spaces."""
    return name.replace("_", " ") if rng.random() < 0.6 else name


def with_changes(name: str, without: Iterable[str], extra: Iterable[str], vessel: str = "") -> str:
    """The request for a recipe with what is left out and what is added."""
    said = f"make {a_or_an(name)}"
    said += "".join(f" with {one}" for one in list(extra)[:1])
    said += "".join(f" and {one}" for one in list(extra)[1:])
    out = list(without)
    said += f" without {' and without '.join(out)}" if out else ""
    return f"{said} in the {vessel}" if vessel else said


def fact_request(world: CopalWorld, literals: Iterable[Literal], rng: random.Random) -> str:
    """A request for facts, in plain words."""
    return rng.choice((" and ", ", then ")).join(_asked(world, one, rng) for one in literals)


def _asked(world: CopalWorld, literal: Literal, rng: random.Random) -> str:
    names = [spoken(one, rng) for one in literal.fact.args]
    forms = {
        ("on", True): (
            "put the {0} on the {1}",
            "place the {0} onto the {1}",
            "the {0} goes on the {1}",
            "move the {0} to the {1}",
            "bring the {0} to the {1}",
        ),
        ("inside", True): (
            "put the {0} into the {1}",
            "store the {0} in the {1}",
            "the {0} belongs in the {1}",
            "stow the {0} inside the {1}",
        ),
        ("open", True): ("open the {0}", "leave the {0} open"),
        ("open", False): ("close the {0}", "shut the {0}"),
        ("switched_on", True): ("turn on the {0}", "switch the {0} on", "start the {0}"),
        ("switched_on", False): ("turn off the {0}", "switch the {0} off"),
        ("capped", True): ("put the cap on the {0}", "seal the {0}"),
        ("capped", False): ("take the cap off the {0}", "uncap the {0}"),
        ("baked", True): ("bake the {0}",),
    }[literal.fact.predicate, literal.positive]
    return rng.choice(forms).format(*names)


def never_heard_of(rng: random.Random, coined: str) -> str:
    """The name of something without a recipe."""
    return rng.choice((f"{rng.choice(RECIPE_HEADS)} {coined}", coined))
