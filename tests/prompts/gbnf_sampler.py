"""GBNF, as far as our prompts use it: random strings that it describes, and whether one is such."""

from __future__ import annotations

import random
import re

_TOKEN = re.compile(
    r'\s*(?:(?P<lit>"(?:[^"\\]|\\.)*")|(?P<cls>\[(?:[^\]\\]|\\.)*\])|(?P<rep>\{\d+(?:,\d*)?\})|'
    r"(?P<name>[a-z][a-z0-9-]*)|(?P<op>[()|?*+]))"
)
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class Sampler:
    """Draws strings that a grammar describes."""

    def __init__(self, grammar: str, rng: random.Random) -> None:
        self.rules = dict(line.split(" ::= ", 1) for line in grammar.strip().split("\n"))
        self.rng = rng

    def sample(self, rule: str = "root") -> str:
        tokens = self._tokens(self.rules[rule])
        text, rest = self._alternatives(tokens)
        assert not rest, f"left over in {rule}: {rest}"
        return text

    def _tokens(self, body: str) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        at = 0
        while body[at:].strip():
            match = _TOKEN.match(body, at)
            assert match is not None and match.lastgroup is not None, body[at : at + 40]
            found.append((match.lastgroup, match[match.lastgroup]))
            at = match.end()
        return found

    def _alternatives(self, tokens: list[tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
        options: list[list[tuple[str, str]]] = [[]]
        depth = 0
        while tokens:
            kind, value = tokens[0]
            if (kind, value) == ("op", ")") and depth == 0:
                break
            depth += {"(": 1, ")": -1}.get(value, 0) if kind == "op" else 0
            if (kind, value) == ("op", "|") and depth == 0:
                options.append([])
            else:
                options[-1].append(tokens[0])
            tokens = tokens[1:]
        return self._sequence(self.rng.choice(options)), tokens

    def _sequence(self, tokens: list[tuple[str, str]]) -> str:
        text = ""
        while tokens:
            kind, value = tokens[0]
            tokens = tokens[1:]
            inner: list[tuple[str, str]] = []
            if kind == "op":
                assert value == "(", value
                depth = 1
                while depth:
                    depth += {("op", "("): 1, ("op", ")"): -1}.get(tokens[0], 0)
                    inner.append(tokens[0])
                    tokens = tokens[1:]
                inner.pop()
            times = 1
            if tokens and (tokens[0][0] == "rep" or tokens[0] in [("op", c) for c in "?*+"]):
                times = self._times(tokens[0][1])
                tokens = tokens[1:]
            for _ in range(times):
                text += self._one(kind, value, inner)
        return text

    def _times(self, mark: str) -> int:
        if mark in "?*+":
            low, high = {"?": (0, 1), "*": (0, 3), "+": (1, 3)}[mark]
        else:
            bounds = mark[1:-1].split(",")
            low = int(bounds[0])
            high = int(bounds[-1] or low + 3) if len(bounds) > 1 else low
        return self.rng.randint(low, min(high, low + 30))

    def _one(self, kind: str, value: str, inner: list[tuple[str, str]]) -> str:
        if kind == "lit":
            return re.sub(r"\\(.)", lambda m: _ESCAPES[m[1]], value[1:-1])
        if kind == "cls":
            return self._char(value)
        if kind == "name":
            return self.sample(value)
        return self._alternatives(inner)[0]

    def _char(self, cls: str) -> str:
        pattern = re.compile(cls)
        while True:
            char = self.rng.choice("abcdefghij klmnop.,;:'-_0123456789 XYZ é€()/!?#*`")
            if pattern.match(char):
                return char


def pattern(grammar: str) -> re.Pattern[str]:
    """What a grammar describes, as a regular expression; our grammars do not recurse."""
    sampler = Sampler(grammar, random.Random(0))

    def expression(rule: str) -> str:
        pieces = []
        for kind, value in sampler._tokens(sampler.rules[rule]):
            if kind == "lit":
                pieces.append(f"(?:{re.escape(sampler._one(kind, value, []))})")
            else:
                pieces.append(f"(?:{expression(value)})" if kind == "name" else value)
        return "".join(pieces)

    return re.compile(expression("root"))
