"""What the manifest of a run names, and when it counts: suite, models and worlds.

A suite of the user's own is code, and a model may be code, a server that gets a key, or a file.
The manifest may come from a stranger. Such a name counts if the user gives it again, or if the
manifest has a mark: `regrasp bench`, `compare` and `blame` mark what they write. The mark is of
the whole manifest but the requested episodes, and of the files that its names lead to from here.
"""

from __future__ import annotations

import json
from pathlib import Path

from regrasp.bench.manifest import MANIFEST_FILE, Manifest
from regrasp.bench.naming import is_hosted, is_part_of_regrasp
from regrasp.bench.suite import Suite
from regrasp.bench.suite_registry import is_suite_file, open_suite
from regrasp.core.codec import to_json
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.named_again import untrusted
from regrasp.core.ownership import anchored, is_own, mark_own

__all__ = [
    "SUITE_OPTION",
    "is_own_manifest",
    "mark_manifest",
    "trusted_models",
    "trusted_suite",
    "trusted_worlds",
]

SUITE_OPTION = "--suite FILE.py:NAME"


def mark_manifest(manifest: Manifest) -> None:
    """Mark a manifest that this user's command has just written, if it names anything."""
    if _outside(manifest):
        mark_own(_content(manifest))


def is_own_manifest(manifest: Manifest) -> bool:
    """Whether the manifest was marked, and its names lead to the same files from here."""
    return is_own(_content(manifest))


def trusted_suite(root: Path, manifest: Manifest, named: str = "") -> Suite:
    """The suite of the run in `root`: `named` by the user, or the one that the manifest names."""
    address = named or manifest.suite
    if not named and is_suite_file(address) and not is_own_manifest(manifest):
        raise untrusted(root, "suite", address, SUITE_OPTION)
    try:
        suite = open_suite(address)
    except UnknownNameError as error:
        raise RegraspError(
            f"{root / MANIFEST_FILE} is of an {error} Give {SUITE_OPTION}."
        ) from error
    if suite.name != manifest.configuration["suite"]:
        raise RegraspError(
            f"{root} holds a run of the suite {manifest.configuration['suite']!r}, and {address} "
            f"is {suite.name!r}: name the suite that was run."
        )
    return suite


def trusted_models(root: Path, manifest: Manifest, llm: str = "", vlm: str = "") -> tuple[str, str]:
    """The names of the language and the vision model of a run: given by the user, or recorded."""
    recorded = manifest.like.key
    for option, named, name in (("--llm", llm, recorded.llm), ("--vlm", vlm, recorded.vlm)):
        if not named and not is_part_of_regrasp(name) and not is_own_manifest(manifest):
            raise untrusted(root, "model", name, f"{option} NAME")
    return llm or recorded.llm, vlm or recorded.vlm


def trusted_worlds(root: Path, manifest: Manifest) -> frozenset[str]:
    """The worlds of the suite of one's own run; none for any other suite of a user's file."""
    if not is_suite_file(manifest.suite) or not is_own_manifest(manifest):
        return frozenset()
    return frozenset(task.world for task in trusted_suite(root, manifest).tasks)


def _outside(manifest: Manifest) -> list[str]:
    """What the manifest names outside Regrasp, and where that leads from the current folder."""
    key = manifest.like.key
    suite = [anchored(manifest.suite)] if is_suite_file(manifest.suite) else []
    models = [name for name in (key.llm, key.vlm) if not is_part_of_regrasp(name)]
    return suite + [name if is_hosted(name) else anchored(name) for name in models]


def _content(manifest: Manifest) -> bytes:
    data = to_json(manifest)
    assert isinstance(data, dict)
    del data["asked"]  # a resumed run may ask for more
    return json.dumps(["manifest", data, _outside(manifest)], sort_keys=True).encode()
