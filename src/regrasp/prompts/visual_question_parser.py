"""Parse a free-form question about a picture as one of the known questions, or reject it.

"Does anything stand in the way of the cabinet?", "Is the cabinet blocked by the bar?" and "I wonder
whether the bar keeps the cabinet shut" ask the same relation. Each word becomes the letters of its
parts of speech (`question_words`), and the rules below list the orders of letters that form a
question. Every word must fit: with one unknown word (locked, yesterday, behind) the question is
rejected, so it is never half understood. An ambiguous question is rejected too.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regrasp.prompts.names import Names
from regrasp.prompts.question_words import (
    FILLERS,
    FORBIDDEN,
    FRAMES,
    LONGEST_PHRASE,
    NAME,
    PHRASES,
    SpeechPart,
)
from regrasp.prompts.visual_question import ANYTHING, ObjectQuestion, PathQuestion, VisualQuestion

__all__ = ["parse_visual_question"]

_MOST_WORDS, _MOST_READINGS = 40, 512
_CONTRACTED = (
    (re.compile(r"[\u2018\u2019`\"*\u201c\u201d]"), "'"),
    (re.compile(r"\b(what|there|it)'s\b"), r"\1 is"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"((?:the|a) [\w -]+?)'s (colou?r|state)\b"), r"the \2 of \1"),
    (re.compile(r"\bor is it\b"), "or"),
    (re.compile(r"\bare you able to\b"), "can you"),
    (re.compile(r"'s?\b|'"), " "),
)
_TOKEN = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*|[^\s,]")
_SENTENCE_END = re.compile(r"[.!;:\n]")
_FRAME = re.compile("|".join(f"(?:{frame})" for frame in FRAMES[1:]))
_HAIL = re.compile(FRAMES[0])
_PART_OF = frozenset({"door", "handle", "drawer", "lid", "knob"})
_FILLER = SpeechPart("_")
_SIDES = frozenset({"left", "right"})
_HAND = "_hand"  # ends the name of one of several hands: what it holds is inside it

# ---- the grammar: letters are those of question_words ------------------------------------------

_NAME = "d?N+(?:od?N+)?"
_FORMS = {
    "a": f"(?P<a>{_NAME})", "any": f"(?P<a>{_NAME}|A)", "b": f"(?P<b>{_NAME})",
    "robot": "d?R", "hand": "(?:d?s?G(?:od?R)?)", "who": "(?:d?R|d?s?G(?:od?R)?)",
}  # fmt: skip
_BE, _SEE, _DO, _HAVE = ("B", "BT"), ("DYv", "CYv"), ("D",), ("H",)
_RULES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    # beginning, subject, the rest; `r` is the relation asked about, or seeing if there is no r
    (("B",), "{a}", "P?(?P<r>[OQSV])"),
    (("BT",), "", "(?P<r>W){a}"),
    (("B",), "{a}", "P?b?[Zz]"),
    (("B",), "{a}&{b}", "P?(?P<r>m)"),
    (("C",), "{a}", "(?P<r>E)"),
    (("BT", *_SEE), "{a}", "Z?"),
    ((*_BE, *_SEE), "{any}", "b?P?(?P<r>[LK])e?{b}"),
    ((*_BE, *_SEE), "{any}", "(?P<r>F){b}X"),
    ((*_BE, *_SEE), "{any}", "(?P<r>F){b}Q"),
    ((*_BE, *_SEE), "{b}", "b?(?P<r>k)y{any}"),
    ((*_BE, *_SEE), "{who}", "(?P<r>h){any}(?:i{hand})?"),
    ((*_BE, *_SEE), "{any}", "b?(?P<r>g)(?:y{who}|[in]{hand})?"),
    ((*_BE, *_SEE), "{any}", "b?P?(?P<held>[in]){hand}"),
    ((*_BE, *_DO), "{b}", "(?P<grips>h){any}"),
    (_DO, "{a}", "P(?P<r>[OQV])"),
    (_DO, "{a}", "P[Zz]"),
    (_DO, "{any}", "P(?P<r>L){b}"),
    (_DO, "{any}", "(?P<r>K)e?{b}"),
    (_DO, "{any}", "(?P<r>F){b}X"),
    (_DO, "{any}", "(?P<r>F){b}Q"),
    (_DO, "{b}", "(?P<r>c){any}"),
    (_DO, "{who}", "(?P<r>h){any}(?:i{hand})?"),
    (_DO, "{robot}", "H{any}(?P<held>i){hand}"),
    (_DO, "M", "(?P<r>j){a}"),
    (_HAVE, "{a}", "b(?P<r>[OQV])"),
    (_HAVE, "{a}", "(?P<r>V)"),
    (_HAVE, "{any}", "bP(?P<r>L){b}"),
    (_HAVE, "{any}", "b(?P<r>g)(?:y{who})?"),
    (_HAVE, "{robot}", "(?P<r>[OQg]){a}"),
    (_HAVE, "{robot}", "{any}(?P<held>i){hand}"),
    (_HAVE, "{robot}", "P{a}(?P<r>L){b}"),
    (("U",), "{b}", "(?P<r>u){a}"),
    (("B",), "{robot}", "P?(?P<r>x){a}"),
    (_DO, "{robot}", "P(?P<r>x){a}"),
    (_HAVE, "{robot}", "(?P<r>p){a}"),
    (("B",), "d?I", "l{a}(?P<r>f)"),
    ((*_BE, *_SEE), "d?(?P<r>J)", "a{a}"),
)
_IN_A_WORD = ("w(?P<r>q)B{a}i?", "iw(?P<r>q)B{a}", "wBd(?P<r>q)o{a}", "w(?P<r>q)H{a}",
              "w(?P<r>q)D{a}H", "td(?P<r>q)o{a}")  # fmt: skip
_STATED = {"B": "B", "DYv": "Yv", "CYv": "YCv", "D": "", "H": "H", "U": "U", "C": "C"}


def _patterns(*, stated: bool) -> tuple[re.Pattern[str], ...]:
    """Every order of letters that is a question; with `stated`, those that follow "whether"."""
    orders = ["w(?P<r>q){a}B"] if stated else list(_IN_A_WORD)
    for begins, subject, rest in _RULES:
        for begin in begins:
            if not stated:
                orders.append(begin + subject + rest)
            elif begin == "BT":
                orders.append("TB" + subject + rest)
            elif begin in _SEE:
                orders.append(_STATED[begin] + subject + rest)
            else:
                orders.append(subject + _STATED[begin] + rest)
    return tuple(re.compile(order.format_map(_FORMS) + "z?") for order in orders)


_ASKED, _AFTER_WHETHER = _patterns(stated=False), _patterns(stated=True)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word or phrase of the question, and its possible parts of speech."""

    text: str
    parts: tuple[SpeechPart, ...]


