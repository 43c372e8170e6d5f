"""What a grammar allows after the beginning of a text, against regular expressions."""

from __future__ import annotations

import random

import pytest
from gbnf_sampler import Sampler, pattern
from test_goal import PROMPT

from regrasp.core.errors import RegraspError
from regrasp.prompts.grammar import CANNOT, choice, grammar, numbered_lines
from regrasp.prompts.grammar_prefix import GrammarPrefix

GRAMMARS = (
    PROMPT.grammar(),
    grammar(CANNOT),
    grammar(numbered_lines("act", 4), {"act": choice(["open it", "open", 'say "no"'])}),
    'root ::= ("a" | "ab" [c-e]+)* "\\\\"? [^x]{2}\n',
    'root ::= "a"{2,} tail{0,3}\ntail ::= " " [2-9]\n',
)


@pytest.mark.parametrize("text", GRAMMARS)
def test_it_takes_each_beginning_of_a_text_and_knows_its_end(text: str) -> None:
    sampler = Sampler(text, random.Random(text))
    for _ in range(10):
        said = sampler.sample()
        prefix = GrammarPrefix.of(text)
        for character in said:
            assert prefix.takes(character), said
            prefix = prefix.after(character)
        assert prefix.whole, said


@pytest.mark.parametrize("text", GRAMMARS)
def test_it_agrees_with_a_regular_expression_on_damaged_texts(text: str) -> None:
    rng = random.Random(text)
    sampler, expected = Sampler(text, rng), pattern(text)
    verdicts = set()
    for _ in range(60):
        said = list(sampler.sample())
        place = rng.randrange(len(said) + 1)
        said[place : place + rng.choice((0, 1, 2))] = rng.choice(("", "a", "x", " ", "(", "\n"))
        verdict = GrammarPrefix.of(text).after("".join(said)).whole
        assert verdict == bool(expected.fullmatch("".join(said))), said
        verdicts.add(verdict)
    assert False in verdicts


def test_names_that_nothing_in_the_scene_has_are_not_taken() -> None:
    prefix = GrammarPrefix.of(PROMPT.grammar()).after("Goal:\non(red_cup, ")
    assert prefix.takes("tray")
    assert prefix.takes("the cup")
    assert not prefix.takes("table")
    assert not prefix.whole
    assert prefix.after("tray)").whole


@pytest.mark.parametrize(
    "text", ["root = 1", "root ::= @", 'root ::= "a")', 'root ::= ("a"', "root ::= *"]
)
def test_what_is_no_grammar_is_refused(text: str) -> None:
    with pytest.raises(RegraspError, match="grammar"):
        GrammarPrefix.of(text)


@pytest.mark.parametrize("text", ['root ::= "a" tail?\n', 'tail ::= "a"\n'])
def test_a_rule_that_is_nowhere_is_named(text: str) -> None:
    with pytest.raises(RegraspError, match=r"has no rule (tail|root)"):
        GrammarPrefix.of(text)
