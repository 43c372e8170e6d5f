"""Language and vision models behind two small seams; everything they say is data to be checked.

Importing this package loads no HTTP client and no weights: `resolve` brings in what a name needs.
"""

from regrasp.models.cancel import CancelToken
from regrasp.models.errors import ModelError
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    LanguageModel,
    Message,
    Request,
    RequestModel,
    Role,
    Token,
    Usage,
)
from regrasp.models.resolve import resolve_language, resolve_vision
from regrasp.models.vision import Answer, LanguageVision, QuestionKind, Verdict, VisionModel

__all__ = [
    "Answer",
    "CancelToken",
    "Capabilities",
    "Completion",
    "Completions",
    "FinishReason",
    "ImageData",
    "LanguageModel",
    "LanguageVision",
    "Message",
    "ModelError",
    "QuestionKind",
    "Request",
    "RequestModel",
    "Role",
    "Token",
    "Usage",
    "Verdict",
    "VisionModel",
    "resolve_language",
    "resolve_vision",
]
