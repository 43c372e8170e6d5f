"""The protocol of language models: messages in, completions out.

The caller asks every implementation of `LanguageModel` (a hosted API, a local server, a GGUF file,
a script, a cassette) in the same way and gets the same types. `capabilities` lists the features of
a model; a requested feature that was missing is in the `losses` of the answer. A completion is text
to be parsed and checked, never an instruction to this program.
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Protocol, TypeAlias, runtime_checkable

from regrasp.core.codec import JsonValue
from regrasp.models.cancel import CancelToken
from regrasp.models.errors import BadRequestError, UnsupportedError
from regrasp.models.images import ImageData

__all__ = [
    "CALIBRATED",
    "Capabilities",
    "Completion",
    "Completions",
    "FinishReason",
    "Json",
    "LanguageModel",
    "Message",
    "Request",
    "RequestModel",
    "Role",
    "ScoredToken",
    "Usage",
]

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""Any JSON value; a JSON schema is a `Mapping[str, Json]`."""


class Role(StrEnum):
    """The role of a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One message: its role, its text, and the images shown with it."""

    role: Role
    content: str
    images: tuple[ImageData, ...] = ()


class FinishReason(StrEnum):
    """Why a completion ended."""

    STOP = "stop"  # the model ended it, or a stop string was met
    LENGTH = "length"  # max_tokens was reached: the text may be cut in mid-word
    FILTERED = "filtered"  # the server withheld the rest
    OTHER = "other"  # the server gave no known reason


@dataclass(frozen=True, slots=True)
class ScoredToken:
    """A piece of text with its natural log-probability, and the most likely alternatives.

    The probabilities are the model's own, before any grammar or schema masks them. A token that a
    grammar forced can therefore be very unlikely; this makes it possible to rank candidates.
    """

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """One sample. `tokens` is None where log-probabilities were not requested, or not available."""

    text: str
    finish_reason: FinishReason = FinishReason.STOP
    tokens: tuple[ScoredToken, ...] | None = None

    @property
    def logprob(self) -> float | None:
        """The log-probability of the whole text, in nats; None where `tokens` is None."""
        return None if self.tokens is None else math.fsum(t.logprob for t in self.tokens)


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of a call. `calls` counts requests sent, with retries and fall-backs."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 1

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
        )


@dataclass(frozen=True, slots=True)
class Completions:
    """The answer to one request: its samples, their cost, and the features that were missing."""

    items: tuple[Completion, ...]
    usage: Usage = Usage()
    latency_s: float = 0.0
    losses: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text of the first sample."""
        return self.items[0].text


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The known features of a model; where a server must be tried first, the assumed ones.

    `calibrated`: its log-probability of a goal says how probable it is that the goal is right
    (`planners.understanding`). Of other models several readings are compared.
    """

    images: bool = False
    logprobs: bool = False
    schema: bool = False
    grammar: bool = False
    seed: bool = False
    force: bool = False
    calibrated: bool = False

    def __str__(self) -> str:
        return ", ".join(["text", *(f.name for f in fields(self) if getattr(self, f.name))])


