"""The names of models in a bench: one string each, with dice of their own in every episode."""

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

    Without it the same prompt would be spoilt in the same way in every episode. Methods are
    compared on the same seeds, so they meet the same dice: `degraded:drop_step=0.3:scripted` is
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
    """`name` if it can stand in a table and a file: a key must not be part of it."""
    if redact(name) != name:
        raise RegraspError(
            f"the name of a model goes into files, and {redact(name)!r} holds a key or password. "
            "Put keys into the environment (OPENAI_API_KEY, REGRASP_API_KEY)."
        )
    return name
