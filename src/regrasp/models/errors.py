"""How a model call can fail; each error says what to do.

Every one is a `RegraspError`: the command line prints it without a traceback. `retryable` means
that the same request may succeed later.
"""

from __future__ import annotations

from regrasp.core.errors import RegraspError

__all__ = [
    "BadRequestError",
    "BudgetExceededError",
    "CancelledError",
    "CircuitOpenError",
    "ModelError",
    "ModelTimeoutError",
    "RateLimitedError",
    "RejectedError",
    "ReplayMissError",
    "ReplyError",
    "ReplyTooLargeError",
    "ServerError",
    "UnreachableError",
    "UnsupportedError",
]


class ModelError(RegraspError):
    """A model call that gave no usable answer.

    `retry_after_s` is the wait that the server asked for, if it gave one.
    """

    retryable = False

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(message)


class BadRequestError(ModelError):
    """The request makes no sense for any model, e.g. `n=0`, or a schema and a grammar at once."""


class UnsupportedError(ModelError):
    """The model lacks a required feature, and there is no correct fallback."""


class CancelledError(ModelError):
    """The call was cancelled before it ended."""


class UnreachableError(ModelError):
    """No connection: refused, unknown host, or dropped in the middle of a reply."""

    retryable = True


class ModelTimeoutError(ModelError):
    """The call ran past its wall-clock limit."""

    retryable = True


class RateLimitedError(ModelError):
    """The server replied 429."""

    retryable = True


class ServerError(ModelError):
    """The server reported its own failure (5xx)."""

    retryable = True


class RejectedError(ModelError):
    """The server understood and refused (4xx): a wrong key, an unknown model, a bad field."""

    def __init__(self, message: str, status: int = 400) -> None:
        self.status = status
        super().__init__(message)


class ReplyError(ModelError):
    """The server replied, and the reply does not follow the protocol."""

    retryable = True


class ReplyTooLargeError(ReplyError):
    """The reply passed the size cap and was cut off unread."""

    retryable = False


class CircuitOpenError(ModelError):
    """Too many failures in a row: the breaker rejects calls until the cool-down ends."""


class BudgetExceededError(ModelError):
    """A hard cap was reached; no call was made past it."""


class ReplayMissError(ModelError):
    """A cassette in replay mode holds no reply to this exact request."""
