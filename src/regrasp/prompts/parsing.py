"""Shared parts of the parsers. They are total: any text gives a value or a `ParseError`.

A `ParseError` gives the position in the reply, the text found there and the expected text; this
hint can be sent back once (`repair_message`). `Declined` is a model that replied that it cannot
answer, which is an answer: a caller must be able to distinguish "no plan" from "no readable plan".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from regrasp.core.answer import Verdict
from regrasp.prompts.text import one_line, quoted

__all__ = [
    "Declined",
    "Line",
    "ParseError",
    "Span",
    "declined",
    "find_choice",
    "find_number",
    "find_yes_no",
    "labelled",
    "list_lines",
    "parse_lines",
    "repair_message",
    "tagged",
]


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (excluded) of a reply."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParseError:
    """A reply that was not understood: the position, the text there, and the expected text."""

    span: Span
    found: str
    hint: str

    def __str__(self) -> str:
        return f"at {self.span.start}-{self.span.end}, {quoted(self.found, 80)}: {self.hint}"

    @classmethod
    def at(cls, text: str, start: int, end: int, hint: str) -> ParseError:
        """The error over `text[start:end]`."""
        return cls(Span(start, end), text[start:end], hint)

    @classmethod
    def on(cls, text: str, line: Line, hint: str) -> ParseError:
        """The error over `line`, a piece of `text`."""
        return cls.at(text, line.start, line.end, hint)

    @classmethod
    def whole(cls, text: str, hint: str) -> ParseError:
        """The error over all of `text`: the expected part is missing."""
        return cls.at(text, 0, len(text), hint)


@dataclass(frozen=True, slots=True)
class Declined:
    """The model replied, in the format, that it cannot answer, and gave a reason."""

    why: str


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of one line of a reply: its text, stripped, and its position."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends (excluded)."""
        return self.start + len(self.text)


def repair_message(error: ParseError) -> str:
    """The message to send back, once, to the model whose reply gave `error`."""
    about = f" The trouble is at {quoted(error.found, 120)}." if error.found.strip() else ""
    return f"Your answer could not be read.{about} {error.hint} Answer again, only in that form."


_CANNOT = re.compile(r"(?im)^[ \t>*#-]*cannot[ \t]*:[ \t]*(.*)$")


def declined(text: str) -> Declined | None:
    """The `Cannot: why` line of a reply, if there is one."""
    match = _CANNOT.search(text)
    return Declined(one_line(match[1]) or "no reason given") if match else None


def _stripped(text: str, start: int, end: int) -> Line:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return Line(piece.strip(), start + left)


_BULLET = re.compile(r"(?m)^[ \t]*(?:\(?\d{1,3}[.):][ \t]*|[-*•>][ \t]+|>)(?=\S)(.*)$")


def list_lines(text: str) -> tuple[Line, ...]:
    """Lines that are numbered or bulleted (`1.`, `2)`, `-`, `*`, `>`), without their marks."""
    return tuple(_stripped(text, m.start(1), m.end(1)) for m in _BULLET.finditer(text))


def parse_lines(
    text: str, lines: Sequence[Line], most: int, what: str, parse: Callable[[Line], T | ParseError]
) -> tuple[T, ...] | ParseError:
    """The values of `lines` of the reply `text`, or the first error; `what` names the values."""
    if len(lines) > most:
        return ParseError.at(text, lines[most].start, lines[-1].end, f"Use at most {most} {what}.")
    found: list[T] = []
    for line in lines:
        value = parse(line)
        if isinstance(value, ParseError):
            return value
        found.append(value)
    return tuple(found)


