"""Caps are hard, episodes are part of runs, and every call is seen."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.models.budget import FREE, Budget, Meter, Price, Spending, estimate
from regrasp.models.cancel import CancelToken
from regrasp.models.errors import BadRequestError, BudgetExceededError, UnreachableError
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    Message,
    Request,
    RequestModel,
    Role,
    Usage,
)
from regrasp.models.metered import CallRecord, MeteredLanguage, MeteredVision
from regrasp.models.vision import Answer

ASK = (Message(Role.USER, "hello"),)
PRICE = Price(1.0, 10.0)
IMAGE = ImageData.from_array(np.zeros((2, 2, 3), np.uint8))


class Fixed(RequestModel):
    name = "fixed"
    capabilities = Capabilities()

    def __init__(self, dead: bool = False) -> None:
        self.asked, self.dead = 0, dead

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        self.asked += 1
        if self.dead:
            raise UnreachableError("gone")
        return Completions((Completion("hi"),), Usage(100, 10, 1), 2.0)


class Eye:
    name = "eye"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        return Answer(Verdict.YES, usage=Usage(1000, 1), latency_s=0.5)


def test_what_is_spent_adds_up() -> None:
    meter = Meter()
    model = MeteredLanguage(Fixed(), meter, price=PRICE)
    model.complete(ASK)
    model.complete(ASK)
    assert meter.spent == Spending(2, 200, 20, 4.0, 0.0004)
    assert str(meter.spent) == "2 calls, 200 + 20 tokens, 4.0 s, $0.0004"
    assert model.name == "fixed"


@pytest.mark.parametrize(
    ("budget", "calls"),
    [
        (Budget(calls=3), 3),
        (Budget(seconds=5.0), 3),  # 2 s each: the third starts below the cap
        (Budget(tokens=380), 3),  # 110 each, and 60 must be left for the next
        (Budget(usd=0.0012), 4),  # $0.0002 each, and $0.00051 must be left
        (Budget(calls=0), 0),
    ],
    ids=str,
)
def test_a_cap_stops_before_the_call_that_could_pass_it(budget: Budget, calls: int) -> None:
    inner = Fixed()
    model = MeteredLanguage(inner, Meter(budget), price=PRICE)
    with pytest.raises(BudgetExceededError, match=r"budget of .* is reached: .* Raise the cap"):
        for _ in range(100):
            model.complete(ASK, max_tokens=50)
    assert inner.asked == calls


def test_an_episode_is_held_to_the_run_too() -> None:
    run = Meter(Budget(calls=3))
    first, second = Meter(Budget(calls=2), within=run), Meter(Budget(calls=2), within=run)
    for _ in range(2):
        MeteredLanguage(Fixed(), first).complete(ASK)
    MeteredLanguage(Fixed(), second).complete(ASK)
    with pytest.raises(BudgetExceededError, match="budget of 3 calls"):
        MeteredLanguage(Fixed(), second).complete(ASK)
    assert (run.spent.calls, first.spent.calls, second.spent.calls) == (3, 2, 1)


def test_calls_at_the_same_time_cannot_pass_a_cap_together() -> None:
    class Slow(Fixed):
        def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
            started.wait(5)
            return super().respond(request, cancel)

    started = threading.Barrier(2)
    inner, refused = Slow(), []
    model = MeteredLanguage(inner, Meter(Budget(calls=2)))

    def call() -> None:
        try:
            model.complete(ASK)
        except BudgetExceededError as error:
            refused.append(error)

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inner.asked == 2
    assert len(refused) == 4


def test_every_call_is_observed_with_its_end() -> None:
    seen: list[CallRecord] = []
    meter = Meter(Budget(calls=2))
    MeteredLanguage(Fixed(), meter, observe=seen.append).complete(ASK)
    with pytest.raises(UnreachableError):
        MeteredLanguage(Fixed(dead=True), meter, observe=seen.append).complete(ASK)
    with pytest.raises(BudgetExceededError):
        MeteredLanguage(Fixed(), meter, observe=seen.append).complete(ASK)
    assert [record.error_kind for record in seen] == ["", "UnreachableError", "BudgetExceededError"]
    assert seen[0].reply is not None
    assert seen[0].request.messages == ASK
    assert seen[1].spent.failed == 1
    assert seen[2].spent == Spending()
    assert (meter.spent.calls, meter.spent.failed) == (2, 1)


def test_vision_is_metered_too() -> None:
    meter = Meter(Budget(calls=1))
    model = MeteredVision(Eye(), meter, price=PRICE)
    assert model.answer([IMAGE], "open?").verdict is Verdict.YES
    assert meter.spent.tokens == 1001
    with pytest.raises(BudgetExceededError):
        model.answer([IMAGE], "open?")


def test_an_estimate_errs_high() -> None:
    request = Request((Message(Role.USER, "a" * 300, (IMAGE,)),), n=2, max_tokens=50)
    most = estimate(request, PRICE)
    assert most.prompt_tokens >= 100 + 1000
    assert most.completion_tokens == 100
    assert most.usd == pytest.approx((most.prompt_tokens + 1000) / 1e6)
    assert estimate(request, FREE).usd == 0


def test_prices() -> None:
    assert Price.parse("2.5,10") == Price(2.5, 10.0)
    for text in ("", "1", "1,2,3", "a,b", "-1,2"):
        with pytest.raises(BadRequestError, match="is no price"):
            Price.parse(text)
