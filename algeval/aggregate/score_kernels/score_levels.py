"""Ordered levels of scores: a judge's distinct scores, or bins of them where there are many.

Arrays in, arrays out. Levels depend on the order of a judge's scores alone: an increasing map of them
gives the same codes.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.data import NOT_ANSWERED
from algeval.data.names import Codes

__all__ = ["Levels"]


class Levels(NamedTuple):
    """For each judge where its levels are cut, (C_j - 1,), and the score of each level, (C_j,).

    A judge with at most `policy.MOST_LEVELS` distinct scores has a level for each. Others are binned
    by their share of lower scores (ties at mid-rank); the score of a bin is the median of those in it.
    """

    cuts: tuple[Floats, ...]
    scores: tuple[Floats, ...]

    @classmethod
    def of(cls, values: Floats) -> Self:
        """Return the levels of (rows, N) scores, NaN where missing."""
        found = [_levels_of(column[~np.isnan(column)]) for column in values.T]
        return cls(tuple(cuts for cuts, _ in found), tuple(scores for _, scores in found))

    @property
    def sizes(self) -> NDArray[np.intp]:
        """(N,) the number of levels of each judge, 0 where it gave no score."""
        return np.array([len(scores) for scores in self.scores], np.intp)

    def codes(self, values: Floats) -> Codes:
        """Return (rows, N) levels, -1 where missing; other scores get the level they lie in."""
        result = np.full(values.shape, NOT_ANSWERED, np.int16)
        for j, (cuts, scores) in enumerate(zip(self.cuts, self.scores, strict=True)):
            given = ~np.isnan(values[:, j])
            if len(scores):
                result[given, j] = np.searchsorted(cuts, values[given, j])
        return result

    def below(self, cut: float) -> NDArray[np.intp]:
        """Return (N,) how many levels of each judge have a score below the cut."""
        return np.array([np.searchsorted(scores, cut) for scores in self.scores], np.intp)


def _levels_of(given: Floats) -> tuple[Floats, Floats]:
    distinct, counts = np.unique(given, return_counts=True)
    if len(distinct) <= policy.MOST_LEVELS:
        return (distinct[:-1] + distinct[1:]) / 2, distinct
    middle = (np.cumsum(counts) - counts / 2) / counts.sum()
    last = np.flatnonzero(np.diff(np.floor(policy.MOST_LEVELS * middle)))
    cuts = (distinct[last] + distinct[last + 1]) / 2
    level = np.searchsorted(cuts, given)
    scores = np.array([np.median(given[level == c]) for c in range(len(cuts) + 1)])
    return cuts, scores
