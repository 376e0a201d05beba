"""Items whose scores the same judges gave, told once for all that share a pattern of missing scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["by_presence"]


def by_presence(
    seen: NDArray[np.bool_],
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.intp]]]:
    """Yield each row of (n, N) marks of presence once, with the places of all rows that equal it.

    Examples
    --------
    >>> [rows.tolist() for _, rows in by_presence(np.array([[True], [False], [True]]))]
    [[1], [0, 2]]
    """
    if not len(seen):
        return
    packed = np.packbits(seen, axis=1)
    _, first, kind = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    kind = kind.ravel()
    rows = np.split(np.argsort(kind, kind="stable"), np.cumsum(np.bincount(kind))[:-1])
    yield from zip(seen[first], rows, strict=True)
