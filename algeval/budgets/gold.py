"""Labels of two kinds, a few sure ones beside many weak ones, weighed by what each is worth."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from algeval.budgets.gap import LabelAccuracy, Rivals, gap_chances
from algeval.budgets.kernel.convolution import lead_law
from algeval.budgets.probability import Outcomes
from algeval.data.score_checks import Floats
from algeval.data.settings import check_whole
from algeval.errors import TooLargeError

__all__ = ["two_kinds_outcomes"]

MOST_LEADS = 5 * 10**7
"""Pairs of leads that are looked at, one of either kind."""


def two_kinds_outcomes(rivals: Rivals, first: tuple[Any, int], second: tuple[Any, int]) -> Outcomes:
    """Return the chances of a win, a tie and a loss where the better one is told by labels of two kinds.

    Some items get a label of one kind, other items one of the other. A label that sides with a classifier
    counts as log(a/b), its log-likelihood ratio, and the larger total wins; a label that never sides with the
    worse one outweighs all others. Exact to some 1e-13.

    Parameters
    ----------
    rivals : Rivals
    first, second : (label accuracy, items)
        Accuracies as `LabelAccuracy.of` reads them.

    Raises
    ------
    TooLargeError
        If there are too many items of both kinds.

    Examples
    --------
    >>> mixed = two_kinds_outcomes(Rivals.independent(0.8, 0.1), (1, 50), (0.7, 300))
    >>> round(mixed.win, 4)
    0.9752
    """
    kinds = [(LabelAccuracy.of(q), check_whole("items", n, 0)) for q, n in (first, second)]
    if (2 * kinds[0][1] + 1) * (2 * kinds[1][1] + 1) > MOST_LEADS:
        raise TooLargeError(
            f"items must be at most {MOST_LEADS} pairs of leads; got {first[1]} and {second[1]}; take fewer"
        )
    chances = [tuple(map(float, gap_chances(rivals, labels))) for labels, _ in kinds]
    sizes = [n for _, n in kinds]
    laws = [lead_law(a, b, n) for (a, b), n in zip(chances, sizes, strict=True)]
    return _compared(laws, _weights(chances, sizes))


def _weights(chances: list[Any], sizes: list[int]) -> list[float]:
    """Return log(a/b) of either kind, or a weight above all of the other kind where b is 0."""
    finite = [log(a / b) if b else 0.0 for a, b in chances]
    other = finite[::-1]
    above = [1 + w * n for w, n in zip(other, sizes[::-1], strict=True)]
    return [w if b else most for w, (_, b), most in zip(finite, chances, above, strict=True)]


def _compared(laws: list[Floats], weights: list[float]) -> Outcomes:
    """Return the law of the sign of w_1 S_1 + w_2 S_2."""
    total = np.add.outer(*(w * _leads(law) for law, w in zip(laws, weights, strict=True)))
    both = np.multiply.outer(*laws)
    near = 1e-9 * max(map(abs, weights))
    parts = (total > near, np.abs(total) <= near, total < -near)
    return Outcomes(*(min(float(both[part].sum()), 1.0) for part in parts))


def _leads(law: Floats) -> Floats:
    return np.arange(law.size, dtype=float) - law.size // 2
