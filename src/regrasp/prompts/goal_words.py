"""A goal in plain English: for a person to confirm, and as an instruction for a planner.

every cube that is not red is on the crate, then the wooden cabinet is closed; the bottle stays
where it is all the time
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from regrasp.core.fact import Literal
from regrasp.core.goal import Goal, is_variable, variable_kind
from regrasp.core.goal_description import (
    Clause,
    ClauseMode,
    GoalDescription,
    Selection,
    Term,
)
from regrasp.prompts.goal import MOVED, GoalForm
from regrasp.prompts.goal_verbs import verb_of
from regrasp.prompts.term_words import (
    a_kind,
    filter_words,
    is_plural,
    join_words,
    kind_words,
    name_words,
    plural_words,
    term_words,
)

__all__ = ["as_instruction", "clause_words", "goal_words"]

_VARIABLE = re.compile(r"\b[XYZ]\b")
_VERB = re.compile(r"^(X|the robot|Y) (\w+)")
_AUXILIARIES = {"is": "are", "has": "have", "can": "can", "was": "were"}
_COLOUR = "colour"


# ---- for a person --------------------------------------------------------------------------------


def goal_words(description: GoalDescription, forms: Iterable[GoalForm]) -> str:
    """All clauses: what is reached in each stage, then what stays true, then the questions."""
    listed = tuple(forms)
    met: dict[str, str] = {}
    stages = [
        join_words([_clause_words(clause, listed, met) for clause in stage])
        for stage in description.stages
    ]
    rest = (*description.of(ClauseMode.KEEP), *description.of(ClauseMode.ASK))
    parts = [", then ".join(stages), *(_clause_words(clause, listed, met) for clause in rest)]
    return "; ".join(filter(None, parts))


def clause_words(clause: Clause, forms: Iterable[GoalForm]) -> str:
    """One clause: `every cube is on the crate`, or `whether the drawer is open` for a question."""
    return _clause_words(clause, tuple(forms), {})


def _clause_words(clause: Clause, forms: Sequence[GoalForm], met: dict[str, str]) -> str:
    """The words of a clause; `met` has the variables that an earlier clause has named."""
    clause = clause.without_repetition()
    terms = [_term(arg, met) for arg in clause.args]
    if clause.mode is ClauseMode.ASK and (question := _open_question(clause, terms)):
        return question
    keep = clause.mode is ClauseMode.KEEP
    sentence = (
        _arrangement(clause, terms)
        or _movement(clause, terms)
        or _stated(clause, terms, forms, "never" if keep else "not")
    )
    if clause.mode is ClauseMode.ASK:
        return f"whether {sentence}"
    lasting = keep and not re.search(r"\b(?:n?ever)\b", sentence)
    return f"{sentence} all the time" if lasting else sentence


def _term(term: Term, met: dict[str, str]) -> str:
    if isinstance(term, Selection) or not is_variable(term):
        return term_words(term)
    words = met.get(term) or term_words(term)
    met[term] = f"the same {kind_words(variable_kind(term))}"
    return words


def _open_question(clause: Clause, terms: Sequence[str]) -> str:
    """`where the cup is`, `which things are in the drawer`, `how many cups there are`."""
    if len(clause.args) != 1:
        return ""
    be = "are" if is_plural(clause.args[0]) else "is"
    match clause.predicate:
        case "where":
            return f"where {terms[0]} {be}"
        case "colour":
            return f"which {_COLOUR} {terms[0]} {'have' if be == 'are' else 'has'}"
        case "which":
            return f"which {_asked(clause.args[0])}"
        case "count":
            return f"how many {_asked(clause.args[0])}"
    return ""


def _asked(term: Term) -> str:
    """`cups are on the tray`, or `cups there are` if nothing more is known of them."""
    if not isinstance(term, Selection):
        return f"objects like {name_words(term)} there are"
    adjectives = [f.word for f in term.filters if f.positive and not f.of]
    kind = " ".join((*adjectives, kind_words(term.kind, many=True)))
    relative = [f for f in term.filters if f.of or not f.positive]
    if not relative:
        return f"{kind} there are"
    return f"{kind} {' and '.join(filter_words(f, many=True) for f in relative)}"


def _arrangement(clause: Clause, terms: Sequence[str]) -> str:
    """The sentence of a tower, a row or a swap."""
    if clause.predicate not in ("tower", "row", "swap"):
        return ""
    named = join_words([plural_words(arg) for arg in clause.args])
    no = "" if clause.positive else " do not"
    match clause.predicate:
        case "tower":
            lowest = f" with {terms[0]} at the bottom" if len(terms) > 1 else ""
            return f"{named}{no} form a tower{lowest}"
        case "row":
            return f"{named}{no} form a row"
    return f"{named} {'change' if clause.positive else 'do not change'} places"


def _movement(clause: Clause, terms: Sequence[str]) -> str:
    if clause.predicate != MOVED or len(terms) != 1:
        return ""
    many = is_plural(clause.args[0])
    if clause.mode is ClauseMode.ASK:
        return f"{terms[0]} {'have' if many else 'has'}{'' if clause.positive else ' not'} moved"
    if clause.positive:
        return f"{terms[0]} {'are' if many else 'is'} moved to another place"
    return f"{terms[0]} {'stay where they are' if many else 'stays where it is'}"


def _stated(clause: Clause, terms: Sequence[str], forms: Iterable[GoalForm], negation: str) -> str:
    """The sentence of the clause's form, over `terms`."""
    sentence = _sentence(clause.predicate, len(terms), forms)
    many = bool(clause.args) and is_plural(clause.args[0])
    if clause.positive:
        return _filled(_inflected(sentence, many, ""), terms)
    # "every cube is not on the crate" could mean two things
    words = [_negated_every(term, "any") for term in terms]
    if sentence.startswith("X ") and words and words[0] != terms[0]:
        words[0] = _negated_every(terms[0], "no")
        negation = "ever" if negation == "never" else ""
    return _filled(_inflected(sentence, many, negation), words)


