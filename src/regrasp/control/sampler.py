"""Sampling of candidate plans and choice of the next plan: predictive sampling and MPPI.

A plan is `knots` (P, 7): palm position (m, world), palm rotation vector (rad, relative to the
forward frame), and the finger command (m), linear between knots. Both samplers propose around the
present plan; they differ only in how they choose from the costs of the roll-outs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from regrasp.core.arrays import Array

__all__ = ["MPPI", "PredictiveSampling", "Sampler"]

CLOSE, OPEN = -0.02, 0.04  # finger commands (m): past closed squeezes


class Sampler(Protocol):
    """Proposes candidate knots and chooses the next plan from their costs."""

    samples: int

    def propose(self, knots: Array, rng: np.random.Generator, noise: float) -> Array:
        """(P, 7) and a noise factor give (N, P, 7); the first candidate is `knots` itself."""
        ...

    def choose(self, candidates: Array, costs: Array) -> Array:
        """(N, P, 7) and (N,) give the (P, 7) to follow."""
        ...


@dataclass
class PredictiveSampling:
    """Follow the cheapest sample (Howell et al. 2022).

    The noise is a mixture, because a hand far from its goal needs large steps and a hand near it
    millimetres: scales log-uniform in [`finest`, 1.3], half the samples shift all knots together,
    a third move along one axis only, and some switch the fingers at a random knot.
    """

    samples: int = 32
    position: float = 0.08
    rotation: float = 0.30
    finest: float = 0.05
    switch: float = 0.35

    def propose(self, knots: Array, rng: np.random.Generator, noise: float) -> Array:
        """Candidates around `knots`; see the class."""
        n, (p, c) = self.samples, knots.shape
        spread = np.array([self.position] * 3 + [self.rotation] * 3 + [0.0]) * noise
        draw = rng.standard_normal((n, p, c))
        together = rng.random((n, 1, 1)) < 0.5
        draw = np.where(together, draw[:, :1] * np.linspace(0.4, 1.0, p)[None, :, None], draw)
        scale = np.exp(rng.uniform(np.log(self.finest), np.log(1.3), (n, 1, 1)))
        kind = rng.random((n, 1, 1))
        axis = np.arange(c) == rng.integers(0, c - 1, (n, 1, 1))
        some = rng.random((n, 1, c)) < 0.5
        mask = np.where(kind < 0.35, axis, np.where(kind < 0.65, some, True))
        candidates = knots + draw * scale * spread * mask
        switching = rng.random((n, 1)) < self.switch
        after = np.arange(p) >= rng.integers(0, p, (n, 1))
        command = np.where(rng.random((n, 1)) < 0.5, OPEN, CLOSE)
        candidates[:, :, 6] = np.where(switching & after, command, candidates[:, :, 6])
        candidates[0] = knots
        return candidates

    def choose(self, candidates: Array, costs: Array) -> Array:
        """The cheapest."""
        return np.array(candidates[int(np.argmin(costs))])


@dataclass
class MPPI(PredictiveSampling):
    """Average the samples, weighted by exp(-cost / temperature) (Williams et al. 2017).

    The temperature is relative to the spread between the best and the median cost. Finger commands
    are discrete events and are taken from the best sample.
    """

    temperature: float = 0.05

    def choose(self, candidates: Array, costs: Array) -> Array:
        """The weighted mean."""
        best = int(np.argmin(costs))
        spread = max(float(np.median(costs) - costs[best]), 1e-9)
        weights = np.exp(-(costs - costs[best]) / (self.temperature * spread))
        knots: Array = np.einsum("n,npc->pc", weights / weights.sum(), candidates)
        knots[:, 6] = candidates[best, :, 6]
        return knots
