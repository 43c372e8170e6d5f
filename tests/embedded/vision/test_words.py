"""Questions become numbers only where every word of them is known."""

from __future__ import annotations

from regrasp.embedded.vision.words import LONGEST, Vocabulary, words_of

WORDS = Vocabulary.of(["Is the red cube on the crate?", "Do you see the bar?"])


def test_names_are_words_and_what_follows_the_question_is_left_out() -> None:
    asked = "Is the red_cube on the crate? The objects here may be: a, b. Answer yes or no."
    assert words_of(asked) == ["is", "the", "red", "cube", "on", "the", "crate"]


def test_the_same_words_give_the_same_numbers_however_they_are_spelt() -> None:
    assert WORDS.numbers("is the RED-cube on the crate") == WORDS.numbers(
        "Is the red_cube on the crate?"
    )


def test_numbers_are_padded_and_begin_with_the_place_of_the_answer() -> None:
    numbers = WORDS.numbers("Do you see the bar?")
    assert numbers is not None
    assert len(numbers) == LONGEST
    assert numbers[0] == 1
    assert numbers[6:] == [0] * (LONGEST - 6)
    assert max(numbers) < WORDS.size


def test_a_word_not_learnt_makes_it_a_question_not_understood() -> None:
    assert WORDS.numbers("Is the spoon on the crate?") is None
    assert WORDS.numbers("???") is None
    assert WORDS.numbers("the " * LONGEST) is None
