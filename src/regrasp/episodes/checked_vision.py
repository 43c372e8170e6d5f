"""A vision model that is compared with the truth while an agent uses it, unknown to the agent.

For each yes/no question a perfect oracle of the same world is asked as well. Its answer is kept in
memory and written to the trace when the agent has finished. It draws no random number of the run
and writes no event in between, so a run is the same with it and without it.
"""

from __future__ import annotations

from collections.abc import Callable

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.event import AnswerChecked
from regrasp.episodes.setting import Setting, oracle_of
from regrasp.models.cancel import CancelToken
from regrasp.models.vision import Answer, VisionModel, VisionRequest, VisionRequestModel

__all__ = ["CheckedVision"]


class CheckedVision(VisionRequestModel):
    """A `VisionModel`: `inner`; each yes/no answer goes to `note` with the truth of `setting`."""

    def __init__(
        self, inner: VisionModel, setting: Setting, note: Callable[[AnswerChecked], None]
    ) -> None:
        self._inner, self._note = inner, note
        self._robot, self._truth = setting.robot, oracle_of(setting)

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """The inner model's answer."""
        answer = request.send(self._inner, cancel)
        if request.kind is QuestionKind.YES_NO:
            truth = self._truth.respond(request).verdict
            asked = "".join(request.question.partition("?")[:2])
            self._note(
                AnswerChecked(
                    self._truth.topic(asked),
                    asked,
                    str(answer.verdict),
                    str(Verdict.UNKNOWN if truth is Verdict.TEXT else truth),
                    self._robot.seconds,
                )
            )
        return answer
