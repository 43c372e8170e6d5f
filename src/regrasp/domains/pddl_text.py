"""The text of PDDL as tokens and nested groups, each with its line and column.

Comments (`;` to the end of the line) are skipped and letters are made lower case: PDDL ignores
case. A section that begins inside another means that a parenthesis is missing before it. The error
is reported there and not at the end of the text, where it would be hard to find.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from regrasp.core.errors import RegraspError

__all__ = ["MAX_CHARACTERS", "MAX_DEPTH", "Group", "Node", "PddlError", "PddlToken", "Source"]

MAX_CHARACTERS = 1_000_000
"""The longest text that is read."""

MAX_DEPTH = 60
"""How deep parentheses may nest."""

SECTIONS = (
    ":action", ":constants", ":domain", ":goal", ":init", ":objects", ":predicates",
    ":requirements", ":types",
)  # fmt: skip
"""The sections that may stand directly in `(define …)`, and nowhere else."""


class PddlError(RegraspError):
    """Text that is not valid PDDL: the file, the position, the error, and the expected input."""

    def __init__(self, problem: str, file: str, line: int, column: int) -> None:
        super().__init__(problem, file, line, column)
        self.problem, self.file, self.line, self.column = problem, file, line, column

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}, column {self.column}: {self.problem}"


@dataclass(frozen=True, slots=True)
class PddlToken:
    """A word or a parenthesis, with its line and column (both from 1)."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Group:
    """The content between a parenthesis and its closing one."""

    start: PddlToken
    items: tuple[Node, ...]
    end: PddlToken

    @property
    def head(self) -> str:
        """Its first word, or an empty text."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, PddlToken) else ""


Node: TypeAlias = "PddlToken | Group"

_PIECE = re.compile(r"(?P<skip>\s+|;[^\n]*)|(?P<mark>[()])|(?P<word>[:?]?[\w=-]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Source:
    """A text to read, and its name in errors."""

    text: str
    file: str

    def fail(self, at: Node, problem: str) -> NoReturn:
        """Raise the error at a token, or at the parenthesis that begins a group."""
        place = at.start if isinstance(at, Group) else at
        raise PddlError(problem, self.file, place.line, place.column)

    def tokens(self) -> tuple[PddlToken, ...]:
        """Words and parentheses in order; PddlError at a character that PDDL does not use."""
        if len(self.text) > MAX_CHARACTERS:
            self.fail(
                PddlToken("", 1, 1),
                f"the text has {len(self.text)} characters; at most {MAX_CHARACTERS} are read.",
            )
        found, at, line, begins = [], 0, 1, 0
        while at < len(self.text):
            match = _PIECE.match(self.text, at)
            here = PddlToken(match[0].lower() if match else self.text[at], line, at - begins + 1)
            if match is None:
                self.fail(
                    here,
                    f"the character {self.text[at]!r} has no meaning in PDDL. Names are made of "
                    "letters, digits, - and _; comments begin with a semicolon.",
                )
            if match["skip"] is None:
                found.append(here)
            at = match.end()
            if breaks := match[0].count("\n"):
                line, begins = line + breaks, match.start() + match[0].rindex("\n") + 1
        return tuple(found)

    def group(self) -> Group:
        """The one group that the text consists of."""
        tokens = self.tokens()
        if not tokens:
            self.fail(
                PddlToken("", 1, 1), "the text is empty. Begin with (define (domain NAME) …)."
            )
        if tokens[0].text != "(":
            self.fail(tokens[0], f"expected '(define', found {tokens[0].text!r}.")
        opened: list[tuple[PddlToken, list[Node]]] = []
        for number, token in enumerate(tokens):
            if token.text == "(":
                if len(opened) == MAX_DEPTH:
                    self.fail(token, f"parentheses nest deeper than {MAX_DEPTH}; write it flatter.")
                opened.append((token, []))
            elif token.text == ")":
                start, items = opened.pop()
                group = Group(start, tuple(items), token)
                if not opened:
                    if number + 1 < len(tokens):
                        self.fail(
                            tokens[number + 1],
                            f"nothing may follow the ')' of (define, but here is "
                            f"{tokens[number + 1].text!r}. Is there a ')' too many before?",
                        )
                    return group
                opened[-1][1].append(group)
            else:
                self._check_section(token, opened)
                opened[-1][1].append(token)
        start, items = opened[-1]
        last = tokens[-1]
        what = f"({items[0].text}" if items and isinstance(items[0], PddlToken) else "("
        end = PddlToken("", last.line, last.column + len(last.text))
        self.fail(
            end,
            f"the text ends inside '{what}' of line {start.line}, column {start.column}: "
            f"{len(opened)} closing ')' are missing.",
        )

    def _check_section(self, word: PddlToken, opened: list[tuple[PddlToken, list[Node]]]) -> None:
        """A section begins right under (define; elsewhere, a ')' is missing before it."""
        start, items = opened[-1]
        if items or word.text not in SECTIONS or len(opened) <= 2:
            return
        around, within = opened[-2]
        what = within[0].text if within and isinstance(within[0], PddlToken) else ""
        self.fail(
            start,
            f"'({word.text}' is not allowed inside '({what}' of line {around.line}, column "
            f"{around.column}: a ')' is missing before it.",
        )
