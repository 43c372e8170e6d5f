"""Regrasp: robots that follow plain-language instructions and recover when the world disagrees.

What most programs need is here by name, e.g. `regrasp.open_world`, `regrasp.EpisodeSpec`. A name
loads its module when it is used, so `import regrasp` stays cheap.
"""

from importlib import import_module

from regrasp._version import __version__

_PUBLIC = {
    "Action": "core.action",
    "Affordance": "core.object_description",
    "Assignment": "methods.method",
    "Claim": "core.claim",
    "EpisodeSpec": "episodes.runner",
    "Fact": "core.fact",
    "Feedback": "core.feedback",
    "Goal": "core.goal",
    "Literal": "core.fact",
    "ObjectDescription": "core.object_description",
    "OwnRobot": "episodes.runner",
    "Recording": "episodes.runner",
    "RegraspError": "core.errors",
    "Robot": "core.robot",
    "SkillDomain": "domains.skill_domain",
    "SkillSpec": "core.action",
    "WorldPlan": "worlds.world",
    "WorldTask": "episodes.runner",
    "affordance_domain": "domains.affordances",
    "arm_world": "worlds.arm",
    "check_robot": "core.conformance",
    "open_method": "methods.registry",
    "open_world": "worlds.registry",
    "read_trace": "core.trace",
    "resolve_language": "embedded.resolve",
    "run_episode": "episodes.runner",
    "run_skill": "core.execution",
    "vision_factory": "episodes.vision",
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604  -- names that load when they are used


def __getattr__(name: str) -> object:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'regrasp' has no attribute {name!r}")
    value: object = getattr(import_module(f"regrasp.{_PUBLIC[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