def parse_visual_question(question: str, names: Names | None = None) -> VisualQuestion | None:
    """The typed question that `question` asks, over `names` if given; None for any other text."""
    sentence = _sentence(question)
    if sentence is None:
        return None
    if names is not None:
        for mention in reversed(names.mentions(sentence)):
            sentence = f"{sentence[: mention.start]}{mention.name.lower()}{sentence[mention.end :]}"
    tokens = " ".join(_TOKEN.findall(sentence)) + " "
    bare = _HAIL.sub("", tokens, count=1) if _HAIL.match(tokens) else tokens
    framed = _FRAME.match(bare)
    words = bare[framed.end() if framed else 0 :].split()
    patterns = _AFTER_WHETHER if framed else _ASKED
    found = (_named(sight, names) for sight in _readings(_tagged(words), patterns))
    known = {sight for sight in found if sight is not None}
    return known.pop() if len(known) == 1 else None


def _sentence(question: str) -> str | None:
    """The one sentence that asks; text after its question mark describes the form of the answer."""
    asked, mark, _ = question.strip().partition("?")
    parts = [part.strip() for part in _SENTENCE_END.split(asked.lower())]
    if not parts[0] or (mark and any(parts[1:])):
        return None
    sentence = parts[0]
    for pattern, instead in _CONTRACTED:
        sentence = pattern.sub(instead, sentence)
    return sentence


