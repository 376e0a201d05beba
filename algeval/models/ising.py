"""Ising laws of yes/no votes: exact partition function, moments, posterior and samples.

Balasubramanian et al., equation (1): P(J) is proportional to exp(h . J + J' W J / 2) on {0, 1}^K, W symmetric
with zero diagonal. Everything is exact by listing the 2^K patterns, built by doubling so that
the energies and all the moments together cost a few passes over 2^K numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data.names import set_fields
from algeval.errors import DataError
from algeval.models.binary import (
    Floats,
    TwoClass,
    check_enumerable,
    check_votes,
    completions,
    draw_patterns,
    logit,
)
from algeval.result.base import Record

__all__ = ["BayesRule", "Ising", "bayes_rule", "energies", "log_partition", "moments"]

_MOST_FILLED = 8
"""Up to so many votes left out in a row, its completions are listed; beyond, the law is summed."""


def energies(fields: Floats, couplings: Floats) -> Floats:
    """Return (2^K,): h . J + J' W J / 2 of every pattern, in lexicographic order.

    Parameters
    ----------
    fields : (K,) array
    couplings : (K, K) array
        Symmetric with zero diagonal; only the part above the diagonal is read.
    """
    k = len(fields)
    result = np.empty(1 << k)
    line = np.empty(1 << max(k - 1, 0))
    result[0] = 0.0
    for judge in range(k - 1, -1, -1):
        size = 1 << (k - 1 - judge)
        line[0] = fields[judge]
        for other in range(k - 1, judge, -1):
            half = 1 << (k - 1 - other)
            np.add(line[:half], couplings[judge, other], out=line[half : 2 * half])
        np.add(result[:size], line[:size], out=result[size : 2 * size])
    return result


def moments(weights: Floats) -> tuple[float, Floats, Floats]:
    """Sum of the weights of all patterns, and their first and second moments.

    Parameters
    ----------
    weights : (2^K,) array
        Any measure on patterns in lexicographic order; moments are divided by its sum.

    Returns
    -------
    total : float
    mean : (K,) array
        E[J_j].
    second : (K, K) array
        E[J_j J_k]; the diagonal is the mean.
    """
    k = len(weights).bit_length() - 1
    second = np.zeros((k, k))
    rest = weights
    for judge in range(k):
        size = 1 << (k - 1 - judge)
        upper = rest[size:]
        second[judge, judge] = upper.sum()
        part = upper
        for other in range(judge + 1, k):
            half = 1 << (k - 1 - other)
            second[judge, other] = second[other, judge] = part[half:].sum()
            part = part[:half] + part[half:]
        rest = rest[:size] + upper
    total = float(rest[0])
    second /= total
    return total, second.diagonal().copy(), second


def log_partition(fields: Floats, couplings: Floats) -> tuple[float, Floats, Floats]:
    """Log Z with its gradient: the means E[J_j] and the second moments E[J_j J_k]."""
    weights = energies(fields, couplings)
    top = float(weights.max())
    weights -= top
    np.exp(weights, out=weights)
    total, mean, second = moments(weights)
    return top + float(np.log(total)), mean, second


@dataclass(frozen=True, slots=True, eq=False)
class Ising:
    """The law of one class's votes with fields and pairwise couplings (Balasubramanian et al., eq. 1).

    Use it as the truth of a simulation, or to read the parameters an aggregator fitted.
    At most 24 judges: the partition function is a sum over all patterns.

    Parameters
    ----------
    fields : (K,) array
        h_j: log-odds of a 1 from judge j when all others vote 0.
    couplings : (K, K) array
        W_jk: how much a 1 from judge k adds to judge j's log-odds; symmetric, zero diagonal.

    Raises
    ------
    DataError
        If the shapes do not fit or the couplings are not symmetric with a zero diagonal.
    TooLargeError
        For more than 24 judges.

    Examples
    --------
    >>> law = Ising([0.0, 0.0], [[0.0, 1.0], [1.0, 0.0]])
    >>> law.probabilities().round(4).tolist()
    [0.1749, 0.1749, 0.1749, 0.4754]
    """

    fields: Floats
    couplings: Floats
    log_z: float
    _mean: Floats
    _second: Floats

    def __init__(self, fields: ArrayLike, couplings: ArrayLike) -> None:
        h, W = _check_parameters(fields, couplings)
        log_z, mean, second = log_partition(h, W)
        set_fields(self, fields=h, couplings=W, log_z=log_z, _mean=mean, _second=second)

    @classmethod
    def from_spins(cls, fields: ArrayLike, couplings: ArrayLike) -> Ising:
        """Build from the law exp(h . x + x' W x / 2) on spins x = 2 J - 1 (Balasubramanian et al., Remark 2).

        In votes the couplings are 4 W and the fields 2 h - 2 sum over k of W_jk.

        Examples
        --------
        >>> law = Ising.from_spins([0.5, 0.0], [[0.0, 0.1], [0.1, 0.0]])
        >>> law.fields.tolist(), law.couplings[0].tolist()
        ([0.8, -0.2], [0.0, 0.4])
        """
        h, W = _check_parameters(fields, couplings)
        return cls(2 * h - 2 * W.sum(axis=1), 4 * W)

    @property
    def n_judges(self) -> int:
        """Number of judges, K."""
        return len(self.fields)

    def probabilities(self) -> Floats:
        """Return (2^K,): the probability of every pattern, in lexicographic order."""
        return np.exp(energies(self.fields, self.couplings) - self.log_z)

    def log_probability(self, votes: ArrayLike) -> Floats:
        """Return (U,): log-probability of each row; votes left out (-1) are summed over exactly."""
        rows = check_votes(votes, self.n_judges)
        sparse = (rows == -1).sum(axis=1) > _MOST_FILLED
        result = np.empty(len(rows))
        result[~sparse] = self._by_completion(rows[~sparse])
        if sparse.any():
            result[sparse] = self._by_marginal(rows[sparse])
        return result

    def _by_completion(self, votes: NDArray[np.int8]) -> Floats:
        rows, origin = completions(votes)
        J = rows.astype(float)
        energy = J @ self.fields + 0.5 * ((J @ self.couplings) * J).sum(axis=1)
        starts = np.flatnonzero(np.diff(origin, prepend=-1))
        result: Floats = np.logaddexp.reduceat(energy, starts) if len(rows) else energy
        return result - self.log_z

    def _by_marginal(self, votes: NDArray[np.int8]) -> Floats:
        """Sum the listed probabilities once per set of judges who answered."""
        table = self.probabilities().reshape((2,) * self.n_judges)
        sets, set_of = np.unique(votes >= 0, axis=0, return_inverse=True)
        result = np.empty(len(votes))
        for number, answered in enumerate(sets):
            chosen = set_of.ravel() == number
            chance = table.sum(axis=tuple(np.flatnonzero(~answered)))
            result[chosen] = chance[tuple(votes[chosen][:, answered].astype(np.intp).T)]
        return np.log(result)

    def marginals(self) -> Floats:
        """Return (K,): each judge's chance of voting 1."""
        return self._mean

    def second_moments(self) -> Floats:
        """Return (K, K): the chance that both judges vote 1; the diagonal is the marginals."""
        return self._second

    def sample(self, n: int, rng: np.random.Generator | int) -> NDArray[np.int8]:
        """Return (n, K) votes, exact draws from the listed probabilities."""
        return draw_patterns(self.probabilities(), n, rng)


@dataclass(frozen=True, slots=True, eq=False)
class BayesRule(Record):
    """The best decision from the votes in closed form (Balasubramanian et al., eqs. 2 and 5).

    Decide label 1 when ``intercept + linear . J + sum over j<k of quadratic_jk J_j J_k >= 0``.

    Attributes
    ----------
    intercept : float
    linear : (K,) array
    quadratic : (K, K) array
        Symmetric with zero diagonal; all zero when the classes share their couplings.
    """

    intercept: float
    linear: Floats
    quadratic: Floats

    @property
    def is_linear(self) -> bool:
        """Whether the rule is a weighted vote."""
        return not self.quadratic.any()

    def log_odds(self, votes: ArrayLike) -> Floats:
        """Return (U,): log-odds of label 1 for complete rows of votes."""
        rows = check_votes(votes, len(self.linear))
        if (rows == -1).any():
            raise DataError(
                "votes must be complete for the closed form; got one left out; use posterior()"
            )
        J = rows.astype(float)
        result: Floats = (
            self.intercept + J @ self.linear + 0.5 * ((J @ self.quadratic) * J).sum(axis=1)
        )
        return result

    def decide(self, votes: ArrayLike) -> NDArray[np.int8]:
        """Return (U,): the label decided for each row; a tie decides 1."""
        return (self.log_odds(votes) >= 0).astype(np.int8)


def bayes_rule(mixture: TwoClass) -> BayesRule:
    """Bayes' rule of two Ising classes in closed form (Balasubramanian et al., eqs. 2 and 5).

    Raises
    ------
    DataError
        If a class is not an Ising law.

    Examples
    --------
    >>> rule = bayes_rule(TwoClass(0.5, Ising([0.0], [[0.0]]), Ising([1.0], [[0.0]])))
    >>> rule.linear.tolist(), rule.is_linear
    ([1.0], True)
    """
    no, yes = mixture.negative, mixture.positive
    if not isinstance(no, Ising) or not isinstance(yes, Ising):
        raise DataError(
            "both classes must be Ising laws; got "
            f"{type(no).__name__} and {type(yes).__name__}; use log_odds() instead"
        )
    return BayesRule(
        intercept=float(logit(mixture.prevalence)) + no.log_z - yes.log_z,
        linear=yes.fields - no.fields,
        quadratic=yes.couplings - no.couplings,
    )


def _check_parameters(fields: ArrayLike, couplings: ArrayLike) -> tuple[Floats, Floats]:
    h, W = np.array(fields, float), np.array(couplings, float)
    if h.ndim != 1 or not len(h):
        raise DataError(f"fields must be one number per judge; got shape {h.shape}")
    check_enumerable(len(h))
    if W.shape != (len(h), len(h)):
        raise DataError(f"couplings must have shape {(len(h), len(h))}; got {W.shape}")
    if not (np.isfinite(h).all() and np.isfinite(W).all()):
        raise DataError("fields and couplings must be finite; got one that is not")
    if W.diagonal().any() or not np.array_equal(W, W.T):
        raise DataError("couplings must be symmetric with a zero diagonal; got others; fix them")
    return h, W
