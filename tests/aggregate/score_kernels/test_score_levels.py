"""Levels of scores: by hand, bins, orders kept, other scores."""

import numpy as np
import pytest

from algeval.aggregate.policy import MOST_LEVELS
from algeval.aggregate.scores.graded import Levels


def test_each_distinct_score_is_a_level():
    values = np.array([[1, 0.5], [4, np.nan], [2, 0.5], [4, 0.5]])
    levels = Levels.of(values)
    assert levels.sizes.tolist() == [3, 1]
    assert levels.scores[0].tolist() == [1, 2, 4]
    assert levels.codes(values).tolist() == [[0, 0], [2, -1], [1, 0], [2, 0]]


def test_other_scores_get_the_nearest_level():
    levels = Levels.of(np.array([[1.0], [2], [4]]))
    assert levels.codes(np.array([[-9], [1.4], [1.6], [2.9], [3.1], [99]])).ravel().tolist() == [
        0,
        0,
        1,
        1,
        2,
        2,
    ]


def test_a_judge_without_scores_has_no_level():
    levels = Levels.of(np.array([[1.0, np.nan], [2, np.nan]]))
    assert levels.sizes.tolist() == [2, 0]
    assert levels.codes(np.array([[1.0, 7.0]])).tolist() == [[0, -1]]


def test_many_scores_are_binned_evenly():
    values = np.arange(15.0 * 40)[:, None]
    levels = Levels.of(values)
    assert levels.sizes.tolist() == [MOST_LEVELS]
    assert np.bincount(levels.codes(values).ravel()).tolist() == [40] * 15
    assert levels.scores[0][0] == 19.5


@pytest.mark.parametrize("seed", range(5))
def test_bins_depend_on_the_order_alone(seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.gamma(1, 20, (300, 3)))
    straight = Levels.of(values).codes(values)
    bent = np.log1p(values) * 5 - 3
    assert np.array_equal(Levels.of(bent).codes(bent), straight)
    assert Levels.of(values).sizes.max() <= MOST_LEVELS
    order = np.argsort(values[:, 0])
    assert (np.diff(straight[order, 0]) >= 0).all()


def test_levels_below_a_cut():
    levels = Levels.of(np.array([[1.0, 7], [2, 8], [4, 9]]))
    assert levels.below(2).tolist() == [1, 0]
    assert levels.below(2.5).tolist() == [2, 0]
    assert levels.below(100).tolist() == [3, 3]
