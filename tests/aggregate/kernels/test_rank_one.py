"""Rank one from some entries: planted vectors, plain loops, entries far off."""

import numpy as np
import pytest

from algeval.aggregate.methods.voting import rank_one, signs, trimmed_means


def test_a_planted_vector_is_found_with_entries_far_off():
    s = np.linspace(0.3, 0.9, 9)
    X = np.outer(s, s)
    X[0, 5] = X[5, 0] = 0.99
    seen = ~np.eye(9, dtype=bool)
    found, end = rank_one(X, seen, edge=0.01, tol=1e-13, max_iter=5000)
    assert end.converged
    np.testing.assert_allclose(found, s, atol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_trimming_as_the_source_words_it(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    size, other, present = rng.random((n, n)), rng.uniform(0.2, 1, n), rng.random(n)
    seen = rng.random((n, n)) < 0.8
    seen = seen | seen.T | (np.abs(np.subtract.outer(range(n), range(n))) == 1)
    np.fill_diagonal(seen, False)
    F = max(0, seen.sum(axis=0).min() // 2 - 1)
    for j, mean in enumerate(trimmed_means(size, seen, other, present)):
        left = sorted(size[i, j] / other[i] for i in range(n) if seen[i, j])
        below = [x for x in left if x < present[j]]
        above = [x for x in left if x > present[j]]
        for x in below[:F] + above[::-1][:F]:
            left.remove(x)
        assert mean == pytest.approx(np.mean(left))


def test_signs_are_relative_and_most_are_positive():
    s = np.array([0.9, -0.5, 0.6, 0.7, -0.8])
    X = np.outer(s, s) * ~np.eye(5, dtype=bool)
    assert signs(X).tolist() == [1, -1, 1, 1, -1]
    assert signs(np.outer(-s, -s) * ~np.eye(5, dtype=bool)).tolist() == [1, -1, 1, 1, -1]
