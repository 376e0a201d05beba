"""Scales on which judges' scores are compared: as given, standardised, or as normal scores.

Arrays in, arrays out; a scale is learnt from (n_items, N) scores, NaN where missing, and then read off
for those or for others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from scipy.special import ndtri

from algeval.aggregate.kernels.one_factor import scale_of
from algeval.aggregate.results import Floats

__all__ = ["Affine", "JudgeScale", "NormalScores", "ScaleName", "Ties", "judge_scale"]

ScaleName = Literal["raw", "standardised", "normal"]
Ties = Literal["mean", "middle"]


class NormalScores(NamedTuple):
    """For each judge the distinct scores it gave, in order, and the normal score of each."""

    scores: list[Floats]
    levels: list[Floats]

    @classmethod
    def of(cls, values: Floats, ties: Ties = "mean") -> Self:
        """Learn the normal scores of each judge: rank r of n becomes Phi^-1((r - 1/2) / n).

        Equal scores share one level: the mean of the normal scores of their ranks, or with
        ``"middle"`` the normal score of their middle rank. The two order the items alike for one
        judge and differ by how far out a large block at the end of the scale lies.
        """
        found = [_levels(column[~np.isnan(column)], ties) for column in values.T]
        return cls([scores for scores, _ in found], [levels for _, levels in found])

    def parameters(self) -> dict[str, Any]:
        """Return what `read` reads back, as JSON types."""
        return {
            "scores_seen": [column.tolist() for column in self.scores],
            "their_normal": [column.tolist() for column in self.levels],
        }

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Self:
        """Return the scale that `parameters` wrote."""
        seen, normal = (
            [np.array(c, float) for c in told[n]] for n in ("scores_seen", "their_normal")
        )
        return cls(seen, normal)

    def transform(self, values: Floats) -> Floats:
        """Return (rows, N) normal scores; between two scores seen, between theirs; NaN stays."""
        result = np.full(values.shape, np.nan)
        for j, (scores, levels) in enumerate(zip(self.scores, self.levels, strict=True)):
            given = ~np.isnan(values[:, j])
            if len(scores):
                result[given, j] = np.interp(values[given, j], scores, levels)
        return result


def _levels(given: Floats, ties: Ties) -> tuple[Floats, Floats]:
    """Return the distinct scores of one judge and their normal scores."""
    n = len(given)
    scores, counts = np.unique(given, return_counts=True)
    last = np.cumsum(counts)
    if ties == "middle" or n == len(scores):
        return scores, ndtri((last - counts / 2) / max(n, 1))
    ladder = ndtri((np.arange(n) + 0.5) / n)
    return scores, np.add.reduceat(ladder, last - counts) / counts


class Affine(NamedTuple):
    """Centre and spread (N,) that are taken off each judge's scores."""

    center: Floats
    spread: Floats

    @classmethod
    def of(cls, values: Floats) -> Self:
        """Learn mean and standard deviation of the scores given; 0 and 1 where there is none."""
        center, spread = scale_of(values, np.ones(len(values)))
        return cls(center, np.where(spread > 0, spread, 1.0))

    def transform(self, values: Floats) -> Floats:
        """Return (rows, N) scores on this scale; NaN stays."""
        result: Floats = (values - self.center) / self.spread
        return result


JudgeScale = NormalScores | Affine


def judge_scale(values: Floats, name: ScaleName, ties: Ties = "mean") -> JudgeScale:
    """Return the scale of that name, learnt from (n_items, N) scores."""
    if name == "normal":
        return NormalScores.of(values, ties)
    if name == "standardised":
        return Affine.of(values)
    return Affine(np.zeros(values.shape[1]), np.ones(values.shape[1]))
