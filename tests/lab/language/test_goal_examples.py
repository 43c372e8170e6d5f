"""Lessons about goals: sound, of every kind, apart from the exam and from the shipped worlds."""

from __future__ import annotations

import random
from functools import cache

import pytest
from gbnf_sampler import pattern

from regrasp.core.goal import Goal
from regrasp.embedded.scripted import ScriptedModel
from regrasp.lab.language import goal_phrasings as ways
from regrasp.lab.language.evaluation_set import questions
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.goal_examples import goal
from regrasp.lab.language.grading import grade
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.prompts.goal import GoalPrompt
from regrasp.prompts.parsing import Declined
from regrasp.worlds.registry import WORLDS, world_plan


@cache
def lessons(count: int, exam: bool = False) -> tuple[tuple[LanguageExample, GoalPrompt], ...]:
    drill = ExampleSource(random.Random("goal lessons"), TRAINING_TYPES, held_out=exam)
    made = [goal(drill) for _ in range(count)]
    asked = [(question, question.prompt) for question in made]
    return tuple((q, prompt) for q, prompt in asked if isinstance(prompt, GoalPrompt))


@pytest.mark.parametrize("exam", [False, True])
def test_reference_answers_are_right_and_in_the_grammar(exam: bool) -> None:
    made = lessons(200, exam)
    assert len(made) == 200  # each reads back to the prompt that asked it
    for question, prompt in made:
        result = question.grade(question.answer)
        assert result.parsed and result.right and result.exact
        assert pattern(prompt.grammar()).fullmatch(question.answer), question.answer


def test_lessons_are_of_every_kind() -> None:
    answers = [question.answer for question, _ in lessons(600)]
    for mark, least in (("?", 0.08), ("not ", 0.08), ("Cannot: ", 0.04)):
        assert least < sum(mark in one for one in answers) / len(answers) < 0.35, mark
    assert max(answer.count("\n") for answer in answers) >= 5
    said = {prompt.instruction.split(" ")[0].lower() for _, prompt in lessons(600)}
    assert len(said) > 60
    rooms = {question.room for question, _ in lessons(600)}
    assert "goal world" in rooms and len(rooms) > 20


def test_a_goal_is_the_same_in_any_order_and_another_with_a_literal_less() -> None:
    several = [(q, p) for q, p in lessons(200) if q.answer.count("\n") > 1]
    assert len(several) > 30
    for question, prompt in several:
        head, *lines = question.answer.split("\n")
        turned = grade(prompt, "\n".join([head, *lines[::-1]]), question.answer)
        assert turned.right and not turned.exact
        assert not grade(prompt, "\n".join([head, *lines[1:]]), question.answer).right


def test_no_instruction_of_a_shipped_world_is_taught_or_examined() -> None:
    shipped = {task.instruction.lower() for name in WORLDS for task in world_plan(name).tasks}
    assert "cook the frozen pie" in shipped
    for exam in (False, True):
        said = {prompt.instruction.lower().rstrip(".") for _, prompt in lessons(600, exam)}
        assert not said & shipped


def test_the_exam_shares_no_frame_room_or_predicate_with_the_lessons() -> None:
    for way in ways.CONDITIONS:
        assert not set(way.taught) & set(way.examined)
    for taught, kept in (
        (ways.CHAINS, ways.EXAM_CHAINS),
        (ways.INDOORS, ways.EXAM_INDOORS),
        (ways.TO_ROOM, ways.EXAM_TO_ROOM),
        (ways.IT_ON + ways.IT_IN, ways.EXAM_IT_ON + ways.EXAM_IT_IN),
        (ways.ROOMS + ways.OUTDOOR_ROOMS, ways.EXAM_ROOMS + ways.EXAM_OUTDOOR_ROOMS),
        (ways.LIQUIDS, ways.EXAM_LIQUIDS),
    ):
        assert not set(taught) & set(kept)
    names = {name for listed in ways.PREDICATES.values() for name in listed}
    assert not names & {name for listed in ways.EXAM_PREDICATES.values() for name in listed}


def test_scripted_rules_and_lessons_agree_where_the_rules_understand() -> None:
    """A phrasing may be beyond the rules; what they understand they must understand alike."""
    right = wrong = 0
    for question, prompt in lessons(400):
        reply = ScriptedModel().complete(prompt.messages()).text
        said, meant = prompt.parse(reply), prompt.parse(question.answer)
        if isinstance(said, Goal) and isinstance(meant, Goal):
            same = set(said.literals) == set(meant.literals)
            right, wrong = right + same, wrong + (not same)
    assert right > 150
    assert wrong < 0.2 * right


def test_the_exam_asks_for_goals_in_every_part_that_differs_for_them() -> None:
    for part in ("seen", "words", "rooms", "signs", "repairs"):
        assert any(question.family == "goal" for question in questions(part, 2, 1)), part


def test_some_requests_are_declined() -> None:
    declined = [q for q, prompt in lessons(200) if isinstance(prompt.parse(q.answer), Declined)]
    assert declined
    assert all(question.grade("Cannot: for another reason").right for question in declined)
