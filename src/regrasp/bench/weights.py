"""The fingerprint of a model: the SHA-256 of its weights or its cassette."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

__all__ = ["bare", "fingerprints", "sha256"]

_AROUND = ("degraded:", "bayes:", "majority:")  # wrappers before the name of a model


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
    while model.startswith(_AROUND):
        model = model.split(":", 2 if model.startswith("degraded:") else 1)[-1]
    return model


def _files(kind: str, rest: str) -> list[Path]:
    if kind == "gguf" or (kind == "recorded" and "#" not in rest):
        return [Path(rest)]
    if kind in ("embedded", "embedded-base"):
        from regrasp.embedded.vision.network import WEIGHTS  # noqa: PLC0415
        from regrasp.models.pull import base_weights  # noqa: PLC0415

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
