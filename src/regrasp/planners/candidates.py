"""K candidates for the next action from a language model, with their log-probabilities (IALP).

Equation 2 of the paper takes the candidate with the largest sum of token log-probabilities,

    S_op(a) = Σ_j log p(token_j | instruction, domain, problem, tokens before j),

which favours short texts. `per_token` divides the sum by the number of tokens; that is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import exp

from regrasp.core.action import Action
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.pddl_write import write_domain, write_problem
from regrasp.domains.rules import Rules
from regrasp.models.language import Completion, LanguageModel
from regrasp.prompts.next_action import NextActionPrompt
from regrasp.prompts.parsing import Declined

__all__ = ["ActionCandidate", "CandidatePlanner", "likeliest", "possible_calls"]

_HEAT = 1.0
"""The temperature of the samples: at 0 they would all be the same."""

_MOST_TOKENS = 48

_REST = 0.1
"""The probability that is left to draw below which another draw would mostly repeat one."""


@dataclass(frozen=True, slots=True)
class ActionCandidate:
    """An action that the model named, and its score S_op; None where the model gives none.

    Without an action, the model declined, and `why` is its reason. `logprob` is the sum of the
    log-probabilities, whatever the score is.
    """

    action: Action | None
    score: float | None
    why: str = ""
    logprob: float | None = field(default=None, compare=False)

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
        """Different candidates in the order in which they were sampled; unreadable ones go.

        With a grammar they are drawn one at a time: from the model's own distribution while more
        than `_REST` of it is left to draw, and then with what was drawn left out of the grammar.
        The scores are those without a grammar.
        """
        calls = possible_calls(domain, problem)
        prompt = NextActionPrompt(instruction, write_domain(domain), write_problem(problem), calls)
        if not self.model.capabilities.grammar:
            return tuple(self._sample(prompt, self.count, seed).values())
        found: dict[Action | None, ActionCandidate] = {}
        for drawn in range(2 * self.count):
            left = tuple(call for call in calls if call not in found)
            if len(found) == self.count or not (left or None not in found):
                break
            known = sum(exp(one.logprob) for one in found.values() if one.logprob is not None)
            if drawn >= self.count or known > 1.0 - _REST:
                prompt = replace(prompt, calls=left, may_decline=None not in found)
            more = self._sample(prompt, 1, 2 * self.count * seed + drawn)
            found = found | {what: one for what, one in more.items() if what not in found}
        return tuple(found.values())

    def _sample(
        self, prompt: NextActionPrompt, count: int, seed: int
    ) -> dict[Action | None, ActionCandidate]:
        """The different ones of `count` samples."""
        can = self.model.capabilities
        reply = self.model.complete(
            prompt.messages(),
            n=count,
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
                found.setdefault(value, self._candidate(value, item))
            elif isinstance(value, Declined):
                found.setdefault(None, self._candidate(None, item, value.why))
        return found

    def _candidate(self, action: Action | None, item: Completion, why: str = "") -> ActionCandidate:
        if item.logprob is None or not item.tokens:
            return ActionCandidate(action, None, why)
        score = item.logprob / len(item.tokens) if self.per_token else item.logprob
        return ActionCandidate(action, score, why, item.logprob)


def possible_calls(domain: Domain, problem: Problem) -> tuple[Action, ...]:
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
