"""GBNF, the grammar notation of llama.cpp: the building blocks of the prompts' grammars.

A grammar describes exactly what the prompt *asks for*; the parser beside it accepts more. The tests
draw random strings from every grammar and parse them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

__all__ = ["CANNOT", "SENTENCE", "WORDS", "choice", "fill", "grammar", "literal", "numbered_lines"]

SENTENCE = r"[^\n\r\t<>]{1,200}"
"""One line of free text."""

WORDS = r"[^ \n\r\t<>] [^\n\r\t<>]{0,199}"
"""One line of free text that is not blank."""

CANNOT = f'"Cannot: " {SENTENCE}'
"""The reply of a model that cannot answer."""


def literal(text: str) -> str:
    """`text` itself."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def choice(texts: Iterable[str]) -> str:
    """One of `texts`, in parentheses."""
    return "(" + " | ".join(literal(text) for text in texts) + ")"


def fill(form: str, slots: Mapping[str, str]) -> str:
    """`form` with each of `slots` in it replaced by the name of a rule."""
    pieces = re.split(rf"(?<![\w-])({'|'.join(map(re.escape, slots))})(?![\w-])", form)
    return " ".join(slots.get(piece) or literal(piece) for piece in pieces if piece)


def numbered_lines(rule: str, most: int, before: str = "", first: str = "") -> str:
    """One to `most` lines of `rule`, each with its number; `before` may come before a later one.

    The first line is of the rule `first`, if one is given.
    """
    more, line = "", f'\\n" {before}? "' if before else "\\n"
    for number in range(most, 1, -1):
        more = f' ("{line}{number}. " {rule}{more})?'
    return f'"1. " {first or rule}{more}'


def grammar(root: str, rules: Mapping[str, str] | None = None) -> str:
    """A whole grammar: its root rule and the named rules it uses.

    A closing newline may follow: a trained model also ends its last line, and the probability of
    that newline is needed to rank candidates (`models.scoring`).
    """
    lines = [f'root ::= ({root}) "\\n"?']
    lines += [f"{name} ::= {body}" for name, body in (rules or {}).items()]
    return "\n".join(lines) + "\n"
