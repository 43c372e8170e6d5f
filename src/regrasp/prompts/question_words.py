"""The words of questions about pictures, and the part of speech of each.

One letter stands for a part of speech of this small language; `visual_question_parser` has its
grammar. A word that is not in this table can only be part of a name. A word under `FORBIDDEN` has a
meaning that no known question has (why, not, behind, will), so a sentence with it is not parsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from regrasp.prompts.visual_question import (
    ConditionQuestion,
    ObjectQuestion,
    PathQuestion,
    QuestionTemplate,
    SideQuestion,
)

__all__ = [
    "ARTICLE",
    "FILLERS",
    "FORBIDDEN",
    "FRAMES",
    "LONGEST_PHRASE",
    "NAME",
    "PHRASES",
    "SpeechPart",
]

NAME, ARTICLE, FORBIDDEN = "N", "d", "!"


@dataclass(frozen=True, slots=True)
class SpeechPart:
    """A part of speech: its letter, and the relation or attribute that its words mean."""

    letter: str
    look: QuestionTemplate | None = None
    attribute: str = ""


def _forms(verb: str) -> tuple[str, ...]:
    """`block` → block, blocks, blocking."""
    stem = verb + verb[-1] if verb in ("stop", "grip", "bar", "sit") else verb.removesuffix("e")
    return verb, f"{verb}s", f"{stem}ing"


_PLACED = (
    *("standing", "sitting", "lying", "resting", "located", "placed", "put", "positioned"),
    *("situated", "set", "kept", "stored", "stacked", "stand", "stands", "sit", "sits", "lie"),
    *("lies", "rest", "rests", "look", "looks", "seem", "seems", "appear", "appears"),
    *("look to be", "seem to be", "seems to be", "appear to be", "appears to be"),
)
_SIDES = (
    *("to the {} of", "{} of", "on the {} of", "on the {} side of", "at the {} side of"),
    *("on the {}-hand side of", "on the {} hand side of", "to the {} side of"),
)
_KEPT = tuple(f"{kept} {shut}" for kept in ("kept", "held") for shut in ("shut", "closed"))
_BARRED = tuple(f"{kept} from opening" for kept in ("kept", "prevented", "stopped", "hindered"))
_PICTURES = tuple(
    f"{the} {what}"
    for the in ("the", "this")
    for what in ("picture", "image", "photo", "photograph", "scene", "frame", "view")
)
_CONDITIONS: Mapping[ConditionQuestion, tuple[str, ...]] = {
    ConditionQuestion.FILLED: ("filled", "full", "filled up", "full to the brim"),
    ConditionQuestion.EMPTY: ("empty", "emptied"),
    ConditionQuestion.TURNED_ON: ("turned on", "switched on", "on", "running"),
    ConditionQuestion.TURNED_OFF: ("turned off", "switched off", "off"),
    ConditionQuestion.COOKED: ("cooked", "done cooking", "baked"),
    ConditionQuestion.RAW: ("raw", "uncooked", "unbaked"),
    ConditionQuestion.HOT: ("hot", "warm", "heated", "heated up"),
    ConditionQuestion.COLD: ("cold", "cooled"),
    ConditionQuestion.FROZEN: ("frozen",),
    ConditionQuestion.THAWED: ("thawed",),
    ConditionQuestion.HALVED: (
        "halved",
        "cut in half",
        "cut into halves",
        "in two halves",
        "in halves",
    ),
    ConditionQuestion.WHOLE: ("whole", "uncut", "in one piece"),
    ConditionQuestion.CAPPED: ("capped", "screwed shut", "closed with its cap"),
    ConditionQuestion.UNCAPPED: ("uncapped", "without its cap", "without a cap"),
}
_WORDS: tuple[tuple[SpeechPart, Iterable[str]], ...] = (
    (SpeechPart(ARTICLE), ("the", "a", "an", "any", "some", "this", "that")),
    (SpeechPart("A"), (
        "anything", "something", "any object", "some object", "an object", "any objects",
        "some objects", "any thing", "any things",
    )),
    (SpeechPart("B"), ("is", "are")),
    (SpeechPart("b"), ("been", "being")),
    (SpeechPart("D"), ("does", "do")),
    (SpeechPart("H"), ("has", "have")),
    (SpeechPart("C"), ("can",)),
    (SpeechPart("T"), ("there",)),
    (SpeechPart("Y"), ("you", "we")),
    (SpeechPart("v"), (
        "see", "spot", "notice", "make out", "detect", "observe", "recognise", "recognize",
    )),
    (SpeechPart("E", ObjectQuestion.SEEN), ("be seen",)),
    (SpeechPart("&"), ("and",)),
    (SpeechPart("m", ObjectQuestion.NEXT_TO), (
        "next to each other", "near each other", "close to each other", "beside each other",
        "side by side", "close together", "next to one another",
    )),
    (SpeechPart("w"), ("what", "which")),
    (SpeechPart("t"), ("tell me", "name", "give me")),
    (SpeechPart("o"), ("of",)),
    (SpeechPart("y"), ("by",)),
    (SpeechPart("i"), ("in", "inside", "within")),
    (SpeechPart("q", ObjectQuestion.ATTRIBUTE, "colour"), ("colour", "color")),
    *((SpeechPart("q", ObjectQuestion.ATTRIBUTE, p), (p,)) for p in ("size", "shape", "material", "state")),
    (SpeechPart("S", ObjectQuestion.ATTRIBUTE, "state"), (
        "open or closed", "open or shut", "closed or open", "shut or open",
    )),
    (SpeechPart("P"), _PLACED),
    (SpeechPart("O", ObjectQuestion.OPEN), ("open", "opened")),
    (SpeechPart("Q", ObjectQuestion.CLOSED), ("closed", "shut")),
    *((SpeechPart("V", condition), phrases) for condition, phrases in _CONDITIONS.items()),
    (SpeechPart("W", ConditionQuestion.FROZEN), ("frost on",)),
    (SpeechPart("W", ConditionQuestion.EMPTY), ("nothing in", "nothing inside")),
    (SpeechPart("L", ObjectQuestion.ON), ("on", "on top of", "on the top of", "atop", "upon")),
    (SpeechPart("L", ObjectQuestion.INSIDE), ("in", "inside", "inside of", "within", "into")),
    (SpeechPart("L", ObjectQuestion.NEXT_TO), (
        "next to", "right next to", "beside", "right beside", "near", "near to", "close to",
        "by", "adjacent to", "alongside", "at the side of",
    )),
    (SpeechPart("L", ObjectQuestion.IN_FRONT), ("in front of", "right in front of", "before")),
    (SpeechPart("L", SideQuestion.LEFT), tuple(form.format("left") for form in _SIDES)),
    (SpeechPart("L", SideQuestion.RIGHT), tuple(form.format("right") for form in _SIDES)),
    (SpeechPart("c", ObjectQuestion.INSIDE), ("contain", "contains", "containing")),
    (SpeechPart("L", ObjectQuestion.BLOCKING), ("in the way of",)),
    (SpeechPart("K", ObjectQuestion.BLOCKING), (
        form for verb in ("block", "obstruct", "hinder", "impede", "bar") for form in _forms(verb)
    )),
    (SpeechPart("K", ObjectQuestion.BLOCKING), tuple(f"{get} in the way of" for get in ("get", "gets", "getting"))),
    (SpeechPart("k", ObjectQuestion.BLOCKING), (
        "blocked", "obstructed", "hindered", "impeded", "barred", *_KEPT, *_BARRED,
    )),
    (SpeechPart("e"), ("opening of", "the opening of")),
    (SpeechPart("F", ObjectQuestion.BLOCKING), (
        form for verb in ("prevent", "stop", "keep", "hold", "hinder") for form in _forms(verb)
    )),
    (SpeechPart("X"), ("from opening", "from being opened", "from swinging open")),
    (SpeechPart("U"), ("would",)),
    (SpeechPart("u", ObjectQuestion.BLOCKING), ("run into", "bump into", "knock into", "knock against", "hit")),
    (SpeechPart("h", ObjectQuestion.HELD), (
        form for verb in ("hold", "grip", "grasp", "carry", "clutch") for form in _forms(verb)
    )),
    (SpeechPart("h", ObjectQuestion.HELD), ("carries",)),
    (SpeechPart("g", ObjectQuestion.HELD), ("held", "grasped", "gripped", "carried", "grabbed", "picked up")),
    (SpeechPart("R"), ("robot", "robot arm", "arm", "robotic arm")),
    (SpeechPart("G"), ("hand", "gripper", "grip", "grasp", "fingers", "gripper fingers", "end effector")),
    (SpeechPart("G"), ("hands", "two hands", "both hands")),
    (SpeechPart("s"), ("its", "robot", "robots", "robotic")),
    (SpeechPart("n"), ("between",)),
    (SpeechPart("Z", ObjectQuestion.SEEN), ("visible", "in sight", "in view", "present", "to be seen", "shown")),
    (SpeechPart("z"), (
        "here", "there", "anywhere", "somewhere",
        *(f"{to} {picture}" for to in ("in", "on") for picture in _PICTURES),
    )),
    (SpeechPart("M"), (*_PICTURES, "the camera")),
    (SpeechPart("x", PathQuestion.AT), (
        "at", "near", "close to", "next to", "beside", "by", "before", "in front of", "right at",
    )),
    (SpeechPart("p", PathQuestion.AT), ("reached", "arrived at", "come to", "walked to", "gone to")),
    (SpeechPart("I"), ("way", "path", "way ahead", "path ahead", "way forward", "path forward")),
    (SpeechPart("l"), ("on", "to", "at")),
    (SpeechPart("f", PathQuestion.CLEAR), ("clear", "free", "passable", "unobstructed")),
    (SpeechPart("f", PathQuestion.OBSTACLE), ("blocked", "obstructed", "barred")),
    (SpeechPart("J", PathQuestion.OBSTACLE), ("obstacle", "pillar")),
    (SpeechPart("a"), ("ahead on", "ahead to", "in the way on", "close ahead on", "before it on")),
    (SpeechPart("j", ObjectQuestion.SEEN), ("show", "shows", "include", "includes", "contain", "contains")),
    (SpeechPart(NAME), ("obstacle", "pillar")),
    (SpeechPart(NAME), ("bar", "block", "stand", "rest", "hand", "name")),  # names as well as verbs
    (SpeechPart(FORBIDDEN), (
        *("why", "how", "who", "whose", "whom", "when", "where", "if", "whether", "than", "as"),
        *("not", "no", "never", "nothing", "none", "nobody", "neither", "nor", "without", "except"),
        *("was", "were", "did", "had", "will", "shall", "should", "could", "may", "might", "must"),
        *("be", "or", "but", "either", "both", "to", "from", "with", "for", "at", "about"),
        *("behind", "under", "underneath", "below", "beneath", "above", "over", "against", "off"),
        *("around", "across", "along", "through", "out", "outside", "onto", "up", "down", "front"),
        *("next", "close", "opening", "it", "they", "them", "he", "she", "i", "me", "my", "your"),
        *("these", "those", "every", "each", "all", "many", "most", "only", "almost", "nearly"),
        *("also", "too", "ever", "always", "half", "partly", "slightly", "more", "less", "very"),
    )),
)  # fmt: skip

FILLERS = frozenset(
    {
        "now", "right now", "currently", "still", "already", "presently", "actually", "really",
        "just", "fully", "completely", "entirely", "totally", "wide", "at the moment", "at present",
        "or not", "at all", "please", "all the way", "got", "yes or no",
    }
)  # fmt: skip
"""Words that may be left out of a question about this moment."""

FRAMES = (
    r"(?:please|so|well|okay|ok|hey|(?:in|from|looking at) (?:the|this) (?:picture|image|view)) ",
    r"(?:(?:can|could|would|will) you )?(?:please )?"
    r"(?:tell me|tell us|tell|say|check|confirm|see|look|determine) (?:if|whether|that) ",
    r"do you (?:see|know) (?:if|whether|that) ",
    r"do you (?:think|believe) (?:that )?",
    r"would you say (?:that )?",
    r"is it (?:true|so|the case|correct) that ",
    r"does it (?:look|seem) (?:like|as if|as though) ",
    r"(?:can|could) you (?:please )?tell me (?=what|which)",
    r"i (?:want|would like|need) to know (?:(?:if|whether) |(?=what|which))",
    r"i wonder (?:(?:if|whether) |(?=what|which))",
)
"""Phrases before the question itself; after all but the first, it has the form of a statement."""


def _phrases() -> Mapping[tuple[str, ...], tuple[SpeechPart, ...]]:
    table: dict[tuple[str, ...], list[SpeechPart]] = {}
    for part, phrases in _WORDS:
        for phrase in phrases:
            table.setdefault(tuple(phrase.split()), []).append(part)
    return {phrase: tuple(parts) for phrase, parts in table.items()}


PHRASES = _phrases()
"""The possible parts of speech of each word or phrase."""
LONGEST_PHRASE = max(map(len, (*PHRASES, *(filler.split() for filler in FILLERS))))
