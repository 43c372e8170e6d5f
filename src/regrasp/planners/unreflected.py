"""Words of an instruction that its goal does not reflect: a reason to ask before it is acted on.

"Open the cabinet halfway" is not the goal closed(cabinet) made false, and "put neither cup on the
tray" is not on(cup, tray). Every operator of the instruction (`prompts.operator_words`) must show
in the goal: a negation as a clause that is false or kept, `both` as two objects, `then` as a later
stage, `behind` as a predicate or a filter with that word. What a sentence does not concern the goal
with, such as a story around the request, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from regrasp.core.goal_description import ClauseMode, GoalDescription, Quantifier, Selection
from regrasp.core.kinds_of_things import COLOURS
from regrasp.planners.goal_meaning import ARRANGEMENTS, GoalMeaning
from regrasp.planners.listed_order import keeps_listed_order
from regrasp.planners.negation import STATES, Negation
from regrasp.prompts.goal import MOVED, GoalPrompt
from regrasp.prompts.known_nouns import KNOWN_NOUNS, LONGEST, singular
from regrasp.prompts.noun_phrases import without_reasons
from regrasp.prompts.noun_table import noun_table
from regrasp.prompts.operator_words import (
    SKIP,
    OperatorWord,
    instruction_language,
    operators,
    tokens_of,
)
from regrasp.prompts.scene import SceneDescription

__all__ = ["has_check", "unreflected_words"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SENTENCE = re.compile(r"[^.!?;:\n。！？；]+")
_VERB_STARTS = _words("and then to please you me now go just not but or also don't first")
_DETERMINERS = _words("the a an my your his her its our their this that these those")
_PRONOUNS = _words("it them es sie ihn le la lo 它")
_OBJECT_PRONOUNS = _words("it them everything anything something all both")
_NUMBER = "number_"
"""The beginning of the role of a number, e.g. `number_2`."""
_WOULD = _words("would i'd we'd you'd it'd wäre würde würdest serait serais sería estaría")
_YOU = _words("you someone somebody du sie tu vous pudieras podría pudiera")
_CONVERSES = {
    "left": _words("right"),
    "right": _words("left"),
    "behind": _words("front"),
    "in front of": _words("behind"),
    "under": _words("on"),
    "beneath": _words("on"),
}
_DENIED = _words("says does state names")
"""Roles of what a `not` may deny: not behind the box."""
_FEW_SENTENCES = 2
"""In longer texts the verbs are steps of an activity, of which only the end is the goal."""
_ALIKE = 4
"""So many letters at the beginning make two words forms of one: shake, shaken."""


def unreflected_words(prompt: GoalPrompt, goal: GoalDescription) -> tuple[str, ...]:
    """The operators of `prompt.instruction` that `goal` does not reflect, each once."""
    language = instruction_language(prompt.instruction)
    said = prompt.instruction[:LONGEST].lower().replace("’", "'")
    text = without_reasons(said, language)
    meant = GoalMeaning(prompt, goal)
    sentences = [one for one in _SENTENCE.findall(text) if one.strip()]
    if len(sentences) > 1:
        sentences = [one for one in sentences if _concerns(one, language, meant)]
    steps = len(sentences) > _FEW_SENTENCES or len(re.findall("[,，、]", text)) > _FEW_SENTENCES
    read = [_Sentence(one, language, meant, steps) for one in sentences]
    found = [word for one in read for word in one.unreflected()]
    if not steps and meant.holds_unasked(language):
        found.append("hold")
    return tuple(dict.fromkeys(found))


def _concerns(sentence: str, language: str, meant: GoalMeaning) -> bool:
    """Whether a sentence names an object of the goal, or goes on about one: then shut it."""
    if meant.objects(sentence) & meant.used:
        return True
    begins = any(one.start == 0 for one in operators(sentence, language))
    goes_on = begins or bool(_PRONOUNS & set(tokens_of(sentence, language)))
    return goes_on and not meant.scene.phrases(sentence)


def has_check(role: str) -> bool:
    """Whether operators of a role are looked for in the goal."""
    nothing = GoalMeaning(GoalPrompt("", SceneDescription(()), ()), GoalDescription(()))
    return role.startswith(_NUMBER) or role in (SKIP, *_Sentence("", "en", nothing).checks)


@dataclass(frozen=True)
class _Sentence:
    """One sentence of an instruction beside the goal."""

    text: str
    language: str
    meant: GoalMeaning
    of_many: bool = False

    @cached_property
    def tokens(self) -> list[str]:
        """Its words and marks."""
        return tokens_of(self.text, self.language)

    @cached_property
    def all_found(self) -> tuple[OperatorWord, ...]:
        """What may be an operator."""
        return operators(self.text, self.language)

    @cached_property
    def found(self) -> tuple[OperatorWord, ...]:
        """Its operators."""
        return tuple(one for one in self.all_found if self._stands(one))

    @cached_property
    def negated(self) -> bool:
        """Whether it says `not` in some way."""
        return any(one.role in ("not", "contrast") for one in self.found)

    @cached_property
    def negation(self) -> Negation:
        """What its `not` asks for."""
        return Negation(self.tokens, self.language, self.all_found, self.meant)

    def unreflected(self) -> Iterator[str]:
        """The texts of its operators that the goal does not reflect."""
        for one in self.found:
            if one.role.startswith(_NUMBER):
                reflected = self._number(int(one.role.removeprefix(_NUMBER)))
            else:
                reflected = self.checks[one.role](one)
            if reflected or (one.role in _DENIED and self.negation.denies(one)):
                continue
            if one.role == "names" or not self._in_a_name(one):
                yield one.text

    @cached_property
    def checks(self) -> Mapping[str, Callable[[OperatorWord], bool]]:
        """Whether the goal reflects an operator, by its role."""
        mentioned = dict.fromkeys(("says", "does", "state"), self._mentioned)
        always = dict.fromkeys(("contrast", "takes", "corrects", "but"), lambda _: True)
        return {
            **mentioned,
            **always,
            "not": self._negation,
            "keep": self._lasting,
            "every": self._several,
            "then": self._order,
            "if": self._condition,
            "or": self._choice,
            "other": self._other,
            "amount": lambda _: False,
            "swap": self._exchange,
            "sequence": self._sequence,
            "names": self._named,
        }

    # ---- whether a word is what it looks like ----------------------------------------------------

    def _stands(self, one: OperatorWord) -> bool:
        """Whether a verb stands where verbs do, and a state where no noun follows."""
        if one.role == "does" and self.of_many:
            return False
        if self.language != "en" or one.role not in ("does", "state"):
            return True
        before, after = self._token(one.start - 1), self._token(one.stop)
        if one.role == "state":
            conditional = any(o.role == "if" and o.stop <= one.start for o in self.all_found)
            return not conditional and before not in _DETERMINERS and not self._is_noun(after)
        if before == "to" and not one.explained_by:
            return False  # something to eat
        if one.text in KNOWN_NOUNS and after not in _DETERMINERS | _OBJECT_PRONOUNS:
            return False
        return not before.isalpha() or before in _VERB_STARTS

    def _in_a_name(self, one: OperatorWord) -> bool:
        """Whether it belongs to the name of an object of the goal: the second glass, b 2."""
        return any(set(one.text.split()) <= set(name.split("_")) for name in self.meant.used)

    def _token(self, place: int) -> str:
        return self.tokens[place] if 0 <= place < len(self.tokens) else ""

    def _is_noun(self, word: str) -> bool:
        if word in ("one", "ones") or singular(word) in KNOWN_NOUNS:
            return True
        scene = self.meant.scene.words.values()
        adjectives = noun_table().sections["adjectives"]
        return word in adjectives or any({word, singular(word)} & words for words in scene)

    # ---- whether the goal reflects it ------------------------------------------------------------

    def _negation(self, one: OperatorWord) -> bool:
        """See `planners.negation`."""
        said = set(self.tokens).union(*(o.explained_by for o in self.found))
        return self.negation.is_reflected(one, said)

    def _several(self, one: OperatorWord) -> bool:
        return self.meant.many(2) or self.negated

    def _lasting(self, one: OperatorWord) -> bool:
        goal = self.meant.goal
        kept = bool(goal.of(ClauseMode.KEEP)) or self.meant.asks or self.negated
        return kept or len(goal.clauses) > 1

    def _number(self, count: int) -> bool:
        return self.meant.exactly(count) or self.meant.asks

    def _order(self, one: OperatorWord) -> bool:
        """A later stage; `before dinner` and `take it, then put it there` order nothing."""
        goal = self.meant.goal
        joint = "" if self.language == "zh" else " "
        after = joint.join(self.tokens[one.stop :])
        if not self.meant.objects(after) and not _PRONOUNS & set(self.tokens[one.stop :]):
            return True
        if any(clause.predicate in ARRANGEMENTS for clause in goal.clauses):
            return True
        if one.text in ("until", "till") and len(goal.clauses) == 1:
            return True  # wipe it until it is dry
        if one.text == "then" and any(o.role == "if" and o.start < one.start for o in self.found):
            return True  # if it is open, then close it
        return any(c.later for c in goal.clauses) or self.meant.asks or self._one_movement()

    def _one_movement(self) -> bool:
        """Whether all is one way of one object: take the cup, then put it on the table."""
        clauses = self.meant.goal.of(ClauseMode.REACH)
        taking = noun_table().languages.get(self.language)
        taken = taking is None or bool(taking.role("taking") & set(self.tokens))
        return len(clauses) == 1 and taken and len(clauses[0].args) > 1

    def _condition(self, one: OperatorWord) -> bool:
        """A question, or a state or place that the goal ends: if it is open, close it."""
        joint = "" if self.language == "zh" else " "
        rest = re.split("[,，]", joint.join(self.tokens[one.stop :]))[0]
        said = set(rest.split())
        if not self.meant.objects(rest) and not said & (_PRONOUNS | {"there"}):
            return True
        if self._token(one.stop) in _YOU and _WOULD & set(self.tokens):
            return True  # if you could close it, I would be glad
        if "there" in said and any(not c.positive for c in self.meant.goal.clauses):
            return True  # take it off the table if it is there
        later = [o for o in self.all_found if o.role == "state" and o.start >= one.stop]
        said = said.union(*(o.explained_by for o in later))
        states = self.meant.words if one.text == "unless" else self.meant.opposite_words
        return self.meant.asks or bool(states & said & STATES)

    def _choice(self, one: OperatorWord) -> bool:
        """A question, any object that fits, or a negation: neither this or that."""
        goal = self.meant.goal
        terms = [term for clause in goal.clauses for term in clause.args]
        free = any(
            term.quantifier is Quantifier.SOME if isinstance(term, Selection) else term[:1] == "?"
            for term in terms
        )
        return self.meant.asks or free or (self.negated and len(goal.clauses) > 1)

    def _other(self, one: OperatorWord) -> bool:
        """A filter that leaves out, several objects, or one of several of its kind."""
        left_out = any(not f.positive or f.word == "except" for f in self.meant.filters)
        return left_out or self.meant.asks or self.meant.many(2) or self.meant.has_siblings

    def _named(self, one: OperatorWord) -> bool:
        """A name or a filter with that colour; a place that has no colour in its name may have it.

        `tower(each block)` does not say which block is "the red one at the bottom".
        """
        if one.explained_by & self.meant.picked_by or self.meant.asks or self.negated:
            return True
        if any(o.role in ("other", "corrects") for o in self.all_found):
            return True  # the red one, no, the blue one
        names = [set(name.split("_")) for name in self.meant.scene.words]
        if self._ends_a_name(one, names):
            return True  # the black table: whether it must be in the goal, `unexplained` says
        if any(one.explained_by & name for name in names):
            return False
        return not any(set(name.split("_")) & set(COLOURS) for name in self.meant.used)

    def _ends_a_name(self, one: OperatorWord, names: list[set[str]]) -> bool:
        """Whether a noun follows that makes it the name of an object here."""
        noun = singular(self._token(one.stop))
        return any(noun in name and one.explained_by & name for name in names)

    def _exchange(self, one: OperatorWord) -> bool:
        """A swap, or one object that leaves and one that comes."""
        clauses = self.meant.goal.clauses
        return len(clauses) > 1 or any(c.predicate in (*ARRANGEMENTS, MOVED) for c in clauses)

    def _sequence(self, one: OperatorWord) -> bool:
        """The objects of a tower, a row or of stages, as they are listed."""
        goal = self.meant.goal
        return keeps_listed_order(goal, self.tokens, one.start, one.stop, ARRANGEMENTS)

    def _mentioned(self, one: OperatorWord) -> bool:
        """One of the words that explain it, or the verb itself, is in the goal."""
        words = self.meant.words | (self.meant.opposite_words if self.negated else frozenset())
        if self.meant.asks or one.explained_by & words:
            return True
        if one.text in _CONVERSES and _CONVERSES[one.text] & set(self.tokens) & words:
            return True  # the cup on the left, the box on the right of it
        return any(_same_stem(one.text, word) for word in words)


def _same_stem(one: str, other: str) -> bool:
    short = min(len(one), len(other), _ALIKE)
    return short >= _ALIKE and one[:short] == other[:short]
