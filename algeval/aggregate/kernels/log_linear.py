"""The penalised likelihood of two log-linear classes on the table of all vote patterns.

Arrays in, arrays out. Terms are products of centred votes, J_j - m_j with m the mean votes, so that
exchanging the two answers only changes signs and the penalty does not notice; with pairs only they
are the coordinates of `kernels.ising`. The gradient is the M-step's at the current posteriors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.kernels.two_classes import CompletedProblem, complete
from algeval.models.binary import Floats, expit, log_expit, log_sum_exp, patterns
from algeval.models.log_linear import set_energies, set_moments, sets_of_size


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogLinearProblem(CompletedProblem):
    """Votes and terms.

    `place` is the row of each completed pattern in the table of all patterns; `singles` and
    `terms` are the places of single judges and of the sets with a term.
    """

    place: NDArray[np.int64]
    singles: NDArray[np.int64]
    terms: NDArray[np.int64]

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        """Of fields and of terms."""
        return (self.field_ridge, 2 * self.k), (self.ridge, len(self.terms))


def make_log_linear_problem(
    votes: NDArray[np.int8], counts: NDArray[np.int64], *, order: int, **settings: Any
) -> LogLinearProblem:
    """Place the completed patterns in the table, and list the sets of 2 to `order` judges."""
    rows, told = complete(votes, counts)
    k = votes.shape[1]
    bits = 1 << np.arange(k - 1, -1, -1)
    return LogLinearProblem(
        place=rows.astype(np.int64) @ bits,
        singles=bits,
        terms=np.array([bits[list(s)].sum() for s in sets_of_size(k, 2, order)], np.int64),
        **told,
        **settings,
    )


def class_coefficients(theta: Floats, problem: LogLinearProblem) -> Floats:
    """Return (2, 2^K): the centred coefficients of each class, over sets of judges."""
    k = problem.k
    result = np.zeros((2, 1 << k))
    result[:, problem.singles] = theta[: 2 * k].reshape(2, k)
    result[:, problem.terms] = theta[2 * k : 2 * k + len(problem.terms)]
    return result


def plain_coefficients(theta: Floats, problem: LogLinearProblem) -> Floats:
    """Return (2, 2^K): the coefficients of plain products of votes (Balasubramanian et al., eq. 20)."""
    result = class_coefficients(theta, problem)
    for y in range(2):
        for judge, m in enumerate(problem.center):
            part = result[y].reshape(1 << judge, 2, -1)
            part[:, 0] -= m * part[:, 1]
    return result


def _tables(theta: Floats, problem: LogLinearProblem) -> Floats:
    rows = [set_energies(c, problem.center) for c in class_coefficients(theta, problem)]
    result = np.stack(rows)
    return result - log_sum_exp(result)[:, None]


def _joint(tables: Floats, theta: Floats, problem: LogLinearProblem) -> Floats:
    return tables[:, problem.place].T + log_expit(np.array([-1.0, 1.0]) * problem.odds(theta))


def log_linear_posteriors(theta: Floats, problem: LogLinearProblem) -> tuple[Floats, Floats]:
    """Return the posterior of label 1 and the log-probability of each observed pattern."""
    return problem.posteriors(_joint(_tables(theta, problem), theta, problem))


def log_linear_value(
    theta: Floats, problem: LogLinearProblem, held: Floats | None = None
) -> tuple[float, Floats]:
    """Return the penalised log-likelihood and its gradient; with `held` label posteriors fixed."""
    tables = _tables(theta, problem)
    weights, height = problem.weigh(_joint(tables, theta, problem), held)
    slopes = []
    for y in range(2):
        seen = np.bincount(problem.place, weights[:, y], tables.shape[1])
        slopes.append(set_moments(seen - seen.sum() * np.exp(tables[y]), problem.center))
    blocks = [slope[problem.singles] for slope in slopes]
    blocks.append((slopes[0] + slopes[1])[problem.terms])
    blocks += problem.odds_slope(theta, weights.sum(axis=0))
    return problem.penalised(theta, height, blocks)


def log_linear_scores(
    coefficients: Floats, terms: NDArray[np.int64], log_odds: float
) -> tuple[Floats, Floats]:
    """Return the gradient of each pattern's log-probability, and the probabilities themselves.

    Parameters
    ----------
    coefficients : (2, 2^K) array
        Of plain products of votes, per class.
    terms : (T,) array
        Places of the sets whose coefficient the classes share.

    Returns
    -------
    scores : (2^K, 2K + T + 1) array
        Columns: fields of class 0, of class 1, shared terms, log-odds of the prevalence.
    chance : (2^K,) array
    """
    k = coefficients.shape[1].bit_length() - 1
    zero = np.zeros(k)
    singles = 1 << np.arange(k - 1, -1, -1)
    logs = np.stack([set_energies(c, zero) for c in coefficients])
    logs -= log_sum_exp(logs)[:, None]
    means = [set_moments(np.exp(one), zero) for one in logs]
    joint = logs.T + log_expit(np.array([-1.0, 1.0]) * log_odds)
    total = log_sum_exp(joint)
    share = np.exp(joint - total[:, None])
    votes = patterns(k).astype(float)
    inside = (np.arange(1 << k)[:, None] & terms) == terms
    blocks = [share[:, y : y + 1] * (votes - means[y][singles]) for y in range(2)]
    blocks.append(inside - share @ np.stack([mean[terms] for mean in means]))
    blocks.append(share[:, 1:] - expit(log_odds))
    return np.concatenate(blocks, axis=1), np.exp(total)
