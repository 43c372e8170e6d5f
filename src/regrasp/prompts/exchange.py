"""Ask a model one prompt: complete, parse, and after a parse error send the repair hint once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from regrasp.models.cancel import CancelToken
from regrasp.models.language import Completions, LanguageModel, Message, Role
from regrasp.prompts.parsing import Declined, ParseError, repair_message
from regrasp.prompts.prompt import Prompt, T_co

__all__ = ["Exchange", "ask", "ask_value"]


@dataclass(frozen=True, slots=True)
class Exchange(Generic[T_co]):
    """The result of a question: the parsed value and every reply, the repaired one last."""

    result: T_co | Declined | ParseError
    replies: tuple[Completions, ...]


def ask(
    model: LanguageModel,
    prompt: Prompt[T_co],
    *,
    temperature: float = 0.0,
    max_tokens: int = 256,
    seed: int | None = None,
    logprobs: bool = False,
    cancel: CancelToken | None = None,
) -> Exchange[T_co]:
    """Send `prompt` to `model`, constrained by the prompt's grammar where the model supports it.

    If the second reply cannot be read either, the result is its ParseError, and the caller decides
    what to do with the step. `logprobs` asks for log-probabilities where the model gives any.
    Raises only what `model.complete` raises.
    """
    messages = prompt.messages()
    grammar = prompt.grammar() if model.capabilities.grammar else None
    replies: list[Completions] = []
    while True:
        reply = model.complete(
            messages,
            temperature=temperature,
            max_tokens=max_tokens,
            grammar=grammar,
            seed=seed,
            logprobs=logprobs and model.capabilities.logprobs,
            purpose=prompt.purpose,
            cancel=cancel,
        )
        replies.append(reply)
        result = prompt.parse(reply.text)
        if not isinstance(result, ParseError) or len(replies) > 1:
            return Exchange(result, tuple(replies))
        messages = (
            *messages,
            Message(Role.ASSISTANT, reply.text),
            Message(Role.USER, repair_message(result)),
        )


def ask_value(model: LanguageModel, prompt: Prompt[T_co]) -> T_co | None:
    """The value of the reply, or None where the model declined or could not be read.

    The trace has the actual reply, with the call.
    """
    result = ask(model, prompt).result
    return None if isinstance(result, Declined | ParseError) else result