def _tagged(words: Sequence[str]) -> list[_Word]:
    """Words as the longest known phrases; other words can only be names."""
    found: list[_Word] = []
    at = 0
    while at < len(words):
        for length in range(min(LONGEST_PHRASE, len(words) - at), 0, -1):
            phrase = tuple(words[at : at + length])
            text = " ".join(phrase)
            if text in FILLERS:
                found.append(_Word(text, (_FILLER,)))
            elif phrase in PHRASES:
                found.append(_Word(text, PHRASES[phrase]))
            elif length == 1:
                odd = not re.fullmatch(r"[a-z0-9_-]+", text)
                found.append(_Word(text, (SpeechPart(FORBIDDEN if odd else NAME),)))
            else:
                continue
            at += length
            break
    return found


def _readings(words: list[_Word], patterns: Sequence[re.Pattern[str]]) -> Iterator[VisualQuestion]:
    """All readings of the words, over their possible parts of speech."""
    many = math.prod(len(word.parts) for word in words)
    if not words or len(words) > _MOST_WORDS or many > _MOST_READINGS:
        return
    for chosen in itertools.product(*(word.parts for word in words)):
        letters = "".join(part.letter for part in chosen)
        if FORBIDDEN in letters:
            continue
        kept = [  # a filler inside a name stays, so that it is no name
            i for i, letter in enumerate(letters)
            if letter != "_" or letters[max(i - 1, 0) : i + 2] == "N_N"
        ]  # fmt: skip
        spelt = "".join(letters[i] for i in kept)
        for pattern in patterns:
            match = pattern.fullmatch(spelt)
            if match is not None:
                yield from _sight(match, [words[i].text for i in kept], [chosen[i] for i in kept])


def _sight(
    match: re.Match[str], texts: list[str], parts: list[SpeechPart]
) -> Iterator[VisualQuestion]:
    groups = match.groupdict()
    part = SpeechPart("", ObjectQuestion.HELD if groups.get("held") else ObjectQuestion.SEEN)
    if groups.get("grips"):
        part = SpeechPart("", ObjectQuestion.INSIDE)
    elif groups.get("r"):
        part = parts[match.start("r")]
    names = []
    for group in ("a", "b"):
        span = range(*match.span(group)) if groups.get(group) else range(0)
        name = _name([texts[i] for i in span], "".join(parts[i].letter for i in span))
        if name is None:
            return
        names.append(name)
    if groups.get("grips") and not names[1].endswith(_HAND):
        return
    if part.look is not None and names[0] != names[1]:
        yield VisualQuestion(part.look, names[0], names[1], part.attribute)


def _name(words: list[str], letters: str) -> str | None:
    """`red cube`, or `wooden cabinet door` from `door of the wooden cabinet`; None if neither."""
    if letters == "A":
        return ANYTHING
    part, of, whole = letters.partition("o")
    head = [word for word, letter in zip(words, part, strict=False) if letter == NAME]
    if not of:
        return "_".join(head)
    if head[-1] not in _PART_OF:
        return None
    tail = zip(words[len(part) + 1 :], whole, strict=True)
    return "_".join([*(word for word, letter in tail if letter == NAME), *head])


def _named(sight: VisualQuestion, names: Names | None) -> VisualQuestion | None:
    """The question over known names, if those are given and it uses no other name."""
    found = [Names.normal(name) for name in (sight.object, sight.other)]
    if sight.template in (PathQuestion.CLEAR, PathQuestion.OBSTACLE):  # a side, not an object
        return VisualQuestion(sight.template, found[0]) if found[0] in _SIDES else None
    if names is not None:
        found = [name if name in ("", ANYTHING) else names.find(name) or "" for name in found]
        if not found[0] or bool(found[1]) != bool(sight.other):
            return None
    return VisualQuestion(sight.template, found[0], found[1], sight.attribute)
