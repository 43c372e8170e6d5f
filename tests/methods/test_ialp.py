"""IALP: the likeliest feasible action runs; what is infeasible leads to adjust or to a person."""

from __future__ import annotations

import pytest

from regrasp.core.action import Action
from regrasp.core.fact import State, parse_literals
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.apartment import apartment_skills
from regrasp.domains.domain import Problem
from regrasp.domains.formula import Atom
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.ialp_choice import ActionChoice, Impasse
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    Request,
    RequestModel,
    ScoredToken,
)
from regrasp.planners.candidates import CandidatePlanner, possible_calls

KNOWN = (
    ObjectDescription("book", "book"),
    ObjectDescription("black_table", "table"),
    ObjectDescription("bookshelf", "shelf"),
)
RULES = apartment_skills(frozenset()).rules(KNOWN)
ON_SHELF = Atom("on", ("book", "bookshelf"))
AT_BOOK = ("find(book)", "find(bookshelf)", "on(book, black_table)", "at(book)", "detected(book)")


class Saying(RequestModel):
    """Samples given texts, each with the log-probability of its only token."""

    def __init__(self, *samples: tuple[str, float]) -> None:
        self.samples = samples

    @property
    def name(self) -> str:
        return "saying"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(logprobs=True)

    def respond(self, request: Request, cancel: object = None) -> Completions:
        items = (Completion(t, tokens=(ScoredToken(t, p),)) for t, p in self.samples)
        return Completions(tuple(items))


def problem(*texts: str) -> Problem:
    state: State = frozenset(literal.fact for literal in parse_literals(*texts))
    return Problem("apartment-now", "apartment", RULES.objects, state, ON_SHELF)


def choice(model: RequestModel, **options: bool) -> ActionChoice:
    return ActionChoice(CandidatePlanner(model), RULES.domain, RULES, **options)


def test_the_likeliest_feasible_candidate_is_taken() -> None:
    said = Saying(
        ("insert(book, bookshelf)", -0.1), ("move(bookshelf)", -3.0), ("grasp(book)", -1.0)
    )
    now = problem(*AT_BOOK, "graspable(book)", "reachable(book)")
    chosen = choice(said)
    assert chosen.choose("shelve the book", now) == Action("grasp", ("book",))
    assert [one.score for one in chosen.candidates] == [-0.1, -3.0, -1.0]
    assert choice(said, selection=False).choose("", now) == Action("move", ("bookshelf",))


def test_a_missing_manipulation_predicate_leads_to_adjust() -> None:
    now = problem(*AT_BOOK, "graspable(book)")
    only_grasp = Saying(("grasp(book)", -0.1))
    assert choice(only_grasp).choose("", now) == Action("adjust", ("book",))
    tired = choice(only_grasp).choose("", now, 0, [Action("adjust", ("book",))])
    assert isinstance(tired, Impasse)
    assert str(tired) == "grasp(book) needs reachable(book), which is not true"


def test_without_feasibility_feedback_an_infeasible_action_is_taken() -> None:
    now = problem(*AT_BOOK)
    assert choice(ScriptedModel(), feasibility=False).choose("", now) == Action("grasp", ("book",))
    assert choice(ScriptedModel()).choose("", now) == Action("adjust", ("book",))


def test_what_no_action_can_change_is_for_a_person() -> None:
    unknown = choice(ScriptedModel()).choose("", problem("on(book, black_table)"))
    assert isinstance(unknown, Impasse)
    assert "no action leads to the goal" in str(unknown)


def test_the_scripted_model_gives_log_probabilities_that_follow_the_distance() -> None:
    planner = CandidatePlanner(ScriptedModel())
    found = planner.propose("shelve the book", RULES.domain, problem(*AT_BOOK), seed=3)
    scores = {str(one.action): one.score for one in found}
    assert len(found) == 4
    assert max(scores, key=lambda name: scores[name] or -99.0) == "adjust(book)"
    again = planner.propose("shelve the book", RULES.domain, problem(*AT_BOOK), seed=3)
    assert found == again
    halved = CandidatePlanner(Saying(("move(book)", -4.0)), per_token=True)
    assert halved.propose("", RULES.domain, problem())[0].score == pytest.approx(-4.0)


class Stubborn(RequestModel):
    """Says the first call that the grammar allows; `declining` prefers Cannot."""

    def __init__(self, declining: bool = False) -> None:
        self.declining = declining
        self.asked: list[Request] = []

    @property
    def name(self) -> str:
        return "stubborn"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(logprobs=True, grammar=True, seed=True)

    def respond(self, request: Request, cancel: object = None) -> Completions:
        self.asked.append(request)
        assert request.grammar is not None
        text = request.grammar.split('"')[1]
        if self.declining and "Cannot" in request.grammar:
            text = "Cannot: nothing helps"
        return Completions((Completion(text, tokens=(ScoredToken(text, -1.0),)),) * request.n)


def test_a_model_that_keeps_to_grammars_gives_different_candidates() -> None:
    model = Stubborn()
    now = problem(*AT_BOOK)
    found = CandidatePlanner(model).propose("shelve the book", RULES.domain, now, seed=3)
    assert [one.action for one in found] == list(possible_calls(RULES.domain, now)[:4])
    assert len({one.messages for one in model.asked}) == 1
    assert len({one.seed for one in model.asked}) == len(model.asked)


def test_where_there_are_fewer_calls_than_candidates_none_is_named_twice() -> None:
    book = apartment_skills(frozenset()).rules(KNOWN[:1])
    now = Problem("one", "apartment", book.objects, frozenset(), ON_SHELF)
    calls = possible_calls(book.domain, now)
    for declining in (False, True):
        model = Stubborn(declining)
        found = CandidatePlanner(model, count=len(calls) + 3).propose("", book.domain, now)
        assert [one.action for one in found if one.action] == list(calls)
        assert len([one for one in found if one.action is None]) == 1
        assert len(model.asked) < 2 * (len(calls) + 3)


def test_cannot_is_refused_where_a_plan_may_exist() -> None:
    declining = Saying(("Cannot: the book is gone", -0.1), ("move(bookshelf)", -3.0))
    assert choice(declining).choose("", problem(*AT_BOOK)) == Action("move", ("bookshelf",))
    nowhere = choice(declining).choose("", problem("on(book, black_table)", "at(bookshelf)"))
    assert str(nowhere) == "the book is gone"  # the book is in no map, so nothing finds it
    alone = choice(Saying(("Cannot: the book is gone", -0.1)))
    assert isinstance(alone.choose("", problem(*AT_BOOK)), Impasse)
