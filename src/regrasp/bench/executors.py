"""Executors by name."""

from __future__ import annotations

from regrasp.bench.executor import Executor, LocalPool
from regrasp.core.errors import RegraspError

__all__ = ["open_executor"]


def open_executor(name: str, workers: int, memory_mb: float = 4000.0) -> Executor:
    """The executor of that name: `local`, `ray` (an existing cluster, or a new one on this
    machine) or `ray://HOST:PORT`. `workers` and `memory_mb` are the local one's."""
    if name == "local":
        return LocalPool(workers, memory_mb=memory_mb)
    if name == "ray" or name.startswith("ray://"):
        from regrasp.bench.ray_cluster import RayCluster  # noqa: PLC0415

        return RayCluster(None if name == "ray" else name)
    raise RegraspError(f"unknown executor {name!r}: give local, ray, or ray://HOST:PORT.")
