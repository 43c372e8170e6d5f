"""The configuration of a run's folder, so that it is never continued with another one.

The configuration is everything that determines an episode except its seed: the suite and its file,
tasks, methods, models and their weights, limits, versions. It is kept as flat text, so that a
difference can be shown line by line. The requested tasks, methods and seeds are kept beside it and
may grow.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import regrasp
from regrasp.bench.naming import fingerprints, sha256
from regrasp.bench.record import EpisodeJob
from regrasp.bench.suite import Suite
from regrasp.bench.suite_registry import is_suite_file
from regrasp.core.codec import from_json, to_json
from regrasp.core.errors import RegraspError
from regrasp.core.files import write_json
from regrasp.episodes.recording import versions

__all__ = [
    "MANIFEST_FILE",
    "ConfigurationChangedError",
    "EpisodeSelection",
    "Manifest",
    "configuration",
    "new_manifest",
    "read_manifest",
    "source_digest",
    "write_manifest",
]

MANIFEST_FILE = "manifest.json"
SCHEMA = 1


class ConfigurationChangedError(RegraspError):
    """A run that cannot be continued, because its configuration changed."""


@dataclass(frozen=True, slots=True)
class EpisodeSelection:
    """The requested episodes: every task with every method on every seed."""

    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    seeds: tuple[int, ...]

    def __or__(self, other: EpisodeSelection) -> EpisodeSelection:
        """The union of both, the new after the old."""
        return EpisodeSelection(
            tuple(dict.fromkeys((*self.tasks, *other.tasks))),
            tuple(dict.fromkeys((*self.methods, *other.methods))),
            tuple(dict.fromkeys((*self.seeds, *other.seeds))),
        )


@dataclass(frozen=True, slots=True)
class Manifest:
    """`suite` is the name or file of the suite, `source` a digest of Regrasp's code.

    Every episode is as `like` except task, method and seed. `source` is no part of the
    configuration: between two versions it changes with every comment.
    """

    schema: int
    suite: str
    digest: str
    configuration: Mapping[str, str]
    like: EpisodeJob
    asked: EpisodeSelection
    source: str
    machine: str
    wall_started_s: float

    @property
    def llm(self) -> str:
        """The language model."""
        return self.configuration["llm"]

    @property
    def vlm(self) -> str:
        """The vision model."""
        return self.configuration["vlm"]

    def check_same(self, other: Mapping[str, str]) -> None:
        """Raise, showing the difference, unless `other` is this configuration.

        A task or method in only one of them is no difference: a run may grow.
        """
        mine = self.configuration
        parts = ("task ", "method ")
        changed = [
            f"  {name}: {mine.get(name, 'nothing')} -> {other.get(name, 'nothing')}"
            for name in sorted({*mine, *other})
            if mine.get(name) != other.get(name)
            and not (name.startswith(parts) and (name not in mine or name not in other))
        ]
        if changed:
            raise ConfigurationChangedError(
                "this folder was made with another configuration, and results of two are not one "
                "result. Give the options of then, or another --out. What differs:\n"
                + "\n".join(changed)
            )


def configuration(suite: Suite, job: EpisodeJob) -> dict[str, str]:
    """The configuration of a run of `suite` whose episodes are like `job`."""
    key, limits = job.key, job.limits
    found = {
        "suite": suite.name,
        "llm": key.llm,
        "vlm": key.vlm,
        "pictures": f"{job.size[0]}x{job.size[1]} {job.renderer}",
        "video": str(job.video),
        "swap": job.swap or "none",
        "limits": f"{limits.sim_s:g} simulated s, {limits.calls} calls",
        **({"varied": suite.varied} if suite.varied else {}),
        **{f"task {task.name}": str(task) for task in suite.tasks},
        **{f"method {method.name}": str(method) for method in suite.methods},
        **{f"version {name}": version for name, version in versions().items()},
    }
    for model in (key.llm, key.vlm):
        found |= {f"file {name}": digest for name, digest in fingerprints(model).items()}
    if is_suite_file(job.address):
        file = Path(job.address.partition(":")[0])
        if file.is_file():
            found[f"file {file.name}"] = sha256([file])
    return found


def source_digest() -> str:
    """SHA-256 of the source of the package, file by file."""
    return sha256(sorted(Path(regrasp.__file__).parent.rglob("*.py")))


def new_manifest(
    found: Mapping[str, str], like: EpisodeJob, asked: EpisodeSelection, wall_started_s: float
) -> Manifest:
    """A manifest for now and this machine."""
    digest = hashlib.sha256(json.dumps(dict(found), sort_keys=True).encode()).hexdigest()
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return Manifest(
        SCHEMA, like.address, digest, dict(found), like, asked, source_digest(), machine,
        wall_started_s,
    )  # fmt: skip


def read_manifest(root: Path) -> Manifest:
    """The manifest of a run's folder."""
    path = root / MANIFEST_FILE
    try:
        data = json.loads(path.read_text())
        if isinstance(data, dict) and data.get("schema", 0) > SCHEMA:
            raise RegraspError(f"{path} was written by a newer Regrasp: upgrade to read it.")
        return from_json(Manifest, data)
    except FileNotFoundError:
        raise RegraspError(
            f"{root} is no run of a suite: it has no {MANIFEST_FILE}. Name the folder that "
            "`regrasp bench SUITE --out` was given."
        ) from None
    except (OSError, ValueError) as error:
        raise RegraspError(f"{path} cannot be read: {error}.") from error


def write_manifest(root: Path, manifest: Manifest) -> None:
    """Write the manifest atomically."""
    path = root / MANIFEST_FILE
    try:
        write_json(path, to_json(manifest))
    except OSError as error:
        raise RegraspError(f"cannot write {path}: {error.strerror}.") from error
