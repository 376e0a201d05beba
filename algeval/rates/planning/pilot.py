"""What a few labelled items tell before the rest is paid: how much judges know of the truth."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.data.names import NOT_ANSWERED
from algeval.errors import DataError
from algeval.rates import policy
from algeval.rates.inputs import as_votes, panel_of, read_gold

__all__ = ["Pilot", "mean_correlations", "read_pilot", "rho2_with_range"]

Floats = NDArray[np.float64]


class Pilot(NamedTuple):
    """Votes, and the truth of some of their items as seen from a label.

    Attributes
    ----------
    votes : Votes
    place : int
        Of the label among the votes' labels.
    rows : (n,) int array
        Labelled items.
    truth : (n,) array
        1 the label, 0 another.
    verdict : (n,) int array
        The panel's, -1 where nobody judged.
    """

    votes: Votes
    place: int
    rows: NDArray[np.int64]
    truth: Floats
    verdict: NDArray[np.int8]


def read_pilot(pilot: Any, gold: Any, label: Any) -> Pilot:
    """Return a pilot's votes and labels; the votes' own key by default."""
    votes = as_votes(pilot, "pilot")
    if label is None:
        raise DataError(
            f"label must say whose rate the pilot is about; got none; choose from {list(votes.labels)}"
        )
    panel = panel_of(votes, label)
    found = read_gold("key" if gold is None else gold, votes, label)
    return Pilot(
        votes, votes.labels.index(panel.label), found.rows, found.values, panel.verdict[found.rows]
    )


def rho2_with_range(pilot: Pilot, seed: int) -> tuple[float, float, float]:
    """Return the squared correlation of verdict and truth, and the ends of its bootstrap interval.

    Raises
    ------
    DataError
        If fewer labels come with a verdict than judges' help can be told by.
    """
    judged = pilot.verdict >= 0
    n = int(judged.sum())
    if n < policy.FEWEST_GOLD:
        raise DataError(
            f"a pilot must hold at least {policy.FEWEST_GOLD} labelled items with votes; got {n}; label "
            "more, or give rho2="
        )
    cell = (2 * pilot.truth + pilot.verdict)[judged].astype(np.int64)
    counts = np.bincount(cell, minlength=4)
    draws = np.random.default_rng(seed).multinomial(n, counts / n, policy.PILOT_DRAWS)
    low, high = np.quantile(_squared(draws), [(1 - policy.LEVEL) / 2, (1 + policy.LEVEL) / 2])
    return float(_squared(counts[None])[0]), float(low), float(high)


def _squared(counts: NDArray[Any]) -> Floats:
    """Return the squared correlation of two-by-two tables (draws, 4); 0 where one side is constant."""
    a, b, c, d = counts.T.astype(float)
    below = (a + b) * (c + d) * (a + c) * (b + d)
    found = np.divide((a * d - b * c) ** 2, below, out=np.zeros(len(a)), where=below > 0)
    return np.asarray(found)


def mean_correlations(pilot: Pilot) -> tuple[float, float]:
    """Return the mean correlation of a vote with the truth, and of two votes; constant judges count 0."""
    codes = pilot.votes.codes
    given = (codes != NOT_ANSWERED).astype(float)
    votes = (codes == pilot.place) * given
    rows = pilot.rows
    with_truth = _correlations(
        votes[rows], given[rows], pilot.truth[:, None], np.ones((len(rows), 1))
    )
    each_other = _correlations(votes, given, votes, given)
    apart = ~np.eye(len(each_other), dtype=bool)
    return float(with_truth.mean()), float(each_other[apart].mean()) if apart.any() else 0.0


def _correlations(x: Floats, has_x: Floats, y: Floats, has_y: Floats) -> Floats:
    """Return (columns of x, columns of y): correlations over the rows that both have."""
    n = np.maximum(has_x.T @ has_y, 1)
    mean_x, mean_y = x.T @ has_y / n, has_x.T @ y / n
    both = x.T @ y / n - mean_x * mean_y
    spread = ((x * x).T @ has_y / n - mean_x**2) * (has_x.T @ (y * y) / n - mean_y**2)
    return np.divide(
        both, np.sqrt(np.maximum(spread, 0)), out=np.zeros_like(both), where=spread > policy.STILL
    )
