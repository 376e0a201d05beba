"""Counts of pairs of answers, against counting one by one."""

from collections import Counter

import numpy as np

from algeval.data import Sketch
from algeval.logic.orders.pair_interior import pair_counts


def test_pairs_are_counted_as_one_counts_them():
    rng = np.random.default_rng(4)
    codes = rng.integers(-1, 3, (200, 4)).astype(np.int16)
    data = Sketch(list("wxyz"), list("abc"), list("abc"), codes, rng.integers(1, 9, 200))
    found = pair_counts(data)
    assert set(found) == {(i, j) for j in range(4) for i in range(j)}
    for (i, j), table in found.items():
        expected = Counter()
        for row, n in zip(data.codes.tolist(), data.counts.tolist(), strict=True):
            expected[row[i] + 1, row[j] + 1] += n
        assert {(a, b): int(table[a, b]) for a, b in np.argwhere(table).tolist()} == expected
