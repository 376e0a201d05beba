"""How labelled items were drawn: with what chance each, and whether that can be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.rates.inputs import Gold
from algeval.rates.inputs.numbers import chances_of
from algeval.rates.inputs.pairs import Labels, Pairs
from algeval.rates.intervals.labelled import balance, stands_for
from algeval.rates.policy import UNBALANCED

__all__ = ["check_stands_for", "chosen_not_drawn", "inclusion_of", "plain_chances"]

Floats = NDArray[np.float64]


def inclusion_of(
    inclusion: Any, golds: tuple[Gold, Gold], pairs: Pairs, labels: Labels
) -> Floats | None:
    """Return the chance of each labelled item: as given, or from a column of the labels; None without.

    Raises
    ------
    DataError
        If a labelled item has none, or one outside (0, 1].
    """
    known = _beside_labels(golds, pairs) if inclusion is None else inclusion
    return None if known is None else chances_of(known, pairs.items, labels.rows)


def _beside_labels(golds: tuple[Gold, Gold], pairs: Pairs) -> dict[str, float] | None:
    found: dict[str, float] = {}
    for gold, panel in zip(golds, (pairs.panel_a, pairs.panel_b), strict=True):
        if gold.inclusion is not None:
            pairs_of = zip(gold.rows.tolist(), gold.inclusion.tolist(), strict=True)
            found |= {panel.items[row]: chance for row, chance in pairs_of}
    return found or None


def plain_chances(n: int, n_open: int) -> Floats:
    """Return the chance of each of n items drawn at random, item by item."""
    return np.full(n, n / max(n_open, 1))


def check_stands_for(chances: Floats, n_open: int) -> None:
    """Refuse chances whose labels stand for far fewer or far more items than there are.

    The sum of one over the chance estimates how many items could have been drawn. Where only some could,
    as those whose outputs differ, the estimate would be of them.
    """
    found = stands_for(chances, n_open)
    if found is not None:
        raise DataError(
            f"labelled items must stand for all {n_open} on which the systems can differ; got chances of "
            f"inclusion by which they stand for about {found:.0f}; if only items whose outputs differ "
            "could be drawn, pass outputs_a=, outputs_b= and drawn='differing'"
        )


def chosen_not_drawn(pairs: Pairs, rows: NDArray[np.int64]) -> str | None:
    """Return a warning if judges see labelled items differ from all more than a random draw would.

    It cannot see a choice that has nothing to do with the judges.
    """
    for values, what in ((pairs.shares, "difference"), (pairs.mean_shares, "mean")):
        z = balance(values[rows], values)
        if abs(z) > UNBALANCED:
            side = "higher" if z > 0 else "lower"
            return (
                f"the labelled items are no random draw: the judges' {what} of the two systems is {side} on "
                f"them than on all, by {abs(z):.1f} standard errors; the interval may miss"
            )
    return None
