"""Latent-factor laws: judges independent given the label and a hidden normal factor.

Balasubramanian et al., Proposition 1 and equation (21). Given the factor z, judge j votes 1 with log-odds
eta_j + lambda_j . z. The factor is integrated out by a dense trapezoid rule, whose step follows
the narrowest peak the integrand can have: a fixed Gauss-Hermite rule is badly wrong for many judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data.names import set_fields
from algeval.errors import DataError, TooLargeError
from algeval.models.binary import Floats, check_votes, expit, log_expit, log_sum_exp, logit
from algeval.models.curie_weiss import log_binomials

__all__ = [
    "ExchangeableFactor",
    "Factor",
    "independent_cut",
    "limiting_excess_risk",
    "second_order",
    "trapezoid",
]

_REACH = 9.0
_MOST_NODES = 200_000


def trapezoid(sharpness: float, rank: int = 1) -> tuple[Floats, Floats]:
    """Nodes and log-weights that integrate against the standard normal density.

    Parameters
    ----------
    sharpness : float
        Curvature of the log-integrand at its sharpest, sum over j of lambda_j^2 / 4: the step is
        a third of the width it implies, where the trapezoid rule's error is below 1e-15.
    rank : int
        Number of factors; the nodes are a grid.

    Returns
    -------
    nodes : (Q, rank) array
    log_weights : (Q,) array
    """
    step = min(0.25, 1.0 / (3.0 * sqrt(1.0 + sharpness)))
    half = int(np.ceil(_REACH / step))
    if (2 * half + 1) ** rank > _MOST_NODES:
        raise TooLargeError(
            f"the factors need {(2 * half + 1) ** rank:,} nodes, more than {_MOST_NODES:,}; "
            "lower the rank or the loadings"
        )
    line = np.arange(-half, half + 1) * step
    grid = np.stack(np.meshgrid(*([line] * rank), indexing="ij"), axis=-1).reshape(-1, rank)
    log_weights = -0.5 * (grid**2).sum(axis=1)
    return grid, log_weights - log_sum_exp(log_weights)


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """The law of one class's votes with a hidden normal factor (Balasubramanian et al., Proposition 1).

    Parameters
    ----------
    intercepts : (K,) array
        eta_j: log-odds of a 1 from judge j at factor 0.
    loadings : (K,) or (K, r) array
        lambda_j: how the factors, independent standard normals, move judge j's log-odds.

    Examples
    --------
    >>> Factor([0.0, 0.0], [2.0, 2.0]).log_probability([[1, 1]]).round(4).tolist()
    [-1.0539]
    """

    intercepts: Floats
    loadings: Floats

    def __init__(self, intercepts: ArrayLike, loadings: ArrayLike) -> None:
        eta, lam = np.array(intercepts, float), np.array(loadings, float)
        lam = lam[:, None] if lam.ndim == 1 else lam
        if eta.ndim != 1 or not len(eta) or lam.ndim != 2 or len(lam) != len(eta):
            raise DataError(
                f"loadings must have one row per intercept; got shapes {eta.shape} and {lam.shape}"
            )
        if not (np.isfinite(eta).all() and np.isfinite(lam).all()):
            raise DataError("intercepts and loadings must be finite; got one that is not")
        set_fields(self, intercepts=eta, loadings=lam)

    @property
    def n_judges(self) -> int:
        """Number of judges, K."""
        return len(self.intercepts)

    def _nodes(self) -> tuple[Floats, Floats]:
        sharpness = float((self.loadings**2).sum()) / 4
        nodes, log_weights = trapezoid(sharpness, self.loadings.shape[1])
        return self.intercepts + nodes @ self.loadings.T, log_weights

    def log_probability(self, votes: ArrayLike) -> Floats:
        """Return (U,): log-probability of each row; a vote left out (-1) leaves its factor out."""
        rows = check_votes(votes, self.n_judges)
        odds, log_weights = self._nodes()
        log_one, log_zero = log_expit(odds).T, log_expit(-odds).T
        result = np.empty(len(rows))
        width = max(1, 4_000_000 // len(log_weights))
        for start in range(0, len(rows), width):
            part = rows[start : start + width]
            inner = (part == 1) @ log_one + (part == 0) @ log_zero + log_weights
            result[start : start + width] = log_sum_exp(inner)
        return result

    def marginals(self) -> Floats:
        """Return (K,): each judge's chance of voting 1."""
        odds, log_weights = self._nodes()
        return np.exp(log_weights) @ expit(odds)

    def sample(self, n: int, rng: np.random.Generator | int) -> NDArray[np.int8]:
        """Return (n, K) votes: the factor drawn first, then each vote given it."""
        generator = np.random.default_rng(rng)
        z = generator.standard_normal((n, self.loadings.shape[1]))
        chance = expit(self.intercepts + z @ self.loadings.T)
        return (generator.random(chance.shape) < chance).astype(np.int8)


