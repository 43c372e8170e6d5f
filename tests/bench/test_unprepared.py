"""An instruction that nobody prepared is examined by the rule that a run follows."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from regrasp.bench.unprepared import Expected, Result, UnpreparedInstruction, examine
from regrasp.episodes.setting import oracle_factory
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    Request,
    RequestModel,
)

RIGHT, OTHER = ("Goal:\non(red_cube, crate)", "Goal:\non(yellow_cube, crate)")
ASKED = UnpreparedInstruction(
    "cubes", "match", "put the red cube on the crate", Expected.ACT, (("on(red_cube, crate)",),)
)


@dataclass(frozen=True)
class Writer(RequestModel):
    """Writes the right goal, and `sampled` when it samples."""

    sampled: str
    calibrated: bool
    name: str = "writer"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(calibrated=self.calibrated)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        text = self.sampled if request.temperature else RIGHT
        return Completions((Completion(text, FinishReason.STOP),) * request.n)


@pytest.mark.parametrize(
    ("sampled", "calibrated", "result"),
    [
        (OTHER, True, Result.RIGHT),
        (RIGHT, False, Result.RIGHT),
        (OTHER, False, Result.NOT_ACTED),
    ],
)
def test_samples_decide_where_a_model_is_not_calibrated(
    sampled: str, calibrated: bool, result: Result
) -> None:
    assert examine(ASKED, Writer(sampled, calibrated), oracle_factory()).result is result
