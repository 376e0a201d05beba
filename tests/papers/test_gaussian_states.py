"""Scores in hidden states: the exact posterior against Bayes' rule written out, and the samples."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from algeval.errors import DataError
from algeval_papers.gaussian_states import (
    GaussianStates,
    second_order_insufficient,
    second_order_sufficient,
)


def test_the_posterior_is_that_of_bayes_rule():
    law = GaussianStates([0.2, 0.5, 0.3], [[0, 1], [2, -1], [-3, 0.5]])
    rows = np.random.default_rng(0).normal(size=(20, 2)) * 3
    joint = np.column_stack(
        [
            share * multivariate_normal(mean).pdf(rows)
            for share, mean in zip(law.shares, law.means, strict=True)
        ]
    )
    np.testing.assert_allclose(law.posterior(rows), joint / joint.sum(axis=1, keepdims=True))


def test_a_state_that_never_is_has_no_posterior():
    assert GaussianStates([1, 0], [[0], [5]]).posterior([[5.0]]).tolist() == [[1.0, 0.0]]


def test_samples_have_the_shares_and_means_of_the_law():
    law = GaussianStates([0.1, 0.9], [[1, 2, 3], [-1, 0, 4]])
    states, scores = law.sample(40_000, 3)
    assert states.mean() == pytest.approx(0.9, abs=0.01)
    for state in (0, 1):
        np.testing.assert_allclose(
            scores[states == state].mean(axis=0), law.means[state], atol=0.06
        )
        np.testing.assert_allclose(np.cov(scores[states == state].T), np.eye(3), atol=0.08)


def test_the_designs_by_hand():
    """Columns of means are sums of a sign of the quality and one of the confounder."""
    one, two = second_order_sufficient(1.0), second_order_insufficient(2.0, amplitude=1.0)
    assert one.means[:, 3].tolist() == [-6.5, 5.5, -5.5, 6.5]
    assert one.means[:, 4].tolist() == [0.5, -1.5, 1.5, -0.5]
    assert two.means[:, [0, 2, 7]].T.tolist() == [[-1, -1, 1, 1], [-2, 2, -2, 2], [-3, 1, -1, 3]]
    assert (two.n_judges, np.array_equal(two.means[:, :8], two.means[:, 16:])) == (24, True)


@pytest.mark.parametrize(
    ("shares", "means", "message"),
    [
        ([0.5, 0.5], [[1.0]], "one row per state"),
        ([0.5, 0.6], [[1.0], [2.0]], "sum to 1"),
        ([-0.5, 1.5], [[1.0], [2.0]], "at least 0"),
        ([1.0], [[np.nan]], "means finite"),
    ],
)
def test_bad_laws_are_refused(shares, means, message):
    with pytest.raises(DataError, match=message):
        GaussianStates(shares, means)
