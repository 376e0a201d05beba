"""Whether correlations could be those of judges who have nothing to do with each other."""

import numpy as np
import pytest

from algeval.aggregate.fitting import chance_unrelated


def correlated(rng, n_items, n_judges, loading=0.0):
    shared = loading * rng.normal(size=(n_items, 1))
    return np.corrcoef((shared + rng.normal(size=(n_items, n_judges))).T)


@pytest.mark.parametrize("shape", [(5, 6), (10, 12), (12, 10), (30, 60), (200, 6)])
def test_unrelated_judges_are_called_related_about_once_in_twenty(shape):
    rng = np.random.default_rng(0)
    common = np.full((shape[1], shape[1]), shape[0])
    rate = np.mean([chance_unrelated(correlated(rng, *shape), common) <= 0.05 for _ in range(300)])
    assert 0.02 < rate < 0.1


def test_related_judges_are_seen_though_they_outnumber_the_items():
    rng = np.random.default_rng(1)
    assert chance_unrelated(correlated(rng, 20, 30, 0.8), np.full((30, 30), 20)) < 1e-6


def test_pairs_that_never_met_neither_hide_nor_make_a_relation():
    related = np.kron(np.eye(2), np.full((3, 3), 0.6) + 0.4 * np.eye(3))
    apart = np.kron(np.eye(2), np.full((3, 3), 100))
    assert chance_unrelated(related, apart) < 1e-6
    assert chance_unrelated(np.eye(6), apart) > 0.5
    assert chance_unrelated(np.ones((6, 6)), np.full((6, 6), 2)) == 1
