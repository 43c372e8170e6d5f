"""The many ways to say what is wanted: those of the lessons, and those kept for the exam.

A lesson puts a phrasing in the place of the plain sentence and keeps the answer, so that a model
learns phrasings that no rule of ours can read. The slots are those of `wants`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from regrasp.tongue.wants import Want, WantKind

__all__ = ["EXAM_PHRASINGS", "EXAM_UNCLEAR", "PHRASINGS", "UNCLEAR", "phrased"]

PHRASINGS: Mapping[WantKind, tuple[str, ...]] = {
    WantKind.STORE: (
        "place the {x} in the {y}",
        "put {x} inside {y}",
        "move the {x} to the inside of the {y}",
        "store the {x} in the {y}",
        "the {x} belongs in the {y}",
        "please put the {x} into the {y}",
        "I want the {x} stored in the {y}, please",
        "could you get the {x} into the {y}?",
        "make sure that the {y} contains the {x}",
        "open the {y} and put the {x} in it",
        "tuck the {x} away in the {y}",
        "the {x} should be in the {y}",
        "move the {x} to its spot inside the {y}",
        "bring the {x} into the {y}",
        "we need the {x} in the {y}",
        "Drop the {x} in the {y}.",
        "hide the {x} in the {y}",
        "can you stow the {x} in the {y}",
        "transfer {x} into {y}",
        "load the {y} with the {x}",
        "move the {x} to target_position inside the {y}",
        "the {y} is where the {x} goes",
        "insert the {x} into the {y}",
        "pop the {x} in the {y} for me",
    ),
    WantKind.STORE_SHUT: (
        "place the {x} in the {y} and close it",
        "store the {x} in the {y}, then shut the {y}",
        "put {x} inside {y} and shut it again",
        "shut the {x} away in the {y}",
        "the {x} goes in the {y}, and close the {y} afterwards",
        "please put the {x} in the {y} and close the {y}",
        "lock nothing, but put the {x} into the {y} and close it",
        "move the {x} into the {y} and leave the {y} closed",
    ),
    WantKind.PUT_ON: (
        "place the {x} on the {s}",
        "put {x} on top of {s}",
        "set the {x} down on the {s}",
        "move the {x} onto the {s}",
        "the {s} should hold the {x}",
        "the {x} goes on the {s}",
        "I would like the {x} on the {s}",
        "could you lay the {x} on the {s}?",
        "the {x} belongs on the {s}",
        "please bring the {x} to the {s}",
        "drop the {x} onto the {s}",
        "have the {x} sit on the {s}",
        "make the {x} lie on the {s}",
        "deliver the {x} to the {s}",
        "leave the {x} on the {s}",
    ),
    WantKind.PUT_BY: (
        "place the {x} next to the {z}",
        "put {x} beside {z}",
        "move the {x} close to the {z}",
        "set the {x} down near the {z}",
        "the {x} should be next to the {z}",
        "bring the {x} over to the {z}",
        "I want {x} by the side of {z}",
        "please lay the {x} beside the {z}",
    ),
    WantKind.FIND: (
        "search for the {x}",
        "locate the {x}",
        "where is the {x}? find it",
        "please look for the {x}",
        "look around for the {x}",
        "I can't see the {x}, please search for it",
        "find the {x} for me",
        "can you find the {x}?",
        "I lost the {x}; find it",
        "show me where the {x} is",
        "track down the {x}",
        "the {x} is missing, go and find it",
        "find out where the {x} is hidden",
        "Where did I leave the {x}?",
    ),
    WantKind.OPEN: (
        "please open the {y}",
        "open up the {y}",
        "get the {y} open",
        "I want the {y} open",
        "the {y} should be open",
        "could you open the {y} for me?",
        "make sure the {y} is open",
        "leave the {y} open",
        "the {y} must stand open",
    ),
    WantKind.OPEN_BY_WEIGHT: (
        "open the {y}; its lock opens when the {x} is on the {s}",
        "open up the {y}. It is unlocked by placing the {x} on the {s}.",
        "open the {y}. The lock of the {y} opens once the {x} lies on the {s}.",
        "please open the {y}. To unlock it, put the {x} on the {s}.",
        "I want the {y} open. It unlocks when the {x} is on the {s}.",
        "get the {y} open; putting the {x} on the {s} unlocks it",
        "open the {y}. Its {s} lock can be unlocked by putting the {x} on it.",
    ),
    WantKind.CLOSE: (
        "shut the {y}",
        "please close the {y}",
        "the {y} should be closed",
        "make sure that the {y} is shut",
        "push the {y} shut",
        "could you close the {y}?",
        "leave the {y} closed",
    ),
    WantKind.TAKE_OUT: (
        "remove the {x} from the {y}",
        "get the {x} out of the {y}",
        "take {x} from {y}",
        "fetch the {x} from the {y}",
        "bring the {x} out of the {y}",
        "I need the {x} that is in the {y}; take it out",
        "the {x} should not be in the {y} any more",
        "please retrieve the {x} from inside the {y}",
        "unpack the {x} from the {y}",
    ),
    WantKind.AWAY: (
        "get the {x} away from the {y}",
        "remove the {x} that stands before the {y}",
        "take the {x} out of the way of the {y}",
        "move {x} clear of {y}",
        "the {x} should not stand in the way of the {y}",
        "please clear the {x} away from the {y}",
        "slide the {x} away from the {y}",
    ),
    WantKind.CLEAR: (
        "take everything off the {s}",
        "empty the top of the {s}",
        "clear off the {s}",
        "please clear the {s}",
        "nothing should lie on the {s}",
        "free up the {s}",
        "remove whatever is on the {s}",
        "tidy up the {s}",
        "I need the {s} free",
    ),
    WantKind.EMPTY: (
        "take everything out of the {y}",
        "clear out the {y}",
        "please empty the {y}",
        "the {y} should be empty",
        "unload the {y}",
        "remove whatever is in the {y}",
        "get all things out of the {y}",
    ),
    WantKind.USE: (
        "please {use} the {k}",
        "{use} {k}",
        "could you {use} the {k}?",
        "operate the {k}",
        "I want you to {use} the {k}",
        "use the {k}",
        "give the {k} a {use}",
        "activate the {k}",
    ),
    WantKind.UNLOCK: (
        "please unlock the {y}",
        "undo the lock of the {y}",
        "get the {y} unlocked",
        "the {y} should be unlocked",
        "could you unlock the {y}?",
        "release the lock on the {y}",
    ),
    WantKind.PICK: (
        "grab the {x}",
        "lift the {x}",
        "take the {x}",
        "hold up the {x}",
        "please pick the {x} up",
        "grasp the {x}",
        "raise the {x}",
        "I want you to hold the {x}",
    ),
    WantKind.ALIKE: (
        "put whichever {n} matches the {s}'s {p} on top of the {s}",
        "place the {n} of the same {p} as the {s} on the {s}",
        "put the {n} that has the {p} of the {s} on the {s}",
        "the {n} whose {p} matches the {s} belongs on the {s}",
        "place the {n} with the same {q} as the {s} on the {s}",
        "which {n} has the {s}'s {p}? Put it on the {s}",
        "on the {s} goes the {n} with matching {p}",
    ),
    WantKind.TWO: (
        "put the {x} in the {y}, then put the {z} on the {s}",
        "store the {x} in the {y} and place the {z} on the {s}",
        "the {x} goes in the {y} and the {z} goes on the {s}",
        "first put the {x} into the {y}, and then the {z} onto the {s}",
        "{x} in the {y}, {z} on the {s}, please",
    ),
}
"""Phrasings of the lessons."""

EXAM_PHRASINGS: Mapping[WantKind, tuple[str, ...]] = {
    WantKind.STORE: (
        "get the {x} inside the {y}",
        "please stash {x} within the {y}",
        "I'd be glad to have the {x} in the {y}",
        "deposit the {x} in the {y}",
        "let the {x} end up inside the {y}",
    ),
    WantKind.STORE_SHUT: (
        "deposit the {x} in the {y} and then close the {y}",
        "once the {x} is in the {y}, shut it",
    ),
    WantKind.PUT_ON: (
        "rest the {x} upon the {s}",
        "the {x} should end up on the {s}",
        "position the {x} on top of the {s}",
        "kindly set {x} onto {s}",
    ),
    WantKind.PUT_BY: ("park the {x} right next to the {z}", "the {x} must end up beside the {z}"),
    WantKind.FIND: (
        "hunt down the {x}",
        "help me find the {x}",
        "seek the {x}",
        "any idea where the {x} is? Find it",
    ),
    WantKind.OPEN: ("have the {y} opened", "I need the {y} to be open"),
    WantKind.OPEN_BY_WEIGHT: (
        "have the {y} opened. Placing the {x} on the {s} undoes its lock.",
        "open the {y}. It stays locked until the {x} is put on the {s}.",
    ),
    WantKind.CLOSE: ("have the {y} closed", "I need the {y} to be shut"),
    WantKind.TAKE_OUT: (
        "extract the {x} from the {y}",
        "the {x} has to come out of the {y}",
    ),
    WantKind.AWAY: ("push the {x} aside, away from the {y}", "keep the {x} away from the {y}"),
    WantKind.CLEAR: ("unload the {s}", "get rid of what is on the {s}"),
    WantKind.EMPTY: ("let nothing remain in the {y}", "clear everything out of the {y}"),
    WantKind.USE: ("kindly {use} the {k}", "you should {use} the {k} now"),
    WantKind.UNLOCK: ("make the {y} unlocked", "I need the {y} unlocked"),
    WantKind.PICK: ("take hold of the {x}", "kindly lift up the {x}"),
    WantKind.ALIKE: (
        "find the {n} with the {p} of the {s} and put it on the {s}",
        "the {s} should hold the {n} of its own {p}",
    ),
    WantKind.TWO: (
        "place the {x} in the {y}; the {z} should be on the {s}",
        "kindly bring the {x} into the {y} and the {z} onto the {s}",
    ),
}
"""Phrasings that only the exam uses."""

UNCLEAR = (
    "dance a little",
    "sing to the {x}",
    "paint the {x}",
    "do not open the {x}",
    "what is the weather like?",
    "tell me a joke about the {x}",
    "",
    "never touch the {x}",
    "how old is the {x}?",
    "buy another {x}",
)
"""What nobody can do here, as lessons say it."""

EXAM_UNCLEAR = (
    "whistle a tune",
    "apologise to the {x}",
    "write a poem about the {x}",
    "what did the {x} cost?",
    "please avoid the {x}",
    "who made the {x}?",
)
"""What only the exam says of what nobody can do here."""


def phrased(want: Want, calls: Mapping[str, str], rng: random.Random, exam: bool) -> str:
    """A want in words: plain now and then, else in a phrasing of the lessons or of the exam."""
    if not exam and rng.random() < 0.12:
        return want.plain()
    said = rng.choice((EXAM_PHRASINGS if exam else PHRASINGS)[want.kind])
    text = want.say(said, calls)
    return text[:1].upper() + text[1:] if rng.random() < 0.25 else text
