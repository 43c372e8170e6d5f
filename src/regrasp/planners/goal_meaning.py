"""What a goal says: its words, its objects, and how many of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from regrasp.core.goal_description import (
    Clause,
    ClauseMode,
    Filter,
    GoalDescription,
    Quantifier,
    Selection,
    Term,
)
from regrasp.planners.unexplained import SceneWords
from regrasp.prompts.goal import GoalPrompt
from regrasp.prompts.goal_verbs import verb_of
from regrasp.prompts.operator_words import operators

__all__ = ["ARRANGEMENTS", "GoalMeaning", "letters"]

ARRANGEMENTS = ("tower", "row", "swap")
"""Predicates over any number of objects."""

_FILLERS = frozenset({"a", "b", "be", "of", "to", "from", "the"})
_REMOVALS = frozenset({"remove", "clear", "off", "out", "away", "empty"})


@dataclass(frozen=True)
class GoalMeaning:
    """What a goal says."""

    prompt: GoalPrompt
    goal: GoalDescription

    @cached_property
    def scene(self) -> SceneWords:
        """The words of the objects."""
        return SceneWords(self.prompt)

    @cached_property
    def used(self) -> frozenset[str]:
        """The objects that the goal may mean."""
        return self.scene.used_objects(self.goal)

    @cached_property
    def picked_by(self) -> frozenset[str]:
        """The words by which the goal picks objects: of names and filters, not of kinds."""
        terms = [term for clause in self.goal.clauses for term in clause.args]
        names = [t for t in terms if isinstance(t, str)] + [f.of for f in self.filters]
        words = {word for name in names for word in name.split("_")}
        kinds = {word for t in terms if isinstance(t, Selection) for word in t.kind.split("_")}
        return frozenset(words | kinds | {f.word for f in self.filters})

    @cached_property
    def filters(self) -> tuple[Filter, ...]:
        """The filters of all selections."""
        return tuple(one for s in self._selections() for one in s.filters)

    @cached_property
    def has_siblings(self) -> bool:
        """Whether an object of the goal is not the only one of its kind."""
        kinds = Counter(one.kind for one in self.prompt.scene.objects)
        return any(kinds[self.prompt.kind(name)] > 1 for name in self.used)

    @cached_property
    def asks(self) -> bool:
        """Whether something is asked."""
        return bool(self.goal.of(ClauseMode.ASK))

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the goal: of its objects, filters and predicates, and of their verbs."""
        found = {word for name in self.used for word in letters(f"{name} {self.prompt.kind(name)}")}
        found |= {one.word for one in self.filters}
        for clause in self.goal.clauses:
            found |= self._predicate_words(clause)
        return frozenset(found)

    @cached_property
    def opposite_words(self) -> frozenset[str]:
        """The words of what is not wanted: `open` for the goal closed(box)."""
        return frozenset(
            word
            for clause in self.goal.clauses
            for word in self.verb_words(clause, not clause.positive)
        )

    def objects(self, text: str) -> frozenset[str]:
        """The objects that a text names."""
        return frozenset().union(*map(self.scene.objects, self.scene.phrases(text)))

    def many(self, count: int) -> bool:
        """Whether the goal speaks of `count` objects at one place of a predicate, or of more."""
        if any(s.quantifier is Quantifier.EACH for s in self._selections()):
            return True
        if any(s.count >= count for s in self._selections() if s.count > 1):
            return True
        return self._most_objects() >= count

    def exactly(self, count: int) -> bool:
        """Whether the goal speaks of just so many objects, or names have the number."""
        counted = any(s.count == count for s in self._selections() if s.count > 1)
        every = any(s.quantifier is Quantifier.EACH for s in self._selections())
        return counted or every or self._most_objects() == count

    def _most_objects(self) -> int:
        places: dict[tuple[str, int], set[Term]] = {}
        longest = 0
        for clause in self.goal.clauses:
            if clause.predicate in ARRANGEMENTS:
                longest = max(longest, len(clause.args))
            for place, term in enumerate(clause.args):
                places.setdefault((clause.predicate, place), set()).add(term)
        return max(longest, *map(len, places.values()), 0)

    def holds_unasked(self, language: str) -> bool:
        """Whether the goal is to hold a thing, and no word of the instruction says to take it."""
        holds = any(
            clause.positive and verb.imperative.startswith("pick up")
            for clause in self.goal.of(ClauseMode.REACH)
            if (verb := verb_of(clause.predicate, True, self.prompt.forms)) is not None
        )
        return holds and not any(
            one.role == "takes" for one in operators(self.prompt.instruction, language)
        )

    def _selections(self) -> Iterator[Selection]:
        terms = (term for clause in self.goal.clauses for term in clause.args)
        return (term for term in terms if isinstance(term, Selection))

    def _predicate_words(self, clause: Clause) -> frozenset[str]:
        """The words of a predicate and its sentence, and of the verb that makes it true."""
        form = next((f for f in self.prompt.forms if f.predicate == clause.predicate), None)
        words = {clause.predicate, *clause.predicate.split("_")}
        words |= set(letters(form.sentence)) if form is not None else set()
        if clause.mode is not ClauseMode.REACH:
            words |= self.verb_words(clause, not clause.positive)
        return frozenset(words | self.verb_words(clause, clause.positive))

    def verb_is_named(self, clause: Clause, words: set[str]) -> bool:
        """Whether a verb says that a clause is to be false, such as `open` for not closed."""
        verb = verb_of(clause.predicate, False, self.prompt.forms)
        needed = set(letters(verb.imperative)) - _FILLERS if verb else set()
        everything = any(
            isinstance(t, Selection) and t.quantifier is Quantifier.EACH for t in clause.args
        )
        return bool(needed) and (needed <= words or bool(words & _REMOVALS and not everything))

    def verb_words(self, clause: Clause, positive: bool) -> set[str]:
        """The words of the verb that makes a clause true, or false."""
        verb = verb_of(clause.predicate, positive, self.prompt.forms)
        return set(letters(f"{verb.imperative} {verb.passive}")) - _FILLERS if verb else set()


def letters(text: str) -> list[str]:
    """The words of a text in lower case, without digits."""
    return re.findall(r"[^\W\d_]+", text.lower())
