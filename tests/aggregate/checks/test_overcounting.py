"""How far agreement is counted over: against loops over single items."""

import numpy as np
import pytest

from algeval.aggregate.checks.quality import overcounting
from algeval.aggregate.em import BlockVotes, log_table


def test_ratios_by_item_loops():
    rng = np.random.default_rng(3)
    codes = rng.integers(-1, 3, (40, 4)).astype(np.int16)
    counts = rng.integers(1, 5, 40).astype(float)
    posterior = rng.dirichlet(np.ones(3), 40)
    confusion = rng.dirichlet(np.ones(3), (4, 3))
    found = overcounting(BlockVotes(codes, 3), confusion, posterior, counts)

    evidence = log_table(confusion)
    evidence = evidence - evidence.mean(1, keepdims=True)

    def spread(weights):
        total = parts = 0.0
        vectors = [[evidence[j, :, c] if c >= 0 else None for j, c in enumerate(r)] for r in codes]
        means = []
        for j in range(4):
            seen = [(w, v[j]) for w, v in zip(weights, vectors, strict=True) if v[j] is not None]
            means.append(sum(w * x for w, x in seen) / sum(w for w, _ in seen))
        for w, row in zip(weights, vectors, strict=True):
            moved = [x - m for x, m in zip(row, means, strict=True) if x is not None]
            parts += w * sum(float(x @ x) for x in moved)
            total += w * float(sum(moved, np.zeros(3)) @ sum(moved, np.zeros(3)))
        return total, parts

    within = [spread(counts * posterior[:, y]) for y in range(3)]
    assert found.within == pytest.approx(sum(t for t, _ in within) / sum(p for _, p in within))
    total, parts = spread(counts)
    assert found.bound == pytest.approx(total / parts)
