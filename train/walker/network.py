"""Policy and critic: two small networks, and the files they are kept in."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jp
import numpy as np

from regrasp.control.gait import ACTIONS, OBSERVATIONS

__all__ = ["PRIVILEGED", "Networks", "forward", "load", "log_chance", "new_networks", "save"]

Array = Any
Layers = tuple[tuple[Array, Array], ...]  # weights (in, out) and biases (out,)

PRIVILEGED = 13
"""How many more numbers the critic sees than the policy: it is not needed after training."""
_HIDDEN = (256, 128)
_SPREAD = -0.7  # logarithm of the standard deviation of actions at the start
_LATER_SPREAD = -1.4  # and of a policy that walks already


class Networks(NamedTuple):
    """What is learnt."""

    policy: Layers
    critic: Layers
    spread: Array  # (10,) logarithm of the standard deviation of each action


def new_networks(key: Array) -> Networks:
    """Networks that do nearly nothing."""
    a, b = jax.random.split(key)
    return Networks(
        _layers(a, (OBSERVATIONS, *_HIDDEN, ACTIONS)),
        _layers(b, (OBSERVATIONS + PRIVILEGED, *_HIDDEN, 1)),
        jp.full(ACTIONS, _SPREAD, jp.float32),
    )


def _layers(key: Array, sizes: tuple[int, ...]) -> Layers:
    layers = []
    for n, (fan_in, fan_out) in enumerate(pairwise(sizes)):
        gain = 0.05 if n == len(sizes) - 2 else 1.0
        draw = jax.random.normal(jax.random.fold_in(key, n), (fan_in, fan_out))
        layers.append((gain * np.sqrt(2 / fan_in) * draw, jp.zeros(fan_out)))
    return tuple(layers)


def forward(layers: Layers, x: Array) -> Array:
    """ELU between the layers, nothing after the last."""
    for weights, biases in layers[:-1]:
        x = jax.nn.elu(x @ weights + biases)
    return x @ layers[-1][0] + layers[-1][1]


def log_chance(networks: Networks, mean: Array, action: Array) -> Array:
    """Logarithm of the density of an action, but for a constant."""
    away = (action - mean) / jp.exp(networks.spread)
    return (-0.5 * away**2 - networks.spread).sum(-1)


def save(networks: Networks, folder: Path) -> None:
    """`walker.npz`, the policy as the package runs it; `learner.npz`, all that `load` goes on from.

    Each goes to a new file that then takes the old one's name, so that neither is ever half there.
    """
    policy = {f"{n}{kind}": np.asarray(x, np.float32) for n, layer in enumerate(networks.policy)
              for kind, x in zip("wb", layer, strict=True)}  # fmt: skip
    everything = {str(n): np.asarray(x) for n, x in enumerate(jax.tree.leaves(networks))}
    for name, arrays in (("walker", policy), ("learner", everything)):
        fresh = folder / f"{name}.new.npz"
        np.savez(fresh, **arrays)
        fresh.replace(folder / f"{name}.npz")


def load(path: Path) -> Networks:
    """The networks of an earlier run's `learner.npz`; of its `walker.npz`, with a new critic."""
    empty = new_networks(jax.random.key(0))
    with np.load(path) as kept:
        if "0w" in kept.files:
            layers = range(len(empty.policy))
            policy = tuple((jp.asarray(kept[f"{n}w"]), jp.asarray(kept[f"{n}b"])) for n in layers)
            return empty._replace(policy=policy, spread=jp.full(ACTIONS, _LATER_SPREAD, jp.float32))
        leaves = [jp.asarray(kept[str(n)]) for n in range(len(kept.files))]
    return jax.tree.unflatten(jax.tree.structure(empty), leaves)