def _negated_every(words: str, instead: str) -> str:
    """`every cube` → `no cube` or `any cube`; other words stay."""
    thing = {"no": "nothing", "any": "anything"}[instead]
    return re.sub(r"^every ", f"{instead} ", re.sub(r"^everything\b", thing, words))


def _sentence(predicate: str, count: int, forms: Iterable[GoalForm]) -> str:
    """The sentence of a predicate over X, Y and Z."""
    form = next((one for one in forms if one.predicate == predicate), None)
    if form is not None:
        return form.sentence.rstrip(".")
    words = predicate.replace("_", " ")
    return " ".join((f"X is {words}" if count else words, *("Y", "and Z")[: max(count - 1, 0)]))


def _filled(sentence: str, terms: Sequence[str]) -> str:
    """The sentence with terms for X, Y and Z, which bring their own articles."""
    bare = re.sub(r"\bthe (?:room |floor )?(?=[XYZ]\b)", "", sentence)
    words = dict(zip("XYZ", terms, strict=False))
    filled = _VARIABLE.sub(lambda match: words.get(match[0], match[0]), bare)
    return re.sub(r"\bsome (?:the|a|an) ", "some ", filled)  # "some the ham": one article


def _inflected(sentence: str, many: bool, negation: str) -> str:
    """The sentence with its verb in the plural if X is many, and with a negation.

    `X touches Y` → `X does not touch Y`; `X is on Y` → `X are on Y`.
    """
    if not many and not negation:
        return sentence
    auxiliary = re.search(rf"\b({'|'.join(_AUXILIARIES)})\b", sentence)
    about_many = many and sentence.startswith("X ")
    if auxiliary is not None:
        verb = _AUXILIARIES[auxiliary[0]] if about_many else auxiliary[0]
        changed = f"{verb} {negation}".rstrip()
        return sentence[: auxiliary.start()] + changed + sentence[auxiliary.end() :]
    match = _VERB.match(sentence)
    if match is None:
        return f"it is {negation} true that {sentence}" if negation else sentence
    base = _infinitive(match[2])
    if negation == "not":
        verb = f"{'do' if about_many else 'does'} not {base}"
    else:
        verb = " ".join(filter(None, (negation, base if about_many else match[2])))
    return f"{match[1]} {verb}{sentence[match.end() :]}"


def _infinitive(verb: str) -> str:
    """`touches` → `touch`, `holds` → `hold`."""
    if verb.endswith(("ches", "shes", "sses", "xes", "zes")):
        return verb[:-2]
    return verb.removesuffix("s")


# ---- for a planner -------------------------------------------------------------------------------


def as_instruction(goal: Goal | Iterable[Literal], forms: Iterable[GoalForm]) -> str:
    """The imperative sentence for a goal over named objects, whose names stay as they are.

    `on(red_cube, crate), closed(?box)` → `put the red_cube on the crate and close a box`.
    """
    listed = tuple(forms)
    literals = goal.literals if isinstance(goal, Goal) else tuple(goal)
    met: set[str] = set()
    return join_words([_imperative(literal, listed, met) for literal in literals])


def _imperative(literal: Literal, forms: Sequence[GoalForm], met: set[str]) -> str:
    fact = literal.fact
    verb = verb_of(fact.predicate, literal.positive, forms)
    if verb is not None and _places(verb.imperative) == len(fact.args):
        order = sorted(range(len(fact.args)), key=lambda i: verb.imperative.index(f"{{{'ab'[i]}}}"))
        named: Mapping[str, str] = {"ab"[i]: _object(fact.args[i], met) for i in order}
        return verb.imperative.format(**named)
    terms = [_object(arg, met) for arg in fact.args]
    sentence = _sentence(fact.predicate, len(terms), forms)
    if not literal.positive:
        sentence = _inflected(sentence, False, "not")
    return f"make sure that {_filled(sentence, terms)}"


def _places(template: str) -> int:
    return sum(f"{{{name}}}" in template for name in "ab")


def _object(name: str, met: set[str]) -> str:
    """`the red_cube`; a variable is `a cup` at first and `that cup` later."""
    if not is_variable(name):
        return f"the {name}"
    kind = variable_kind(name)
    first = name not in met
    met.add(name)
    return a_kind(kind) if first else f"that {kind}"
