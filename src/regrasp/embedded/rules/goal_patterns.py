"""Patterns of sentences, and what they mean.

They are matched against a text in which every noun phrase is a mark such as `#0`. A meaning is a
clause over the groups of the pattern (`ask where(x)`), sentences of forms, or `fact`: the sentences
that the relation, the adjective or the verb of the pattern stands for.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from regrasp.core.goal_description import ClauseMode
from regrasp.embedded.rules.goal_sentences import ADJECTIVES, PLACING, RELATIONS, VERBS
from regrasp.embedded.rules.words import COLOURS

__all__ = ["FIRST_WORDS", "ClausePart", "parts_of", "plain_text"]


@dataclass(frozen=True, slots=True)
class ClausePart:
    """A part of a text: its meaning and the `words` of its groups; `later` if it follows "then"."""

    meaning: str
    words: Mapping[str, str]
    mode: ClauseMode = ClauseMode.REACH
    positive: bool = True
    later: bool = False


def _part(meaning: str, match: re.Match[str], never: bool) -> ClausePart:
    """The part of a pattern that matched; `never` if it begins with "do not"."""
    words = {group: text.lower() for group, text in match.groupdict().items() if text}
    mark = re.match(r"(ask |keep )?(not (?=fact|moved))?", meaning)
    assert mark is not None  # it matches any text
    mode = ClauseMode(mark[1].strip()) if mark[1] else ClauseMode.REACH
    if never:  # "do not leave it open" is no wish to keep it so
        mode = ClauseMode.KEEP if mode is ClauseMode.REACH else ClauseMode.REACH
    positive = (bool(mark[2]) + never + ("no" in words)) % 2 == 0
    return ClausePart(meaning[mark.end() :], words, mode, positive)


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_COLOUR = r"colou?r"
_IDIOMS: tuple[tuple[str, str], ...] = (
    (r"[’`]", "'"),
    (r"\s+", " "),
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"n't\b", " not"),
    (r"\bblocks\b", "bricks"),  # "blocks" is read as a verb elsewhere
    (r"\b(that|what|where|there|it)'s\b", r"\1 is"),
    (rf"\b(?:that (?:is|are|has|have) )?(?:of |with |having |in )?the same {_COLOUR} as\b", "like"),
    (rf"\b(?:(?:that|which) )?match(?:es|ing)?(?: the {_COLOUR} of)?(?= the\b)", "like"),
    (rf"\b(?:of|with|in) a(?:nother| different) {_COLOUR} (?:than|from|to|as)\b", "not like"),
    (r"(?:,? but not|(?<!,) but|,? except for|,? except|,? other than|,? apart from)(?= the\b)",
     " except"),
    (r"\bboth (?=the\b)", ""),
    (r"\b(every|any)thing else\b", "all other things"),
    (r"\b(?:every|any)thing\b", "all things"),
    (rf"[- ]{_COLOUR}ed\b", ""),
    (rf"\b(?:what|which) {_COLOUR}\b", "~what-colour"),
    (rf"\bthe {_COLOUR} of\b", "~colour-of"),
    (r"\bhow many\b", "~how-many all"),
    (r"\bwhich (?=(?:\w+ ){1,3}(?:is|are)\b)(?!is\b|are\b)", "~which-of all "),
    (r"\b(?:(?:on|to|at) the )?(left|right)(?: hand)?(?: side)? of\b", r"~\1-of"),
    (r"\b(?:on|to|at) the (left|right)\b(?: side)?", r"\1most"),
    (r"\bin the middle\b(?! of)", "middle"),
    (r"\bin front of\b", "~in-front-of"),
    (r"\b(?:away from|out of the way of)\b", "~away-from"),
    (r"\bout of the way\b", "~aside"),
    (r"\bin (?:this|that|the)(?: following)? order\b(?: of)?[:,]?", "~in-order"),
    (r"\b(?:from )?(?:the )?bottom (?:to (?:the )?top|up|first)\b", "~bottom-up"),
    (r"\b(?:from )?(?:the )?top (?:to (?:the )?bottom|down|first)\b", "~top-down"),
    (r"\bin(?:to)? (?:a|one) (?:row|line)\b", "~in-a-row"),
    (r"\b(?:a|one) (?:tower|stack|pile)\b", "~a-tower"),
    (r"\b(?:each other|one another)\b", "~each-other"),
    (r"\b(?:where|as) (?:it|they) (?:is|are)\b", "~as-is"),
    (r"\bthe (?:places|positions) of\b", "~places-of"),
    (r"\byour (?:hand|gripper)\b", "~your-hand"),
    (r"\bto (?:the )?target[_ ]position (?=in|on)", ""),
    (r",? (?:please|for me|right now|thanks|thank you|carefully|gently|quickly)\b", ""),
    (r"^after (.+?), (?:then )?(.+)$", r"\1, then \2"),
    (r"^before (.+?), (?:first )?(.+?)[.!]?$", r"\2, then \1"),
)  # fmt: skip
"""Idioms whose words are no noun phrases; the mark ~ keeps them apart from nouns."""

_EXPLAINS_LOCK = re.compile(
    r"(?:the|its|it|a) .*\b(?:(?:un)?lock\w*|opens)\b.*\b(?:when|if|once|while|by)\b", re.IGNORECASE
)
FIRST_WORDS = frozenset(verb.split()[0] for verb in (*PLACING.split("|"), *VERBS))
"""The first words of all verbs."""

_GERUNDS = {
    f"{stem}ing": verb
    for verb in (*FIRST_WORDS, "touch", "disturb")
    for stem in (verb, verb.removesuffix("e"), verb + verb[-1])
}


def plain_text(instruction: str) -> str:
    """The text with one spelling for each idiom, without sentences that explain a lock."""
    sentences = re.split(r"(?<=[.!?;])\s+", instruction.strip())
    text = " ".join(sentence for sentence in sentences if not _EXPLAINS_LOCK.match(sentence))
    for pattern, replacement in _IDIOMS:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    return text.strip()


_GROUPS = {
    "state": "(?:{relation} {y}|{adjective})",
    "means": "(?: (?:in|on|with|using|at|over|from) {y})?",
    "x": r"(?P<x>[#@]\d+(?:(?:,|,? and) #\d+)*)",
    "y": r"(?P<y>[#@]\d+)",
    "z": r"(?P<z>#\d+)",
    "n": r"(?P<n>[#@]\d+)",
    "take": r"(?:pick up|pick|grab|grasp|lift|take|fetch|get)",
    "and": r"(?:,| and|, and)(?: then)?",
    "now": "(?P<now>from|off|out of|on top of|on|inside|in)",
    "put": f"(?:{PLACING})",
    "stack": r"(?:stack|pile)(?: up)?",
    "want": r"(?:i want|i need|i would like|i'd like|(?:make sure|ensure|see to it)(?: that)?)",
    "should": r"(?:should|must|needs? to|ha(?:s|ve) to|ought to)",
    "whether": r"(?:(?:tell me|check) )?(?:whether|if)",
    "relation": f"(?P<relation>{_any(RELATIONS)})",
    "where": "(?P<relation>on top of|on|inside|in)",
    "adjective": f"(?P<adjective>{_any(ADJECTIVES)})",
    "colour": f"(?P<colour>{_any(COLOURS)})",
    "verb": f"(?P<verb>{_any(VERBS)})",
    "stem": f"(?P<verb>{_any(FIRST_WORDS)})",
    "way": r"(?:,? (?:~bottom-up|(?P<down>~top-down)))?",
}
_MEANINGS: tuple[tuple[str, str], ...] = (
    # questions
    ("where (?:is|are|can i find) {x}", "ask where(x)"),
    ("tell me where {x} (?:is|are)", "ask where(x)"),
    ("(?:tell me )?~what-colour (?:is|are|does|do|has) {x}(?: have)?", "ask colour(x)"),
    ("tell me ~what-colour {x} (?:is|are|has|have)", "ask colour(x)"),
    ("(?:tell me|what is) ~colour-of {x}", "ask colour(x)"),
    ("(?:tell me )?what (?:is|are)(?: there)? {where} {y}", "ask which(x)"),
    ("(?:tell me )?~which-of {x} (?:is|are)(?: there)?(?: {where} {y}| {colour})?", "ask which(x)"),
    ("~how-many {x} (?:is|are)(?: there)?(?: {where} {y}| {colour})?", "ask count(x)"),
    ("~how-many {x} (?:do|can) you see", "ask count(x)"),
    ("count {x}(?: {where} {y})?", "ask count(x)"),
    ("(?:is|are)(?: there)? {x} {state}", "ask fact"),
    ("{whether}(?: there (?:is|are))? {x} (?:(?:is|are) )?{state}", "ask fact"),
    ("(?:do you )?(?P<verb>see) {x}", "ask fact"),
    ("are you (?P<verb>hold) {x}", "ask fact"),
    # what must stay
    ("(?:do not|never|without|avoid) (?:touch|disturb|move) {x}", "keep not moved(x)"),
    ("leave {x} (?:alone|be|~as-is|untouched)", "keep not moved(x)"),
    ("{x} {should} (?:stay|remain) ~as-is", "keep not moved(x)"),
    ("(?:keep|leave) {x} {state}", "keep fact"),
    ("{x} {should} (?:stay|remain) {state}", "keep fact"),
    ("{x} (?:must|may|can) (?:never|not) be {state}", "keep not fact"),
    # arrangements
    ("(?:swap|exchange|switch)(?: ~places-of)? {x}(?: (?:with|for) {y})?", "swap(x, y)"),
    ("(?:line up|align) {x}", "row(x)"),
    ("(?:{put}|arrange) {x} ~in-a-row", "row(x)"),
    ("{stack} #\\d+(?: on {y})? ~in-order {x}{way}", "tower(y, x)"),
    ("{stack} {x} on {y} on {z}", "tower(z, y, x)"),
    ("{stack} {x}(?: on(?:to| top of)? {y})?(?:,? ~in-order)?{way}", "tower(y, x)"),
    ("(?:{stack}|{put}) {x} (?:on|on top of) ~each-other{way}", "tower(x)"),
    ("(?:build|make) ~a-tower (?:of|from) {x}(?: on {y})?(?:,? ~in-order)?{way}", "tower(y, x)"),
    # nothing is to be there
    ("clear(?: off)? {y}(?: off)?", "not X is on Y; not X is inside Y"),
    ("(?:clear out|unload|empty)(?: out)? {y}(?: out)?", "not X is inside Y; not X is on Y"),
    ("(?:there )?{should} be nothing {where} {y}", "not fact"),
    ("nothing {should} (?:be|stand|lie|remain|stay)(?: left)? {where} {y}", "not fact"),
    # places
    ("{put} {x} between {y} and {z}", "X is between Y and Z"),
    ("{take} {x}(?: {now} {n})?{and} {put} @\\d+ {relation} {y}", "from"),
    ("{take} {x}{and} {verb} @\\d+{means}", "fact"),
    ("{put} {x} {now} {n} {relation} {y}", "from"),
    ("{put} {x} {relation} {y}", "fact"),
    ("lift {x} (?:on|onto|on to|on top of) {y}", "X is on Y"),
    ("{relation} {y},? {put} {x}", "fact"),
    ("{put} {x} (?P<side>in|inside|indoors|outside|outdoors)(?: from outside)?", "room"),
    ("{put} (?P<side>in|inside) {x}", "room"),
    ("(?:go|walk|drive|move|come)(?: forward| over| ahead| back)? to {x}", "the robot is at X"),
    ("(?:let go|(?:empty|open) ~your-hand)",
     "the hand of the robot is empty; the robot's hand is empty"),
    # conditions
    ("(?:push|pull|swing|slam|make) {x} {adjective}", "fact"),
    ("{verb} {x}{means}", "fact"),
    ("{stem} {x} (?P<particle>on|off|up|down|in|out){means}", "fact"),
    ("move {x}(?: ~aside| away)?", "moved(x)"),
    # wishes
    ("{want} {x}(?: (?:to be|is|are|{should} be))?(?P<no> not)? {state}", "fact"),
    ("{x} {should} (?P<no>not )?(?:be|go|end up|stand|lie) {state}", "fact"),
    ("{x} (?:belongs?|goes?) {relation} {y}", "fact"),
    ("{x} {state}", "fact"),
    ("[a-z]+ {x}", "impossible"),
)  # fmt: skip


def _compiled(pattern: str) -> re.Pattern[str]:
    for name, group in _GROUPS.items():
        pattern = pattern.replace(f"{{{name}}}", group)
    return re.compile(rf"(?:{pattern})(?![\w-])", re.IGNORECASE)


_PATTERNS = tuple((_compiled(pattern), meaning) for pattern, meaning in _MEANINGS)
_POLITE = re.compile(
    r"(?:(?:please|kindly|now|just|also|first|robot|could you|can you|would you|"
    r"will you|you should|you must|i want you to|i would like you to|make sure you|you)\b,? )*",
    re.IGNORECASE,
)
_NEVER = re.compile(r"(?:do not|never|without|avoid)(?: ever)? ", re.IGNORECASE)
_LINKS = (
    (r"[,.;!]? (?:and )?(?:then|after that|afterwards|finally|before)\b,? ", True),
    (r",? (?:and |but )?(?=without )", False),
    (r"[.;!?,] (?:and |but )?|,? (?:and|but) (?:also )?", False),
)
"""The words between two parts, and whether the second is later."""


def parts_of(text: str) -> tuple[ClausePart, ...] | None:
    """The parts of a marked text; None if no sequence of patterns explains every word."""
    return _parts(re.sub(r"\b[a-z]+ing\b", lambda m: _GERUNDS.get(m[0], m[0]), text))


def _parts(text: str) -> tuple[ClausePart, ...] | None:
    polite = _POLITE.match(text)
    start = polite.end() if polite else 0
    never = _NEVER.match(text, start)
    starts = [(start, False)] + ([(never.end(), True)] if never else [])
    for (place, negated), (pattern, meaning) in itertools.product(starts, _PATTERNS):
        match = pattern.match(text, place)
        if match is None:
            continue
        part, rest = _part(meaning, match, negated), text[match.end() :]
        if not rest.strip(" .!?"):
            return (part,)
        for link, later in _LINKS:
            joint = re.match(link, rest, re.IGNORECASE)
            others = _parts(rest[joint.end() :]) if joint else None
            if others:
                return (part, replace(others[0], later=others[0].later or later), *others[1:])
    return None
