"""The words in which pictures are asked about, and what part each can play in a question.

One letter stands for a part of speech of this small language; `reading.py` has its grammar. A word
that is not here can only be part of a name. One that is under `FORBIDDEN` has a meaning that no
question of ours has (why, not, behind, will), so that a sentence with it is not one of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from regrasp.prompts.sight import Condition, Look, Side, Way

__all__ = ["ARTICLE", "FILLERS", "FORBIDDEN", "FRAMES", "LONGEST_PHRASE", "NAME", "PHRASES", "Part"]

NAME, ARTICLE, FORBIDDEN = "N", "d", "!"


@dataclass(frozen=True, slots=True)
class Part:
    """A part that some words can play: its letter, and the relation or attribute they mean."""

    letter: str
    look: Look | Side | Condition | Way | None = None
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
_CONDITIONS: Mapping[Condition, tuple[str, ...]] = {
    Condition.FILLED: ("filled", "full", "filled up"),
    Condition.EMPTY: ("empty", "emptied"),
    Condition.TURNED_ON: ("turned on", "switched on", "on", "running"),
    Condition.TURNED_OFF: ("turned off", "switched off", "off"),
    Condition.COOKED: ("cooked", "done cooking"),
    Condition.RAW: ("raw", "uncooked"),
    Condition.HOT: ("hot", "warm", "heated", "heated up"),
    Condition.COLD: ("cold", "cooled"),
    Condition.FROZEN: ("frozen",),
    Condition.THAWED: ("thawed",),
    Condition.HALVED: ("halved", "cut in half", "cut into halves", "in two halves", "in halves"),
    Condition.WHOLE: ("whole", "uncut", "in one piece"),
}
_WORDS: tuple[tuple[Part, Iterable[str]], ...] = (
    (Part(ARTICLE), ("the", "a", "an", "any", "some", "this", "that")),
    (Part("A"), (
        "anything", "something", "any object", "some object", "an object", "any objects",
        "some objects", "any thing", "any things",
    )),
    (Part("B"), ("is", "are")),
    (Part("b"), ("been", "being")),
    (Part("D"), ("does", "do")),
    (Part("H"), ("has", "have")),
    (Part("C"), ("can",)),
    (Part("T"), ("there",)),
    (Part("Y"), ("you", "we")),
    (Part("v"), (
        "see", "spot", "notice", "make out", "detect", "observe", "recognise", "recognize",
    )),
    (Part("E", Look.SEEN), ("be seen",)),
    (Part("&"), ("and",)),
    (Part("m", Look.NEXT_TO), (
        "next to each other", "near each other", "close to each other", "beside each other",
        "side by side", "close together", "next to one another",
    )),
    (Part("w"), ("what", "which")),
    (Part("t"), ("tell me", "name", "give me")),
    (Part("o"), ("of",)),
    (Part("y"), ("by",)),
    (Part("i"), ("in", "inside", "within")),
    (Part("q", Look.ATTRIBUTE, "colour"), ("colour", "color")),
    *((Part("q", Look.ATTRIBUTE, p), (p,)) for p in ("size", "shape", "material", "state")),
    (Part("S", Look.ATTRIBUTE, "state"), (
        "open or closed", "open or shut", "closed or open", "shut or open",
    )),
    (Part("P"), _PLACED),
    (Part("O", Look.OPEN), ("open", "opened")),
    (Part("Q", Look.CLOSED), ("closed", "shut")),
    *((Part("V", condition), phrases) for condition, phrases in _CONDITIONS.items()),
    (Part("W", Condition.FROZEN), ("frost on",)),
    (Part("W", Condition.EMPTY), ("nothing in", "nothing inside")),
    (Part("L", Look.ON), ("on", "on top of", "on the top of", "atop", "upon")),
    (Part("L", Look.INSIDE), ("in", "inside", "inside of", "within", "into")),
    (Part("L", Look.NEXT_TO), (
        "next to", "right next to", "beside", "right beside", "near", "near to", "close to",
        "by", "adjacent to", "alongside", "at the side of",
    )),
    (Part("L", Look.IN_FRONT), ("in front of", "right in front of", "before")),
    (Part("L", Side.LEFT), tuple(form.format("left") for form in _SIDES)),
    (Part("L", Side.RIGHT), tuple(form.format("right") for form in _SIDES)),
    (Part("c", Look.INSIDE), ("contain", "contains", "containing")),
    (Part("L", Look.BLOCKING), ("in the way of",)),
    (Part("K", Look.BLOCKING), (
        form for verb in ("block", "obstruct", "hinder", "impede", "bar") for form in _forms(verb)
    )),
    (Part("K", Look.BLOCKING), tuple(f"{get} in the way of" for get in ("get", "gets", "getting"))),
    (Part("k", Look.BLOCKING), (
        "blocked", "obstructed", "hindered", "impeded", "barred", *_KEPT, *_BARRED,
    )),
    (Part("e"), ("opening of", "the opening of")),
    (Part("F", Look.BLOCKING), (
        form for verb in ("prevent", "stop", "keep", "hold", "hinder") for form in _forms(verb)
    )),
    (Part("X"), ("from opening", "from being opened", "from swinging open")),
    (Part("U"), ("would",)),
    (Part("u", Look.BLOCKING), ("run into", "bump into", "knock into", "knock against", "hit")),
    (Part("h", Look.HELD), (
        form for verb in ("hold", "grip", "grasp", "carry", "clutch") for form in _forms(verb)
    )),
    (Part("h", Look.HELD), ("carries",)),
    (Part("g", Look.HELD), ("held", "grasped", "gripped", "carried", "grabbed", "picked up")),
    (Part("R"), ("robot", "robot arm", "arm", "robotic arm")),
    (Part("G"), ("hand", "gripper", "grip", "grasp", "fingers", "gripper fingers", "end effector")),
    (Part("G"), ("hands", "two hands", "both hands")),
    (Part("s"), ("its", "robot", "robots", "robotic")),
    (Part("n"), ("between",)),
    (Part("Z", Look.SEEN), ("visible", "in sight", "in view", "present", "to be seen", "shown")),
    (Part("z"), (
        "here", "there", "anywhere", "somewhere",
        *(f"{to} {picture}" for to in ("in", "on") for picture in _PICTURES),
    )),
    (Part("M"), (*_PICTURES, "the camera")),
    (Part("x", Way.AT), (
        "at", "near", "close to", "next to", "beside", "by", "before", "in front of", "right at",
    )),
    (Part("p", Way.AT), ("reached", "arrived at", "come to", "walked to", "gone to")),
    (Part("I"), ("way", "path", "way ahead", "path ahead", "way forward", "path forward")),
    (Part("l"), ("on", "to", "at")),
    (Part("f", Way.CLEAR), ("clear", "free", "passable", "unobstructed")),
    (Part("f", Way.OBSTACLE), ("blocked", "obstructed", "barred")),
    (Part("J", Way.OBSTACLE), ("obstacle", "pillar")),
    (Part("a"), ("ahead on", "ahead to", "in the way on", "close ahead on", "before it on")),
    (Part("j", Look.SEEN), ("show", "shows", "include", "includes", "contain", "contains")),
    (Part(NAME), ("obstacle", "pillar")),
    (Part(NAME), ("bar", "block", "stand", "rest", "hand", "name")),  # names as well as verbs
    (Part(FORBIDDEN), (
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
"""What people say before the question itself; after all but the first it is put as a statement."""


def _phrases() -> Mapping[tuple[str, ...], tuple[Part, ...]]:
    table: dict[tuple[str, ...], list[Part]] = {}
    for part, phrases in _WORDS:
        for phrase in phrases:
            table.setdefault(tuple(phrase.split()), []).append(part)
    return {phrase: tuple(parts) for phrase, parts in table.items()}


PHRASES = _phrases()
"""What each word or phrase can be."""
LONGEST_PHRASE = max(map(len, (*PHRASES, *(filler.split() for filler in FILLERS))))
