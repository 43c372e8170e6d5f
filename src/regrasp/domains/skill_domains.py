"""The domains that robots act in by named skills, found by the skills that a robot offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from regrasp.core.action import SkillSpec
from regrasp.core.errors import RegraspError
from regrasp.domains.skill_domain import SkillDomain
from regrasp.domains.tabletop import tabletop
from regrasp.domains.walker import walker

__all__ = ["SKILL_DOMAINS", "domain_of"]

SKILL_DOMAINS: Mapping[str, Callable[[], SkillDomain]] = {
    "tabletop": tabletop,
    "walker": walker,
}
"""Every domain by name."""


def domain_of(skills: Iterable[SkillSpec]) -> SkillDomain:
    """The first domain all of whose actions a robot with these skills can do."""
    names = {spec.name for spec in skills}
    for domain in (make() for make in SKILL_DOMAINS.values()):
        if domain.offered(names):
            return domain
    wanted = "; ".join(
        f"{name}: {', '.join(sorted(make().wanted))}" for name, make in SKILL_DOMAINS.items()
    )
    raise RegraspError(
        f"no domain is known for a robot with the skills {', '.join(sorted(names)) or 'none'}. "
        f"What the known ones need: {wanted}."
    )
