"""Lessons of the next action: the answer begins a shortest plan, and nothing gives it away."""

from __future__ import annotations

import itertools
import random
from functools import cache

from regrasp.core.action import Action
from regrasp.domains.distances import plan_lengths
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.grounding import ground_task
from regrasp.domains.rules import Rules
from regrasp.embedded.abridge import shorten_messages
from regrasp.embedded.rules.next_action import HOPELESS
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.next_action_examples import next_actions
from regrasp.lab.language.next_action_search import first_actions, read_pddl
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.prompts.next_action import NextActionPrompt

MOST_CHARACTERS = 8_000


@cache
def lessons(held_out: bool = False) -> tuple[LanguageExample, ...]:
    source = ExampleSource(random.Random("next"), TRAINING_TYPES, held_out=held_out)
    return tuple(itertools.islice(next_actions(source), 80))


def pddl(lesson: LanguageExample) -> tuple[Domain, Problem]:
    prompt = lesson.prompt
    assert isinstance(prompt, NextActionPrompt)
    return read_pddl(prompt)


def test_the_answer_begins_a_shortest_plan_by_another_search() -> None:
    for lesson in lessons():
        domain, problem = pddl(lesson)
        lengths = plan_lengths(ground_task(domain, problem))
        useful = {str(one): length for one, length in lengths.items() if length is not None}
        if lesson.answer == HOPELESS:
            assert not useful
        else:
            assert useful[lesson.answer] == min(useful.values())


def test_all_first_actions_of_shortest_plans_are_found() -> None:
    several = 0
    for lesson in lessons():
        domain, problem = pddl(lesson)
        lengths = plan_lengths(ground_task(domain, problem))
        useful = {one: length for one, length in lengths.items() if length is not None}
        best = {one for one, length in useful.items() if length == min(useful.values())}
        assert set(first_actions(domain, problem)) == best
        several += len(best) > 1
    assert several


def test_the_short_form_offers_the_answer_and_only_what_can_be_done() -> None:
    for lesson in (*lessons(), *lessons(held_out=True)):
        domain, problem = pddl(lesson)
        rules = Rules.of(domain, problem)
        text = shorten_messages(lesson.messages)[1].content
        can, _, cannot = text.partition("Possible:")[2].partition("Blocked:")
        assert len(text) < MOST_CHARACTERS
        if lesson.answer != HOPELESS:
            assert f"- {lesson.answer}:" in can
        for part, possible in ((can, True), (cannot, False)):
            for line in part.split("\n- ")[1:]:
                name, _, args = line.partition("):")[0].partition("(")
                call = Action(name, tuple(args.split(", ")))
                assert (not rules.unmet_preconditions(call, problem.init)) is possible


def test_lessons_differ_in_their_words_and_some_have_no_plan() -> None:
    made = lessons()
    names = [{action.name for action in pddl(lesson)[0].actions} for lesson in made]
    assert len(set.union(*names)) > 60
    assert 0.02 < sum(lesson.answer == HOPELESS for lesson in made) / len(made) < 0.3
    answers = {lesson.answer.partition("(")[0] for lesson in made}
    assert len(answers) > 15


def test_the_exam_has_other_instructions() -> None:
    taught, asked = (
        {lesson.messages[1].content.split("\n")[0] for lesson in lessons(held_out)}
        for held_out in (False, True)
    )
    assert not taught & asked


def test_a_reply_that_begins_a_shortest_plan_is_right() -> None:
    for lesson in lessons():
        assert lesson.grade(lesson.answer).right
        prompt = lesson.prompt
        assert isinstance(prompt, NextActionPrompt)
        if lesson.answer != HOPELESS:
            good = first_actions(*read_pddl(prompt))
            bad = next(one for one in prompt.calls if one not in good)
            assert not lesson.grade(str(bad)).right
            assert all(lesson.grade(f"{one}\n").right for one in good)
