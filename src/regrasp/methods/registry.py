"""Methods by name, or by `FILE.py:NAME` of a user; and which of them a robot can run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.loading import is_address, load_object

if TYPE_CHECKING:
    from regrasp.core.robot import Robot
    from regrasp.domains.skill_domain import SkillDomain
    from regrasp.methods.method import Method

__all__ = [
    "METHODS", "MethodEntry", "default_method", "interprets", "open_method", "refusal", "runnable",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """Where a method is, with which options, and how it drives a robot.

    `drives_by` is `rewards`, `skills`, or `either`. A method that `interprets` reads instructions.
    """

    address: str
    options: Mapping[str, Any] = field(default_factory=dict)
    drives_by: str = "skills"
    interprets: bool = False


def _variants(address: str, **how: Any) -> Callable[..., MethodEntry]:
    """Makes the entries of one method, each with its own options."""
    return lambda **options: MethodEntry(address, options, **how)


_replan = _variants("regrasp.methods.replan:replan", drives_by="either")
_doremi = _variants("regrasp.methods.doremi:doremi")
_dkprompt = _variants("regrasp.methods.dkprompt:dkprompt")
_copal = _variants("regrasp.methods.copal:copal", interprets=True)
_ialp = _variants("regrasp.methods.ialp:ialp", interprets=True)
_SHOWN = ("filled", "turnedon")  # predicates that DKPROMPT assumes and our household shows

METHODS: Mapping[str, MethodEntry] = {
    "replan": _replan(),
    "replan-float": _replan(feedback="float"),
    "replan-no-verifier": _replan(verify=False),
    "replan-no-perceiver": _replan(perceive=False),
    "replan-no-replan": _replan(replanning=False),
    "language-to-rewards": MethodEntry(
        "regrasp.methods.language_to_rewards:language_to_rewards", drives_by="rewards"
    ),
    "doremi": _doremi(),
    "doremi-paper": _doremi(as_in_paper=True),
    "doremi-paper-single": _doremi(as_in_paper=True, detector="single"),
    "doremi-single": _doremi(detector="single"),
    "doremi-odds": _doremi(detector="odds"),
    "doremi-log-only": _doremi(detector="log_only"),
    "doremi-proposing": _doremi(proposes=True),
    "inner-monologue": MethodEntry("regrasp.methods.inner_monologue:inner_monologue"),
    "cliport": MethodEntry("regrasp.methods.cliport:cliport"),
    "saycan": MethodEntry("regrasp.methods.saycan:saycan"),
    "dkprompt": _dkprompt(),
    "dkprompt-bayes": _dkprompt(belief="bayes", seen=_SHOWN),
    "dkprompt-odds": _dkprompt(belief="bayes"),  # the two parts of dkprompt-bayes, each alone
    "dkprompt-seen": _dkprompt(seen=_SHOWN),
    "dkprompt-effects": _dkprompt(before="nothing"),
    "dkprompt-preconditions": _dkprompt(after="nothing"),
    "affordance-question": _dkprompt(before="affordance", after="nothing"),
    "success-question": _dkprompt(before="nothing", after="success"),
    "affordance-success-question": _dkprompt(before="affordance", after="success"),
    "classical-planner": _dkprompt(before="nothing", after="nothing"),
    "vlm-planner": MethodEntry("regrasp.methods.vlm_planner:vlm_planner"),
    "copal": _copal(),
    "copal-bl": _copal(repair=False, replans=0),
    "copal-m": _copal(replans=0),
    "copal-h0": _copal(repair=False, feedback="what"),
    "copal-h1": _copal(repair=False, feedback="why"),
    "copal-h2": _copal(repair=False),
    "copal-mh0": _copal(feedback="what"),
    "copal-mh1": _copal(feedback="why"),
    "copal-physical": _copal(repair=False, logic=False),  # H2 without the logical checker
    "copal-open": _copal(repair=False, logic=False, look=False, replans=0),  # the first plan alone
    "copal-ahead": _copal(ahead=True),  # MH2; valid commands run while the planner is asked
    "ialp": _ialp(),
    "ialp-no-feasibility": _ialp(feasibility=False),
    "ialp-no-selection": _ialp(selection=False),
    "ialp-per-token": _ialp(per_token=True),
}
"""Every method by name, with variants and baselines; CoPAL's are those of its table IV."""

RETIRED = {"doremi-unheeded": "doremi-log-only"}
"""Names of an earlier version, and their present names."""


def open_method(name: str) -> Method:
    """The method of that name, or the function of a user's file or module."""
    if is_address(name):
        found = load_object(name)
        if not callable(found):
            raise RegraspError(f"{name} cannot be called; a method takes an Assignment.")
        return cast("Method", found)
    entry = _entry(name)
    function = cast("Method", load_object(entry.address))
    return cast("Method", partial(function, **entry.options)) if entry.options else function


def interprets(name: str) -> bool:
    """Whether a method reads instructions itself: they may be questions, or need a recipe."""
    return not is_address(name) and _entry(name).interprets


def refusal(name: str, robot: Robot, domain: SkillDomain) -> str:
    """Why a method cannot work on a robot; empty if it can, or if it is a user's method."""
    if is_address(name):
        return ""
    follows_rewards = any(skill.name == "follow_reward" for skill in robot.skills())
    drives_by = _entry(name).drives_by
    if drives_by == "rewards" and not follows_rewards:
        return f"{name} writes rewards, and {robot.name} has no skill follow_reward"
    if drives_by != "skills" and follows_rewards:
        return ""
    if not domain.domain.actions:
        return f"{name} plans over skills, and the domain of {robot.name} has no action"
    missing = sorted(domain.required_skills - {skill.name for skill in robot.skills()})
    lacks = f"{name} plans over skills of the domain that {robot.name} lacks: {', '.join(missing)}"
    return lacks if missing else ""


def runnable(robot: Robot, domain: SkillDomain) -> tuple[str, ...]:
    """The methods that a robot can run."""
    return tuple(name for name in METHODS if not refusal(name, robot, domain))


def default_method(robot: Robot, domain: SkillDomain) -> str:
    """REPLAN for a robot that follows rewards, DoReMi if skills have `timing`, else DKPROMPT."""
    if any(skill.name == "follow_reward" for skill in robot.skills()):
        return "replan"
    return "doremi" if domain.timing else "dkprompt"


def _entry(name: str) -> MethodEntry:
    name = RETIRED.get(name, name)
    if name not in METHODS:
        raise UnknownNameError("method", name, (*METHODS, "FILE.py:NAME"))
    return METHODS[name]
