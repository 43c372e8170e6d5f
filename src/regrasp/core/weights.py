"""Weights are verified when they are loaded: a damaged network gives answers, only wrong ones.

Hashing takes 0.1 CPU s for the 145 MB of the embedded language model on a core with SHA
instructions, once per process, and nothing that can be measured for the other networks.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from regrasp.core.errors import RegraspError

__all__ = ["REINSTALL", "DamagedWeightsError", "check_sha256", "sha256_of"]

REINSTALL = "Install the package again."
"""The remedy for weights that come with the package."""


class DamagedWeightsError(RegraspError):
    """The SHA-256 of a file of weights is not the expected one."""


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_sha256(found: str, expected: str, what: Path, remedy: str) -> None:
    """Raise DamagedWeightsError unless both hashes are the same."""
    if found != expected:
        raise DamagedWeightsError(
            f"the weights in {what} are damaged or another version: their SHA-256 is "
            f"{found[:12]}…, not {expected[:12]}…. {remedy}"
        )
