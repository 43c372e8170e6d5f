"""The log-probability of given texts under a model: the candidate ranking that IALP uses.

score(c) = log p(c + newline | messages) in nats, in the model's own tokenization of c. The newline
is part of the score: without an end, "Open the door" is never less likely than "Open the door
slowly".
"""

from __future__ import annotations

from collections.abc import Sequence

from regrasp.models.cancel import CancelToken
from regrasp.models.errors import UnsupportedError
from regrasp.models.language import Completions, LanguageModel, Message

__all__ = ["score"]


def score(
    model: LanguageModel,
    messages: Sequence[Message],
    candidates: Sequence[str],
    *,
    cancel: CancelToken | None = None,
) -> tuple[tuple[float, ...], tuple[Completions, ...]]:
    """Log-probabilities of the candidates, in order, and the replies they were read from."""
    scores, replies = [], []
    for candidate in candidates:
        text = candidate.rstrip("\n") + "\n"
        reply = model.complete(messages, logprobs=True, force=text, cancel=cancel)
        logprob = reply.items[0].logprob
        if logprob is None:
            raise UnsupportedError(f"{model.name} gave no log-probabilities for a given text.")
        scores.append(logprob)
        replies.append(reply)
    return tuple(scores), tuple(replies)
