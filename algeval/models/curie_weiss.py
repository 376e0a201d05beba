"""Curie-Weiss laws: every pair of judges equally coupled, so only the number of 1 votes matters.

Balasubramanian et al., equations (6), (7) and (30). With spins x = 2 J - 1 and S their sum,
P(x) is proportional to exp(beta S^2 / (2 K) + h S). All numbers here come from the K + 1
probabilities of the count of 1 votes, so hundreds of thousands of judges are cheap, and samples are
exact (Glauber dynamics freezes in one phase when beta > 1 and gets the weights of the phases wrong).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data.names import check_whole
from algeval.errors import DataError
from algeval.models.binary import Floats, check_votes, log_sum_exp
from algeval.models.ising import Ising

__all__ = ["CurieWeiss", "Separation", "log_binomials", "magnetisation", "separation"]


@dataclass(frozen=True, slots=True)
class CurieWeiss:
    """The Curie-Weiss law of the votes of one class.

    Parameters
    ----------
    n_judges : int
        K >= 1.
    beta : float
        Coupling; above 1 (and a field near 0) most judges agree, on either answer.
    field : float
        h; above 0 favours votes of 1.

    Examples
    --------
    >>> law = CurieWeiss(3, 1.5)
    >>> law.pmf().round(4).tolist()
    [0.3556, 0.1444, 0.1444, 0.3556]
    """

    n_judges: int
    beta: float
    field: float = 0.0

    def __post_init__(self) -> None:
        check_whole("n_judges", self.n_judges)
        if not (np.isfinite(self.beta) and np.isfinite(self.field)):
            raise DataError(f"beta and field must be finite; got {self.beta} and {self.field}")

    def log_pmf(self) -> Floats:
        """Return (K + 1,): log-probability of each number of 1 votes."""
        k = self.n_judges
        spin_sum = 2.0 * np.arange(k + 1) - k
        energy = log_binomials(k) + self.beta * spin_sum**2 / (2 * k) + self.field * spin_sum
        return energy - log_sum_exp(energy)

    def pmf(self) -> Floats:
        """Return (K + 1,): probability of each number of 1 votes."""
        return np.exp(self.log_pmf())

    def log_probability(self, votes: ArrayLike) -> Floats:
        """Return (U,): log-probability of each row; votes left out (-1) are summed over exactly."""
        rows = check_votes(votes, self.n_judges)
        n_yes, answered = (rows == 1).sum(axis=1), (rows >= 0).sum(axis=1)
        result = np.empty(len(rows))
        log_pmf = self.log_pmf()
        for size in np.unique(answered):
            table = partial_log_probability(log_pmf, int(size))
            chosen = answered == size
            result[chosen] = table[n_yes[chosen]]
        return result

    def marginals(self) -> Floats:
        """Return (K,): the chance of voting 1, the same for every judge."""
        k = self.n_judges
        return np.full(k, self.pmf() @ np.arange(k + 1) / k)

    def sample(self, n: int, rng: np.random.Generator | int) -> NDArray[np.int8]:
        """Return (n, K) votes: the count from its probabilities, the places at random."""
        k = self.n_judges
        generator = np.random.default_rng(rng)
        count = generator.choice(k + 1, size=n, p=self.pmf())
        ranks = generator.permuted(np.broadcast_to(np.arange(k), (n, k)), axis=1)
        return (ranks < count[:, None]).astype(np.int8)

    def zero_one_parameters(self) -> tuple[Floats, Floats]:
        """Return (K,) fields and (K, K) couplings on {0, 1} (Balasubramanian et al., Theorem 1).

        W = 4 beta / K between every two judges, fields 2 h - 2 beta (1 - 1 / K).
        """
        k = self.n_judges
        W = np.full((k, k), 4 * self.beta / k)
        np.fill_diagonal(W, 0.0)
        return np.full(k, 2 * self.field - 2 * self.beta * (1 - 1 / k)), W

    def to_ising(self) -> Ising:
        """Same law with fields and couplings on {0, 1}, for at most 24 judges."""
        return Ising(*self.zero_one_parameters())


def log_binomials(k: int) -> Floats:
    """Return (K + 1,): log of the binomial coefficients (K over r)."""
    table = np.array([lgamma(r + 1) for r in range(k + 1)])
    result: Floats = table[k] - table - table[::-1]
    return result


def partial_log_probability(log_pmf: Floats, size: int) -> Floats:
    """Return (size + 1,): log-probability of one pattern of `size` given judges with s ones.

    Judges are exchangeable: sum over the total r of pmf(r) (K - size over r - s) / (K over r).
    """
    k = len(log_pmf) - 1
    per_pattern = log_pmf - log_binomials(k)
    log_keys = log_binomials(k - size)
    return np.array(
        [log_sum_exp(per_pattern[s : s + k - size + 1] + log_keys) for s in range(size + 1)]
    )


def magnetisation(beta: float, field: float = 0.0) -> float:
    """Mean-field magnetisation: the largest root of m = tanh(beta m + field).

    For beta <= 1 the root is the only one; for beta > 1 and field 0 it is the positive one.
    With a negative field, the root is minus that of the opposite field.

    Examples
    --------
    >>> round(magnetisation(1.5), 6)
    0.85856
    """
    if field < 0:
        return -magnetisation(beta, -field)
    low, high = (1e-12, 1.0) if field == 0 else (0.0, 1.0)
    if field == 0 and beta <= 1:
        return 0.0
    for _ in range(200):
        middle = (low + high) / 2
        if np.tanh(beta * middle + field) > middle:
            low = middle
        else:
            high = middle
    return float((low + high) / 2)


@dataclass(frozen=True, slots=True)
class Separation:
    """The limits of Balasubramanian et al., Theorem 2, as the number of judges grows.

    Attributes
    ----------
    m0 : float
        Magnetisation of class 0.
    m_star : float
        Size of the magnetisation of class 1, whose sign is random.
    p : float
        Weight of the right phase of class 1.
    q0, q1 : float
        Limits (not values at finite K) of the marginals.
    independent_risk : float
        Limit pi (1 - p) of the risk of the rule that assumes independence; Bayes' goes to 0.
    """

    m0: float
    m_star: float
    p: float
    q0: float
    q1: float
    independent_risk: float


def separation(
    prevalence: float, *, beta0: float, field0: float, beta1: float, c: float
) -> Separation:
    """Limits of Theorem 2: class 1 has field c / K, class 0 a fixed negative field.

    Raises
    ------
    DataError
        If the theorem's conditions, (8) among them, do not hold.

    Examples
    --------
    >>> s = separation(0.7, beta0=0.5, field0=-0.5, beta1=2.0, c=1.5)
    >>> round(s.independent_risk, 5)
    0.03747
    """
    if not (0 < beta0 < 1 < beta1 and field0 < 0 < c):
        raise DataError(
            "the theorem must have 0 < beta0 < 1 < beta1 and field0 < 0 < c; got "
            f"beta0={beta0}, beta1={beta1}, field0={field0}, c={c}"
        )
    m0, m_star = magnetisation(beta0, field0), magnetisation(beta1)
    p = float(1 / (1 + np.exp(-2 * c * m_star)))
    q0, q1 = (1 + m0) / 2, (1 + (2 * p - 1) * m_star) / 2
    if (1 - m_star) / 2 >= q0:
        raise DataError(
            f"the theorem must have (1 - m_star) / 2 < q0; got {(1 - m_star) / 2:.4f} and {q0:.4f}; "
            "raise beta1 or field0"
        )
    return Separation(m0, m_star, p, q0, q1, prevalence * (1 - p))
