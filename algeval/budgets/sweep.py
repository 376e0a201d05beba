"""The paper's sweep over a grid of two classifiers and their labels, in slices that can be resumed.

The grid is {.51, .52, ..., 1}^5 for p_w, p_b^0, p_b^1, q_b, q_w, with m = 3 and 11 labels and n = 1 to 11,
100, 101, 1,000 and 1,001 items, where the second classifier is the better one: 65,369 pairs of classifiers,
2,500 pairs of label accuracies, 4,902,675,000 points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.budgets.kernel import log_law
from algeval.budgets.model import majority_accuracy
from algeval.data.scores import Floats

__all__ = ["Slice", "admissible", "count_proved", "sweep"]

ITEMS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100, 101, 1000, 1001)
LABELS = (3, 11)
ERROR = 1e-12
"""Relative error allowed to a chance of not winning; what the kernel was measured to have is far below."""

Whole = NDArray[np.int64]


class Slice(NamedTuple):
    """What the sweep found for one pair of classifiers.

    Attributes
    ----------
    place : int
        Which of the admissible pairs.
    points : int
        Points compared: label accuracies, m and n.
    better, worse, open : int
        Points where one label each certainly wins more often, less often, and where rounding leaves it open.
    """

    place: int
    points: int
    better: int
    worse: int
    open: int


def admissible() -> tuple[Whole, Whole]:
    """Return A and B of every admissible (p_w, p_b^0, p_b^1), in ten-thousandths, in the grid's order.

    Examples
    --------
    >>> [len(part) for part in admissible()]
    [65369, 65369]
    """
    grid = np.arange(51, 101)
    worse, wrong, right = (part.ravel() for part in np.meshgrid(grid, grid, grid, indexing="ij"))
    better_alone, worse_alone = (100 - worse) * wrong, worse * (100 - right)
    kept = better_alone > worse_alone
    return better_alone[kept], worse_alone[kept]


def count_proved() -> int:
    """Return how many points of (p_w, p_b^0, p_b^1, q_b, q_w) with q_b >= q_w meet the theorem's conditions.

    In whole numbers: 0 < a + b < 1, a > b, ab <= 4 c^2, and, for every m at once, what theta_m <= M_m(theta)
    rests on: theta <= q_b, so that the majority gains no more at q_b, nor at q_b more than at q_w.
    """
    better, worse = admissible()
    s = better + worse
    found = 0
    for q_b in range(51, 101):
        for q_w in range(51, q_b + 1):
            a, b = better * q_b + worse * (100 - q_w), better * (100 - q_b) + worse * q_w
            short = 100 * (10_000 - s)
            met = (s > 0) & (short > 0) & (a > b) & (a * b <= 4 * short * short) & (a <= q_b * s)
            found += int(met.sum())
    return found


def sweep(places: Iterable[int], *, biased: bool = False) -> Iterator[Slice]:
    """Yield a slice of the grid for each place among the admissible pairs of classifiers.

    Slices are independent, so that a run is resumed with the places that are left, and shared out at will;
    a slice takes about half a second.

    Parameters
    ----------
    places : iterable of int
        From 0 to 65,368.
    biased : bool
        False for the points of Assumption 1, q_b >= q_w; True for all others.

    Examples
    --------
    >>> next(sweep([1000]))
    Slice(place=1000, points=38250, better=38250, worse=0, open=0)
    """
    better, worse = admissible()
    q_b, q_w = (part.ravel() / 100 for part in np.meshgrid(*[np.arange(51, 101)] * 2))
    kept = (q_b < q_w) if biased else (q_b >= q_w)
    for place in places:
        pair = better[place] / 1e4, worse[place] / 1e4
        counts = np.zeros(3, dtype=int)
        for m in LABELS:
            counts += _compared(pair, q_b[kept], q_w[kept], m)
        yield Slice(place, int(counts.sum()), *map(int, counts))


def _compared(pair: tuple[float, float], q_b: Floats, q_w: Floats, m: int) -> Whole:
    n = np.array(ITEMS, dtype=float)[:, None]
    one = _not_won(pair, q_b, q_w, m * n)
    several = _not_won(pair, majority_accuracy(q_b, m), majority_accuracy(q_w, m), n)
    room = ERROR * (one + several)
    better, worse = several - one > room, one - several > room
    return np.array([better.sum(), worse.sum(), (~better & ~worse).sum()])


def _not_won(pair: tuple[float, float], q_b: Floats, q_w: Floats, n: Floats) -> Floats:
    """Return the chances of no win, each to a relative error, however small."""
    a = pair[0] * q_b + pair[1] * (1 - q_w)
    b = pair[0] * (1 - q_b) + pair[1] * q_w
    law = log_law(a, b, n)
    lost: Floats = np.exp(law.tie) + np.exp(law.loss)
    return lost