def second_order(law: Factor) -> tuple[Floats, Floats]:
    """Fields and couplings of the Ising law near a weak factor (Balasubramanian et al., eq. 14).

    Couplings lambda_j . lambda_k; the error is of the fourth order in the loadings (the paper
    states the third). The law is `Ising(*second_order(law))`.

    Examples
    --------
    >>> _, W = second_order(Factor([0.0, 0.0], [0.1, 0.2]))
    >>> round(float(W[0, 1]), 12)
    0.02
    """
    p = expit(law.intercepts)
    gram = law.loadings @ law.loadings.T
    own = gram.diagonal().copy()
    W = gram - np.diag(own)
    h: Floats = law.intercepts + (0.5 - p) * own - W @ p
    return h, W


@dataclass(frozen=True, slots=True)
class ExchangeableFactor:
    """The law of equal judges who share one factor: K + 1 probabilities (Balasubramanian et al., eq. 21).

    Parameters
    ----------
    n_judges : int
        K >= 1.
    intercept : float
        Log-odds of a 1 at factor 0: b + a (2 y - 1) in the paper.
    spread : float
        Standard deviation of the shared part of the log-odds: |lambda| sigma_Z in the paper,
        whose sign cannot be seen.

    Examples
    --------
    >>> ExchangeableFactor(2, 0.0, 2.0).pmf().round(4).tolist()
    [0.3486, 0.3029, 0.3486]
    """

    n_judges: int
    intercept: float
    spread: float

    def log_pmf(self) -> Floats:
        """Return (K + 1,): log-probability of each number of 1 votes."""
        k = self.n_judges
        nodes, log_weights = trapezoid(k * self.spread**2 / 4)
        odds = self.intercept + self.spread * nodes[:, 0]
        log_one, log_zero = log_expit(odds), log_expit(-odds)
        binomials = log_binomials(k)
        result = np.empty(k + 1)
        for n_yes in range(k + 1):
            inner = n_yes * log_one + (k - n_yes) * log_zero + log_weights
            result[n_yes] = binomials[n_yes] + log_sum_exp(inner)
        return result

    def pmf(self) -> Floats:
        """Return (K + 1,): probability of each number of 1 votes."""
        return np.exp(self.log_pmf())

    def to_factor(self) -> Factor:
        """Same law with one loading per judge."""
        equal = np.ones(self.n_judges)
        return Factor(self.intercept * equal, self.spread * equal)


def limiting_excess_risk(prevalence: float, *, a: float, b: float, spread: float) -> float:
    """How much worse than Bayes independence is with endlessly many equal judges.

    Balasubramanian et al., Theorem 3. With all judges the share of 1 votes shows theta = b + a (2 y - 1) plus
    normal noise of sd |lambda| sigma_Z; both rules cut theta once, so the excess is closed form.

    Parameters
    ----------
    prevalence : float
        Chance of label 1.
    a, b : float
        Log-odds of a 1 are b + a (2 y - 1) at factor 0; a > 0.
    spread : float
        |lambda| sigma_Z > 0.

    Examples
    --------
    >>> round(limiting_excess_risk(0.7, a=0.5, b=1.0, spread=1.0), 5)
    0.03355
    """
    if a <= 0 or spread <= 0:
        raise DataError(f"a and spread must be positive; got {a} and {spread}; swap the labels")
    best = b - float(logit(prevalence)) * spread**2 / (2 * a)
    q0 = float(Factor([b - a], [spread]).marginals()[0])
    q1 = float(Factor([b + a], [spread]).marginals()[0])
    cut = float(logit(independent_cut(q0, q1)))
    low, high = min(best, cut), max(best, cut)
    mass1 = _between((low - b - a) / spread, (high - b - a) / spread)
    mass0 = _between((low - b + a) / spread, (high - b + a) / spread)
    return abs(prevalence * mass1 - (1 - prevalence) * mass0)


def independent_cut(q0: float, q1: float) -> float:
    """Share of 1 votes from which independence decides 1, with endlessly many judges."""
    fewer = np.log1p(-q0) - np.log1p(-q1)
    return float(fewer / (fewer + np.log(q1) - np.log(q0)))


def _between(low: float, high: float) -> float:
    """Standard normal chance of (low, high), from the tail nearer to it."""
    if low + high < 0:
        low, high = -high, -low
    return 0.5 * (erfc(low / sqrt(2)) - erfc(high / sqrt(2)))
