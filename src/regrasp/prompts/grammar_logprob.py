"""How probable a reply is among the texts that its grammar allows.

A model gives the probabilities of its tokens as if it could say anything. Where it would rather
have said what the grammar forbids, such as another name of the same object, a reply that leaves no
choice looks improbable. So each token is compared with those of its alternatives that are allowed.
"""

from __future__ import annotations

import math

from regrasp.models.language import Completion
from regrasp.prompts.grammar_prefix import GrammarPrefix

__all__ = ["logprob_in_grammar"]

_CERTAIN = -0.001
"""A token of at least this log-probability has no alternatives that count."""


def logprob_in_grammar(reply: Completion, grammar: str) -> float | None:
    """The log-probability of a reply; None where its model gave none.

    A reply that is not of the grammar keeps the log-probability that the model gave it.
    """
    if reply.tokens is None:
        return None
    total, before = 0.0, GrammarPrefix.of(grammar)
    for token in reply.tokens:
        total += token.logprob
        if token.top and token.logprob < _CERTAIN:
            others = (
                math.exp(logprob)
                for text, logprob in token.top
                if text != token.text and (before.takes(text) if text else before.whole)
            )
            total -= math.log(min(1.0, math.exp(token.logprob) + sum(others)))
        before = before.after(token.text)
        if not before.stacks:
            return reply.logprob
    return total
