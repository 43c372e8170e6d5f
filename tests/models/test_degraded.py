"""Degraded models err at the rates they are told, in the ways they are named for, seed by seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import UnknownNameError
from regrasp.models.cancel import CancelToken
from regrasp.models.degraded import DegradedLanguage, DegradedVision, Faults
from regrasp.models.errors import BadRequestError, RateLimitedError, UnreachableError
from regrasp.models.faults import (
    add_step,
    drop_step,
    flip_verdict,
    hallucinate,
    swap_steps,
    truncate,
)
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    Message,
    Request,
    RequestModel,
    Role,
    ScoredToken,
)
from regrasp.models.vision import Answer

PROMPT = "Objects: kettle, microwave, green_apple. Goal: find the green_apple"
PLAN = """Thought: the kettle is in the way
1. Move the kettle away from the microwave
2. Open the microwave
3. Look inside the microwave"""
ASK = (Message(Role.USER, PROMPT),)
IMAGE = ImageData.from_array(np.zeros((2, 2, 3), np.uint8))


class Says(RequestModel):
    name = "says"
    capabilities = Capabilities(logprobs=True)

    def __init__(self, text: str) -> None:
        self.text = text

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        token = ScoredToken(self.text, -0.1)
        return Completions((Completion(self.text, tokens=(token,)),) * request.n, latency_s=0.5)


class Sees:
    name = "sees"

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        return self._answer


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


class TestFaults:
    def test_a_dropped_step_renumbers_the_rest(self) -> None:
        spoilt = drop_step(PLAN, rng())
        steps = spoilt.split("\n")[1:]
        assert [step[:2] for step in steps] == ["1.", "2."]
        assert all(step[3:] in PLAN for step in steps)

    def test_the_only_step_is_not_dropped(self) -> None:
        assert drop_step("1. Open the door", rng()) == "1. Open the door"

    def test_swapped_steps(self) -> None:
        spoilt = swap_steps("- a\n- b", rng())
        assert spoilt == "- b\n- a"
        assert swap_steps("- a\n- a", rng()) == "- a\n- a"

    def test_an_added_step_is_one_of_the_steps_about_another_listed_object(self) -> None:
        plan, listed = "1. Open the chest\n2. Look inside the chest", "- chest: chest\n- lid: lid"
        for seed in range(9):
            steps = add_step(plan, listed, rng(seed)).split("\n")
            assert [step[:2] for step in steps] == ["1.", "2.", "3."]
            (added,) = [step[3:] for step in steps if "lid" in step]
            assert added in ("Open the lid", "Look inside the lid")
        assert add_step(plan, "- chest: chest", rng()) == plan, "there is no other object"

    def test_a_hallucinated_object_is_not_in_the_prompt(self) -> None:
        spoilt = hallucinate(PLAN, PROMPT, rng())
        (line,) = set(spoilt.split("\n")) - set(PLAN.split("\n"))
        (word,) = set(line.split()) - set(PLAN.split())
        assert word not in PROMPT
        assert line.split(".")[0].isdigit()

    def test_flipped_verdicts(self) -> None:
        assert flip_verdict("Yes, it is open.") == "No, it is open."
        assert flip_verdict("no") == "yes"
        assert flip_verdict("unknown") == "unknown"
        assert flip_verdict("the door is open") == "the door is open"

    @given(st.text(), st.text(), st.integers(0, 9))
    def test_any_text_can_be_spoilt(self, text: str, prompt: str, seed: int) -> None:
        assert hallucinate(text, prompt, rng(seed)).count("\n") == text.count("\n")
        assert text.startswith(truncate(text, rng(seed)))
        assert drop_step(text, rng(seed)).count("\n") <= text.count("\n")
        assert swap_steps(text, rng(seed)).count("\n") == text.count("\n")
        assert add_step(text, prompt, rng(seed)).count("\n") - text.count("\n") in (0, 1)
        flip_verdict(text)


class TestSpelling:
    def test_parse_and_print(self) -> None:
        faults = Faults.parse("drop_step=0.25,dead,seed=3")
        assert faults == Faults(drop_step=0.25, dead=1.0, seed=3)
        assert Faults.parse(str(faults)) == faults

    @pytest.mark.parametrize("text", ["drop_step=2", "dead=-1", "slow=x", "hallucinate=nan"])
    def test_rates_that_are_none(self, text: str) -> None:
        with pytest.raises(BadRequestError, match="fault"):
            Faults.parse(text)

    def test_an_unknown_fault(self) -> None:
        with pytest.raises(UnknownNameError, match="Did you mean 'drop_step'"):
            Faults.parse("drop_steps=0.1")


class TestLanguage:
    def test_no_fault_changes_nothing(self) -> None:
        assert DegradedLanguage(Says(PLAN), Faults()).complete(ASK) == Says(PLAN).complete(ASK)

    def test_what_was_done_is_said_and_tokens_go(self) -> None:
        completions = DegradedLanguage(Says(PLAN), Faults(drop_step=1)).complete(ASK)
        assert completions.losses == ("degraded: drop_step",)
        assert completions.items[0].tokens is None

    def test_truncated_text_ends_by_length(self) -> None:
        item = DegradedLanguage(Says(PLAN), Faults(truncate=1)).complete(ASK).items[0]
        assert item.finish_reason is FinishReason.LENGTH
        assert len(item.text) < len(PLAN)

    def test_the_rate_is_kept(self) -> None:
        model = DegradedLanguage(Says(PLAN), Faults(drop_step=0.3))
        spoilt = sum(item.text != PLAN for item in model.complete(ASK, n=1000).items)
        assert 240 < spoilt < 360

    def test_the_seed_decides_and_the_order_of_requests_does_not(self) -> None:
        asks = [(Message(Role.USER, f"{PROMPT} {i}"),) for i in range(20)]
        first = DegradedLanguage(Says(PLAN), Faults(drop_step=0.5, seed=1))
        second = DegradedLanguage(Says(PLAN), Faults(drop_step=0.5, seed=1))
        other = DegradedLanguage(Says(PLAN), Faults(drop_step=0.5, seed=2))
        forwards = [first.complete(ask).text for ask in asks]
        backwards = [second.complete(ask).text for ask in reversed(asks)][::-1]
        assert forwards == backwards
        assert forwards != [other.complete(ask).text for ask in asks]

    def test_the_same_request_again_is_a_new_draw(self) -> None:
        model = DegradedLanguage(Says(PLAN), Faults(drop_step=0.5))
        assert len({model.complete(ASK).text for _ in range(20)}) > 1

    def test_dead_and_rate_limited(self) -> None:
        with pytest.raises(UnreachableError, match="dead"):
            DegradedLanguage(Says(PLAN), Faults(dead=1)).complete(ASK)
        with pytest.raises(RateLimitedError):
            DegradedLanguage(Says(PLAN), Faults(rate_limited=1)).complete(ASK)

    def test_slow_waits_and_counts(self) -> None:
        waited: list[float] = []
        model = DegradedLanguage(
            Says(PLAN), Faults(slow=2.5), sleep=lambda seconds, cancel: waited.append(seconds)
        )
        assert model.complete(ASK).latency_s == 3.0
        assert waited == [2.5]

    def test_yes_and_no_have_their_own_rates(self) -> None:
        faults = Faults(yes_to_no=1.0)
        assert DegradedLanguage(Says("Yes."), faults).complete(ASK).text == "No."
        assert DegradedLanguage(Says("No."), faults).complete(ASK).text == "No."


class TestVision:
    @pytest.mark.parametrize(
        ("truth", "rate"), [(Verdict.YES, 0.1), (Verdict.NO, 0.4)], ids=["misses", "false alarms"]
    )
    def test_true_and_false_rates(self, truth: Verdict, rate: float) -> None:
        model = DegradedVision(Sees(Answer(truth)), Faults(yes_to_no=0.1, no_to_yes=0.4))
        wrong = sum(model.answer([IMAGE], "open?").verdict is not truth for _ in range(1000))
        assert abs(wrong / 1000 - rate) < 0.05

    def test_unknown_stays_unknown(self) -> None:
        model = DegradedVision(Sees(Answer(Verdict.UNKNOWN)), Faults(yes_to_no=1, no_to_yes=1))
        assert model.answer([IMAGE], "open?").verdict is Verdict.UNKNOWN

    def test_text_is_spoilt_as_text(self) -> None:
        model = DegradedVision(Sees(Answer(Verdict.TEXT, "a kettle")), Faults(truncate=1))
        answer = model.answer([IMAGE], "what?", kind=QuestionKind.OPEN)
        assert answer.verdict is Verdict.TEXT
        assert len(answer.text) < len("a kettle")

    def test_dead(self) -> None:
        with pytest.raises(UnreachableError):
            DegradedVision(Sees(Answer(Verdict.YES)), Faults(dead=1)).answer([IMAGE], "open?")
