"""Replace one part of an agent by its oracle, to find the cause of a failure.

| swap | what is replaced | by |
|---|---|---|
| `planner` | the language model, in every question but the verifier's | the scripted reasoner |
| `verifier` | the language model, in the verifier's questions | the scripted reasoner |
| `vision` | the vision model | the oracle |
| `controller` | the robot's controller | the oracle controller |

Planner and verifier are distinguished by their prompts, so methods need no change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from regrasp.bench.record import EpisodeKey
from regrasp.embedded.scripted import ScriptedModel
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completions,
    LanguageModel,
    Request,
    RequestModel,
)
from regrasp.prompts.prompt import purpose_of
from regrasp.prompts.reward_step import RewardStepPrompt
from regrasp.prompts.rewrite_names import RewriteNamesPrompt
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.wrong_names import WrongNamesPrompt

__all__ = ["SWAPS", "SplitLanguage", "applicable", "swapped_language"]

SWAPS: Mapping[str, str] = {
    "planner": "scripted",
    "verifier": "scripted",
    "vision": "oracle",
    "controller": "oracle",
}
"""Every part that can be replaced, and its replacement."""

_VERIFIER = frozenset(
    purpose_of(prompt)
    for prompt in (StepNeededPrompt, RewardStepPrompt, WrongNamesPrompt, RewriteNamesPrompt)
)


def applicable(key: EpisodeKey) -> tuple[str, ...]:
    """The parts that are not their own replacement already."""
    now = {"planner": key.llm, "verifier": key.llm, "vision": key.vlm, "controller": "mpc"}
    return tuple(part for part, best in SWAPS.items() if now[part] != best)


def swapped_language(model: LanguageModel, swap: str) -> LanguageModel:
    """`model`, with the scripted reasoner as planner or verifier if `swap` names one."""
    if swap == "planner":
        return SplitLanguage(planner=ScriptedModel(), verifier=model)
    if swap == "verifier":
        return SplitLanguage(planner=model, verifier=ScriptedModel())
    return model


class SplitLanguage(RequestModel):
    """Two language models as one: `verifier` answers what a verifier asks, `planner` the rest."""

    def __init__(self, planner: LanguageModel, verifier: LanguageModel) -> None:
        self._planner, self._verifier = planner, verifier

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self._planner.name}, verifier {self._verifier.name}"

    @property
    def capabilities(self) -> Capabilities:
        """What both can do."""
        both = (self._planner.capabilities, self._verifier.capabilities)
        return Capabilities(*(all(getattr(c, f.name) for c in both) for f in fields(Capabilities)))

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Send the request to the model responsible for it."""
        model = self._verifier if request.purpose in _VERIFIER else self._planner
        return request.send(model, cancel)
