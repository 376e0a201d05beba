"""Scales of judges: normal scores by hand and by rank, ties, new values, missing scores."""

from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import rankdata

from algeval.aggregate.scores.simple import NormalScores, judge_scale

Z = NormalDist().inv_cdf


def test_four_scores_by_hand():
    values = np.array([[30.0], [10.0], [20.0], [20.0]])
    mean = [(Z(3 / 8) + Z(5 / 8)) / 2] * 2
    found = NormalScores.of(values).transform(values)[:, 0]
    np.testing.assert_allclose(found, [Z(7 / 8), Z(1 / 8), *mean], atol=1e-12)


def test_blocks_take_the_mean_of_their_levels_and_middles_the_level_of_their_rank():
    values = np.array([[1.0], [1.0], [1.0], [2.0], [5.0]])
    found = NormalScores.of(values, "mean").transform(values)[:, 0]
    middle = NormalScores.of(values, "middle").transform(values)[:, 0]
    assert found[0] == pytest.approx((Z(0.1) + Z(0.3) + Z(0.5)) / 3)
    assert middle[0] == pytest.approx(Z(0.3))
    assert found[3:] == pytest.approx([Z(0.7), Z(0.9)])
    assert middle[3:] == pytest.approx([Z(0.7), Z(0.9)])


@pytest.mark.parametrize("seed", range(5))
def test_middles_are_normal_quantiles_of_mid_ranks(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 6, (40, 3)).astype(float)
    values[rng.random(values.shape) < 0.2] = np.nan
    found = judge_scale(values, "normal", "middle").transform(values)
    for column, got in zip(values.T, found.T, strict=True):
        given = ~np.isnan(column)
        want = [Z((rank - 0.5) / given.sum()) for rank in rankdata(column[given])]
        np.testing.assert_allclose(got[given], want, atol=1e-12)
        assert np.isnan(got[~given]).all()


def test_new_scores_lie_between_those_of_the_scores_seen_and_never_beyond():
    values = np.array([[0.0], [1.0], [3.0]])
    scale = NormalScores.of(values)
    found = scale.transform(np.array([[2.0], [-7.0], [9.0], [np.nan]]))[:, 0]
    assert found[:3] == pytest.approx([Z(5 / 6) / 2, Z(1 / 6), Z(5 / 6)])
    assert np.isnan(found[3])


def test_only_the_order_of_a_judge_counts():
    values = np.random.default_rng(1).normal(size=(30, 4))
    one, other = (NormalScores.of(v).transform(v) for v in (values, np.exp(2 * values) - 5))
    np.testing.assert_allclose(one, other, atol=1e-12)


def test_standardised_and_raw():
    values = np.array([[1.0, 5.0], [3.0, 5.0], [np.nan, 5.0]])
    found = judge_scale(values, "standardised").transform(values)
    np.testing.assert_allclose(found, [[-1, 0], [1, 0], [np.nan, 0]])
    np.testing.assert_array_equal(judge_scale(values, "raw").transform(values), values)


def test_a_judge_who_gave_no_score_stays_without_one():
    values = np.array([[np.nan, 1.0], [np.nan, 2.0]])
    for name in ("normal", "standardised", "raw"):
        assert np.isnan(judge_scale(values, name).transform(values)[:, 0]).all()
