"""Estimates of log Z for more judges than can be enumerated.

Arrays in, arrays out. Annealed importance sampling is unbiased for Z and tells its own error; the
mean-field value is a bound that misses by whole nats where couplings are strong, and starts the
annealing.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from algeval.aggregate import policy
from algeval.models.binary import Floats, expit, log_expit, logit


@dataclass(frozen=True, slots=True, eq=False)
class Annealed:
    """Estimated log Z, its standard error, and (K,) estimated means of the votes."""

    log_z: float
    error: float
    mean: Floats


def mean_field(
    h: Floats, W: Floats, sweeps: int = policy.MEAN_FIELD_SWEEPS
) -> tuple[float, Floats]:
    """Return the mean-field lower bound on log Z and its means (damped fixed point)."""
    m = expit(h + 0.5 * W.sum(axis=1))
    for _ in range(sweeps):
        m = 0.5 * m + 0.5 * expit(h + W @ m)
    m = np.clip(m, policy.SHARE_EDGE, 1 - policy.SHARE_EDGE)
    entropy = -(m * np.log(m) + (1 - m) * np.log1p(-m)).sum()
    return float(h @ m + 0.5 * m @ W @ m + entropy), m


def annealed_log_partition(
    h: Floats,
    W: Floats,
    seed: int,
    *,
    chains: int = policy.CHAINS,
    steps: int = policy.ANNEALING_STEPS,
) -> Annealed:
    """Anneal from independent votes with the mean-field means to the coupled law.

    The seed is part of the estimate: equal seeds give a smooth function of h and W.
    """
    rng = np.random.default_rng(seed)
    _, m = mean_field(h, W)
    base = logit(np.clip(m, policy.BASE_EDGE, 1 - policy.BASE_EDGE))
    J = (rng.random((chains, len(h))) < expit(base)).astype(float)
    log_weight = np.zeros(chains)
    temperatures = np.linspace(0, 1, steps + 1)
    for low, high in itertools.pairwise(temperatures):
        gain = J @ (h - base) + 0.5 * ((J @ W) * J).sum(axis=1)
        log_weight += (high - low) * gain
        _sweep(J, (1 - high) * base + high * h, high * W, rng)
    top = log_weight.max()
    weight = np.exp(log_weight - top)
    start = float(-log_expit(-base).sum())
    average = float(weight.mean())
    error = float(weight.std(ddof=1) / (average * np.sqrt(chains)))
    return Annealed(start + top + float(np.log(average)), error, weight @ J / weight.sum())


def _sweep(J: Floats, h: Floats, W: Floats, rng: np.random.Generator) -> None:
    """Draw every judge's vote in turn given the others, in all chains at once, in place."""
    luck = rng.random(J.shape)
    for judge in range(J.shape[1]):
        J[:, judge] = luck[:, judge] < expit(h[judge] + J @ W[judge])
