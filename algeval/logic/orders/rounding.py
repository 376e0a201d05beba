"""Whole cells near real ones that keep what judges gain: later tuples make up for earlier ones.

Rounding each tuple by itself moves a surplus C[i,t] - x D[i,t] by about the root of the number of
tuples rounded. Here the single items left over are laid down one after another, each where the
shortfalls of all judges are then least.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.logic.orders.labelling import Labelling
from algeval.logic.policy import NEARLY_WHOLE
from algeval.logic.proof.shares import Ints

__all__ = ["round_together"]


def round_together(labelling: Labelling, cells: Any, levels: Any, asked: Any) -> Ints:
    """Round cells (U, R) to whole numbers that keep each tuple's count, for levels (N, R) where asked.

    Parameters
    ----------
    labelling : Labelling
    cells : (U, R) floats >= 0
    levels : (N, R) floats
    asked : (N, R) bool
    """
    cells = cells * (labelling.counts / cells.sum(1))[:, None]
    whole: Ints = np.floor(cells + NEARLY_WHOLE).astype(np.int64)
    over = np.flatnonzero(whole.sum(1) > labelling.counts)
    whole[over] = np.floor(cells[over])
    left = labelling.counts - whole.sum(1)
    surplus = labelling.correct(cells) - levels * labelling.held_counts(cells)
    settled = np.flatnonzero((left == 0) & (whole != cells).any(1))
    surplus += _gains(labelling, settled, whole[settled] - cells[settled], levels)
    labels = np.arange(labelling.n_labels)
    for u in _decided_first(np.flatnonzero(left), cells - whole):
        gain = (labelling.codes[u][:, None] == labels) - levels * labelling.held[u][:, None]
        surplus -= gain * (cells[u] - whole[u])
        for _ in range(left[u]):
            t = _best(surplus, gain, asked)
            whole[u, t] += 1
            surplus[:, t] += gain[:, t]
    return whole


def _gains(labelling: Labelling, rows: Ints, change: Any, levels: Any) -> Ints:
    """(N, R) what surpluses gain when the cells of some tuples change."""
    part = Labelling(
        labelling.codes[rows], labelling.counts[rows], labelling.n_labels, labelling.held[rows]
    )
    gains: Ints = part.correct(change) - levels * part.held_counts(change)
    return gains


def _decided_first(rows: Ints, parts: Any) -> list[int]:
    """Return rows in the order of how near the largest part of an item is to a whole one."""
    order: list[int] = rows[np.argsort(-parts[rows].max(1), kind="stable")].tolist()
    return order


def _best(surplus: Any, gain: Any, asked: Any) -> int:
    """Return the label at which one more item leaves the least sum of squared shortfalls."""
    now, then = np.minimum(surplus, 0.0), np.minimum(surplus + gain, 0.0)
    return int(((then * then - now * now) * asked).sum(0).argmin())
