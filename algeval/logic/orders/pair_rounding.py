"""Whole pair tables with given margins, for all pairs at once, by moving single items between labels.

Each table starts as its real one, rounded. A move takes an item of one pair of answers from a label of
which both judges have too many to one of which they have too few; small random numbers break ties, so
that the walk does not turn in circles. Where it finds no end a solver is asked, elsewhere.
"""

from __future__ import annotations

import numpy as np

from algeval.logic.orders.pair_tables import Floats, Ints
from algeval.logic.policy import PAIR_MOVES, TIE

__all__ = ["fitted_tables", "rounded_cells"]


def rounded_cells(real: Floats, counts: Ints) -> Ints:
    """Round shares (..., R) to whole numbers that add up to counts (...), largest parts first."""
    total = real.sum(-1)
    real = real * np.divide(counts, total, out=np.zeros(total.shape), where=total > 0)[..., None]
    whole: Ints = np.floor(real).astype(np.int64)
    rank = np.argsort(np.argsort(whole - real, axis=-1, kind="stable"), axis=-1)
    whole += rank < (counts - whole.sum(-1))[..., None]
    return whole


def fitted_tables(tables: Ints, left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Return whole tables (P, W, W, R) with margins (P, W, R), and which of them (P,) have these.

    tables : (P, W, W, R) ints
        Whole tables with margins near those; how many items each pair of answers has is kept.
    """
    rng = np.random.default_rng(0)
    tables, open_ = tables.copy(), np.arange(len(tables))
    first, second = left - tables.sum(2), right - tables.sum(1)
    for _ in range(PAIR_MOVES):
        apart = first[open_].any((1, 2)) | second[open_].any((1, 2))
        open_ = open_[apart]
        if not len(open_):
            break
        wanted = first[open_][:, :, None] + second[open_][:, None]
        wanted = wanted + TIE * rng.random(wanted.shape)
        leaving = np.where(tables[open_] > 0, wanted, np.inf)
        gain = (wanted.max(3) - leaving.min(3)).reshape(len(open_), -1)
        a, b = np.divmod(gain.argmax(1), tables.shape[2])
        row = np.arange(len(open_))
        start, end = leaving[row, a, b].argmin(1), wanted[row, a, b].argmax(1)
        for label, sign in ((start, -1), (end, 1)):
            tables[open_, a, b, label] += sign
            first[open_, a, label] -= sign
            second[open_, b, label] -= sign
    return tables, ~(first.any((1, 2)) | second.any((1, 2)))
