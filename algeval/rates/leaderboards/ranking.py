"""From an estimate to the numbers of each system: rating, interval, ranks, wins."""

from __future__ import annotations

from math import inf, log, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.rates import policy
from algeval.rates.leaderboards.battles import Battles
from algeval.rates.leaderboards.estimate import Estimate
from algeval.rates.leaderboards.outcomes import FIRST, SECOND, TIE
from algeval.rates.leaderboards.rank_sets import largest_gap, quantile, rank_sets
from algeval.rates.leaderboards.results import Rated
from algeval.rates.leaderboards.sandwich import Sandwich

__all__ = ["Ranking", "ranking", "rated"]

Floats = NDArray[np.float64]


class Ranking(NamedTuple):
    """Numbers of all systems, in the order of the battles.

    Attributes
    ----------
    ratings, errors : (k,) arrays
        Standard errors are infinite where there is none.
    covariance : (k, k) array
    wide : float
        Standard errors from a rating to the end of its interval.
    ranks : list of (best, worst)
    """

    ratings: Floats
    errors: Floats
    covariance: Floats
    wide: float
    ranks: list[tuple[int, int]]

    @property
    def order(self) -> list[int]:
        """Places of the systems, best first; those without a rating stand last."""
        below = np.where(np.isnan(self.ratings), inf, -self.ratings)
        return [int(k) for k in np.lexsort((np.isnan(self.ratings), below))]

    def ends(self, place: int) -> tuple[float, float]:
        """Return the interval of one rating."""
        if not np.isfinite(self.errors[place]):
            return -inf, inf
        reach = self.wide * self.errors[place]
        return float(self.ratings[place] - reach), float(self.ratings[place] + reach)


def ranking(estimate: Estimate, level: float, seed: int) -> Ranking:
    """Return what is known of each system."""
    k, n = len(estimate.standing.ends), estimate.n_clusters
    told = np.isinf(estimate.standing.ends) & (estimate.failed in ("", "scale"))
    ratings = np.where(told, estimate.standing.ends, nan)
    errors, covariance, ranks = np.full(k, inf), np.full((k, k), nan), [(1, k)] * k
    if estimate.found is None:
        return Ranking(ratings, errors, covariance, nan, ranks)
    main, own = estimate.main, _ratings_only(estimate.found, len(estimate.main))
    ratings[main] = estimate.found.fit.parameters[: len(main)]
    if n < 2:
        return Ranking(ratings, errors, covariance, nan, ranks)
    errors[main] = np.sqrt(np.maximum(np.diag(own), 0))
    covariance[np.ix_(main, main)] = own
    gap = largest_gap(own, n - 1, level, np.random.default_rng(seed))
    sets = rank_sets(ratings[main], own, gap)
    for one, (best, worst) in zip(main.tolist(), sets, strict=True):
        ranks[one] = (best, worst + k - len(main))
    return Ranking(ratings, errors, covariance, quantile(n - 1, level), ranks)


def _ratings_only(found: Sandwich, m: int) -> Floats:
    return found.covariance[:m, :m]


def rated(battles: Battles, numbers: Ranking) -> tuple[Rated, ...]:
    """Return a record per system, best first."""
    k = len(battles.systems)
    sides = (battles.first, FIRST, SECOND), (battles.second, SECOND, FIRST)
    wins, losses, ties = np.sum(
        [
            [np.bincount(who[battles.outcome == end], minlength=k) for end in (won, lost, TIE)]
            for who, won, lost in sides
        ],
        axis=0,
    ).tolist()
    return tuple(
        _rated(battles.systems[one], numbers, one, (wins[one], losses[one], ties[one]))
        for one in numbers.order
    )


def _rated(system: str, numbers: Ranking, one: int, counts: tuple[int, int, int]) -> Rated:
    low, high = numbers.ends(one)
    rating = float(numbers.ratings[one])
    wins, losses, ties = counts
    return Rated(
        system=system,
        rating=rating,
        low=low,
        high=high,
        elo=_elo(rating),
        elo_low=_elo(low),
        elo_high=_elo(high),
        best_rank=numbers.ranks[one][0],
        worst_rank=numbers.ranks[one][1],
        battles=wins + losses + ties,
        wins=wins,
        losses=losses,
        ties=ties,
    )


def _elo(rating: float) -> float:
    return policy.ELO_CENTRE + policy.ELO_POINTS / log(10) * rating
