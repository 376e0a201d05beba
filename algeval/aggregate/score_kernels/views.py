"""Three groups of judges with as little dependence across groups as can be had.

Arrays in, arrays out. A strength (N, N) says how much two judges have in common beyond the states:
the sparse part of the split precision, say. Groups ("views") differ in size by at most one, and the
sum of |strength| across them is made small: exactly for few judges, by swaps of two judges for more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Floats

__all__ = [
    "Partition",
    "Views",
    "best_partitions",
    "cost_across",
    "enumerated",
    "one_swap",
    "searched",
]

Views = NDArray[np.intp]
"""The view 0, 1 or 2 of each judge (N,), named in the order of their first judges."""


class Partition(NamedTuple):
    """The view of each judge, and the sum of |strength| across views."""

    views: Views
    cost: float


def best_partitions(strength: Floats, rng: np.random.Generator) -> list[Partition]:
    """Return the best partition of at least three judges and the next best, the best first.

    The next best are for a refit, where strengths are uncertain.
    """
    few = len(strength) <= policy.MOST_ENUMERATED
    found = enumerated(strength) if few else searched(strength, rng)
    return found[: policy.VIEW_CANDIDATES]


def cost_across(strength: Floats, views: Views) -> float:
    """Return the sum of |strength| over pairs of judges in different views."""
    return float(np.abs(strength)[views[:, None] < views].sum())


def enumerated(strength: Floats) -> list[Partition]:
    """Return every partition, sorted by cost: 280 of nine judges, 5,775 of twelve."""
    n = len(strength)
    rows: list[tuple[int, ...]] = [(0,)]
    for _ in range(1, n):
        rows = [
            (*row, view)
            for row in rows
            for view in range(min(max(row) + 2, 3))
            if row.count(view) < (n + 2) // 3
        ]
    least = n // 3
    return _sorted(strength, [row for row in rows if min(map(row.count, range(3))) >= least])


def searched(strength: Floats, rng: np.random.Generator) -> list[Partition]:
    """Return where swaps from random starts end, and all one swap beside the best, sorted by cost."""
    n = len(strength)
    size = np.abs(strength) * (1 - np.eye(n))
    dealt = np.arange(n) % 3
    ends = [_descend(size, rng.permutation(dealt)) for _ in range(policy.VIEW_STARTS)]
    return _sorted(strength, [*ends, *one_swap(_sorted(strength, ends)[0].views)])


def one_swap(views: Views) -> list[Views]:
    """Return all partitions in which two judges have changed places."""
    apart = np.argwhere(views[:, None] < views)
    return [_in_order(_swapped(views, i, j)) for i, j in apart.tolist()]


def _descend(size: Floats, views: Views) -> Views:
    """Swap the two judges whose swap saves most, until none saves anything."""
    for _ in range(policy.MOST_SWAPS):
        ties = size @ (views[:, None] == np.arange(3))
        gain = ties[:, views] - ties[np.arange(len(views)), views][:, None]
        saved = gain + gain.T - 2 * size
        saved[views[:, None] == views] = 0
        i, j = np.unravel_index(np.argmax(saved), saved.shape)
        if saved[i, j] <= policy.ROUNDING * size.max():
            break
        views = _swapped(views, int(i), int(j))
    return views


def _swapped(views: Views, i: int, j: int) -> Views:
    other = views.copy()
    other[[i, j]] = views[[j, i]]
    return other


def _sorted(strength: Floats, found: list[Any]) -> list[Partition]:
    """Return the distinct partitions, the least cost first."""
    distinct = np.unique([_in_order(np.asarray(views)) for views in found], axis=0)
    costs = [cost_across(strength, row) for row in distinct]
    return [Partition(distinct[k], costs[k]) for k in np.argsort(costs, kind="stable")]


def _in_order(views: Views) -> Views:
    """Return the same partition, its views named in the order of their first judges."""
    first = [np.argmax(views == view) for view in range(3)]
    names: Views = np.argsort(np.argsort(first))[views]
    return names