def labelled(text: str, label: str) -> tuple[Line, ...]:
    """The text after `Label:` at the start of a line, or in `<label>…</label>`.

    Differences in case, bold marks, bullets and a missing closing tag are accepted: a value ends
    with its line.
    """
    name = re.escape(label)
    pattern = re.compile(
        rf"(?im)(?:^[ \t>*#•-]*(?:\d{{1,3}}[.)][ \t]*)?[*_]*{name}[*_]*"
        rf"[ \t]*(?:\#?\d{{1,2}}[ \t]*)?:[*_]*|<[ \t]*{name}[ \t]*>)([^\n]*?)(?=</|$)"
    )
    return tuple(_stripped(text, m.start(1), m.end(1)) for m in pattern.finditer(text))


def tagged(text: str, tag: str) -> Line | None:
    """The first `<tag>…</tag>`, over many lines; without a closing tag, up to a blank line."""
    name = re.escape(tag)
    match = re.search(rf"(?is)<[ \t]*{name}[ \t]*>(.*?)(?:</[ \t]*{name}|\n[ \t]*\n|\Z)", text)
    return _stripped(text, match.start(1), match.end(1)) if match else None


_VERDICTS = {
    **dict.fromkeys(("yes", "yeah", "yep", "true", "correct"), Verdict.YES),
    **dict.fromkeys(("no", "nope", "false", "incorrect"), Verdict.NO),
    **dict.fromkeys(("unknown", "unsure", "unclear", "undetermined"), Verdict.UNKNOWN),
}
_UNSURE = re.compile(
    r"\b(?:not sure|cannot (?:say|tell)|can't (?:say|tell)|don't know|not clear)\b"
)
_WORD = re.compile(r"[A-Za-z']+")


def _leading_verdict(text: str) -> Verdict | None:
    match = _WORD.search(text)
    return _VERDICTS.get(match[0].lower()) if match else None


def find_yes_no(text: str, label: str = "Answer") -> Verdict | ParseError:
    """Read yes, no or unknown, in this order of trust, and never out of a reply with both.

    A `label:` line; the first word; the first word of the last line; the only verdict in the text.
    """
    body = text.strip()
    labels = [line.text for line in labelled(text, label)]
    for value in (*labels, body, body.rsplit("\n", 1)[-1]):
        if (spoken := _leading_verdict(value)) is not None:
            return spoken
    if declined(text) or _UNSURE.search(text.lower()):
        return Verdict.UNKNOWN
    found = {_VERDICTS[w] for w in map(str.lower, _WORD.findall(text)) if w in _VERDICTS}
    if len(found) == 1:
        return found.pop()
    return ParseError.whole(text, "Begin your answer with one word: yes, no or unknown.")


def find_number(text: str, label: str, highest: int) -> int | ParseError | None:
    """Read the number after `label:` (or `<label>`), 1 to `highest`, or None for `none` or -1.

    Without a label, a number or `none` that is the whole reply is accepted.
    """
    hint = f"Write '{label}: ' and a number from 1 to {highest}, or '{label}: none'."
    values = labelled(text, label)
    line = values[-1] if values else _stripped(text, 0, len(text))
    pattern = r"[#\s]*(-?\d{1,6}|none)\b" if values else r"[#\s]*(-?\d{1,6}|none)[.\s]*$"
    match = re.match(pattern, line.text, re.IGNORECASE)
    if match is None:
        return ParseError.on(text, line, hint)
    if match[1].lower() in ("none", "-1"):
        return None
    number = int(match[1])
    if not 1 <= number <= highest:
        start = line.start + match.start(1)
        return ParseError.at(text, start, start + len(match[1]), hint)
    return number


def find_choice(text: str, choices: tuple[str, ...], label: str = "Answer") -> str | ParseError:
    """Read one of `choices`: the first one after a label, else the only one in the text."""

    def spoken(piece: str) -> Iterator[str]:
        for word in re.findall(r"[a-z]+", piece.lower().replace("_", " ")):
            if word in choices:
                yield word

    for line in labelled(text, label):
        if (first := next(spoken(line.text), None)) is not None:
            return first
    found = list(spoken(text))
    if len(set(found)) == 1:
        return found[0]
    return ParseError.whole(text, f"Answer with one word: {' or '.join(choices)}.")
