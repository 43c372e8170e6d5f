"""What the robot found impossible during a run, so that no plan repeats it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from regrasp.core.action import Action
from regrasp.core.fact import State
from regrasp.core.feedback import FailureCode
from regrasp.core.object_description import ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.refused_action import RefusedAction
from regrasp.core.robot import SkillReport
from regrasp.domains.domain import Problem
from regrasp.domains.refused_actions import IMPOSSIBLE, refused_action, still_valid, without_refused
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["RefusalMemory"]


@dataclass(slots=True)
class RefusalMemory:
    """What was refused with one of `codes` and still counts."""

    codes: frozenset[FailureCode] = IMPOSSIBLE
    failed: tuple[RefusedAction, ...] = ()
    _states: dict[RefusedAction, State] = field(default_factory=dict)

    def learn(
        self, skills: SkillDomain, action: Action, report: SkillReport, earlier: State
    ) -> bool:
        """Remember a refused complete action; whether the robot refused it, so nothing moved."""
        if report.outcome is Outcome.SUCCEEDED:
            self.failed = still_valid(self.failed, action)
            return False
        if report.feedback is None or report.code not in self.codes:
            return False
        refused = refused_action(skills, action, report.feedback, earlier)
        self.failed += (refused,)
        self._states[refused] = earlier
        return True

    def in_state(self, state: State) -> tuple[RefusedAction, ...]:
        """What was refused in this very state: nothing at all has changed since."""
        return tuple(one for one in self.failed if self._states.get(one) == state)

    def restricted(
        self, skills: SkillDomain, problem: Problem, known: Iterable[ObjectDescription]
    ) -> tuple[SkillDomain, Problem]:
        """The domain and the problem without what was refused."""
        found = without_refused(skills, self.failed, known)
        constants = set(found.domain.constants)
        objects = tuple(one for one in problem.objects if one not in constants)
        return found, replace(problem, objects=objects)
