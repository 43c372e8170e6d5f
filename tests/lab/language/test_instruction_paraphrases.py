"""Frames of a larger model: each can be made, and none that is held out is in a lesson."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from gbnf_sampler import pattern

from regrasp.core.goal_description import GoalDescription, parse_clause, parse_term
from regrasp.lab.language.frames import FOLDER, PARAPHRASES, frames_of, languages
from regrasp.lab.language.instruction_examples import InstructionExample, paraphrased
from regrasp.lab.language.instruction_nouns import RetryError
from regrasp.lab.language.instruction_paraphrases import (
    is_kept_apart,
    make_speaker,
    paraphrased_frames,
)
from regrasp.lab.language.instruction_terms import slot_roles
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS, TRAINING_WORDS
from regrasp.prompts.goal import DeclineReason
from regrasp.prompts.parsing import Declined

SLOT = re.compile(r"{(\w+)}")
WORDS_OF_SLOTS = {
    "k": {"k", "ks"},
    "p": {"p", "pw", "qw", "k", "ks"},
    "q": {"p", "q", "pw", "qw", "k", "ks"},
}


def plain(text: str) -> str:
    """A text without its case and punctuation."""
    return " ".join(re.findall(r"[\w{}']+", text.lower()))


def made(count: int, apart: bool = False) -> list[InstructionExample]:
    rng = random.Random("test")
    words = HELD_OUT_WORDS if apart else TRAINING_WORDS
    return [paraphrased(rng, words, apart) for _ in range(count)]


@pytest.mark.parametrize("language", languages())
def test_every_text_of_a_clause_has_the_slots_of_its_goal(language: str) -> None:
    entries = frames_of(language, PARAPHRASES).clauses
    assert len({entry.name for entry in entries}) == len(entries)
    for entry in entries:
        wanted = set(SLOT.findall(" ".join(entry.goal)))
        for text in (*entry.do, *entry.state):
            used = set(SLOT.findall(text))
            for slot in wanted:
                assert used & WORDS_OF_SLOTS.get(slot, {slot}), (entry.name, text)
            allowed = wanted.union(*(WORDS_OF_SLOTS.get(slot, set()) for slot in wanted))
            assert used <= allowed | {"ks"}, (entry.name, text)


@pytest.mark.parametrize("language", languages())
def test_goals_phrases_links_and_reasons_are_of_the_language(language: str) -> None:
    frames = frames_of(language, PARAPHRASES)
    for entry in frames.clauses:
        for line in entry.goal:
            parse_clause(SLOT.sub(r"\1__", line))
    for phrase in frames.phrases:
        parse_term(SLOT.sub(r"\1__", phrase.term))
        assert all("{k" in text or "thing" in phrase.term for text in phrase.say)
    for link in frames.links:
        parts = set(re.findall(r"\b[ABC]\b", " ".join(link.goal)))
        assert all(parts == set(SLOT.findall(text)) & set("ABC") for text in link.say)
    for refusal in frames.refusals:
        reason, _, missing = refusal.reason.partition(": ")
        assert reason in set(DeclineReason)
        assert all(("{m}" in text) == (missing == "{m}") for text in refusal.say)
    assert all("{A}" in text for text in frames.wraps)


def test_no_text_is_there_twice_or_among_the_other_frames() -> None:
    for language in languages():
        new, old = frames_of(language, PARAPHRASES), frames_of(language, FOLDER)
        texts = [(e.goal, t) for e in new.clauses for t in (*e.do, *e.state)]
        texts += [((e.reason,), t) for e in new.refusals for t in e.say]
        assert [t for t, count in Counter(texts).items() if count > 1] == []
        before = {plain(t) for e in old.clauses for t in (*e.do, *e.state)}
        before |= {plain(t) for e in old.refusals for t in e.say}
        assert before.isdisjoint(plain(t) for _, t in texts)


def test_every_goal_finds_a_scene() -> None:
    rng = random.Random("scenes")
    for language in languages():
        frames = frames_of(language)
        for entry in frames_of(language, PARAPHRASES).clauses:
            for _ in range(40):
                try:
                    only = replace(frames, clauses=(entry,))
                    part = make_speaker(entry, rng, TRAINING_WORDS, language, only).clause()
                except RetryError:
                    continue
                assert part.clauses
                break
            else:
                raise AssertionError((language, entry.name))
            assert slot_roles(entry) or entry.goal in (("handempty()",), ("keep handempty()",))


@pytest.mark.parametrize("apart", [False, True])
def test_answers_parse_and_are_in_the_grammar(apart: bool) -> None:
    found: Counter[type] = Counter()
    for one in made(150, apart):
        value = one.prompt.parse(one.answer)
        assert isinstance(value, GoalDescription | Declined), one
        found[type(value)] += 1
        if len(one.prompt.scene.objects) < 6:
            assert pattern(one.prompt.grammar()).fullmatch(one.answer), one.answer
    assert found[GoalDescription] > 80
    assert found[Declined] > 20


def test_what_is_held_out_is_in_no_lesson() -> None:
    for language in languages():
        taught, apart = paraphrased_frames(language), paraphrased_frames(language, apart=True)
        seen = {t for e in taught.clauses for t in (*e.do, *e.state)}
        kept = {t for e in apart.clauses for t in (*e.do, *e.state)}
        assert kept
        assert seen.isdisjoint(kept)
        assert all(map(is_kept_apart, kept))
        assert len(kept) < 0.3 * len(seen)


def test_the_same_seed_gives_the_same_instructions() -> None:
    assert made(20) == made(20)
