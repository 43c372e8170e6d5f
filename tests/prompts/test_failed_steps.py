"""What failed for a known cause is not the next first step; a plain cause needs no rewriting."""

from __future__ import annotations

import random

import pytest
from gbnf_sampler import Sampler

from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.embedded.scripted import ScriptedModel
from regrasp.models.language import LanguageModel
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.plan import Plan, PlanPrompt
from regrasp.prompts.reasons import ReasonsPrompt, is_cause
from regrasp.prompts.scene import scene_text
from regrasp.verifiers.language_verifier import LanguageVerifier

SCENE = scene_text(
    (
        ObjectDescription(
            "shed",
            "shed",
            (Affordance.OPEN, Affordance.PUT_IN),
            (JointDescription("gate", "bolt"),),
        ),
        ObjectDescription("rake", "rake", (Affordance.PICK,)),
        ObjectDescription("bench", "bench", (Affordance.PUT_ON,)),
    ),
    set(),
)


def first_steps(prompt: PlanPrompt, draws: int = 400) -> set[str]:
    """The first steps of random plans that the grammar describes."""
    sampler = Sampler(prompt.grammar(), random.Random(0))
    plans = (prompt.read(sampler.sample()) for _ in range(draws))
    return {str(plan.steps[0]) for plan in plans if isinstance(plan, Plan)}


@pytest.mark.parametrize(
    "failed",
    ["Open the shed", "Move the rake away from the shed", "Check the colour of the rake"],
)
def test_a_step_that_failed_for_a_cause_does_not_come_first_again(failed: str) -> None:
    asked = PlanPrompt("tidy up", SCENE)
    before = first_steps(asked, 3000)
    causes = ("rake is blocking shed",)
    after = first_steps(asked.after(FailedAttempt((), failed, causes)), 3000)
    assert failed in before and before - after == {failed}
    assert failed in first_steps(asked.after(FailedAttempt((), failed)), 3000)  # no cause is known


def test_a_plain_cause_in_known_names_is_recognised() -> None:
    names = SCENE.places.known
    for sentence in ("The rake is blocking shed.", "rake is on the bench", "The shed is locked."):
        assert is_cause(sentence, names)
    for sentence in (
        "The broom is blocking shed.",
        "The rake blocks the shed.",
        "rake is closed now",
    ):
        assert not is_cause(sentence, names)
    sampler = Sampler(ReasonsPrompt("Open the shed", SCENE, ()).grammar(), random.Random(1))
    for _ in range(50):
        lines = sampler.sample().strip().split("\n")
        causes = [line.removeprefix("Reason: ") for line in lines]
        assert all(cause == "none" or is_cause(cause, names) for cause in causes)


def test_nobody_is_asked_about_the_names_in_a_plain_cause() -> None:
    class Silent(LanguageModel):
        def __getattribute__(self, name: str) -> object:
            raise AssertionError("it was asked")

    verifier = LanguageVerifier(object.__new__(Silent))
    assert verifier.named("The rake is blocking shed.", SCENE) == "The rake is blocking shed."
    with pytest.raises(AssertionError, match="asked"):
        verifier.named("The broom is in front of the shed.", SCENE)


def test_nobody_is_asked_whether_to_remove_the_cause_of_the_last_failure() -> None:
    class Denies(ScriptedModel):
        def complete(self, messages, **options):  # type: ignore[no-untyped-def]
            asked.append(messages[-1].content.rpartition("Step: ")[2])
            return super().complete(messages, **options)

    asked: list[str] = []
    prompt = PlanPrompt("open the shed", SCENE).after(
        FailedAttempt((), "Open the shed", ("rake is blocking shed",))
    )
    text = (
        "Thought: so.\n1. Move the rake away from the shed\n2. Open the shed\n3. Look at the bench"
    )
    plan = prompt.read(text)
    assert isinstance(plan, Plan)
    kept = LanguageVerifier(Denies()).needed(prompt, plan)
    assert [one.partition("\n")[0] for one in asked] == ["3. Look at the bench"]
    assert kept[:2] == plan.steps[:2]
