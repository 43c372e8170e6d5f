"""The scripted specifier of CoPAL: from facts or a recipe to the steps that are left.

A request that names a recipe of the list is looked up; any other is read as facts first. A recipe
becomes one step for each ingredient that the vessel does not contain yet, then the sentences of
serving; facts become one step each, from the first one that is not true. What the person does not
want ("no ice", "without mint") is left out; an optional ingredient goes in only if it is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from regrasp.core.errors import closest
from regrasp.embedded.rules.parsed_prompt import ParsedPrompt
from regrasp.embedded.rules.sentences import is_true
from regrasp.prompts.recipe import Ingredient, Recipe
from regrasp.prompts.sections import numbered
from regrasp.prompts.text import one_line

__all__ = ["read_objects", "specify"]

_OBJECT = re.compile(r"(\w+) \((\w+)\)")
_CONTENT = re.compile(r"there is some (\w+) in (\w+)")
_VARIABLE = re.compile(r"\?(\w+)")
_UNWANTED = re.compile(
    r"\b(?:no|not|without|leave out|skip|hold)(?: the| any)?"
    r"((?: (?!with\b|but\b|please\b)\w+){1,4})"
)
_ORDER = re.compile(
    r"(?:please )?(?:can you |could you |would you |will you )?"
    r"(?:(?P<makes>(?:make|mix|prepare|bake|serve|id like|i would like|i want|i will have|"
    r"can i have|could i have|may i have) )|(?:get|bring|give) )?(?:me |us )?"
    r"(?P<a>(?:a|an|one|some) )?(?:cold |nice |fresh )?(?:\w+ of )?(?P<what>.+?)(?: please)?"
)
"""An order of a dish or drink, whatever it may be called."""
_NOT_A_NAME = re.compile(r"\b(?:the|is|are|be|on|in|into|onto|to|from|under|at|sure)\b")
"""Words of a request about the scene, which no name of a dish has."""
_SORTS = re.compile(r"\b(?:cocktail|drink|pizza)s?\b")
_SAME_NAME = 0.85
"""How alike a name and a title are, from 0 to 1, that differ by a slip of the pen."""
_FILLERS = ("and", "or", "the", "any", "more", "with", "please")


def specify(asked: ParsedPrompt) -> str:
    """The reply to the prompt of `prompts.specify`."""
    request, known = asked.value("Request"), frozenset(asked.items("Known"))
    objects = read_objects(asked)
    if not request:
        return "Cannot: nothing is requested"
    if wanted := asked.items("Wanted"):
        return _facts(request, _bound(wanted, objects), known, objects)
    if lines := asked.items("Recipe"):
        recipe = Recipe.read(asked.value("Recipe name"), lines)
        if recipe is None:
            return "Cannot: I cannot read the recipe"
        return _recipe(recipe, request, known, objects, asked.items("Done"))
    if title := _title(request, asked.value("Recipes").split(", ")):
        return f"Look up: {title}"
    titles = [one for one in asked.value("Recipes").split(", ") if one]
    ordered = _ordered(request, objects) if titles else ""
    if not ordered:
        return f"Read: {request}"
    if title := _misspelt(ordered, titles):
        return f"Look up: {title}"
    guess = closest(ordered, titles)
    like = f"; I know one for {guess}" if guess else ""
    return f"Cannot: I know no recipe for {ordered}{like}"


def _ordered(request: str, objects: dict[str, str]) -> str:
    """The dish or drink that a request orders; "" if it is about the scene."""
    order = _ORDER.fullmatch(_plain(request))
    if order is None:
        return ""
    what = order["what"]
    of_scene = _NOT_A_NAME.search(what) or what.replace(" ", "_") in objects
    is_order = (order["makes"] or order["a"]) and not of_scene
    return what if is_order or not _names(what, objects) else ""


def _misspelt(ordered: str, titles: Iterable[str]) -> str:
    """The title that differs from what was ordered by a slip of the pen; "" if none does."""
    name = " ".join(_SORTS.sub("", ordered).split())
    alike = {one: SequenceMatcher(None, name, _plain(one)).ratio() for one in titles}
    best = max(alike, key=lambda one: alike[one])
    return best if alike[best] >= _SAME_NAME else ""


def read_objects(asked: ParsedPrompt) -> dict[str, str]:
    """The kind of each listed object."""
    return {match[1]: match[2] for match in _OBJECT.finditer(asked.value("Objects"))}


def _title(request: str, titles: Iterable[str]) -> str:
    """The longest title whose words stand in the request; "" if there is none."""
    said = f" {_plain(request)} "
    named = (title for title in titles if (plain := _plain(title)) and f" {plain} " in said)
    return max(named, key=len, default="")


def _names(words: str, objects: dict[str, str]) -> bool:
    """Whether words name one of the objects, or a kind of them."""
    said = {word.removesuffix("s") for word in words.split()}
    known = {
        part.removesuffix("s") for one in objects.items() for n in one for part in n.split("_")
    }
    return bool(said & known)


def _facts(
    request: str, wanted: tuple[str, ...], known: frozenset[str], objects: dict[str, str]
) -> str:
    """One step for each fact, from the first that is not true: one may undo a later one."""
    unmet = [i for i, sentence in enumerate(wanted) if not is_true(sentence, known)]
    if not unmet:
        return "Done"
    steps = [f"Make sure that {sentence}" for sentence in wanted[unmet[0] :]]
    return _reply(request, steps, known, objects)


def _recipe(
    recipe: Recipe,
    request: str,
    known: frozenset[str],
    objects: dict[str, str],
    done: tuple[str, ...],
) -> str:
    content = {(match[2], match[1]) for one in known if (match := _CONTENT.fullmatch(one))}
    vessels = [name for name, kind in objects.items() if kind == recipe.into]
    chosen = [one for one in recipe.ingredients if _goes_in(one, recipe, request)]
    wanted = {one.substance for one in chosen}
    used = [one for one in vessels if any(one in re.split(r"\W+", line) for line in done)]
    begun = [one for one in used if {s for v, s in content if v == one} <= wanted]
    empty = [one for one in vessels if one not in {vessel for vessel, _ in content}]
    vessel = next(iter((*begun, *empty)), "")
    if not vessel:
        return f"Cannot: there is no empty {recipe.into} for the {recipe.name}"
    sources = {s: v for v, s in sorted(content, reverse=True) if v not in vessels}
    missing = [one for one in chosen if (vessel, one.substance) not in content]
    lacking = [one.substance for one in missing if one.substance not in sources]
    if lacking:
        needs = f"{_article(recipe.name)} needs {' and '.join(lacking)}"
        return f"Cannot: {needs}, and there is none here"
    steps = [
        f"Pour {one.ml:g} ml of {one.substance} from {sources[one.substance]} into {vessel}"
        for one in missing
    ]
    serve = [re.sub(r"\bit\b", vessel, sentence, count=1) for sentence in recipe.serve]
    unmet = [i for i, sentence in enumerate(serve) if not is_true(sentence, known)]
    steps += [f"Make sure that {one}" for one in (serve[unmet[0] :] if unmet else ())]
    if not steps:
        return "Done"
    return _reply(f"{recipe.name} in {vessel}, served", steps, known, objects)


def _goes_in(ingredient: Ingredient, recipe: Recipe, request: str) -> bool:
    """Whether an ingredient belongs in: not if it is unwanted; an optional one only if named.

    It is named by a word that no other ingredient has: ice, not cubes, where there is sugar too.
    """
    plain = _plain(request)
    unwanted = {w for found in _UNWANTED.finditer(plain) for w in found[1].split()}
    others = [one for one in recipe.ingredients if one != ingredient]
    shared = {word for one in others for word in one.substance.split("_")}
    own = [word for word in ingredient.substance.split("_") if word not in shared]
    words = {word.removesuffix("s") for word in own}
    if words & {word.removesuffix("s") for word in unwanted if word not in _FILLERS}:
        return False
    return not ingredient.optional or bool(words & {w.removesuffix("s") for w in plain.split()})


def _bound(wanted: Iterable[str], objects: dict[str, str]) -> tuple[str, ...]:
    """The facts with the first object of its kind for each variable."""

    def name(match: re.Match[str]) -> str:
        kinds = (one for one, kind in objects.items() if kind == match[1])
        return next(kinds, match[0])

    return tuple(_VARIABLE.sub(name, sentence) for sentence in wanted)


def _reply(goal: str, steps: list[str], known: frozenset[str], objects: dict[str, str]) -> str:
    used = [name for name in objects if any(name in step.split() for step in steps)]
    about = [one for one in sorted(known) if set(one.split()) & set(used)]
    return "\n".join(
        [
            f"Goal: {one_line(goal, 190)}",
            f"Objects: {', '.join(used) or 'none'}",
            f"State: {one_line('; '.join(about), 190) or 'nothing is known of them'}",
            "Steps:",
            *numbered(steps),
        ]
    )


def _article(name: str) -> str:
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower().replace("'", "")))
