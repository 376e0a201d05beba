"""Labels that grade the judges and nothing else: how good each is for certain, but for chance."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import numpy as np
from scipy.special import betaincinv

from algeval.data import Specification, Votes
from algeval.data.names import NOT_ANSWERED
from algeval.rates.inputs import Gold

__all__ = ["checked_grades", "lowest_correct", "lowest_share"]

_GRID = 10**6


def lowest_correct(right: int, n: int, n_items: int, alpha: float) -> int:
    """Return the fewest of n_items that can be right, when `right` of n drawn at random were.

    One-sided at level 1 - alpha, by the hypergeometric distribution: fewer would show so many right
    with a chance of at most alpha.

    Examples
    --------
    >>> lowest_correct(45, 50, 50, 0.05), lowest_correct(45, 50, 500, 0.05)
    (45, 404)
    """
    from scipy.stats import hypergeom  # takes most of a second to load

    low, high = right, n_items - (n - right)
    while low < high:
        middle = (low + high) // 2
        if hypergeom.sf(right - 1, n_items, middle, n) > alpha:
            high = middle
        else:
            low = middle + 1
    return low


def lowest_share(right: int, n: int, alpha: float) -> Fraction:
    """Return the one-sided Clopper-Pearson lower end of a share, rounded down.

    Examples
    --------
    >>> float(lowest_share(45, 50, 0.05))
    0.801166
    """
    if not right:
        return Fraction(0)
    return Fraction(floor(float(betaincinv(right, n - right + 1, alpha)) * _GRID), _GRID)


def checked_grades(votes: Votes, gold: Gold, target: str, alpha: float) -> Specification | None:
    """Return how often each judge is right at least, all of them together at level 1 - alpha.

    Parameters
    ----------
    votes : Votes
    gold : Gold
        Labels of items drawn at random from those of the votes.
    target : "items" or "population"
        Whether the grades are on these items, or in what they were drawn from.
    alpha : float

    Returns
    -------
    Specification or None
        A grade from below for each judge that answered a labelled item; None if none did.
    """
    codes = votes.codes[gold.rows]
    answered = codes != NOT_ANSWERED
    right = ((codes == gold.truth[:, None]) & answered).sum(0).tolist()
    graded = answered.sum(0).tolist()
    held = (votes.codes != NOT_ANSWERED).sum(0).tolist()
    n_judges = int(np.count_nonzero(graded))
    found = None
    for name, k, n, n_items in zip(votes.judges, right, graded, held, strict=True):
        if not n:
            continue
        if target == "items":
            least = Fraction(lowest_correct(k, n, n_items, alpha / n_judges), n_items)
        else:
            least = lowest_share(k, n, alpha / n_judges)
        part = Specification.grade(">=", least, judge=name)
        found = part if found is None else found & part
    return found
