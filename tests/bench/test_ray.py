"""A real Ray cluster of two nodes on this machine gives what the local pool gives."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tiny_runs import LIKE, TINY, Tiny, comparable

from regrasp.bench.executor import LocalPool, open_executor
from regrasp.bench.manifest import EpisodeSelection
from regrasp.bench.ray_cluster import RayCluster
from regrasp.bench.record import EpisodeJob
from regrasp.bench.runner import prepare, run_jobs
from regrasp.bench.store import load_results
from regrasp.core.errors import RegraspError
from regrasp.core.outcome import Outcome

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

HAS_RAY = importlib.util.find_spec("ray") is not None
NEEDS_RAY = pytest.mark.skipif(
    not HAS_RAY, reason="Ray is not installed: pip install 'regrasp[ray]'"
)


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[Cluster]:
    """A cluster whose two nodes have one core each."""
    from ray.cluster_utils import Cluster

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "ray_client_server_port": port}
    )
    try:
        cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        cluster.for_clients = f"ray://{cluster.head_node.node_ip_address}:{port}"
        yield cluster
    finally:
        cluster.shutdown()


@NEEDS_RAY
def test_two_nodes_give_what_the_local_pool_gives(tmp_path: Path, two_nodes: Cluster) -> None:
    near, far = Tiny(tmp_path / "near"), Tiny(tmp_path / "far")
    near.run()
    far.run(executor=RayCluster(two_nodes.address))
    assert comparable(far.root) == comparable(near.root)
    assert not list(far.root.glob("episodes/*/*/.*"))


@NEEDS_RAY
@pytest.mark.long
def test_real_episodes_are_the_same_there_and_here(tmp_path: Path, two_nodes: Cluster) -> None:
    like = EpisodeJob("replan", replace(LIKE.key, suite="replan"), size=(96, 72))
    asked = EpisodeSelection(
        ("cubes-match", "cubes-occupied"), ("full", "language-to-rewards"), (0,)
    )
    for name, executor in (("near", LocalPool(2)), ("far", RayCluster(two_nodes.address))):
        run = prepare("replan", tmp_path / name, asked=asked, like=like)
        list(run_jobs(run.jobs, run.root, executor))
    near = comparable(tmp_path / "near")
    assert len(near) == 4 and all(r.outcome is not Outcome.BROKEN for r, _ in near)
    assert comparable(tmp_path / "far") == near


@NEEDS_RAY
def test_trouble_on_a_node_is_broken_and_hurts_nobody_else(tiny: Tiny, two_nodes: Cluster) -> None:
    like = replace(LIKE, limits=replace(LIKE.limits, wall_s=8.0))
    asked = EpisodeSelection(("one", "two", "four"), ("a", "trouble"), (0,))
    run = prepare(TINY, tiny.root, asked=asked, like=like)
    list(run_jobs(run.jobs, tiny.root, RayCluster(two_nodes.address)))
    records = {(r.key.task, r.key.method): r for r in load_results(tiny.root).records}
    assert all(records[task, "a"].outcome is not Outcome.BROKEN for task, _ in records)
    why = {task: r.reason for (task, method), r in records.items() if method == "trouble"}
    assert (
        why["one"] == "ZeroDivisionError: divided by a cup (in tiny_suite.py, line 73, in trouble)"
    )
    lost = "its process on the cluster died, or was stopped after 8 s"
    assert (why["two"], why["four"]) == (lost, lost)


@NEEDS_RAY
def test_a_cluster_that_is_not_there_is_said_to_be_so(tiny: Tiny) -> None:
    with pytest.raises(RegraspError, match=r"no Ray cluster answers at 127\.0\.0\.1:1"):
        tiny.run(executor=RayCluster("127.0.0.1:1"))


@NEEDS_RAY
@pytest.mark.long
def test_a_client_gets_the_same(tmp_path: Path, two_nodes: Cluster) -> None:
    """By ray://, as from a laptop outside; the last, because Ray does not go back from that."""
    near, far = Tiny(tmp_path / "near"), Tiny(tmp_path / "far")
    near.run()
    far.run(executor=open_executor(two_nodes.for_clients, 2))
    assert comparable(far.root) == comparable(near.root)


@pytest.mark.skipif(HAS_RAY, reason="Ray is installed")
def test_without_ray_the_remedy_is_named(tiny: Tiny) -> None:
    with pytest.raises(RegraspError, match=r"pip install 'regrasp\[ray\]'"):
        tiny.run(executor=open_executor("ray", 1))
