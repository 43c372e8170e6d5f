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
from functools import cache
from pathlib import Path

import regrasp
from regrasp.bench.naming import fingerprints, sha256
from regrasp.bench.record import EpisodeJob, EpisodeKey
from regrasp.bench.suite import Suite
from regrasp.bench.suite_registry import is_suite_file
from regrasp.core.codec import to_json
from regrasp.core.document import decode_document, read_json_file
from regrasp.core.errors import RegraspError
from regrasp.core.estimates import Estimates
from regrasp.core.files import write_json
from regrasp.core.run_folder import inside
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
SCHEMA = 2
"""Since 2 every episode has the digest of its job; a run that was begun with 1 may have some."""

_REMEDY = "Restore the file, or run the suite again into another folder."


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

    def __post_init__(self) -> None:
        missing = [name for name in ("suite", "llm", "vlm") if name not in self.configuration]
        if missing or not self.asked.seeds:
            what = f"its configuration has no {missing[0]}" if missing else "it asks for no seed"
            raise RegraspError(f"{what}.")

    @property
    def llm(self) -> str:
        """The language model."""
        return self.configuration["llm"]

    @property
    def vlm(self) -> str:
        """The vision model."""
        return self.configuration["vlm"]

    def job_digest(self, key: EpisodeKey) -> str:
        """SHA-256 of what determines this episode: the configuration, its task, method and seed.

        Other tasks and methods are no part of it, because a run may grow.
        """
        cell = _cell_digest(tuple(self.configuration.items()), key.task, key.method)
        return hashlib.sha256(f"{cell} {key.llm} {key.vlm} {key.seed}".encode()).hexdigest()

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


@cache
def _cell_digest(configured: tuple[tuple[str, str], ...], task: str, method: str) -> str:
    here = (f"task {task}", f"method {method}")
    shared = {k: v for k, v in configured if k in here or not k.startswith(("task ", "method "))}
    return _digest({**shared, "of": " ".join(here)})


def _digest(found: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(dict(found), sort_keys=True).encode()).hexdigest()


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
        **({} if job.estimates is Estimates.PRIVILEGED else {"estimates": str(job.estimates)}),
        **({"cameras": ", ".join(job.cameras)} if job.cameras else {}),
        **{f"task {task.name}": str(task) for task in suite.tasks},
        **{f"method {method.name}": str(method) for method in suite.methods},
        **{f"version {name}": version for name, version in versions().items()},
    }
    for variable in suite.reads:
        path = Path(os.environ.get(variable) or "")
        if path.is_file():
            found[f"file {variable}"] = sha256([path])
    for model in (key.llm, key.vlm):
        found |= {f"file {name}": digest for name, digest in fingerprints(model).items()}
    if is_suite_file(job.address):
        file = Path(job.address.partition(":")[0])
        if file.is_file():
            found[f"file {file.name}"] = sha256([file])
    return found


def source_digest() -> str:
    """SHA-256 of the source of the package without its laboratory, file by file."""
    package = Path(regrasp.__file__).parent
    return sha256(sorted(set(package.rglob("*.py")) - set((package / "lab").rglob("*.py"))))


def new_manifest(
    found: Mapping[str, str], like: EpisodeJob, asked: EpisodeSelection, wall_started_s: float
) -> Manifest:
    """A manifest for now and this machine."""
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return Manifest(
        SCHEMA, like.address, _digest(found), dict(found), like, asked, source_digest(), machine,
        wall_started_s,
    )  # fmt: skip


def read_manifest(root: Path) -> Manifest:
    """The manifest of a run's folder."""
    path = inside(root, MANIFEST_FILE)
    try:
        data = read_json_file(path, _REMEDY)
        schema = data.get("schema") if isinstance(data, dict) else None
        if isinstance(schema, int) and schema > SCHEMA:
            raise RegraspError(f"{path} was written by a newer Regrasp: upgrade to read it.")
        if isinstance(data, dict) and isinstance(like := data.get("like"), dict):
            like.setdefault("digest", "")  # schema 1 had none
            like.setdefault("estimates", str(Estimates.PRIVILEGED))  # the only ones until then
            like.setdefault("cameras", [])  # all of them until then
        return _checked(decode_document(Manifest, data, path, _REMEDY), path)
    except FileNotFoundError:
        raise RegraspError(
            f"{root} is no run of a suite: it has no {MANIFEST_FILE}. Name the folder that "
            "`regrasp bench SUITE --out` was given."
        ) from None


def _checked(manifest: Manifest, path: Path) -> Manifest:
    """The manifest if its parts agree: results of one configuration never go by another's name."""
    key, found = manifest.like.key, manifest.configuration
    named = {"suite": key.suite, "llm": key.llm, "vlm": key.vlm}
    wrong = [name for name, value in named.items() if found.get(name) != value]
    if manifest.digest != _digest(found) or wrong:
        raise RegraspError(
            f"{path} was changed after it was written: its configuration does not match "
            f"{', '.join(wrong) or 'its digest'}. Restore the file, or run the suite again."
        )
    return manifest


def write_manifest(root: Path, manifest: Manifest) -> None:
    """Write the manifest atomically."""
    path = root / MANIFEST_FILE
    try:
        write_json(path, to_json(manifest))
    except OSError as error:
        raise RegraspError(f"cannot write {path}: {error.strerror}.") from error
