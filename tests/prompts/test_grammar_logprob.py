"""How probable a reply is among the texts that its grammar allows."""

from __future__ import annotations

import math

import pytest

from regrasp.models.language import Completion, FinishReason, ScoredToken
from regrasp.prompts.grammar import choice, grammar
from regrasp.prompts.grammar_logprob import logprob_in_grammar

NAMES = grammar(choice(["pink_cup", "pink_cupboard", "stapler"]))


def said(*tokens: ScoredToken) -> Completion:
    return Completion("".join(one.text for one in tokens), FinishReason.STOP, tokens)


def scored(text: str, **top: float) -> ScoredToken:
    """A token and its alternatives with their probabilities; `end` is the end of the reply."""
    shares = tuple(("" if k == "end" else k, math.log(p)) for k, p in top.items())
    return ScoredToken(text, math.log(top[text]), shares)


def test_an_alternative_that_is_not_allowed_does_not_count() -> None:
    reply = said(scored("pink_", pink_=0.1, cup=0.8, stap=0.1), scored("cup", cup=1.0))
    assert reply.logprob == pytest.approx(math.log(0.1))
    assert logprob_in_grammar(reply, NAMES) == pytest.approx(math.log(0.5))


def test_a_reply_without_another_choice_is_certain() -> None:
    reply = said(scored("sta", sta=0.02, the=0.9, my=0.05), scored("pler", pler=0.4, ples=0.6))
    assert logprob_in_grammar(reply, NAMES) == pytest.approx(0.0)


def test_the_end_counts_where_the_text_may_end() -> None:
    reply = said(scored("pink_cup", pink_cup=1.0), scored("board", board=0.25, end=0.5, s=0.25))
    assert logprob_in_grammar(reply, NAMES) == pytest.approx(math.log(1 / 3))
    reply = said(scored("pink_", pink_=0.5, end=0.5), scored("cup", cup=1.0))
    assert logprob_in_grammar(reply, NAMES) == pytest.approx(0.0)


def test_a_reply_outside_of_the_grammar_keeps_its_log_probability() -> None:
    reply = said(scored("pink_", pink_=0.5, cup=0.5), scored("spoon", spoon=0.5))
    assert logprob_in_grammar(reply, NAMES) == reply.logprob


def test_without_alternatives_nothing_changes() -> None:
    assert logprob_in_grammar(said(ScoredToken("stapler", -0.7)), NAMES) == pytest.approx(-0.7)
    assert logprob_in_grammar(Completion("stapler", FinishReason.STOP), NAMES) is None
