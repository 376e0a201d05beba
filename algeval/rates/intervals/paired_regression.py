"""The difference of two systems by regression of labelled differences on those of the judges.

It takes what strata do not: differences that are graded, labels drawn with unequal chances, clusters of
items. The estimate is mean_L(D) - slope (mean_L(F) - mean_N(F)), means of labelled items weighted by one
over their chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from algeval.rates.intervals.paired import Difference
from algeval.rates.intervals.regression import of_mean, slope, variance_of
from algeval.rates.policy import FEWEST_GOLD, LEVEL, ONE_MISS

__all__ = ["Labelled", "paired_regression"]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Labelled differences, and which of the items they are.

    Attributes
    ----------
    rows : (n,) int array
        Places among all items.
    values : (n,) float array
        The differences, from -1 to 1.
    chances : (n,) float array
        With what chance each item was drawn.
    """

    rows: Places
    values: Floats
    chances: Floats

    @property
    def weights(self) -> Floats:
        """How much of the mean each label is, adding up to 1."""
        weights = 1 / self.chances
        return np.asarray(weights / weights.sum())

    @property
    def alike(self) -> float:
        """How many labels of equal weight would be as good."""
        return 1 / float((self.weights**2).sum())


def paired_regression(
    labelled: Labelled,
    judged: Floats,
    *,
    open_items: NDArray[np.bool_] | None = None,
    clusters: Places | None = None,
    target: str = "items",
    level: float = LEVEL,
) -> Difference:
    """Return the difference and Student's interval of it.

    Parameters
    ----------
    labelled : Labelled
        Labels of open items only.
    judged : (n_items,) float array
        What the judges say of each item's difference, on any scale; a constant is no help.
    open_items : (n_items,) bool array, optional
        False where the difference is known to be 0.
    clusters : (n_items,) int array, optional
        The cluster of each item, from 0. Clusters are the unit then.
    target : "items" or "population"
    level : float

    Examples
    --------
    >>> judged = np.tile([0.0, 0.0, 1.0, 0.0, -1.0], 40)
    >>> values = np.where(np.arange(50) % 9 == 0, 1.0, judged[:50])
    >>> found = paired_regression(Labelled(np.arange(50), values, np.full(50, 0.25)), judged)
    >>> round(found.low, 3), round(found.estimate, 3), round(found.high, 3)
    (0.025, 0.12, 0.215)
    """
    everything = np.ones(len(judged), bool) if open_items is None else open_items
    n_items, n_open = len(judged), int(everything.sum())
    steep, inside = _fit(labelled, judged, everything)
    estimate = inside * n_open / n_items
    limits = _limits(labelled, n_open, n_items, target)
    freedom, variance = _residual_part(labelled, judged, steep, clusters, target)
    variance *= (n_open / n_items) ** 2
    if target == "population":
        shift = np.where(everything, inside + steep * (judged - judged[everything].mean()), 0)
        variance += of_mean(shift - estimate, clusters)
    if freedom < 1:
        return _within(-1.0, estimate, 1.0, limits)
    half = float(stdtrit(freedom, (1 + level) / 2)) * variance**0.5
    return _within(estimate - half, estimate, estimate + half, limits)


def _fit(labelled: Labelled, judged: Floats, everything: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the slope, and the mean difference of the open items."""
    w, d, f = labelled.weights, labelled.values, judged[labelled.rows]
    every = judged[everything]
    steep = slope(d, f, variance_of(every), w) if len(d) >= FEWEST_GOLD else 0.0
    return steep, float(w @ d - steep * (w @ f - every.mean()))


def _residual_part(
    labelled: Labelled, judged: Floats, steep: float, clusters: Places | None, target: str
) -> tuple[float, float]:
    """Return degrees of freedom and the variance that comes from labelling only some items."""
    w = labelled.weights
    residuals = labelled.values - steep * judged[labelled.rows]
    # of these items, one that was sure to be labelled adds nothing
    thin = w * (np.sqrt(1 - labelled.chances) if target == "items" else 1.0)
    parts, groups = thin * (residuals - w @ residuals), labelled.alike
    squares = float((parts**2).sum())
    if clusters is not None:
        of_rows = clusters[labelled.rows]
        groups = min(groups, len(np.unique(of_rows)))
        squares = float((np.bincount(of_rows, parts) ** 2).sum())
    squares = max(squares, ONE_MISS * float((thin**2).mean()))
    return groups - 2, squares * groups / max(groups - 2, 1.0)


def _limits(labelled: Labelled, n_open: int, n_items: int, target: str) -> tuple[float, float]:
    """Return what is certain: of these items, the labels and any difference of the others."""
    if target == "population":
        return -1.0, 1.0
    known, rest = float(labelled.values.sum()), n_open - len(labelled.rows)
    return (known - rest) / n_items, (known + rest) / n_items


def _within(low: float, estimate: float, high: float, limits: tuple[float, float]) -> Difference:
    return Difference(*(min(max(end, limits[0]), limits[1]) for end in (low, estimate, high)))
