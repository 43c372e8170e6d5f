"""What a robot says when it does not act: one sentence for each case, written by a person.

Text of a model is never repeated as it is. A name is said only if it is made of letters and stands
in the instruction, and an adjective only if it is a known one; else the sentence does without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from regrasp.core.goal import is_variable, variable_kind
from regrasp.core.goal_description import (
    ANYTHING,
    EXTREMES,
    RELATIONS,
    Clause,
    ClauseMode,
    GoalDescription,
    Quantifier,
    Selection,
    Term,
)
from regrasp.core.kinds_of_things import COLOURS
from regrasp.core.object_description import kind_of
from regrasp.prompts.goal import DeclineReason, GoalForm, Unfit
from regrasp.prompts.goal_verbs import verb_of
from regrasp.prompts.goal_words import clause_words, goal_words
from regrasp.prompts.noun_table import KNOWN_NOUNS, noun_table
from regrasp.prompts.parsing import Declined
from regrasp.prompts.term_words import (
    a_kind,
    filter_words,
    join_words,
    kind_words,
    name_words,
    term_words,
)

__all__ = [
    "CANNOT_FIND_OUT",
    "MOST_READINGS",
    "ClarifyingQuestion",
    "ask_which_one",
    "ask_which_reading",
    "cannot_see_object",
    "cannot_see_which",
    "explain_decline",
    "explain_impossible",
    "explain_missing",
    "explain_no_plan",
    "explain_nothing_fits",
    "explain_unknown_answer",
]

MOST_READINGS = 3
"""The most readings of an instruction that a person is asked to choose from."""

CANNOT_FIND_OUT = "I cannot find that out."

_SENTENCES = {
    DeclineReason.MISSING: "I do not see everything that you name.",
    DeclineReason.IMPOSSIBLE: "I cannot do that.",
    DeclineReason.UNCLEAR: "I do not understand what you want; please say it in other words.",
    DeclineReason.NO_REQUEST: "You ask me for nothing that I can do, so I do nothing.",
}
_NAME = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,3}")
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class ClarifyingQuestion:
    """A question to the person, and the answers to choose from; without any, the answer is free."""

    text: str
    options: tuple[str, ...] = ()


def explain_decline(
    declined: Declined, instruction: str, forms: Iterable[GoalForm] = (),
    kinds: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """Why an instruction has no goal: `I see no banana here.`, `A crate cannot be opened.`.

    `forms` and `kinds` are those of `explain_impossible`.
    """
    if isinstance(declined, Unfit):
        return explain_impossible(declined.clause, forms, kinds)
    reason, _, detail = declined.why.partition(":")
    known = next((one for one in DeclineReason if one == reason.strip().lower()), None)
    if known is DeclineReason.MISSING and (name := _name_in(detail, instruction)):
        return f"I see no {name} here."
    return _SENTENCES[known or DeclineReason.UNCLEAR]


def explain_missing(nouns: Iterable[str]) -> str:
    """Things that are not there, by nouns of the table: `I see no banana and no vase here.`."""
    named = [f"no {kind_words(noun)}" for noun in nouns if noun in KNOWN_NOUNS]
    return f"I see {join_words(named)} here." if named else _SENTENCES[DeclineReason.MISSING]


def explain_nothing_fits(term: Selection) -> str:
    """No object, or too few, fit a description: `I see no cube that is not red.`."""
    if not _is_plain(term):
        return f"I see no {kind_words(term.kind)} that fits."
    if term.count > 1:
        return f"I do not see {term_words(term)}."
    words = term_words(replace(term, quantifier=Quantifier.EACH))
    if words.startswith(f"every{ANYTHING}"):
        return f"I see nothing{words.removeprefix(f'every{ANYTHING}')}."
    return f"I see no {words.removeprefix('every ')}."


def ask_which_one(term: Selection, names: Sequence[str]) -> ClarifyingQuestion:
    """Several objects fit where one is meant: `Which cube do you mean?`."""
    adjectives = (
        [f.word for f in term.filters if f.positive and not f.of] if _is_plain(term) else []
    )
    words = " ".join((*adjectives, kind_words(term.kind)))
    return ClarifyingQuestion(f"Which {words} do you mean?", tuple(map(name_words, names)))


def cannot_see_object(name: str) -> str:
    """An object is not in view: `I cannot see the cup.`."""
    return f"I cannot see {name_words(name)}."


def cannot_see_which(term: Selection, names: Sequence[str] = ()) -> str:
    """It cannot be seen which objects fit: `I cannot see which cube is red.`.

    With one name and no filter it is the place that cannot be seen.
    """
    if len(names) == 1 and not term.filters:
        return f"I cannot see where {name_words(names[0])} is."
    known = " and ".join(map(filter_words, term.filters)) if _is_plain(term) else ""
    return f"I cannot see which {kind_words(term.kind)} {known or 'you mean'}."


def ask_which_reading(
    readings: Iterable[GoalDescription], forms: Iterable[GoalForm]
) -> ClarifyingQuestion:
    """The robot is not sure: `Did you mean this: the cup is on the tray?`."""
    listed = tuple(forms)
    plain = [one for one in readings if one.clauses and all(map(_is_plain_clause, one.clauses))]
    options = tuple(dict.fromkeys(goal_words(one, listed) for one in plain))[:MOST_READINGS]
    if not options:
        return ClarifyingQuestion(_SENTENCES[DeclineReason.UNCLEAR])
    if len(options) > 1:
        return ClarifyingQuestion("Did you mean one of these?", options)
    asks = all(clause.mode is ClauseMode.ASK for clause in plain[0].clauses)
    begin = "Did you want to know" if asks else "Did you mean this:"
    return ClarifyingQuestion(f"{begin} {options[0]}?", options)


def explain_impossible(
    clause: Clause, forms: Iterable[GoalForm], kinds: Mapping[str, str] | None = None
) -> str:
    """The kinds do not allow it: `A crate cannot be put into a cube.`.

    `kinds` gives the kind of every object by name; without it, the name's last word is the kind.
    """
    listed = tuple(forms)
    named = [_kind(term, kinds or {}) for term in clause.args]
    verb = verb_of(clause.predicate, clause.positive, listed)
    if verb is not None and named and len(named) == 1 + ("{b}" in verb.imperative):
        words = [a_kind(kind_words(kind)) for kind in named]
        passive = verb.passive.format(b=words[-1])
        return f"{words[0][0].upper()}{words[0][1:]} cannot {passive}."
    if not any(form.predicate == clause.predicate for form in listed):
        return _SENTENCES[DeclineReason.IMPOSSIBLE]
    some = tuple(Selection(Quantifier.SOME, kind) for kind in named)
    return f"I cannot make this true: {clause_words(replace(clause, args=some), listed)}."


def explain_no_plan(goal: GoalDescription, forms: Iterable[GoalForm]) -> str:
    """No plan reaches the goal: `I find no way to do this: the cup is on the tray.`."""
    words = goal_words(goal, forms) if all(map(_is_plain_clause, goal.clauses)) else ""
    return f"I find no way to do this: {words}." if words else "I find no way to do this."


def explain_unknown_answer(clause: Clause, forms: Iterable[GoalForm]) -> str:
    """A question has no answer: `I cannot find out whether the drawer is open.`."""
    if not _is_plain_clause(clause):
        return CANNOT_FIND_OUT
    return f"I cannot find out {clause_words(replace(clause, mode=ClauseMode.ASK), forms)}."


# ---- what may be repeated ------------------------------------------------------------------------


def _name_in(text: str, instruction: str) -> str:
    """The words for a thing, without determiners, if the instruction has them; else ""."""
    english = noun_table().languages["en"]
    words = text.strip().strip("\"'.").split()
    while words and words[0].lower() in english.role("determiners"):
        words = words[1:]
    name = " ".join(words)
    if not words or len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        return ""
    last = words[-1].lower()
    empty = english.role("functions") | english.role("pronouns") | noun_table().sections["never"]
    said = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", instruction, re.IGNORECASE)
    return "" if said is None or last in empty else said[0]


def _is_plain(term: Selection) -> bool:
    """Whether every word of the filters is a known one."""
    adjectives = noun_table().sections["adjectives"]
    known = frozenset((*COLOURS, *EXTREMES, *RELATIONS)) | adjectives
    return all(one.word in known for one in term.filters)


def _is_plain_clause(clause: Clause) -> bool:
    return all(_is_plain(term) for term in clause.args if isinstance(term, Selection))


def _kind(term: Term, kinds: Mapping[str, str]) -> str:
    if isinstance(term, Selection):
        return term.kind
    return variable_kind(term) if is_variable(term) else kinds.get(term) or kind_of(term)
