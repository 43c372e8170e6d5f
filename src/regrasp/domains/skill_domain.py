"""A domain that a robot acts in: its words, its objects, and when a skill's changes come about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.fact import Literal, State
from regrasp.core.feedback import FailureCode
from regrasp.core.knowledge import KnownObject
from regrasp.core.robot import SkillReport
from regrasp.domains.domain import Domain, Object
from regrasp.domains.lexicon import Lexicon
from regrasp.domains.rules import Rules

__all__ = ["Handover", "SkillDomain"]


@dataclass(frozen=True, slots=True)
class Handover:
    """The stages of a running skill at which its effects come about.

    What it undoes is sure to be so until stage `ends`, what it makes true from stage `makes` on: a
    hand holds the block until it lets go, and the block lies there once the hand draws back.
    """

    ends: str
    makes: str


@dataclass(frozen=True, slots=True)
class SkillDomain:
    """`kinds` gives the type of a robot's object by its kind, `init` what is so before anything.

    `skills` names the robot's skill for an action where it is another name; `wait` is a skill
    during which an agent can look on. A skill without a handover has its effects at its end.
    `described` are the predicates that an agent asks its eyes for before it plans for the first
    time: the description of the scene. `denials` says which predicates, of all that an action needs
    and makes, a failure of that code denies, and `felt` of which its own word outweighs its eyes.
    """

    lexicon: Lexicon
    kinds: Mapping[str, str]
    init: State = frozenset()
    handovers: Mapping[str, Handover] = field(default_factory=dict)
    skills: Mapping[str, str] = field(default_factory=dict)
    denials: Mapping[FailureCode, tuple[str, ...]] = field(default_factory=dict)
    felt: frozenset[str] = frozenset()
    wait: Action | None = None
    described: tuple[str, ...] = ()

    @property
    def domain(self) -> Domain:
        """The actions."""
        return self.lexicon.domain

    def rules(self, known: Iterable[KnownObject]) -> Rules:
        """What the actions mean for the objects that a robot knows; other kinds are left out."""
        typed = (Object(one.name, self.kinds[one.kind]) for one in known if one.kind in self.kinds)
        return Rules(self.domain, (*self.domain.constants, *typed))

    def skill(self, action: Action) -> Action:
        """What the robot is asked to do for an action of a plan."""
        return Action(self.skills.get(action.name, action.name), action.args)

    @property
    def wanted(self) -> frozenset[str]:
        """The skills that a robot must have."""
        names = (self.skills.get(action.name, action.name) for action in self.domain.actions)
        return frozenset(names)

    def offered(self, skills: Iterable[str]) -> bool:
        """Whether a robot with these skills can do all that the domain speaks of."""
        return self.wanted <= set(skills)

    def denied(self, report: SkillReport, concerned: Iterable[Literal]) -> tuple[Literal, ...]:
        """What a robot's report shows not to be so of what its action needs and should make.

        What was dropped is not held; what is out of reach is not where it was thought to be.
        """
        code = report.feedback.code if report.feedback is not None else None
        predicates = self.denials.get(code, ()) if code is not None else ()
        return tuple(one for one in concerned if one.positive and one.fact.predicate in predicates)
