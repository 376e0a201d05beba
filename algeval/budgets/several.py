"""More than two classifiers: three exactly, any number between bounds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from algeval.budgets.gap import LabelAccuracy, Rivals, gap_chances
from algeval.budgets.probability import outcomes
from algeval.data.score_checks import Floats
from algeval.data.settings import check_whole
from algeval.errors import DataError, TooLargeError
from algeval.result import exact

__all__ = ["best_of_three", "not_best_between"]

MOST_ITEMS = 1500
"""Items of three classifiers: a plane of (2n + 2)^2 complex numbers, some 150 MB."""


def best_of_three(accuracies: Sequence[Any], label_accuracy: Any, n: int) -> float:
    """Return the chance that the first of three classifiers alone scores highest on n labelled items.

    The three err independently, and so do the labels. Its leads over the other two are a walk in the plane;
    their law is a Fourier transform, right to some 1e-13.

    Parameters
    ----------
    accuracies : three numbers
        The first one's is the highest.
    label_accuracy : number
        Chance that a label is right.
    n : int
        Items, one label each.

    Raises
    ------
    DataError
        If the accuracies are not three, or another one is as good as the first.
    TooLargeError
        If n is above 1,500.

    Examples
    --------
    >>> round(best_of_three([0.9, 0.8, 0.7], 0.9, 100), 5)
    0.9309
    """
    chances = _checked(accuracies, label_accuracy)
    if len(chances) != 4:
        raise DataError(
            f"accuracies must be three; got {len(chances) - 1}; for more use not_best_between"
        )
    items = check_whole("n", n)
    if items > MOST_ITEMS:
        raise TooLargeError(
            f"n must be at most {MOST_ITEMS}; got {n}; bound it by not_best_between"
        )
    size = 2 * items + 2
    law = np.fft.irfft2(np.fft.rfft2(_one_item(chances, size)) ** items, s=(size, size))
    won = law[1 : items + 1, 1 : items + 1].sum()
    return float(min(max(won, 0.0), 1.0))


def not_best_between(accuracies: Sequence[Any], label_accuracy: Any, n: int) -> tuple[float, float]:
    """Return bounds on the chance that the first of several classifiers does not score highest alone.

    The chance that it does not beat them all is at least the largest and at most the sum of the chances
    that it does not beat each. All err independently; see `best_of_three`.

    Examples
    --------
    >>> low, high = not_best_between([0.9, 0.8, 0.7], 0.9, 100)
    >>> round(low, 5), round(high, 5)
    (0.06742, 0.07021)
    """
    *rights, q = _checked(accuracies, label_accuracy)
    labels, lost = LabelAccuracy.of(q), []
    for other in rights[1:]:
        a, b = gap_chances(Rivals.independent(other, rights[0] - other), labels)
        found = outcomes(float(a), float(b), n)
        lost.append(found.tie + found.loss)
    return max(lost), min(sum(lost), 1.0)


def _checked(accuracies: Sequence[Any], label_accuracy: Any) -> list[Any]:
    """Return the accuracies and that of the labels, as fractions."""
    rights = [exact(p, "accuracies") for p in accuracies]
    if len(rights) < 2 or min(rights) < 0 or max(rights) > 1 or max(rights[1:]) >= rights[0]:
        raise DataError(
            f"accuracies must be from 0 to 1, the first the highest; got {list(accuracies)!r}; sort them"
        )
    return [*rights, LabelAccuracy.of(label_accuracy).mean[0]]


def _one_item(chances: list[Any], size: int) -> Floats:
    """Return the law of the leads over the second and the third on one item, as a plane that wraps round."""
    *rights, q = map(float, chances)
    plane = np.zeros((size, size))
    for first, second, third, label in product((0, 1), repeat=4):
        weight = q if label else 1 - q
        for right, p in zip((first, second, third), rights, strict=True):
            weight *= p if right else 1 - p
        sign = 1 if label else -1
        plane[sign * (first - second), sign * (first - third)] += weight
    return plane
