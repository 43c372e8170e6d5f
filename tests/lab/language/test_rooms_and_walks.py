"""The lessons are sound: rooms are well made, walks confirm, answers grade as right."""

from __future__ import annotations

import random
import re
import subprocess
import sys

import pytest

from regrasp.embedded.scripted import ScriptedModel
from regrasp.lab.language.evaluation_set import EVALUATED, PARTS, questions
from regrasp.lab.language.held_out_phrasings import HELD_OUT_PHRASINGS
from regrasp.lab.language.phrasings import PHRASINGS
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.reading import read_prompt
from regrasp.lab.language.rooms import HELD_OUT_TYPES, TRAINING_TYPES, make_room
from regrasp.lab.language.statements import HELD_OUT_ORDERS, HELD_OUT_STATEMENTS, ORDERS, STATEMENTS
from regrasp.lab.language.symbolic_run import asked_as, run_symbolic
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS, TRAINING_WORDS
from regrasp.lab.language.wants import PLAIN
from regrasp.models.language import Message, Role
from regrasp.prompts.parsing import Declined

ALL_TYPES = tuple(dict.fromkeys((*TRAINING_TYPES, *HELD_OUT_TYPES)))


def test_the_exam_shares_no_word_phrasing_saying_order_or_type_with_the_lessons() -> None:
    for words in (
        "things",
        "places",
        "stands",
        "switches",
        "adjectives",
        "classes",
        "gates",
        "gone",
    ):
        assert not set(getattr(TRAINING_WORDS, words)) & set(getattr(HELD_OUT_WORDS, words))
    for kind, plain in PLAIN.items():
        assert not {plain, *PHRASINGS[kind]} & set(HELD_OUT_PHRASINGS[kind])
    for claim, said in STATEMENTS.items():
        assert not set(said) & set(HELD_OUT_STATEMENTS[claim])
    assert not set(ORDERS) & set(HELD_OUT_ORDERS)
    assert not set(TRAINING_TYPES) & set(HELD_OUT_TYPES)


def test_the_scripted_reasoner_masters_nearly_every_room() -> None:
    rng, failed = random.Random("test rooms"), []
    for kind in ALL_TYPES:
        went = run_symbolic(make_room(kind, TRAINING_WORDS, rng), ScriptedModel(), rng)
        failed += [] if went.confirmed else [f"{kind}: {went.claim}"]
    assert len(failed) <= 0.1 * len(ALL_TYPES), failed


@pytest.mark.parametrize("part", PARTS)
def test_every_reference_answer_is_right(part: str) -> None:
    asked = list(questions(part, 2))
    assert {question.family for question in asked} == set(EVALUATED[part])
    for question in asked:
        grade = question.grade(question.answer)
        assert grade.parsed and grade.right and grade.exact, question


def test_the_same_seed_gives_the_same_exam_in_another_process() -> None:
    code = "from regrasp.lab.language.evaluation_set import questions\n"
    code += "import hashlib\n"
    code += "t = repr([(q.messages, q.answer) for q in questions('words', 2, 3)])\n"
    code += "print(hashlib.sha256(t.encode()).hexdigest())"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def plans() -> list[LanguageExample]:
    return [q for q in questions("seen", 8, 3) if q.family == "plan" and "1. " in q.answer]


def test_a_plan_that_does_nothing_is_wrong_and_one_that_works_is_right_in_other_words() -> None:
    for question in plans():
        steps = question.answer.split("\n")
        assert not question.grade("Thought: x\n1. Look at the nothing").parsed
        other = question.grade("\n".join(["Thought: in my own words.", *steps[1:]]))
        assert other.right and not other.exact
        declined = question.grade("Cannot: I will not")
        assert declined.parsed and not declined.right


def test_a_plan_without_its_last_step_is_wrong() -> None:
    cut = [q for q in plans() if len(q.answer.split("\n")) > 2]
    assert cut
    for question in cut:
        shorter = question.answer.rpartition("\n")[0]
        assert not question.grade(shorter).right, question


def test_a_plan_that_no_motion_can_do_is_wrong_and_no_error() -> None:
    tried = 0
    for question in plans():
        lines = question.answer.split("\n")
        for at, line in enumerate(lines):
            if placed := re.fullmatch(r"(\d+\. Place the (\w+) on the )\w+", line):
                lines[at], tried = f"{placed[1]}{placed[2]}", tried + 1
        odd = question.grade("\n".join(lines))
        assert odd.parsed and odd.right == odd.exact
    assert tried


def test_a_sign_changes_the_question_and_never_the_answer() -> None:
    pairs = list(zip(questions("signs", 3), questions("no_signs", 3), strict=True))
    assert pairs
    for spoilt, clean in pairs:
        assert spoilt.answer == clean.answer
        assert spoilt.messages != clean.messages


def test_a_phrasing_stands_wherever_the_goal_does() -> None:
    rng = random.Random(2)
    room = make_room(TRAINING_TYPES[0], TRAINING_WORDS, rng)
    went = run_symbolic(room, ScriptedModel(), rng)
    plain = room.want.plain()
    for exchange in went.exchanges:
        told = asked_as(exchange, plain, "do as I say").messages[1].content
        assert f": {plain}\n" not in f"{told}\n"


def test_other_text_is_no_prompt() -> None:
    assert read_prompt([Message(Role.SYSTEM, "Hello"), Message(Role.USER, "Goal: x")]) is None
    broken = [Message(Role.SYSTEM, "Task: plan"), Message(Role.USER, "Goal: x\nObjects: none")]
    assert read_prompt(broken) is None  # the head is part of a prompt
    question = next(iter(questions("seen", 1)))
    assert not isinstance(question.prompt.parse(question.answer), Declined)
