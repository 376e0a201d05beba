"""The independent fit of yes/no votes that the score test starts from: EM on patterns.

Arrays in, arrays out. A vote left out leaves its factor out. Error rates carry a Beta(1 + a, 1 + a)
prior with a tiny a, so that no rate reaches 0 or 1, where scores do not exist.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.em import Problem, best_em
from algeval.aggregate.kernels.ising import Parameters
from algeval.aggregate.kernels.two_classes import starting_points
from algeval.aggregate.prevalence import PrevalenceRule
from algeval.aggregate.votes import vote_sums
from algeval.models.binary import Floats, expit, log_expit, logit


class NullFit(NamedTuple):
    """Fitted fields and prevalence, posterior of label 1, and whether EM stopped by itself."""

    parameters: Parameters
    posterior: Floats
    converged: bool


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
    rule: PrevalenceRule,
    starts: int,
    rng: np.random.Generator,
    max_iter: int,
) -> NullFit:
    """Return the best of several EM climbs; a prior on the prevalence is not used."""
    k = votes.shape[1]
    problem = Problem(
        votes=vote_sums(votes.astype(np.int16), 2),
        counts=counts.astype(float),
        pseudo=np.full((k, 2, 2), policy.PSEUDO_VOTES),
        prevalence=replace(rule, pseudo=np.zeros(2)),
    )
    points = [np.stack([1 - held, held], axis=1) for held in starting_points(votes, starts, rng)]
    _, fits = best_em(problem, points, tol=policy.NULL_TOL, max_iter=max_iter)
    fit = max(fits, key=lambda one: one.log_likelihood)
    share = float(np.clip(fit.prevalence[1], policy.EDGE, 1 - policy.EDGE))
    parameters = Parameters(
        logit(fit.confusion[:, :, 1].T), np.zeros((2, k, k)), float(logit(share))
    )
    return NullFit(parameters, fit.posterior[:, 1], fit.converged)


def filled(parameters: Parameters, votes: NDArray[np.int8], label: int) -> Floats:
    """Return (U, K): the votes, with a vote left out replaced by its chance given the label."""
    chance = expit(parameters.h[label])
    return np.where(votes < 0, chance, votes.astype(float))


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
