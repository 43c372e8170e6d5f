"""Lessons for CoPAL's prompts: sound, of every kind, in the grammar, apart from shipped recipes."""

from __future__ import annotations

import random
import re
import runpy
from functools import cache
from pathlib import Path

import pytest
from gbnf_sampler import pattern

from regrasp.core.action import Action
from regrasp.embedded.abridge import shorten_messages
from regrasp.embedded.language import COPAL_PURPOSES
from regrasp.lab.language.copal_recipes import draw_recipe
from regrasp.lab.language.copal_requests import (
    HELD_OUT_ORDERS,
    HELD_OUT_STOPS,
    ORDERS,
    STOPS,
)
from regrasp.lab.language.copal_words import HELD_OUT_THEMES, THEMES
from regrasp.lab.language.copal_worlds import make_copal_world
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.generators import GENERATORS
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.lab.language.vocabulary import TRAINING_WORDS
from regrasp.planners.recipe_book import shipped_recipes
from regrasp.prompts.commands import CommandPlan, CommandsPrompt
from regrasp.prompts.interpret import Interpretation, ReplyKind
from regrasp.prompts.specify import SpecifyPrompt

FAMILIES = ("interpret", "specify", "commands")
ROOT = Path(__file__).parents[3]


@cache
def lessons(family: str, count: int = 60) -> tuple[LanguageExample, ...]:
    source = ExampleSource(random.Random(f"copal {family}"), TRAINING_TYPES)
    return tuple(GENERATORS[family](source) for _ in range(count))


def test_the_three_prompts_have_shares_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "train" / "language"))
    shares = runpy.run_path(str(ROOT / "train" / "language" / "copal.py"))["SHARES"]
    assert set(shares) == set(FAMILIES) == COPAL_PURPOSES


@pytest.mark.parametrize("family", FAMILIES)
def test_every_answer_is_right_and_read_back(family: str) -> None:
    for question in lessons(family):
        grade = question.grade(question.answer)
        assert grade.right and grade.exact, question.answer


@pytest.mark.parametrize(("family", "count"), [("interpret", 30), ("specify", 12), ("commands", 3)])
def test_answers_are_in_the_grammar(family: str, count: int) -> None:
    for question in lessons(family)[:count]:
        assert pattern(question.prompt.grammar() or "").fullmatch(question.answer), question.answer


def test_commands_run_in_the_domain_to_the_goal() -> None:
    checked = 0
    for question in lessons("commands"):
        plan, goal = question.prompt.parse(question.answer), question.command_goal
        if isinstance(plan, CommandPlan) and goal is not None:
            assert goal.is_reached_by(plan.commands)
            assert not goal.is_reached_by(())
            checked += 1
    assert checked > 40


def test_a_plan_without_a_needed_command_is_wrong() -> None:
    for question in lessons("commands"):
        plan = question.prompt.parse(question.answer)
        if isinstance(plan, CommandPlan) and len(plan.commands) > 3:
            lines = (f"{i}. {one}" for i, one in enumerate(plan.commands[1:], 1))
            shorter = "\n".join(("Thought: no", *lines))
            assert not question.grade(shorter).right
            return
    pytest.fail("no lesson has more than three commands")


def test_lessons_are_of_every_kind() -> None:
    replies = [one.prompt.parse(one.answer) for one in lessons("interpret")]
    kinds = {one.kind for one in replies if isinstance(one, Interpretation)}
    assert kinds == set(ReplyKind)
    answers = [one.answer for one in lessons("specify")]
    for head in ("Goal: ", "Done", "Look up: ", "Read: ", "Cannot: "):
        assert any(answer.startswith(head) for answer in answers), head
    prompts = [one.prompt for one in (*lessons("specify"), *lessons("commands"))]
    failures = [
        one
        for prompt in prompts
        if isinstance(prompt, SpecifyPrompt | CommandsPrompt)
        for one in prompt.failures
    ]
    levels = {(bool(one.reason), bool(one.suggestion)) for one in failures}
    assert levels >= {(False, False), (True, False), (True, True)}
    errors = " ".join(one.error for one in failures)
    for what in ("cannot be done", "in the way", "flow stopped"):
        assert what in errors, what


def test_quick_formulas_agree_with_the_logical_checker() -> None:
    rng, outcomes = random.Random(5), set[bool]()
    for _ in range(12):
        world = make_copal_world(TRAINING_WORDS, rng)
        checker, state = world.checker, world.skills.init
        for _ in range(60):
            schema = rng.choice(world.skills.domain.actions)
            fitting = [checker.rules.objects_of(one.types) for one in schema.parameters]
            if not all(fitting):
                continue
            action = Action(schema.name, tuple(map(rng.choice, fitting)))
            following, wrong = world.after(action, state), checker.check(action, state)
            assert (following is None) is (wrong is not None), action
            outcomes.add(wrong is None)
            if following is not None:
                assert following == checker.after(action, state), action
                state = following
    assert outcomes == {True, False}


def test_robots_have_two_hands_one_or_none() -> None:
    rng = random.Random(3)
    worlds = [make_copal_world(TRAINING_WORDS, rng) for _ in range(40)]
    assert {len(world.hands) for world in worlds} == {0, 1, 2}
    assert {world.theme for world in worlds} == set(THEMES)
    assert any(world.prepared for world in worlds)


def test_no_recipe_is_a_shipped_one() -> None:
    shipped = shipped_recipes().recipes
    names = {name for one in shipped for name in one.names}
    contents = {frozenset(i.substance for i in one.ingredients) for one in shipped}
    rng = random.Random(4)
    for _ in range(40):
        made = draw_recipe(make_copal_world(TRAINING_WORDS, rng), TRAINING_WORDS, rng).recipe
        assert made.name not in names
        assert frozenset(one.substance for one in made.ingredients) not in contents


def test_the_evaluation_has_phrasings_and_a_theme_of_its_own() -> None:
    assert not set(ORDERS) & set(HELD_OUT_ORDERS)
    assert not set(STOPS) & set(HELD_OUT_STOPS)
    assert not set(THEMES) & set(HELD_OUT_THEMES)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_short_form_keeps_what_the_answer_names(family: str) -> None:
    for question in lessons(family):
        short = shorten_messages(question.messages)[1].content
        assert len(short) <= len(question.messages[1].content)
        names = set(re.findall(r"\w+", question.answer)) & _names(question)
        assert names <= set(re.findall(r"\w+", short)), question.answer


def _names(question: LanguageExample) -> set[str]:
    prompt = question.prompt
    if isinstance(prompt, SpecifyPrompt | CommandsPrompt):
        return {name for name, kind in prompt.objects if kind != "substance"}
    return set()
