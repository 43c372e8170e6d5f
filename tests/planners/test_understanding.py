"""How sure a goal is, of a model that is calibrated and of one that is not."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import cycle, islice

import pytest

from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    Request,
    RequestModel,
    ScoredToken,
)
from regrasp.planners.understanding import SAMPLES, SURE, confidence, understand
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.scene import SceneDescription

CUP, TRAY = "red_cup", "tray"
SCENE = SceneDescription(
    (
        ObjectDescription(CUP, affordances=(Affordance.PICK,)),
        ObjectDescription(TRAY, affordances=(Affordance.PUT_ON,)),
    )
)
FORMS = (GoalForm("on", (("cup",), ("tray",)), "X is on Y"),)
PROMPT = GoalPrompt("put the red cup on the tray", SCENE, FORMS)
RIGHT, OTHER = f"Goal:\non({CUP}, {TRAY})", f"Goal:\nnot on({CUP}, {TRAY})"


@dataclass
class Writer(RequestModel):
    """Writes `first`, and then `samples` in turn, with this log-probability."""

    first: str
    samples: tuple[str, ...] = (RIGHT,)
    logprob: float | None = 0.0
    calibrated: bool = False
    asked: list[Request] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "writer"

    @property
    def capabilities(self) -> Capabilities:
        scored = self.logprob is not None
        return Capabilities(seed=True, logprobs=scored, calibrated=self.calibrated)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        self.asked.append(request)
        texts = (self.first,) if len(self.asked) == 1 else self.samples
        tokens = None if self.logprob is None else (ScoredToken("x", self.logprob),)
        return Completions(
            tuple(Completion(text, tokens=tokens) for text in islice(cycle(texts), request.n))
        )


def test_a_calibrated_model_is_asked_once_where_its_log_probability_is_high() -> None:
    model = Writer(RIGHT, calibrated=True)
    found = understand(model, PROMPT)
    assert found.sure and found.confidence == confidence(0.0) and len(model.asked) == 1


@pytest.mark.parametrize("logprob", [None, 0.0, -9.0])
def test_samples_that_agree_make_any_other_model_sure(logprob: float | None) -> None:
    model = Writer(RIGHT, logprob=logprob)
    found = understand(model, PROMPT)
    assert found.sure and found.confidence == 1.0
    assert [one.n for one in model.asked] == [1, SAMPLES]


@pytest.mark.parametrize("samples", [(RIGHT, RIGHT, RIGHT, OTHER), (RIGHT, RIGHT, RIGHT, "what?")])
def test_one_sample_that_says_otherwise_is_a_reason_to_ask(samples: tuple[str, ...]) -> None:
    found = understand(Writer(RIGHT, samples), PROMPT)
    assert not found.sure and found.confidence == 0.75 < SURE
    assert str(found.readings[0]) == f"on({CUP}, {TRAY})"


def test_the_order_of_clauses_is_no_disagreement() -> None:
    forms = (*FORMS, GoalForm("upright", (("cup",),), "X is upright"))
    prompt = GoalPrompt("put the red cup upright on the tray", SCENE, forms)
    on, upright = f"on({CUP}, {TRAY})", f"upright({CUP})"
    model = Writer(f"Goal:\n{on}\n{upright}", (f"Goal:\n{upright}\n{on}",))
    assert understand(model, prompt).confidence == 1.0


def test_without_samples_the_log_probability_ranks_the_goals_of_any_model() -> None:
    assert understand(Writer(RIGHT, logprob=-9.0), PROMPT, samples=0).confidence < 0.01
