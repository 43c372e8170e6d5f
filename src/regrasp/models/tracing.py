"""Model calls as events of a trace: `MeteredLanguage(model, meter, observe=tracing(trace))`.

The pictures shown to a model are stored beside the trace under the hash of their pixels, so that a
picture that a camera took and a model got is one file with one name.
"""

from __future__ import annotations

import hashlib
import json

from regrasp.core.event import ModelCalled, ShownMessage
from regrasp.core.redact import redact_json
from regrasp.core.trace import TraceWriter
from regrasp.models.language import Completions, Message, Request
from regrasp.models.metered import CallObserver, CallRecord
from regrasp.models.vision import Answer

__all__ = ["tracing"]


def tracing(trace: TraceWriter) -> CallObserver:
    """An observer that writes each call to `trace`, with the purpose of its request.

    A trace belongs to one thread, and so does its observer.
    """

    def observe(record: CallRecord) -> None:
        reply, spent = record.reply, record.spent
        answer = reply if isinstance(reply, Answer) else None
        items = reply.items if isinstance(reply, Completions) else ()
        event = ModelCalled(
            model=record.model,
            purpose=record.request.purpose,
            request=_digest(record.request),
            messages=tuple(_shown_message(trace, one) for one in record.request.messages),
            replies=(answer.text,) if answer else tuple(item.text for item in items),
            verdict=str(answer.verdict) if answer else "",
            confidence=answer.confidence if answer else None,
            losses=reply.losses if reply else (),
            calls=spent.calls,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            usd=spent.usd,
            wall_latency_s=spent.seconds,
            error_kind=record.error_kind,
            error=record.error,
        )
        trace.write(event)

    return observe


def _shown_message(trace: TraceWriter, message: Message) -> ShownMessage:
    names = tuple(trace.store(image.to_array()) for image in message.images)
    return ShownMessage(str(message.role), message.content, names)


def _digest(request: Request) -> str:
    """SHA-256 of the request without its keys, so that runs of different users can be compared."""
    text = json.dumps(redact_json(request.canonical()), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
