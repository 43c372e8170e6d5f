"""Proximal policy optimisation: walk a while in all worlds, then learn from it. No library.

Settings are those of table 4 in DoReMi's appendix B, but for its decay of weights: there is none.
Beside it the policy learns to do in the mirror what it does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jp
from train.walker.mirror import done_otherwise, seen_otherwise
from train.walker.network import Networks, forward, log_chance

if TYPE_CHECKING:  # whoever learns something simpler needs no physics
    from train.walker.task import Task, Walk

__all__ = ["Learner", "Progress", "learning", "next_rate"]

Array = Any

STEPS, EPOCHS, BATCHES = 24, 5, 4
DISCOUNT, TRACE, CLIP, ENTROPY = 0.99, 0.95, 0.2, 0.005
CHANGE = 0.01
"""How far the policy should move in an iteration (Kullback-Leibler); the rate follows it."""
FIRST_RATE, _RATES = 5e-4, (1e-5, 2e-3)
_EVEN = 0.5  # what it costs to do something else in the mirror
_BETA1, _BETA2, _LARGEST_NORM = 0.9, 0.999, 1.0


class Learner(NamedTuple):
    """Everything that an iteration changes."""

    networks: Networks
    mean: Networks  # Adam's running mean of the gradient
    square: Networks  # and of its square
    updates: Array
    walks: Walk
    key: Array


class Progress(NamedTuple):
    """How an iteration went, over all worlds and steps of it."""

    change: Array
    reward: Array
    falls: Array  # a second
    error: Array  # (4,) forward, left, yaw rate, height
    spread: Array


class _Steps(NamedTuple):
    """What was seen and done: (steps, worlds, …)."""

    seen: Array
    known: Array  # by the critic
    action: Array
    log_chance: Array
    earned: Array
    reward: Array  # and what the critic expects of the time that was cut off
    value: Array
    ended: Array
    fell: Array
    error: Array


def next_rate(rate: float, change: float) -> float:
    """A lower learning rate if the policy moved too far, a higher one if hardly."""
    if change > 2 * CHANGE:
        rate /= 1.5
    elif change < CHANGE / 2:
        rate *= 1.5
    return min(max(rate, _RATES[0]), _RATES[1])


def learning(
    task: Task, model: Any, axes: Any, load: Array
) -> Callable[[Learner, Array], tuple[Learner, Progress]]:
    """One iteration as a function of the learner and the learning rate, compiled.

    `model` holds the bodies of all worlds, `axes` says which of its arrays differ between them,
    and `load` (worlds, 1) is what they carry.
    """
    worlds = load.shape[0]
    step = jax.vmap(task.step, in_axes=(axes, 0, 0))
    observe, reset = jax.vmap(task.observe), jax.vmap(task.reset)
    privileged = jax.vmap(task.privileged)

    def value(networks: Networks, walks: Walk) -> tuple[Array, Array]:
        known = jp.concatenate([observe(walks), privileged(walks, load)], axis=1)
        return known, forward(networks.critic, known)[:, 0]

    def act(networks: Networks, model: Any, walks: Walk, key: Array) -> tuple[Walk, _Steps]:
        a, b, c = jax.random.split(key, 3)
        seen = observe(walks, jax.random.split(a, worlds))
        known, worth = value(networks, walks)
        mean = forward(networks.policy, seen)
        action = mean + jp.exp(networks.spread) * jax.random.normal(b, mean.shape)
        after, came = step(model, walks, action)
        # Time that is up is no fall: what would have come after is worth what the critic says.
        beyond = jp.where(came.over & ~came.fell, value(networks, after)[1], 0.0)
        ended = came.over | came.fell
        after = _where(ended, reset(jax.random.split(c, worlds)), after)
        return after, _Steps(
            seen, known, action, log_chance(networks, mean, action),
            came.reward, came.reward + DISCOUNT * beyond, worth, ended, came.fell, came.error,
        )  # fmt: skip

    @jax.jit
    def iteration(learner: Learner, rate: Array, model: Any) -> tuple[Learner, Progress]:
        networks = learner.networks
        key, a, b = jax.random.split(learner.key, 3)
        walks, steps = jax.lax.scan(
            lambda walks, k: act(networks, model, walks, k),
            learner.walks,
            jax.random.split(a, STEPS),
        )
        gain = _advantages(steps, value(networks, walks)[1])
        batch = (steps.seen, steps.known, steps.action, steps.log_chance, gain, gain + steps.value)
        batch = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), batch)
        learner, change = _learn(learner, batch, rate, b)
        progress = Progress(
            change, steps.earned.mean(), steps.fell.mean() * 50, steps.error.mean((0, 1)),
            jp.exp(learner.networks.spread).mean(),
        )  # fmt: skip
        return learner._replace(walks=walks, key=key), progress

    return lambda learner, rate: iteration(learner, rate, model)


def _where(ended: Array, fresh: Walk, old: Walk) -> Walk:
    def choose(new: Array, now: Array) -> Array:
        return jp.where(ended.reshape(-1, *(1,) * (now.ndim - 1)), new, now)

    return jax.tree.map(choose, fresh, old)


def _advantages(steps: _Steps, last: Array) -> Array:
    """Generalised advantage estimates, backwards over the steps (steps, worlds)."""
    following = jp.concatenate([steps.value[1:], last[None]])

    def back(sum_: Array, x: tuple[Array, Array, Array, Array]) -> tuple[Array, Array]:
        reward, value, ended, after = x
        surprise = reward + DISCOUNT * after * (1 - ended) - value
        sum_ = surprise + DISCOUNT * TRACE * (1 - ended) * sum_
        return sum_, sum_

    x = (steps.reward, steps.value, steps.ended, following)
    return jax.lax.scan(back, jp.zeros_like(last), x, reverse=True)[1]


def _learn(learner: Learner, batch: Any, rate: Array, key: Array) -> tuple[Learner, Array]:
    """`EPOCHS` times through the batch in `BATCHES` parts; gives how far the policy moved."""
    count = batch[0].shape[0]

    def part(learner: Learner, rows: Array) -> tuple[Learner, Array]:
        some = jax.tree.map(lambda x: x[rows], batch)
        gradient, change = jax.grad(_loss, has_aux=True)(learner.networks, some)
        return _adam(learner, gradient, rate), change

    def epoch(learner: Learner, key: Array) -> tuple[Learner, Array]:
        rows = jax.random.permutation(key, count).reshape(BATCHES, -1)
        return jax.lax.scan(part, learner, rows)

    learner, change = jax.lax.scan(epoch, learner, jax.random.split(key, EPOCHS))
    return learner, change.mean()


def _loss(networks: Networks, batch: Any) -> tuple[Array, Array]:
    seen, known, action, before, gain, worth = batch
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    mean = forward(networks.policy, seen)
    now = log_chance(networks, mean, action)
    ratio = jp.exp(now - before)
    policy = -jp.minimum(ratio * gain, jp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    critic = ((forward(networks.critic, known)[:, 0] - worth) ** 2).mean()
    # An unbiased estimate of the divergence that is never negative.
    change = (ratio - 1 - (now - before)).mean()
    mirrored = forward(networks.policy, seen_otherwise(seen))
    uneven = ((mirrored - done_otherwise(mean)) ** 2).sum(-1).mean()
    loss = policy + 0.5 * critic - ENTROPY * networks.spread.sum() + _EVEN * uneven
    return loss, change


def _adam(learner: Learner, gradient: Networks, rate: Array) -> Learner:
    norm = jp.sqrt(sum((g**2).sum() for g in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g * jp.minimum(1.0, _LARGEST_NORM / (norm + 1e-6)), gradient)
    n = learner.updates + 1
    mean = jax.tree.map(lambda m, g: _BETA1 * m + (1 - _BETA1) * g, learner.mean, gradient)
    square = jax.tree.map(lambda s, g: _BETA2 * s + (1 - _BETA2) * g * g, learner.square, gradient)
    networks = jax.tree.map(
        lambda x, m, s: x - rate * (m / (1 - _BETA1**n)) / (jp.sqrt(s / (1 - _BETA2**n)) + 1e-8),
        learner.networks, mean, square,
    )  # fmt: skip
    return learner._replace(networks=networks, mean=mean, square=square, updates=n)
