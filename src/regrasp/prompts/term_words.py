"""Names, kinds and selections of the goal language in plain English."""

from __future__ import annotations

from collections.abc import Iterator

from regrasp.core.goal import is_variable, variable_kind
from regrasp.core.goal_description import ANYTHING, EXTREMES, Filter, Quantifier, Selection, Term
from regrasp.prompts.noun_table import plural

__all__ = [
    "a_kind",
    "filter_words",
    "is_plural",
    "join_words",
    "kind_words",
    "name_words",
    "plural_words",
    "term_words",
]

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MASSES = frozenset({"cutlery", "furniture", "clothing", "electronics", "food"})
"""Groups that are counted in pieces."""


def name_words(name: str) -> str:
    """`red_cube` → `the red cube`; a name with a number needs no article: `cup_2` → `cup 2`."""
    words = " ".join(name.split("_"))
    return words if words[-1:].isdigit() else f"the {words}"


def kind_words(kind: str, *, many: bool = False) -> str:
    """`coffee_maker` → `coffee maker`; of a mass one takes pieces: `piece of cutlery`."""
    if kind in _MASSES:
        return f"piece{'s' if many else ''} of {kind}"
    *first, last = kind.split("_")
    return " ".join((*first, plural(last) if many else last))


def a_kind(words: str) -> str:
    """The words with their indefinite article: `an apple`."""
    return f"{'an' if words[:1] in tuple('aeiou') else 'a'} {words}"


def join_words(parts: list[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def is_plural(term: Term) -> bool:
    """Whether the words of a term need a verb in the plural."""
    return isinstance(term, Selection) and term.count > 1


def term_words(term: Term) -> str:
    """A term of a clause: `the red cube`, `every cube that is not red`, `a cup`, `two cups`."""
    if not isinstance(term, Selection):
        if is_variable(term):
            return a_kind(kind_words(variable_kind(term)))
        return name_words(term)
    many = is_plural(term)
    described = _described(term, many)
    if term.kind == ANYTHING and not many and described.startswith(ANYTHING):
        first = {Quantifier.EACH: "every", Quantifier.SOME: "some", Quantifier.THE: "the "}
        return first[term.quantifier] + described
    if many:
        number = _NUMBERS[term.count] if term.count < len(_NUMBERS) else str(term.count)
        return f"{number} {described}"
    match term.quantifier:
        case Quantifier.EACH:
            return f"every {described}"
        case Quantifier.SOME:
            return a_kind(described)
        case Quantifier.THE:
            return f"the {described}"


def plural_words(term: Term) -> str:
    """A term where many objects are named together: `all cubes that are not red`."""
    if isinstance(term, Selection) and term.quantifier is Quantifier.EACH:
        return f"all {_described(term, many=True)}"
    return term_words(term)


def filter_words(one: Filter, *, many: bool = False) -> str:
    """A filter as a verb phrase: `is not red`, `is on the crate`, `is the leftmost one`."""
    no = "" if one.positive else " not"
    be = f"{'are' if many else 'is'}{no}"
    match one.word:
        case "except":
            return f"{'are' if many else 'is'}{'' if no else ' not'} {name_words(one.of)}"
        case "like":
            have = "have" if many else "has"
            verb = f"do{'' if many else 'es'} not have" if no else have
            return f"{verb} the same colour as {name_words(one.of)}"
        case "on" | "in":
            return f"{be} {one.word} {name_words(one.of)}"
        case word if word in EXTREMES:
            return f"{be} the {word} one"
        case word:
            return f"{be} {word}"


def _described(term: Selection, many: bool) -> str:
    """The kind with its filters, without a determiner."""
    adjectives = [one.word for one in term.filters if _is_adjective(one)]
    said = " ".join((*adjectives, kind_words(term.kind, many=many)))
    clauses = [filter_words(one, many=many) for one in _relative_filters(term)]
    said += f" that {' and '.join(clauses)}" if clauses else ""
    left_out = [name_words(f.of) for f in term.filters if f.word == "except" and f.positive]
    return said + (f" except {join_words(left_out)}" if left_out else "")


def _relative_filters(term: Selection) -> Iterator[Filter]:
    for one in term.filters:
        if not _is_adjective(one) and not (one.word == "except" and one.positive):
            yield one


def _is_adjective(one: Filter) -> bool:
    return one.positive and not one.of
