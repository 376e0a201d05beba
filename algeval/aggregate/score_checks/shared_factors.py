"""The factors behind scores, fitted in every number there may be."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_checks.results import FactorCount, ResidualPair
from algeval.aggregate.score_kernels.factor_choice import HeldOut, criteria, held_out
from algeval.aggregate.score_kernels.factor_fit import Factors, fit_factors, freedom
from algeval.aggregate.score_kernels.factors import (
    FactorLaw,
    posterior,
    residual_correlations,
    voices,
)
from algeval.aggregate.score_kernels.normal_scores import NormalScores
from algeval.aggregate.score_kernels.rotation import breadth, varimax
from algeval.data import Scores
from algeval.progress import steps

__all__ = ["SharedFactors"]

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class SharedFactors:
    """Factors behind normal scores: one, two turned by varimax, and how well each number does.

    Attributes
    ----------
    values : (n_items, N) normal scores
    fits : one for each number of factors, from 0 on
    turn : (k, k) varimax turn of two factors, (0, 0) where they cannot be told apart
    held : what held-out scores say, None where there are too few clusters
    n_held : int
        Items that were held out in turn.
    """

    values: Floats
    fits: tuple[Factors, ...]
    turn: Floats
    held: HeldOut | None
    n_held: int

    @classmethod
    def of(cls, data: Scores, clusters: Places, *, folds: int, seed: int) -> SharedFactors:
        """Fit the scores, which must settle one factor."""
        values = NormalScores.of(data.values).transform(data.values)

        def fitted(k: int) -> Factors:
            return fit_factors(values, k, rng=np.random.default_rng(seed))

        one = fitted(1)
        speaking = int((~one.silent).sum())
        ks = [k for k in range(policy.MOST_SHARED + 1) if k < 2 or freedom(speaking, k) >= 0]
        fits = tuple(one if k == 1 else fitted(k) for k in steps(ks, "fitting factors", even=False))
        turn = varimax(fits[2].law.standard_loading).turn if len(fits) > 2 else np.zeros((0, 0))
        rng = np.random.default_rng(seed)
        rows = _sample(values, clusters, rng)
        if len(np.unique(clusters[rows])) < 2:
            return cls(values, fits, turn, None, 0)
        told = held_out(values[rows], clusters[rows], rng=rng, ks=tuple(ks), folds=folds)
        return cls(values, fits, turn, told, len(rows))

    @property
    def one(self) -> FactorLaw:
        """The law of one factor."""
        return self.fits[1].law

    @property
    def two(self) -> FactorLaw | None:
        """The law of two factors after the turn."""
        if not len(self.turn):
            return None
        law = self.fits[2].law
        return law._replace(loading=law.loading @ self.turn)

    @property
    def converged(self) -> bool:
        """Whether every climb did."""
        return all(fit.end.converged for fit in self.fits) and (
            self.held is None or self.held.converged
        )

    def choice(self) -> tuple[FactorCount, ...]:
        """Return how well each number of factors does."""
        n_items = int((~np.isnan(self.values)).any(axis=1).sum())
        speaking = int((~self.fits[1].silent).sum())
        found = []
        for k, fit in enumerate(self.fits):
            plain, extended = criteria(fit.log_likelihood, k, n_items, speaking)
            found.append(FactorCount(k, *self._held(k), bic=plain, extended_bic=extended))
        return tuple(found)

    def _held(self, k: int) -> tuple[float | None, float | None, float | None]:
        if self.held is None:
            return None, None, None
        per_item, gain, error = self.held.per_item, self.held.gain, self.held.gain_se
        return float(per_item[k]), float(gain[k]), float(error[k])

    def residuals(self, judges: tuple[str, ...]) -> tuple[ResidualPair, ...]:
        """Return the pairs of judges whose residuals correlate most, either way, strongest first."""
        left = residual_correlations(self.one, self.values)
        pairs = sorted(combinations(range(len(judges)), 2), key=lambda pair: -abs(left[pair]))
        return tuple(
            ResidualPair(judges[i], judges[j], float(left[i, j]))
            for i, j in pairs[: policy.MOST_PAIRS]
            if left[i, j] != 0
        )

    def noise(self, law: FactorLaw | None) -> Floats:
        """Return (N,) the share of each judge's variance that a law leaves; nothing without one."""
        if law is None:
            return np.zeros(0)
        size = law.variance
        return np.where(size > 0, law.noise / np.where(size > 0, size, 1.0), 1.0)

    def turned_loading(self) -> Floats:
        """Return (N, 2) loadings on the turned factors, or (N, 0)."""
        return (
            np.zeros((self.values.shape[1], 0)) if self.two is None else self.two.standard_loading
        )

    def scores(self) -> Floats:
        """Return (n_items, 1 + k) where items stand on one factor and on each turned factor."""
        laws = [self.one] if self.two is None else [self.one, self.two]
        return np.column_stack([posterior(law, self.values).mean for law in laws])

    def heard(self) -> tuple[Floats, Floats]:
        """Return (k,) how many judges load on each turned factor, and (1 + k,) how many each score hears."""
        two = np.zeros(0) if self.two is None else voices(self.two)
        return breadth(self.turned_loading()), np.concatenate([voices(self.one), two])


def _sample(values: Floats, clusters: Places, rng: np.random.Generator) -> Places:
    """Return rows of whole clusters, drawn at random, of at most `policy.HELD_OUT_CELLS` cells."""
    rows = np.arange(len(values))
    if values.size <= policy.HELD_OUT_CELLS:
        return rows
    order = rng.permutation(int(clusters.max()) + 1)
    sizes = np.bincount(clusters, minlength=len(order))[order]
    taken = order[np.cumsum(sizes) * values.shape[1] <= policy.HELD_OUT_CELLS]
    chosen: Places = rows[np.isin(clusters, taken)]
    return chosen
