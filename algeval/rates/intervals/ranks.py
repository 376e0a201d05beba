"""Ranks that systems may have, given which are surely ahead of which."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["ranks_of"]


def ranks_of(ahead: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the best and the worst rank of each system.

    ahead : (k, k) bool array
        Whether the first is surely ahead of the second.

    Examples
    --------
    >>> ranks_of(np.array([[False, False, True], [False, False, True], [False, False, False]]))
    [(1, 2), (1, 2), (3, 3)]
    """
    best = 1 + ahead.sum(axis=0)
    worst = len(ahead) - ahead.sum(axis=1)
    return list(zip(best.tolist(), worst.tolist(), strict=True))
