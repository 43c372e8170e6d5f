"""K candidates for the next action from a language model, with their log-probabilities (IALP).

Equation 2 of the paper takes the candidate with the largest sum of token log-probabilities,

    S_op(a) = Σ_j log p(token_j | instruction, domain, problem, tokens before j),

which favours short texts. `per_token` divides the sum by the number of tokens; that is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.pddl_write import write_domain, write_problem
from regrasp.domains.rules import Rules
from regrasp.models.language import Completion, LanguageModel
from regrasp.prompts.next_action import NextActionPrompt
from regrasp.prompts.parsing import Declined

__all__ = ["ActionCandidate", "CandidatePlanner", "likeliest"]

_HEAT = 1.0
"""The temperature of the samples: at 0 they would all be the same."""

_MOST_TOKENS = 48


@dataclass(frozen=True, slots=True)
class ActionCandidate:
    """An action that the model named, and its score S_op; None where the model gives none.

    Without an action, the model declined, and `why` is its reason.
    """

    action: Action | None
    score: float | None
    why: str = ""

    def __str__(self) -> str:
        score = "" if self.score is None else f" ({self.score:.2f})"
        return f"{self.action or f'none: {self.why}'}{score}"


@dataclass(frozen=True, slots=True)
class CandidatePlanner:
    """Samples `count` (K) actions from `model`."""

    model: LanguageModel
    count: int = 4
    per_token: bool = False

    def propose(
        self, instruction: str, domain: Domain, problem: Problem, seed: int = 0
    ) -> tuple[ActionCandidate, ...]:
        """The different candidates in the order in which they were sampled; unreadable ones go."""
        prompt = NextActionPrompt(
            instruction, write_domain(domain), write_problem(problem), _calls(domain, problem)
        )
        can = self.model.capabilities
        reply = self.model.complete(
            prompt.messages(),
            n=self.count,
            temperature=_HEAT,
            max_tokens=_MOST_TOKENS,
            logprobs=True,
            grammar=prompt.grammar() if can.grammar else None,
            seed=seed if can.seed else None,
            purpose=prompt.purpose,
        )
        found: dict[Action | None, ActionCandidate] = {}
        for item in reply.items:
            value = prompt.parse(item.text)
            if isinstance(value, Action):
                found.setdefault(value, ActionCandidate(value, self._score(item)))
            elif isinstance(value, Declined):
                found.setdefault(None, ActionCandidate(None, self._score(item), value.why))
        return tuple(found.values())

    def _score(self, item: Completion) -> float | None:
        if item.logprob is None or not item.tokens:
            return None
        return item.logprob / len(item.tokens) if self.per_token else item.logprob


def _calls(domain: Domain, problem: Problem) -> tuple[Action, ...]:
    """Every action that the types allow, without an object twice."""
    rules = Rules.of(domain, problem)
    calls = (
        Action(schema.name, tuple(binding.values()))
        for schema in domain.actions
        for binding in rules.bindings(schema.parameters)
    )
    return tuple(call for call in calls if len(set(call.args)) == len(call.args))


def likeliest(candidates: Sequence[ActionCandidate]) -> ActionCandidate | None:
    """The argmax of equation 2; the first sample where the model gives no log-probabilities."""
    return max(candidates, key=lambda one: -1e9 if one.score is None else one.score, default=None)