CALIBRATED = ("embedded", "scripted")
"""The calibrated models by name, for a replay of their replies."""


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides a completion, checked: equal requests may share a recorded reply.

    `purpose` names the question for traces, e.g. `plan`; it does not affect the reply.
    """

    messages: tuple[Message, ...]
    n: int = 1
    temperature: float = 0.0
    max_tokens: int = 512
    stop: tuple[str, ...] = ()
    logprobs: bool = False
    schema: Mapping[str, Json] | None = None
    grammar: str | None = None
    seed: int | None = None
    force: str | None = None
    purpose: str = ""

    def __post_init__(self) -> None:
        faults = [
            (not self.messages, "there are no messages; give at least one"),
            (self.n < 1, f"n={self.n}; ask for at least one sample"),
            (self.max_tokens < 1, f"max_tokens={self.max_tokens}; allow at least one"),
            (
                not (math.isfinite(self.temperature) and self.temperature >= 0),
                f"temperature={self.temperature}; give a finite number, 0 for greedy",
            ),
            ("" in self.stop, "a stop string is empty; it would end every answer at once"),
            (
                sum(form is not None for form in (self.schema, self.grammar, self.force)) > 1,
                "more than one of schema, grammar and force was given; give one",
            ),
            (self.force == "", "force is empty; give the text to score"),
            (
                self.force is not None and not (self.n == 1 and self.logprobs and not self.stop),
                "force scores one text; ask with n=1, logprobs=True and no stop",
            ),
        ]
        if found := "; ".join(text for wrong, text in faults if wrong):
            raise BadRequestError(f"bad model request: {found}.")

    @property
    def images(self) -> tuple[ImageData, ...]:
        """Every image of every message, in order."""
        return tuple(image for message in self.messages for image in message.images)

    def canonical(self) -> dict[str, JsonValue]:
        """The request as plain JSON, images by their SHA-256: the same value for equal requests."""
        return {
            "messages": [
                {
                    "role": str(m.role),
                    "content": m.content,
                    **({"images": [i.sha256 for i in m.images]} if m.images else {}),
                }
                for m in self.messages
            ],
            "n": self.n,
            "temperature": float(self.temperature),
            "max_tokens": self.max_tokens,
            "stop": list(self.stop),
            "logprobs": self.logprobs,
            "schema": None if self.schema is None else json.loads(json.dumps(self.schema)),
            "grammar": self.grammar,
            "seed": self.seed,
            "force": self.force,
        }

    def send(self, model: LanguageModel, cancel: CancelToken | None = None) -> Completions:
        """Send this request to `model`: how a wrapper forwards a request."""
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        return model.complete(options.pop("messages"), **options, cancel=cancel)


@runtime_checkable
class LanguageModel(Protocol):
    """Messages in, completions out."""

    @property
    def name(self) -> str:
        """A name for traces, tables and cassettes; never holds a key."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """The features of this model, as far as they are known now."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        n: int = 1,
        temperature: float = 0.0,
        max_tokens: int = 512,
        stop: Sequence[str] = (),
        logprobs: bool = False,
        schema: Mapping[str, Json] | None = None,
        grammar: str | None = None,
        seed: int | None = None,
        force: str | None = None,
        purpose: str = "",
        cancel: CancelToken | None = None,
    ) -> Completions:
        """Continue the conversation with `n` samples of at most `max_tokens` tokens.

        `stop` strings end a sample and are not part of it. `schema` is a JSON schema, `grammar` a
        GBNF grammar, `force` the exact text to produce, for its log-probabilities: at most one of
        the three. `purpose` names the question for traces. Raises a `ModelError` that says what to
        do.
        """
        ...


class RequestModel(ABC):
    """Base of our models: `complete` turns its arguments into a checked `Request` for `respond`.

    A model without image input or scoring never receives images or texts to score.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """See `LanguageModel.name`."""

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities:
        """See `LanguageModel.capabilities`."""

    @abstractmethod
    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Answer one checked request."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        n: int = 1,
        temperature: float = 0.0,
        max_tokens: int = 512,
        stop: Sequence[str] = (),
        logprobs: bool = False,
        schema: Mapping[str, Json] | None = None,
        grammar: str | None = None,
        seed: int | None = None,
        force: str | None = None,
        purpose: str = "",
        cancel: CancelToken | None = None,
    ) -> Completions:
        """See `LanguageModel.complete`."""
        if cancel is not None:
            cancel.check()
        request = Request(
            tuple(messages),
            n=n,
            temperature=temperature,
            max_tokens=max_tokens,
            stop=tuple(stop),
            logprobs=logprobs,
            schema=schema,
            grammar=grammar,
            seed=seed,
            force=force,
            purpose=purpose,
        )
        can = self.capabilities
        if request.images and not can.images:
            raise UnsupportedError(f"{self.name} takes no images; choose a vision-language model.")
        if force is not None and not can.force:
            raise UnsupportedError(
                f"{self.name} cannot score a given text; a GGUF file or a llama.cpp server can."
            )
        return self.respond(request, cancel)
