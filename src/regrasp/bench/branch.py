"""A run that replays a recorded run up to an event, and then continues with a change.

The state at a decision is restored by replay: the same world, seed and method, with the model
replies of the trace. Every event is compared with the recorded event, so a replay that differs too
early raises an error. The new run is called the branch.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.codec import JsonValue
from regrasp.core.errors import RegraspError
from regrasp.core.event import Event, Forked, ModelCalled, Remark, event_to_json
from regrasp.core.trace import TraceEntry
from regrasp.models import errors
from regrasp.models.cancel import CancelToken
from regrasp.models.errors import ModelError
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    LanguageModel,
    Message,
    Request,
    RequestModel,
    Usage,
)
from regrasp.models.vision import (
    Answer,
    VisionModel,
    VisionRequest,
    VisionRequestModel,
    read_yes_no,
)

__all__ = ["Branch", "BranchedLanguage", "BranchedVision", "Edit", "EditedLanguage", "EditedVision"]

_Live = TypeVar("_Live", LanguageModel, VisionModel)

_BY_HAND = "by hand"
_FREE = ("request", "usd")  # fields that may differ: they depend on the model's features and price


class ForkError(RegraspError):
    """A recorded run that cannot be replayed."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The change of the one call at the fork: its text, or its reply."""

    prompt: str | None = None
    hint: str | None = None
    reply: str | None = None

    def of(self, text: str) -> str:
        """The text that replaces `text`."""
        text = text if self.prompt is None else self.prompt
        return text if self.hint is None else f"{text}\n{self.hint}"


class Branch:
    """The state of a forked run: replaying the recorded run, at the fork, or past it."""

    def __init__(self, entries: Sequence[TraceEntry], at: int, edit: Edit, forked: Forked) -> None:
        # Remarks are left out: they have no influence on the run.
        self._ahead = deque(e for e in entries[:at] if not isinstance(e.event, Remark))
        self._calls = deque(e.event for e in self._ahead if isinstance(e.event, ModelCalled))
        self._edit, self._forked, self._left = edit, forked, False
        self.emit: Callable[[Event], None] = lambda event: None

    @property
    def live(self) -> bool:
        """Whether all recorded events have been replayed."""
        return not self._ahead

    @property
    def reply(self) -> str | None:
        """The reply that replaces the model's reply in the present call, if any."""
        return self._edit.reply if self._left else None

    def watch(self, entry: TraceEntry) -> None:
        """Compare an entry with the recorded one."""
        if self.live or isinstance(entry.event, Remark):
            return
        recorded = self._ahead.popleft()
        if (_compared(recorded.event), recorded.stamp.sim_s) != (
            _compared(entry.event),
            entry.stamp.sim_s,
        ):
            raise ForkError(
                f"event {recorded.stamp.index} differs from the recording, so the state at the "
                f"fork cannot be restored. Recorded: {recorded}. Now: {entry}. "
                "Was the run made by another version of Regrasp?"
            )

    def recorded(self) -> ModelCalled | None:
        """The next recorded call; None once all recorded events have been replayed."""
        if self.live:
            return None
        if not self._calls:
            raise ForkError(
                "a model is called that was not called at this point of the recorded run."
            )
        return self._calls.popleft()

    def leave(self, text: str) -> str:
        """The text of the next call; the first live call gets the edited text."""
        if not self.live:
            return text
        if self._left:
            self._edit = Edit()
            return text
        self._left = True
        self.emit(self._forked)
        return self._edit.of(text)


def _compared(event: Event) -> dict[str, JsonValue]:
    """The fields that must be equal; only a model call has fields that may differ."""
    fields = event_to_json(event)
    return {k: v for k, v in fields.items() if not k.startswith("wall_") and k not in _FREE}


def _usage(call: ModelCalled) -> Usage:
    return Usage(call.prompt_tokens, call.completion_tokens, call.calls)


def _raise(call: ModelCalled) -> None:
    if call.error_kind:
        kind: object = vars(errors).get(call.error_kind)
        if isinstance(kind, type) and issubclass(kind, ModelError):
            raise kind(call.error)
        raise ModelError(call.error)


def _verdict(call: ModelCalled) -> Verdict:
    """The recorded verdict; ForkError if the call has no answer of a vision model."""
    if call.verdict not in {str(verdict) for verdict in Verdict} or not call.replies:
        raise ForkError(
            f"the recorded answer of {call.model} is no answer of a vision model: the trace is "
            "damaged. Fork before it, or fork another run."
        )
    return Verdict(call.verdict)


# ---- below the meter: the answering models -----------------------------------------------------


class _Branched(Generic[_Live]):
    """The recorded replies up to the fork, then those of `live`.

    With `also_call_live`, `live` is the recorded model itself, free and on this machine. It is also
    called before the fork, so that its random state is the same as in the recorded run.
    """

    def __init__(
        self, live: _Live, recorded_name: str, branch: Branch, *, also_call_live: bool
    ) -> None:
        self._live: _Live = live
        self._recorded_name, self._branch = recorded_name, branch
        self._also_call_live = also_call_live

    @property
    def name(self) -> str:
        """The recorded model's name before the fork."""
        if not self._branch.live:
            return self._recorded_name
        return self._live.name if self._branch.reply is None else _BY_HAND


class BranchedLanguage(_Branched[LanguageModel], RequestModel):
    """A language model of a forked run."""

    @property
    def capabilities(self) -> Capabilities:
        """The live model's capabilities."""
        return self._live.capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """See `RequestModel.respond`."""
        call = self._branch.recorded()
        if call is None and (reply := self._branch.reply) is not None:
            return Completions((Completion(reply),) * request.n, Usage(0, 0, 0))
        if call is None or self._also_call_live:
            return request.send(self._live, cancel)
        _raise(call)
        items = tuple(Completion(text) for text in call.replies)
        return Completions(items, _usage(call), call.wall_latency_s, call.losses)


class BranchedVision(_Branched[VisionModel], VisionRequestModel):
    """A vision model of a forked run."""

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """See `VisionRequestModel.respond`."""
        call = self._branch.recorded()
        if call is None and (reply := self._branch.reply) is not None:
            verdict = read_yes_no(reply) if request.kind is QuestionKind.YES_NO else Verdict.TEXT
            return Answer(verdict, reply, usage=Usage(0, 0, 0))
        if call is None or self._also_call_live:
            return request.send(self._live, cancel)
        _raise(call)
        return Answer(
            _verdict(call),
            call.replies[0],
            call.confidence,
            call.wall_latency_s,
            _usage(call),
            call.losses,
        )


# ---- above the meter: the edited questions, so that the trace shows the edit --------------------


class EditedLanguage(RequestModel):
    """`inner`, with the text of the call at the fork edited."""

    def __init__(self, inner: LanguageModel, branch: Branch) -> None:
        self._inner, self._branch = inner, branch

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    @property
    def capabilities(self) -> Capabilities:
        """The inner model's."""
        return self._inner.capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Ask the inner model; at the fork, the last message is the edited one."""
        *before, last = request.messages
        asked = Message(last.role, self._branch.leave(last.content), last.images)
        return replace(request, messages=(*before, asked)).send(self._inner, cancel)


class EditedVision(VisionRequestModel):
    """`inner`, with the question at the fork edited."""

    def __init__(self, inner: VisionModel, branch: Branch) -> None:
        self._inner, self._branch = inner, branch

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """Ask the inner model; at the fork, the edited question."""
        asked = self._branch.leave(request.question)
        return replace(request, question=asked).send(self._inner, cancel)
