"""Triplet weights: exact planted variances, plain loops over triplets, refusals, real scores."""

from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from algeval.aggregate.scores.simple import (
    error_variances,
    mean_squared_differences,
    triplet_weights,
)
from algeval.io import read_scores

DATA = Path(__file__).parents[3] / "../shared/data"


def orthogonal(sizes, bias=0):
    """All signs of independent errors, each once: scores truth + sign * size, exactly uncorrelated."""
    signs = np.array(list(product((-1.0, 1.0), repeat=len(sizes))))
    truth = np.arange(len(signs), dtype=float)
    return truth[:, None] + signs * np.array(sizes) + bias


def test_planted_variances_are_exact():
    sizes = (1.0, 2.0, 3.0, 4.0)
    found = triplet_weights(orthogonal(sizes))
    inverse = [Fraction(1, int(size) ** 2) for size in sizes]
    np.testing.assert_allclose(found.variance, np.square(sizes), rtol=1e-12)
    np.testing.assert_allclose(found.weight, [float(x / sum(inverse)) for x in inverse], rtol=1e-12)
    assert found.usable


def test_a_bias_counts_as_error():
    found = triplet_weights(orthogonal((1.0, 1.0, 1.0), bias=np.array([0.0, 0.0, 2.0])))
    np.testing.assert_allclose(found.variance, [1, 1, 5], rtol=1e-12)


@pytest.mark.parametrize("n", [3, 4, 7])
def test_the_closed_form_is_the_mean_over_triplets(n):
    rng = np.random.default_rng(n)
    d = rng.random((n, n))
    d = d + d.T
    np.fill_diagonal(d, 0)
    for a, variance in enumerate(error_variances(d)):
        others = [b for b in range(n) if b != a]
        each = [(d[a, b] + d[a, c] - d[b, c]) / 2 for b, c in combinations(others, 2)]
        assert variance == pytest.approx(np.mean(each), abs=1e-12)


def test_missing_scores_leave_means_over_common_items():
    rng = np.random.default_rng(0)
    values = 1e6 + rng.normal(size=(40, 4))
    values[rng.random(values.shape) < 0.3] = np.nan
    found = mean_squared_differences(values)
    for i, j in combinations(range(4), 2):
        both = ~np.isnan(values[:, i] + values[:, j])
        want = np.mean((values[both, i] - values[both, j]) ** 2)
        assert found[i, j] == found[j, i] == pytest.approx(want, rel=1e-6)


def test_judges_without_common_items_are_impossible():
    values = np.array([[1, np.nan, 2], [2, np.nan, 3], [np.nan, 1, 4], [np.nan, 3, 5.0]])
    found = triplet_weights(values)
    assert found.impossible.all()
    assert not found.usable


def test_a_negative_variance_leaves_no_weights():
    rng = np.random.default_rng(1)
    shared = rng.normal(size=400)
    near = shared[:, None] + 0.1 * rng.normal(size=(400, 2))
    middle = near.mean(axis=1)  # nearer to either than they are to each other
    found = triplet_weights(np.column_stack([near, middle]))
    assert found.impossible.tolist() == [False, False, True]
    assert np.isnan(found.weight).all()
    assert not found.usable


def test_exact_copies_have_no_error_left():
    column = np.random.default_rng(2).normal(size=50)
    assert triplet_weights(np.tile(column[:, None], 3)).impossible.all()


def test_one_judge_with_nearly_all_of_the_weight_is_marked():
    found = triplet_weights(orthogonal((0.01, 2.0, 2.0)))
    assert found.alone.tolist() == [True, False, False]
    assert not found.usable


def test_moving_and_scaling_all_scores_keeps_the_weights():
    values = orthogonal((1.0, 2.0, 4.0))
    np.testing.assert_allclose(
        triplet_weights(7 - 3 * values).weight, triplet_weights(values).weight, rtol=1e-12
    )


@pytest.mark.skipif(not DATA.exists(), reason="the scores are not part of the package")
def test_asset_as_published():
    """The authors' own weights give a mean absolute error of 34.07, the average 33.80."""
    table = read_scores(DATA / "asset_judge_scores.csv", item="item", key="gold")
    values, gold = table.values, np.array(table.key, float)
    assert table.n_judges == 11
    found = triplet_weights(values)
    assert found.usable
    assert np.abs(values @ found.weight - gold).mean() == pytest.approx(34.07, abs=0.005)
    assert np.abs(values.mean(axis=1) - gold).mean() == pytest.approx(33.80, abs=0.005)
