"""Names of the lessons: many, copied rather than known, and none of the exam's."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from regrasp.lab.language.skill_names import HELD_OUT_SKILL_NAMES
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS, TRAINING_WORDS, is_held_out, pool_of

POOL = ("lantern", "meadow", "velvet", "pine", "apple", "flash", "light", "some", "thing", "har")
KEPT = (
    *HELD_OUT_WORDS.things,
    *HELD_OUT_WORDS.places,
    *HELD_OUT_WORDS.stands,
    *HELD_OUT_WORDS.switches,
    *HELD_OUT_WORDS.adjectives,
    *HELD_OUT_WORDS.classes,
    *HELD_OUT_WORDS.gates,
    *HELD_OUT_WORDS.gone,
    *(name for names in HELD_OUT_SKILL_NAMES.values() for name in names),
)


@pytest.mark.parametrize("pool", [(), POOL], ids=["syllables", "pool"])
def test_no_coined_word_is_the_exams(pool: tuple[str, ...]) -> None:
    words, rng = replace(TRAINING_WORDS, pool=pool), random.Random(0)
    drawn = [words.coined(rng) for _ in range(3000)]
    pieces = {piece for name in KEPT for piece in (name, *name.split("_"))}
    assert not pieces & set(drawn)
    assert not {"pineapple", "flashlight", "something"} & set(drawn)
    assert all(word.isalpha() and len(word) > 1 for word in drawn)
    assert len(set(drawn)) > (10 if pool else 1500)


def test_what_the_exam_coins_no_lesson_does() -> None:
    rng = random.Random(1)
    assert all(is_held_out(HELD_OUT_WORDS.coined(rng)) for _ in range(200))


@pytest.mark.parametrize("word", ["magnets", "zucch", "hulbix", "portable", "seize", "upon", "pin"])
def test_a_word_of_the_exam_or_like_one_is_kept(word: str) -> None:
    assert is_held_out(word)


@pytest.mark.parametrize("word", ["lantern", "spine", "tree", "hat"])
def test_another_word_is_not(word: str) -> None:
    assert not is_held_out(word)


def test_a_pool_has_neither_the_exams_words_nor_those_that_rules_read() -> None:
    raw = [*KEPT, "lantern", "the", "open", "between", "red", "palm", "robot", "a1", "Ab", "ox"]
    assert pool_of([*raw, "lantern"]) == ("lantern",)


def test_half_of_the_names_of_a_lesson_have_a_coined_word() -> None:
    rng, listed = random.Random(2), set(TRAINING_WORDS.things)
    nouns = [TRAINING_WORDS.noun(rng, TRAINING_WORDS.things) for _ in range(800)]
    assert 0.38 < sum(noun not in listed for noun in nouns) / len(nouns) < 0.52
    exam = [HELD_OUT_WORDS.noun(rng, HELD_OUT_WORDS.things) for _ in range(800)]
    assert 0.06 < sum(noun not in HELD_OUT_WORDS.things for noun in exam) / len(exam) < 0.2
