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

__all__ = [
    "Differences",
    "Pilot",
    "mean_correlations",
    "read_paired_pilot",
    "read_pilot",
    "rho2_with_range",
]

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


class Differences(NamedTuple):
    """Of two systems on the items labelled for both: true differences, those of the verdicts, all items."""

    truth: Floats
    verdict: Floats
    n_items: int


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


def read_paired_pilot(pilot: Any, gold: Any, label: Any) -> Differences:
    """Return two systems' differences on the items labelled for both.

    Parameters
    ----------
    pilot : pair of votes or tables
        On the first system's outputs and on the second's, of the same items.
    gold : pair, optional
        Labels of each; by default the keys of the votes.
    label : str
        The one that counts for a system.

    Raises
    ------
    DataError
        If they are not two, no item is labelled for both, or the systems never differ.
    """
    if not isinstance(pilot, list | tuple) or len(pilot) != 2:
        raise DataError(
            f"pilot must be two tables for a margin, one of each system; got {type(pilot).__name__}; pass "
            "(votes_a, votes_b)"
        )
    golds = (None, None) if gold is None else gold
    if not isinstance(golds, list | tuple) or len(golds) != 2:
        raise DataError(
            f"gold must be two sets of labels for a margin; got {type(gold).__name__}; pass (gold_a, gold_b)"
        )
    a, b = (read_pilot(one, of, label) for one, of in zip(pilot, golds, strict=True))
    told_a, told_b = _by_item(a), _by_item(b)
    both = [(told_a[item], told_b[item]) for item in told_a if item in told_b]
    if not both:
        raise DataError(
            "pilots must share items that are labelled for both; got none; match the ids"
        )
    (truth_a, verdict_a), (truth_b, verdict_b) = np.transpose(both, (1, 2, 0))
    n_items = len({*a.votes.items} & {*b.votes.items})
    found = Differences(truth_a - truth_b, verdict_a - verdict_b, n_items)
    if not found.truth.any():
        raise DataError(
            f"the pilot must hold items on which the systems differ; got none of {len(both)}; label more"
        )
    return found


def _by_item(pilot: Pilot) -> dict[str, tuple[float, float]]:
    """Return {item: (truth, verdict)} of the labelled items somebody judged."""
    items = [pilot.votes.items[row] for row in pilot.rows.tolist()]
    cells = zip(items, pilot.truth.tolist(), pilot.verdict.tolist(), strict=True)
    return {item: (truth, verdict) for item, truth, verdict in cells if verdict >= 0}


def rho2_with_range(
    truth: NDArray[Any], verdict: NDArray[Any], seed: int
) -> tuple[float, float, float]:
    """Return the squared correlation of verdict and truth, and the ends of its bootstrap interval.

    Raises
    ------
    DataError
        If there are fewer labels than judges' help can be told by.
    """
    n = len(truth)
    if n < policy.FEWEST_GOLD:
        raise DataError(
            f"a pilot must hold at least {policy.FEWEST_GOLD} labelled items with votes; got {n}; label "
            "more, or give rho2="
        )
    cells, counts = np.unique(np.stack([truth, verdict]), axis=1, return_counts=True)
    draws = np.random.default_rng(seed).multinomial(n, counts / n, policy.PILOT_DRAWS)
    found = _squared(cells, np.vstack([counts, draws]) / n)
    low, high = np.quantile(found[1:], [(1 - policy.LEVEL) / 2, (1 + policy.LEVEL) / 2])
    return float(found[0]), float(low), float(high)


def _squared(cells: Floats, shares: Floats) -> Floats:
    """Return the squared correlation of two values (2, cells), by draws of shares (draws, cells)."""
    y, f = cells
    both = shares @ (y * f) - (shares @ y) * (shares @ f)
    spread = (shares @ y**2 - (shares @ y) ** 2) * (shares @ f**2 - (shares @ f) ** 2)
    moving = spread > policy.STILL
    return np.asarray(np.divide(both**2, spread, out=np.zeros(len(both)), where=moving))


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
