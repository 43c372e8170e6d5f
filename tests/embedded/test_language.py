"""The taught model: a fixed sample of its answers, and what holds of every answer."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from prompt_table import PROMPTS

from regrasp.core.answer import Verdict
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.core.weights import DamagedWeightsError
from regrasp.embedded import language as embedded
from regrasp.embedded.language import (
    ADAPTER,
    COPAL_ADAPTER,
    GOAL_ADAPTER,
    Adapter,
    EmbeddedModel,
    default_language_model,
)
from regrasp.embedded.resolve import resolve_language
from regrasp.lab.language.next_action_search import read_pddl
from regrasp.models.cancel import CancelToken
from regrasp.models.language import Completion, Completions, FinishReason, Request, ScoredToken
from regrasp.models.local import LocalModel
from regrasp.models.pull import base_weights
from regrasp.models.scoring import score
from regrasp.planners.candidates import CandidatePlanner
from regrasp.planners.understanding import SURE, confidence, understand
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.exchange import ask
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.interpret import InterpretPrompt
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.next_action import NextActionPrompt
from regrasp.prompts.plan import Plan, PlanPrompt
from regrasp.prompts.prompt import Prompt, purpose_of
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.wrong_names import WrongNamesPrompt

SCENE = SceneDescription(
    (
        ObjectDescription(
            "tin_trunk",
            affordances=(Affordance.OPEN, Affordance.PUT_IN),
            joints=(JointDescription("tin_lid", "tin_knob"),),
        ),
        ObjectDescription("green_pear", affordances=(Affordance.PICK,)),
        ObjectDescription("broom", affordances=(Affordance.PICK,)),
    )
)
STORE = PlanPrompt("the pear belongs in the trunk", SCENE)
BLOCKED = STORE.after(FailedAttempt((), "Open the tin_trunk", ("broom is blocking tin_trunk",)))


@pytest.fixture(scope="module")
def model(weights: Path) -> EmbeddedModel:
    return EmbeddedModel(threads=1)


def said(model: EmbeddedModel, prompt: Prompt[object]) -> object:
    return ask(model, prompt).result


@pytest.mark.parametrize("adapter", [ADAPTER, GOAL_ADAPTER, COPAL_ADAPTER])
def test_the_adapters_are_those_of_the_card(adapter: Adapter) -> None:
    data = adapter.path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == adapter.sha256
    assert len(data) <= 25_000_000
    card = Path(__file__).parents[2] / "docs" / "models" / "language.md"
    assert adapter.sha256 in card.read_text(encoding="utf-8")


def test_it_plans(model: EmbeddedModel) -> None:
    plan = said(model, STORE)
    assert isinstance(plan, Plan)
    assert [str(step) for step in plan.steps] == [
        "Open the tin_trunk",
        "Place the green_pear in the tin_trunk",
    ]


def test_it_moves_what_blocks_once_it_is_told(model: EmbeddedModel) -> None:
    plan = said(model, BLOCKED)
    assert isinstance(plan, Plan)
    assert str(plan.steps[0]) == "Move the broom away from the tin_trunk"


def test_small_questions(model: EmbeddedModel) -> None:
    assert said(model, IsVisionPrompt("Look inside the tin_trunk")) is Verdict.YES
    assert said(model, IsVisionPrompt("Open the tin_trunk")) is Verdict.NO
    names = ("tin_trunk", "green_pear", "broom")
    assert said(model, WrongNamesPrompt("The broom is on the green_pear.", names)) is Verdict.NO


def test_the_right_answer_ranks_first(model: EmbeddedModel) -> None:
    asked = IsVisionPrompt("Look at the broom").messages()
    (yes, no), _ = score(model, asked, ("yes", "no"))
    assert yes > no
    asked = IsVisionPrompt("Pull the lever").messages()
    (yes, no), _ = score(model, asked, ("yes", "no"))
    assert no > yes


def test_it_is_called_embedded(model: EmbeddedModel) -> None:
    assert resolve_language("embedded").name == model.name == "embedded"


def test_where_the_weights_are_absent_scripted_reasons_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embedded, "missing_requirement", lambda: "")
    assert default_language_model() == ("embedded", "")
    monkeypatch.setattr(embedded, "missing_requirement", lambda: "regrasp models pull")
    name, note = default_language_model()
    assert name == "scripted" and "regrasp models pull" in note


class TestWeightsAreVerified:
    """The cache of a model whose base and adapter are small files; merging joins them."""

    ADAPTER = embedded.Adapter("small.gguf", hashlib.sha256(b"adapter").hexdigest())

    @pytest.fixture(autouse=True)
    def small(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("REGRASP_CACHE", str(tmp_path))
        monkeypatch.setattr(embedded, "BASE_SHA256", hashlib.sha256(b"base").hexdigest())
        monkeypatch.setattr(embedded.Adapter, "path", tmp_path / "adapter.gguf")
        monkeypatch.setattr(embedded, "merge", self.merge)
        self.merged = 0
        base_weights().parent.mkdir()
        base_weights().write_bytes(b"base")
        (tmp_path / "adapter.gguf").write_bytes(b"adapter")

    def merge(self, base: Path, adapter: Path, target: Path) -> None:
        self.merged += 1
        target.write_bytes(base.read_bytes() + adapter.read_bytes())

    def opened(self) -> LocalModel:
        return EmbeddedModel()._opened(self.ADAPTER)

    def test_a_merged_file_is_made_once(self) -> None:
        self.opened()
        assert str(self.ADAPTER.merged) in repr(self.opened())
        assert self.merged == 1

    def test_a_damaged_merged_file_is_made_again(self) -> None:
        self.opened()
        self.ADAPTER.merged.write_bytes(b"damaged")
        self.opened()
        assert self.ADAPTER.merged.read_bytes() == b"baseadapter"

    def test_a_merged_file_that_nobody_vouches_for_is_made_again(self) -> None:
        self.ADAPTER.merged.write_bytes(b"of an older version, or planted")
        self.opened()
        assert self.ADAPTER.merged.read_bytes() == b"baseadapter"

    def test_a_damaged_base_is_refused(self) -> None:
        base_weights().write_bytes(b"bass")
        with pytest.raises(DamagedWeightsError, match="regrasp models pull"):
            self.opened()

    def test_a_damaged_adapter_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "adapter.gguf").write_bytes(b"adaptor")
        with pytest.raises(DamagedWeightsError, match="Install the package again"):
            self.opened()


@pytest.mark.parametrize(
    ("logprob", "finish", "text", "by_rules"),
    [
        (-0.1, FinishReason.STOP, "Answer: by weights", False),
        (-9.0, FinishReason.STOP, "Stop", True),
        (-0.1, FinishReason.LENGTH, "Stop", True),
    ],
)
def test_rules_answer_where_the_weights_of_copal_are_in_doubt_and_the_reply_says_so(
    monkeypatch: pytest.MonkeyPatch, logprob: float, finish: FinishReason, text: str, by_rules: bool
) -> None:
    tokens = (ScoredToken("Answer: by weights", logprob),)
    opened: list[Adapter] = []

    class Weights:
        def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
            assert request.logprobs
            return Completions((Completion("Answer: by weights", finish, tokens),))

    def open_weights(model: EmbeddedModel, adapter: Adapter) -> Weights:
        opened.append(adapter)
        return Weights()

    monkeypatch.setattr(EmbeddedModel, "_opened", open_weights)
    reply = EmbeddedModel().complete(
        InterpretPrompt("stop!").messages(), purpose=purpose_of(InterpretPrompt)
    )
    assert opened == [COPAL_ADAPTER]
    assert reply.text == text
    assert reply.items[0].tokens is None
    assert any("in doubt" in one for one in reply.losses) is by_rules


NEXT = next(one.example for one in PROMPTS if one.name == "next_action")


def test_the_weights_answer_the_next_action_and_no_rule_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[Adapter] = []
    asked: list[Request] = []
    tokens = (ScoredToken("pick(blue_mug)", -7.5), ScoredToken("\n", -0.5))

    class Weights:
        def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
            asked.append(request)
            return Completions((Completion("pick(blue_mug)\n", FinishReason.STOP, tokens),) * 4)

    def open_weights(model: EmbeddedModel, adapter: Adapter) -> Weights:
        opened.append(adapter)
        return Weights()

    monkeypatch.setattr(EmbeddedModel, "_opened", open_weights)
    for heat in (0.0, 1.0):
        reply = EmbeddedModel().complete(
            NEXT.messages(), n=4, temperature=heat, logprobs=True, purpose=NEXT.purpose
        )
        assert [one.logprob for one in reply.items] == [-8.0] * 4
        assert reply.losses == ()
    assert opened == [COPAL_ADAPTER] * 2
    assert "- place(blue_mug, tea_tray): on(blue_mug, tea_tray)" in asked[0].messages[1].content
    assert "(define" not in asked[0].messages[1].content


def test_candidates_come_from_the_weights_with_their_log_probabilities(
    model: EmbeddedModel,
) -> None:
    assert isinstance(NEXT, NextActionPrompt)
    domain, problem = read_pddl(NEXT)
    found = CandidatePlanner(model).propose(NEXT.instruction, domain, problem, seed=3)
    assert 1 <= len(found) <= 4
    for one in found:
        assert one.score is not None and one.score < 0
        assert one.action is None or one.action in NEXT.calls
    again = CandidatePlanner(model).propose(NEXT.instruction, domain, problem, seed=3)
    assert [one.action for one in again] == [one.action for one in found]


def test_rules_read_too_wherever_the_robot_would_ask() -> None:
    """No goal is too doubtful to act on and too sure for a second reader."""
    assert confidence(embedded._DOUBT) >= SURE
    assert confidence(embedded._BY_RULES) >= SURE
    assert confidence(embedded._DISAGREED) < SURE


BLOCKS = SceneDescription(
    (
        *(ObjectDescription(f"{colour}_block", affordances=(Affordance.PICK, Affordance.PUT_ON))
          for colour in ("red", "green", "blue")),
        ObjectDescription("fixture", affordances=(Affordance.PUT_ON,)),
    )
)  # fmt: skip
ON_BLOCKS = (GoalForm("on", (("block",), ("block", "fixture")), "X is on Y"),)
STACK = "stack the blocks on the fixture in the order blue_block, green_block, red_block"
WHOLE = "Goal:\ntower(fixture, blue_block, green_block, red_block)"
CLEAR = "clear everything off the fixture"


@pytest.mark.parametrize(
    ("instruction", "by_weights", "sure", "goal"),
    [
        (STACK, WHOLE, True, WHOLE),
        (STACK, "Goal:\ntower(red_block, green_block, blue_block)", True, WHOLE),
        (STACK, "Goal:\ntower(fixture, red_block, green_block, blue_block)", True, WHOLE),
        (CLEAR, "Goal:\nnot on(each thing on fixture, fixture)", True, ""),
        (CLEAR, "Goal:\nnot on(each block, fixture)", False, ""),
    ],
)
def test_where_weights_and_rules_disagree_the_goal_that_explains_every_word_is_taken(
    monkeypatch: pytest.MonkeyPatch, instruction: str, by_weights: str, sure: bool, goal: str
) -> None:
    """An empty goal is that of the weights."""

    class Weights:
        def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
            tokens = (ScoredToken(by_weights, -0.01),)
            return Completions((Completion(by_weights, FinishReason.STOP, tokens),))

    monkeypatch.setattr(EmbeddedModel, "_opened", lambda self, adapter: Weights())
    found = understand(EmbeddedModel(), GoalPrompt(instruction, BLOCKS, ON_BLOCKS), samples=0)
    assert found.sure is sure
    assert f"Goal:\n{found.goal}" == (goal or by_weights)
