"""The independent fit of yes/no votes that the score test starts from: EM on patterns.

Arrays in, arrays out. A vote left out leaves its factor out. Error rates carry a Beta(1 + a, 1 + a)
prior with a tiny a, so that no rate reaches 0 or 1, where scores do not exist.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.kernels.ising import Parameters, starting_points
from algeval.models.binary import Floats, expit, log_expit, logit

_PSEUDO_VOTES = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class NullFit:
    """Fitted fields and prevalence, posterior of label 1, log-likelihood, and whether it stopped."""

    parameters: Parameters
    posterior: Floats
    log_likelihood: float
    converged: bool
    iterations: int


def null_joint(parameters: Parameters, votes: NDArray[np.int8]) -> Floats:
    """Return (U, 2): log-probability of each pattern with each label."""
    ones, zeros = (votes == 1).astype(float), (votes == 0).astype(float)
    prior = np.array([log_expit(-parameters.log_odds), log_expit(parameters.log_odds)])
    result: Floats = ones @ log_expit(parameters.h).T + zeros @ log_expit(-parameters.h).T + prior
    return result


def fit_independent(
    votes: NDArray[np.int8],
    counts: NDArray[np.int64],
    *,
    log_odds: float | None,
    starts: int,
    rng: np.random.Generator,
    max_iter: int,
) -> NullFit:
    """Return the best of several EM climbs, label 1 being what the majority says."""
    fits = [
        _em(held, votes, counts.astype(float), log_odds, max_iter)
        for held in starting_points(votes, starts, rng)
    ]
    return max(fits, key=lambda fit: fit.log_likelihood)


def _em(
    held: Floats, votes: NDArray[np.int8], counts: Floats, known: float | None, max_iter: int
) -> NullFit:
    ones, zeros = (votes == 1).astype(float), (votes == 0).astype(float)
    k = votes.shape[1]
    last = np.full((2, k), np.nan)
    for step in range(1, max_iter + 1):
        weights = np.stack([1 - held, held]) * counts
        said_one = weights @ ones + _PSEUDO_VOTES
        rate = said_one / (said_one + weights @ zeros + _PSEUDO_VOTES)
        share = float(np.clip(weights[1].sum() / counts.sum(), 1e-9, 1 - 1e-9))
        log_odds = float(logit(share)) if known is None else known
        parameters = Parameters(logit(rate), np.zeros((2, k, k)), log_odds)
        joint = null_joint(parameters, votes)
        total = np.logaddexp(joint[:, 0], joint[:, 1])
        held = np.exp(joint[:, 1] - total)
        if np.abs(rate - last).max() < 1e-9:
            return NullFit(parameters, held, float(counts @ total), True, step)
        last = rate
    return NullFit(parameters, held, float(counts @ total), False, max_iter)


def filled(parameters: Parameters, votes: NDArray[np.int8], label: int) -> Floats:
    """Return (U, K): the votes, with a vote left out replaced by its chance given the label."""
    chance = expit(parameters.h[label])
    result: Floats = np.where(votes < 0, chance, votes.astype(float))
    return result


def null_scores(
    parameters: Parameters,
    votes: NDArray[np.int8],
    *,
    couplings: int,
    prevalence_free: bool,
) -> tuple[Floats, Floats]:
    """Return (U, d) scores and (U,) log-probabilities of patterns under independence.

    Columns: fields of class 0, of class 1, prevalence if free, then couplings around the means.
    """
    joint = null_joint(parameters, votes)
    total = np.logaddexp(joint[:, 0], joint[:, 1])
    share = np.exp(joint - total[:, None])
    left, right = np.triu_indices(votes.shape[1], 1)
    center = expit(parameters.h).mean(axis=0)
    fields, pairs = [], []
    for y in range(2):
        chance = expit(parameters.h[y])
        J = filled(parameters, votes, y)
        fields.append(share[:, y : y + 1] * (J - chance))
        moved, mean = J - center, chance - center
        expected = mean[left] * mean[right]
        pairs.append(share[:, y : y + 1] * (moved[:, left] * moved[:, right] - expected))
    if prevalence_free:
        fields.append(share[:, 1:] - expit(parameters.log_odds))
    tested = [pairs[0] + pairs[1]] if couplings == 1 else pairs
    return np.concatenate(fields + tested, axis=1), total
