"""The words: frozen, typed, printable values that everything else speaks in."""

from regrasp.core.action import Action, SkillSpec
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackKind
from regrasp.core.outcome import Outcome

__all__ = [
    "Action",
    "Evidence",
    "FailureCode",
    "Feedback",
    "FeedbackKind",
    "Outcome",
    "RegraspError",
    "SkillSpec",
    "UnknownNameError",
]
