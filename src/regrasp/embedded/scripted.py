"""The scripted model: a deterministic rule-based reasoner, text in and text out.

It reads the same prompt text as any model and answers it by general rules over the objects,
affordances, goal verbs, attempts and causes in that text; it has no rule for a single task or scene
and no stored answer. It is for tests, for training the embedded language model, and as an upper
bound of what a reasoner can do with our prompts; it is called `scripted` in every table. To a text
that it does not understand it replies, in the requested format, that it cannot answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regrasp.embedded.rules.answers import NOT_UNDERSTOOD, answer
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    Request,
    RequestModel,
    Role,
    Usage,
)

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
        """Text only; a seed has no effect, because the model is deterministic."""
        return Capabilities(seed=True)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """See `RequestModel.respond`. A token is a word with the space before it."""
        text, reason = _cut(_reply(request), request)
        usage = Usage(
            sum(len(_PIECE.findall(message.content)) for message in request.messages),
            request.n * len(_PIECE.findall(text)),
        )
        asked = {
            "logprobs": request.logprobs,
            "schema": request.schema is not None,
            "grammar": request.grammar is not None,
        }
        losses = tuple(f"{what}: scripted has none" for what, wanted in asked.items() if wanted)
        return Completions((Completion(text, reason),) * request.n, usage, 0.0, losses)


def _reply(request: Request) -> str:
    """Answer the first question of the conversation; a repair hint asks the same one again."""
    heads = [m.content for m in request.messages if m.role is Role.SYSTEM]
    texts = [m.content for m in request.messages if m.role is Role.USER]
    if not heads or not texts:
        return NOT_UNDERSTOOD
    return answer(heads[0].split("\n", 1)[0].strip(), texts[0])


def _cut(text: str, request: Request) -> tuple[str, FinishReason]:
    """`text` up to the first stop string and the token limit."""
    ends = [i for i in map(text.find, request.stop) if i >= 0]
    text = text[: min(ends)] if ends else text
    pieces = _PIECE.findall(text)
    if len(pieces) > request.max_tokens:
        return "".join(pieces[: request.max_tokens]), FinishReason.LENGTH
    return text, FinishReason.STOP
