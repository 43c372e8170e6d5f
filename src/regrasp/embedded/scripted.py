"""The scripted model: a deterministic rule-based reasoner, text in and text out.

It reads the same prompt text as any model and answers it by general rules over the objects,
affordances, goal verbs, attempts and causes in that text; it has no rule for a single task or scene
and no stored answer. It is for tests, for training the embedded language model, and as an upper
bound of what a reasoner can do with our prompts; it is called `scripted` in every table. To a text
that it does not understand it replies, in the requested format, that it cannot answer. Where rules
weigh several replies (the next action of IALP), it samples them and gives their log-probabilities.
"""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass

from regrasp.embedded.rules.answers import answer, likelihoods
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    Request,
    RequestModel,
    Role,
    ScoredToken,
    Usage,
)
from regrasp.prompts.prompt import without_examples

__all__ = ["ScriptedModel"]

_PIECE = re.compile(r"\s*\S+|\s+$")


@dataclass(frozen=True, slots=True)
class ScriptedModel(RequestModel):
    """General rules in place of weights. The same request always gets the same reply."""

    @property
    def name(self) -> str:
        """`scripted`, in every trace and table."""
        return "scripted"

    @property
    def capabilities(self) -> Capabilities:
        """Text only; log-probabilities belong to single questions, not to the model.

        A goal that rules read is the only one that they can read, and counts as sure.
        """
        return Capabilities(seed=True, calibrated=True)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """See `RequestModel.respond`. A token is a word with the space before it."""
        task, text = _question(request)
        weighed = likelihoods(task, text)
        items = _sampled(weighed, request) if weighed else _same(answer(task, text), request)
        asked = {
            "logprobs": request.logprobs and not weighed,
            "schema": request.schema is not None,
            "grammar": request.grammar is not None,
        }
        losses = tuple(f"{what}: scripted has none" for what, wanted in asked.items() if wanted)
        usage = Usage(
            sum(len(_PIECE.findall(message.content)) for message in request.messages),
            sum(len(_PIECE.findall(one.text)) for one in items),
        )
        return Completions(items, usage, 0.0, losses)


def _question(request: Request) -> tuple[str, str]:
    """The first question of the conversation; a repair hint asks the same one again."""
    heads = [m.content for m in request.messages if m.role is Role.SYSTEM]
    asked = without_examples(request.messages)
    texts = [m.content for m in asked if m.role is Role.USER]
    return (heads[0].split("\n", 1)[0].strip(), texts[0]) if heads and texts else ("", "")


def _same(text: str, request: Request) -> tuple[Completion, ...]:
    return (Completion(*_cut(text, request)),) * request.n


def _sampled(weighed: tuple[tuple[str, float], ...], request: Request) -> tuple[Completion, ...]:
    """Samples without replacement (Gumbel-top-k, Kool et al. 2019); without heat, the likeliest."""
    rng = random.Random(request.seed or 0)
    heat = request.temperature
    drawn = sorted(
        weighed, key=lambda one: -(one[1] - heat * math.log(-math.log(1.0 - rng.random() or 1e-12)))
    )
    chosen = drawn[: request.n] if heat else drawn[:1] * request.n
    items = []
    for reply, logprob in chosen:
        text, reason = _cut(reply, request)
        pieces = _PIECE.findall(text)
        each = logprob / max(1, len(pieces))
        tokens = tuple(ScoredToken(piece, each) for piece in pieces)
        items.append(Completion(text, reason, tokens if request.logprobs else None))
    return tuple(items)


def _cut(text: str, request: Request) -> tuple[str, FinishReason]:
    """`text` up to the first stop string and the token limit."""
    ends = [i for i in map(text.find, request.stop) if i >= 0]
    text = text[: min(ends)] if ends else text
    pieces = _PIECE.findall(text)
    if len(pieces) > request.max_tokens:
        return "".join(pieces[: request.max_tokens]), FinishReason.LENGTH
    return text, FinishReason.STOP
