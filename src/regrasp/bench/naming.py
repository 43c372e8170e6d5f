"""The names of models in a suite: the seed of each episode, and the files behind a name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from regrasp.core.errors import RegraspError
from regrasp.core.redact import redact
from regrasp.models.degraded import Faults

__all__ = [
    "bare",
    "checked_name",
    "fingerprints",
    "is_hosted",
    "is_part_of_regrasp",
    "seeded",
    "sha256",
]

_DEGRADED = "degraded:"
_ENSEMBLES = ("bayes:", "majority:")
_OURS = ("scripted", "embedded", "embedded-base", "oracle")
_HOSTED = ("http", "https", "openai")


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


def fingerprints(model: str) -> dict[str, str]:
    """The files of `model`, each with its SHA-256; none for a hosted model.

    For a folder of transformers, which may be gigabytes, it is the hash of names and sizes.
    """
    kind, _, rest = bare(model).partition(":")
    if kind == "transformers":
        files = sorted(p for p in Path(rest).rglob("*") if p.is_file())
        listed = "\n".join(f"{p.relative_to(rest).as_posix()} {p.stat().st_size}" for p in files)
        return {Path(rest).name: hashlib.sha256(listed.encode()).hexdigest()}
    return {file.name: sha256([file]) for file in _files(kind, rest) if file.is_file()}


def bare(model: str) -> str:
    """The name of the model itself, without wrappers."""
    while model.startswith((_DEGRADED, *_ENSEMBLES)):
        model = model.split(":", 2 if model.startswith(_DEGRADED) else 1)[-1]
    return model


def is_part_of_regrasp(model: str) -> bool:
    """Whether a model is code and weights of ours: no file of the user's, no server, no key."""
    name, _, rest = bare(model).partition(":")
    return name in _OURS and (not rest or name == "oracle")


def is_hosted(model: str) -> bool:
    """Whether a model is asked over the network, so that its name leads to one place only."""
    return bare(model).partition(":")[0] in _HOSTED


def _files(kind: str, rest: str) -> list[Path]:
    from regrasp.models.pull import base_weights, gguf_file  # noqa: PLC0415

    if kind == "gguf":
        return [gguf_file(rest)]
    if kind == "recorded" and "#" not in rest:
        return [Path(rest)]
    if kind in ("embedded", "embedded-base"):
        from regrasp.embedded.vision.network import WEIGHTS  # noqa: PLC0415

        ours = sorted(WEIGHTS.iterdir()) if kind == "embedded" else []
        return [base_weights(), *ours]
    return []


def sha256(files: Iterable[Path]) -> str:
    """The hash of the files' bytes, one after the other."""
    total = hashlib.sha256()
    for file in files:
        with file.open("rb") as data:
            while chunk := data.read(1 << 20):
                total.update(chunk)
    return total.hexdigest()
