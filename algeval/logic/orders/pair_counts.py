"""How often each two judges gave each pair of answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.data import Sketch
from algeval.logic.policy import PAIR_ENTRIES

__all__ = ["Pairs", "pair_counts"]


Ints = np.ndarray[Any, np.dtype[Any]]
Pairs = dict[tuple[int, int], Ints]


def pair_counts(sketch: Sketch) -> Pairs:
    """Return {(i, j): (A + 1, A + 1) counts} for i < j; row and column 0 are "not answered".

    Indicator columns are multiplied in blocks of tuples, so a million tuples take a second; sums
    of whole numbers in floats are exact as long as there are fewer than 2**53 items.
    """
    width = sketch.n_answers + 1
    size = sketch.n_judges * width
    total = np.zeros((size, size))
    places = np.arange(sketch.n_judges) * width
    rows = max(1, PAIR_ENTRIES // max(1, size))
    for start in range(0, len(sketch), rows):
        codes = sketch.codes[start : start + rows].astype(np.int64)
        counts = sketch.counts[start : start + rows].astype(float)
        ones = np.zeros((len(codes), size))
        ones[np.arange(len(codes))[:, None], codes + 1 + places] = 1.0
        total += ones.T @ (ones * counts[:, None])
    whole = np.rint(total).astype(np.int64).reshape(sketch.n_judges, width, sketch.n_judges, width)
    return {(i, j): whole[i, :, j] for j in range(sketch.n_judges) for i in range(j)}
