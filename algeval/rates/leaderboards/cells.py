"""Battles as counts: the distinct battles there are, and how often each cluster holds one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from algeval.rates.leaderboards.outcomes import TIE

__all__ = ["Cells", "cells_of"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The distinct (shown first, shown second, outcome), as rows of a design.

    Attributes
    ----------
    n_systems : int
    first, second, outcome : (c,) int arrays
    design : (c, n_systems) or (c, n_systems + 1) sparse array
        Of the log odds that the first wins: +1 first, -1 second, and 1 for being shown first.
    """

    n_systems: int
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    outcome: NDArray[np.int64]
    design: Any

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def ordered(self) -> bool:
        """Whether being shown first has an effect of its own."""
        return bool(self.design.shape[1] > self.n_systems)

    @property
    def any_tie(self) -> bool:
        """Whether a battle may end in a tie here."""
        return bool((self.outcome == TIE).any())


def cells_of(
    n_systems: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    outcome: NDArray[Any],
    *,
    ordered: bool,
) -> tuple[Cells, NDArray[np.int64]]:
    """Return the cells of some battles, and the cell of each battle."""
    code = (first * n_systems + second) * 3 + outcome
    distinct, cell_of = np.unique(code, return_inverse=True)
    one, two, end = distinct // 3 // n_systems, distinct // 3 % n_systems, distinct % 3
    n = len(distinct)
    signs = np.concatenate([np.ones(n), -np.ones(n), np.ones(n if ordered else 0)])
    columns = np.concatenate([one, two, np.full(n if ordered else 0, n_systems)])
    rows = np.tile(np.arange(n), 3 if ordered else 2)
    shape = (n, n_systems + ordered)
    design = sparse.csr_array((signs, (rows, columns)), shape=shape)
    return Cells(n_systems, one, two, end, design), cell_of
