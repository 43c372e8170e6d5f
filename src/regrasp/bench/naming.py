"""The names of models in a suite: one string each, with a random seed for each episode."""

from __future__ import annotations

from dataclasses import replace

from regrasp.core.errors import RegraspError
from regrasp.models.degraded import Faults
from regrasp.models.redact import redact

__all__ = ["checked_name", "seeded"]

_DEGRADED = "degraded:"
_ENSEMBLES = ("bayes:", "majority:")


def seeded(name: str, seed: int) -> str:
    """`name` with the seed of an episode added to that of its faults, if it is a degraded model.

    Without it the same prompt would get the same fault in every episode. Methods are compared on
    the same seeds, so they get the same faults: `degraded:drop_step=0.3:scripted` is
    `degraded:drop_step=0.3,seed=17:scripted` in the episodes of seed 17.
    """
    if name.startswith(_ENSEMBLES):
        how, colon, inner = name.partition(":")
        return f"{how}{colon}{seeded(inner, seed)}"
    if not name.startswith(_DEGRADED):
        return name
    faults, colon, inner = name.removeprefix(_DEGRADED).partition(":")
    dice = Faults.parse(faults)
    return f"{_DEGRADED}{replace(dice, seed=dice.seed + seed)}{colon}{seeded(inner, seed)}"


def checked_name(name: str) -> str:
    """`name` if it may be written to tables and files: it must not contain an API key."""
    if redact(name) != name:
        raise RegraspError(
            f"the name of a model goes into files, and {redact(name)!r} holds a key or password. "
            "Put keys into the environment (OPENAI_API_KEY, REGRASP_API_KEY)."
        )
    return name
