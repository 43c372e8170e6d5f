"""`python -m train.walker --out DIR`: train the walking policy on a GPU, and write its weights."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import jax
import jax.numpy as jp
import numpy as np
from train.walker.bodies import bodies, plain_model
from train.walker.network import load, new_networks, save
from train.walker.ppo import FIRST_RATE, Learner, learning, next_rate
from train.walker.task import EPISODE, Task

_SAVE_EVERY = 100


def main() -> None:
    """Train until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where the weights go")
    parser.add_argument("--seconds", type=float, default=420.0, help="in all, compilation included")
    parser.add_argument("--iterations", type=int, default=100_000, help="at most")
    parser.add_argument("--worlds", type=int, default=4096)
    parser.add_argument("--tell", type=int, default=20, help="how it goes every so many iterations")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=Path, help="learner.npz or walker.npz to go on from")
    parser.add_argument("--listen", type=int, default=0, help="iterations for the critic alone")
    given = parser.parse_args()
    began = time.time()
    given.out.mkdir(parents=True, exist_ok=True)
    plain = plain_model()
    task = Task(plain)
    a, b, c, d = jax.random.split(jax.random.key(given.seed), 4)
    model, axes, carried = bodies(plain, np.random.default_rng(given.seed), given.worlds)
    networks = load(given.start) if given.start else new_networks(a)
    nothing = jax.tree.map(jp.zeros_like, networks)
    walks = jax.jit(jax.vmap(task.reset))(jax.random.split(b, given.worlds))
    # As if they had begun at other times, so that they are not all reset at once.
    walks = walks._replace(age=jax.random.randint(d, (given.worlds,), 0, EPISODE))
    learner = Learner(networks, nothing, nothing, jp.zeros(()), walks, c)
    # Where an iteration leaves it, or the second would be compiled anew.
    learner = jax.device_put(learner, jax.devices()[0])
    iteration, rate = learning(task, model, axes, carried), FIRST_RATE
    print(f"{jax.devices()[0]}, {given.worlds} worlds", flush=True)
    for n in range(given.iterations):
        learner, how = iteration(learner, jp.asarray(rate, jp.float32))
        if n < given.listen:
            kept = learner.networks._replace(policy=networks.policy, spread=networks.spread)
            learner = learner._replace(networks=kept)
        else:
            rate = next_rate(rate, float(how.change))
        gone = time.time() - began
        if n == 0:
            print(f"compiled after {gone:.0f} s", flush=True)
        last = gone > given.seconds or n == given.iterations - 1
        if n % given.tell == 0 or last:
            forward, left, turn, height = how.error
            print(
                f"{n:5d}  reward {how.reward:.3f}  falls/s {how.falls:.3f}  error "
                f"vx {forward:.3f} vy {left:.3f} m/s  yaw {turn:.3f} rad/s  height {height:.3f} m  "
                f"spread {how.spread:.2f}  rate {rate:.1e}  {gone:.0f} s", flush=True,
            )  # fmt: skip
        if n % _SAVE_EVERY == 0 or last:
            save(learner.networks, given.out)
        if last:
            break


if __name__ == "__main__":
    main()
