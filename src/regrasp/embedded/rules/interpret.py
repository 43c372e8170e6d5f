"""The scripted interpreter of CoPAL: a remark is answered, a wish is passed on, "stop" stops.

The rules look at the form of a sentence and at the lists in the prompt. A question about the past
is answered from the actions that were done, one about recipes or objects from their lists. A
question about the scene is passed on, because it needs a look. "No ice" belongs to the request
before it.
"""

from __future__ import annotations

import re

from regrasp.embedded.rules.parsed_prompt import ParsedPrompt
from regrasp.prompts.interpret import RECIPE, Interpretation, ReplyKind, is_question, says_stop
from regrasp.prompts.recipe import Recipe
from regrasp.prompts.term_words import join_words

__all__ = ["interpret"]

_PAST = re.compile(r"\b(?:did you|have you|you did|were you|has been|so far)\b")
_CAN = re.compile(
    r"\bwhat (?:(?:else|kind of \w+|cocktails?|drinks?|pizzas?|dishes|things?) )*(?:can|could|do) "
    r"you (?:make|do|mix|bake|offer|serve|have)\b|\bmenu\b|\bwhat do you offer\b"
)
_NEEDS = re.compile(
    r"\bwhat(?:'?s| is| are| goes| belongs| comes)? (?:all )?(?:in|into|inside)\b|"
    r"\bingredients?\b|\brecipe\b|\bmade (?:of|from|with)\b|"
    r"\bwhat (?:do|does|would|will) .*\b(?:need|contain|take)\b|"
    r"\bhow (?:do|would|can|is|are) .*\b(?:make|made|mix|mixed|bake|baked|prepare|prepared)\b"
)
_HAVE = re.compile(r"\b(?:do you have|have you got|is there|are there)(?: any| some| a| an)? (.+)")
_GREETING = re.compile(r"(?:hi|hello|hey|good (?:morning|evening|day)|thanks?|thank you|bye)\b.*")
_CHANGES = re.compile(
    r"(?:and |but |please |actually |oh |wait )*(?:no|not|without|with|add|extra|more|less|double|"
    r"leave out|skip|hold the|instead)\b"
)
_AGAIN = re.compile(
    r"(?:(?:the )?same(?: again)?|again|another one|go on|carry on|continue|proceed)(?: please)?"
)
_MOST_NAMED = 20


def interpret(asked: ParsedPrompt) -> str:
    """The reply to the prompt of `prompts.interpret`."""
    return str(_interpretation(asked))


def _interpretation(asked: ParsedPrompt) -> Interpretation:
    says, present = asked.value("Says"), asked.value("Present")
    plain = " ".join(re.findall(r"[a-z0-9'_-]+", says.lower()))
    if not plain:
        return _answer("What shall I do?")
    if says_stop(says):
        return Interpretation(ReplyKind.STOP)
    if _CAN.search(plain):
        return _answer(_abilities(asked))
    if found := _HAVE.search(plain):
        return _answer(_supply(found[1], asked))
    if (recipe := asked.items(RECIPE)) and _NEEDS.search(plain):
        return _answer(_ingredients(recipe))
    if _PAST.search(plain) and is_question(says):
        return _answer(_past(plain, asked))
    if _GREETING.fullmatch(plain) and len(plain.split()) <= 4:
        return _answer("You are welcome." if "thank" in plain else "Hello. What shall I do?")
    before = present if present != "none" else _last_request(asked)
    if _AGAIN.fullmatch(plain) and before:
        return Interpretation(ReplyKind.REQUEST, before)
    if _CHANGES.match(plain) and before:
        kind = ReplyKind.CHANGE if present != "none" else ReplyKind.REQUEST
        return Interpretation(kind, f"{before.rstrip('.!?')}, {says.strip()}")
    return Interpretation(ReplyKind.REQUEST, says)


def _answer(text: str) -> Interpretation:
    return Interpretation(ReplyKind.ANSWER, text)


def _past(plain: str, asked: ParsedPrompt) -> str:
    """The actions that concern what the question names; all of them where it names nothing."""
    done = asked.items("Done")
    if not done:
        return "I have not done anything yet."
    words = set(re.findall(r"[a-z0-9]+", plain))
    named = [n for n in asked.value("Objects").split(", ") if words & set(n.split("_"))]
    told = [one for one in done if not named or set(named) & set(re.findall(r"\w+", one))]
    if not told:
        return f"I have done nothing with {' or '.join(named)}."
    return f"{'; '.join(told)}."


def _abilities(asked: ParsedPrompt) -> str:
    recipes = [one for one in asked.value("Recipes").split(", ") if one and one != "none"]
    if recipes:
        more = f" and {len(recipes) - _MOST_NAMED} more" if len(recipes) > _MOST_NAMED else ""
        return f"I can make {', '.join(recipes[:_MOST_NAMED])}{more}."
    return f"I can {'; '.join(asked.items('Abilities')) or 'do nothing here'}."


def _ingredients(recipe: tuple[str, ...]) -> str:
    """What the looked-up recipe needs; its first line has the name."""
    name, *lines = recipe
    found = Recipe.read(name.removeprefix("of "), lines)
    if found is None:
        return "I cannot read that recipe."
    needs = [one.words for one in found.ingredients if not one.optional]
    asked = [one.words for one in found.ingredients if one.optional]
    extra = f" If you like, also {join_words(asked)}." if asked else ""
    return f"Into a {found.name} go {join_words(needs)}.{extra}"


def _supply(thing: str, asked: ParsedPrompt) -> str:
    """Whether there is what was asked for, by the words of the names of objects."""
    words = {word.removesuffix("s") for word in re.findall(r"[a-z0-9]+", thing)}
    listed = asked.value("Objects").split(", ")
    found = [n for n in listed if words & {word.removesuffix("s") for word in n.split("_")}]
    return f"Yes: {', '.join(found)}." if found else f"No, I know of no {thing} here."


def _last_request(asked: ParsedPrompt) -> str:
    """What the person asked for last, as it stands in the dialogue; "" if nothing."""
    said = [one.removeprefix("request: ") for one in asked.items("Dialogue")]
    spoken = [one for one, line in zip(said, asked.items("Dialogue"), strict=True) if one != line]
    return spoken[-1] if spoken else ""
